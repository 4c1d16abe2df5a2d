import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchBounded } from '../../src/transport/bounded-response.ts';

const MAX_BYTES = 10_000;

describe('fetchBounded', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** What the body of one answer gives through the bound. */
  const read = async (body: Buffer, headers: Readonly<Record<string, string>>): Promise<string> => {
    server = createServer((_request, response) => response.writeHead(200, { 'content-length': String(body.length), ...headers }).end(body));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = server.address() as AddressInfo;
    const response = await fetchBounded(fetch, MAX_BYTES)(`http://127.0.0.1:${port}/`);
    return response.text();
  };

  const JSON_TYPE = { 'content-type': 'application/json' };
  const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' };

  it('counts what a compressed body becomes, not the length it says (B01)', async () => {
    const compressed = gzipSync('x'.repeat(MAX_BYTES + 1));
    expect(compressed.length).toBeLessThan(MAX_BYTES);
    await expect(read(compressed, GZIP)).rejects.toMatchObject({ code: 'limit-exceeded', executed: 'yes' });
  });

  it.each<readonly [string, Buffer, Readonly<Record<string, string>>]>([
    ['a compressed one', gzipSync('x'.repeat(MAX_BYTES)), GZIP],
    ['a plain one', Buffer.from('x'.repeat(MAX_BYTES)), JSON_TYPE],
  ])('lets a body of exactly the limit through: %s', async (_what, body, headers) => {
    expect(await read(body, headers)).toHaveLength(MAX_BYTES);
  });

  it('refuses a plain body above the limit', async () => {
    await expect(read(Buffer.from('x'.repeat(MAX_BYTES + 1)), JSON_TYPE)).rejects.toMatchObject({ code: 'limit-exceeded' });
  });
});
