import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serve, type ServeFlags } from '../../src/cli/serve.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { readTrace } from '../../src/trace/reader.ts';
import { BIN } from '../client.ts';
import { createHttpClient } from '../http-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'fixture-serve-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, value: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

const plain = file('plain.json', { scenario: 1, tools: [{ name: 'p' }] });
const http = file('http.json', { scenario: 1, name: 'h', rules: [{ when: { http: 'DELETE' }, do: [{ respond: { status: 405 } }] }] });
const both = file('case.json', {
  case: 1, id: 'c', title: 't', area: 'wire', steps: [{ open: true }], judge: ['WIRE-001'],
  servers: { near: { scenario: { scenario: 1 } }, far: { carrier: 'streamable-http', scenario: { scenario: 1, tools: [{ name: 'f' }] } } },
});

describe('serve', () => {
  it.each<[string[], ServeFlags, string, string]>([
    [[plain, http], {}, 'stdio carries one server', 'give one source, or add --http'],
    [[both], {}, 'the case c has 2 servers: near, far', 'choose one with --server <name>'],
    [[both], { http: true, server: 'no' }, 'the case c has no server no', 'choose one of: near, far'],
    [[plain], { port: '1' }, '--port goes with --http', 'add --http, or leave --port out'],
    [[plain], { host: '::1' }, '--host goes with --http', 'add --http, or leave --host out'],
    [[plain], { http: true, port: '70000' }, '--port 70000 is no port', 'give a number from 0 to 65535; 0 takes a free one'],
    [[plain], { http: true, port: '-1' }, '--port -1 is no port', 'give a number from 0 to 65535; 0 takes a free one'],
    [[plain, plain], { http: true }, 'two servers are called plain', 'give the scenarios a `name`, or serve them apart'],
    [[both], { http: true, control: '127.0.0.1:1' }, 'a controller takes one server', 'choose one with --server <name>, or leave --control out'],
    [[plain], { http: true, host: '192.0.2.1' }, 'cannot listen: listen EADDRNOTAVAIL', 'give another --port or --host, or leave them out'],
    [[plain], { http: true, trace: join(folder, 'no', 'such') }, 'the trace cannot be written', 'give --trace a file that can be created'],
  ])('refuses %j with %j in one line', async (sources, flags, message, hint) => {
    const error = await serve(sources, flags, () => undefined).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ hint });
    expect(String(error)).toContain(message);
  });

  it('refuses on stdio what only HTTP can do', async () => {
    await expect(serve([http], {}, () => undefined)).rejects.toThrow(`${http}:1:51: rules[0].when.http: is for the carrier streamable-http`);
  });

  it('serves every server of every source over HTTP, in one process, each counting for itself', async () => {
    const trace = join(folder, 't.jsonl');
    const child = spawn(process.execPath, [BIN, 'serve', plain, both, '--http', '--trace', trace, '--run', join(folder, 'run')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const urls = await firstLines(child.stdout, 3);
    expect(urls.map((url) => new URL(url).pathname)).toEqual(['/plain/mcp', '/near/mcp', '/far/mcp']);
    const listed: unknown[] = [];
    for (const url of urls) {
      const client = createHttpClient(url);
      await client.handshake();
      listed.push((await client.ask('tools/list')).result?.tools?.map(({ name }) => name));
    }
    expect(listed).toEqual([['p'], [], ['f']]);
    child.kill();
    await new Promise((resolve) => {
      child.on('close', resolve);
    });
    const records = readTrace(readFileSync(trace, 'utf8'), trace);
    expect(records.flatMap((record) => (record.kind === 'process' && record.event === 'incarnation' ? [`${record.server} ${record.incarnation}`] : []))).toEqual(['plain 1', 'near 1', 'far 1']);
  });

  it('serves a server over HTTP that its case has over HTTP', async () => {
    const child = spawn(process.execPath, [BIN, 'serve', both, '--server', 'far'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url = ''] = await firstLines(child.stdout, 1);
    expect((await createHttpClient(url).handshake()).status).toBe(200);
    child.kill();
  });
});

/** The first lines of an output. */
function firstLines(output: NodeJS.ReadableStream, count: number): Promise<string[]> {
  let text = '';
  return new Promise((resolve) => {
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\n');
      if (lines.length > count) resolve(lines.slice(0, count));
    });
  });
}
