/** A durable image of a real server, over a real process and over HTTP (S62). */
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LocalAttachmentStore } from '../../src/host/attachment-store.ts';
import { startCordis3Host } from '../../src/host/cordis3-host.ts';
import type { EmbeddedHost } from '../../src/host/embedded-host.ts';
import * as bridge from '../../src/index.ts';
import { contexts } from '../host/cordis-versions.ts';
import { agentOn } from './fake-services.ts';
import { imageBytes } from './samples.ts';

const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const models = [{ provider: 'p', model: 'sees', inputModalities: ['text', 'image'] }, { provider: 'p', model: 'reads', inputModalities: ['text'] }];

describe('an image of a real server', () => {
  let directory: string;
  let host: EmbeddedHost;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'bridge-images-'));
    host = await startCordis3Host(contexts.cordis3, { onLog: () => undefined, host: { attachments: { directory }, models } });
  });
  afterEach(async () => {
    await host.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  const call = (name: string, model: string) =>
    host.tools.execute({ callId: 'c', name, arguments: {}, agent: agentOn('p', model), signal: new AbortController().signal });

  /** The image that the model sees, read from the disk by a store that knows nothing but the folder. */
  async function expectDurable(name: string): Promise<Buffer> {
    const result = await call(name, 'sees');
    const references = result.content.flatMap((block) => (block.type === 'image' ? [block.attachment] : []));
    expect(references).toHaveLength(1);
    const { data } = await new LocalAttachmentStore({ directory }).readImage(references[0] ?? {});
    const base64 = Buffer.from(data).toString('base64');
    expect(JSON.stringify(result.isError ? '' : result.value)).toContain(base64);
    expect(JSON.stringify(result.content)).not.toContain(base64.slice(0, 64));
    const refused = await call(name, 'reads');
    expect(JSON.stringify(refused.content)).toContain('[image left out (image/png): the model does not declare image input]');
    return Buffer.from(data);
  }

  test('is saved and read back over stdio', async () => {
    await host.load(bridge, { transport: 'stdio', serverName: 'everything', command: process.execPath, args: [EVERYTHING, 'stdio'] });
    const data = await expectDurable('mcp__everything__get-tiny-image');
    expect(data.subarray(1, 4).toString('latin1')).toBe('PNG');
  });

  test('is saved and read back over Streamable HTTP', async () => {
    const bytes = imageBytes('image/png', 'over HTTP');
    const http = createServer((request, response) => {
      const server = new McpServer({ name: 'draws', version: '1' });
      server.registerTool('draw', {}, () => ({ content: [{ type: 'image', data: bytes.toString('base64'), mimeType: 'image/png' }] }));
      const transport = new StreamableHTTPServerTransport();
      void server.connect(transport as Parameters<McpServer['connect']>[0]).then(() => transport.handleRequest(request, response));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    try {
      const address = http.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      await host.load(bridge, { transport: 'streamable-http', serverName: 'web', url: `http://127.0.0.1:${port}/mcp` });
      expect(await expectDurable('mcp__web__draw')).toEqual(bytes);
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });
});
