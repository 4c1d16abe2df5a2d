import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { BIN } from '../client.ts';
import { temporaryFolder } from '../trace/records.ts';

const folder = temporaryFolder();
const SERVER = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
/** Looks like a key of a well-known service, and is none. */
const PLANTED = `sk-${'plantedsecret0123'.repeat(2)}`;

interface Seen {
  readonly server: unknown;
  readonly tools: unknown;
  readonly answers: unknown[];
  /** The first of it: the client drops what it reads together with the answer. */
  readonly progress: unknown;
  readonly stderr: string;
}

/** Connects with the official client and uses the server. */
async function use(args: readonly string[], secret: string): Promise<Seen> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'pipe', env: { PATH: process.env['PATH'] ?? '', SERVICE_API_KEY: secret } });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const progress: unknown[] = [];
  try {
    const { tools } = await client.listTools();
    const answers = [
      await client.callTool({ name: 'echo', arguments: { message: `my key is ${secret}` } }),
      await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 40 } }),
      await client.callTool({ name: 'get-tiny-image', arguments: {} }),
      await client.callTool({ name: 'get-structured-content', arguments: { location: 'Chicago' } }),
      await client.callTool({ name: 'no-such-tool', arguments: {} }).catch(String),
      await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } }, undefined, { onprogress: (value) => progress.push(value) }),
    ];
    return { server: client.getServerVersion(), tools, answers, progress: progress[0], stderr };
  } finally {
    await client.close();
  }
}

describe('server-everything, recorded through the official client', () => {
  it('gives the same tools and answers as without the recorder, scrubbed and replayed, and as a scenario', async () => {
    const path = folder.path('everything.jsonl');
    const direct = await use([SERVER, 'stdio'], PLANTED);
    expect(await use([BIN, 'record', '--out', path, '--', process.execPath, SERVER, 'stdio'], PLANTED)).toEqual(direct);
    expect(readFileSync(path, 'utf8')).toContain(PLANTED);

    const scrubbed = folder.path('scrubbed.jsonl');
    const { status, stdout } = spawnSync(process.execPath, [BIN, 'scrub', path, '-o', scrubbed], { encoding: 'utf8' });
    expect([status, stdout.includes(PLANTED), readFileSync(scrubbed, 'utf8').includes(PLANTED)]).toEqual([0, false, false]);
    expect(stdout).toContain('tools/call params.arguments.message');

    // Where the secret stood the answer has its placeholder; the question may have any text there.
    const replayed = await use([BIN, 'replay', scrubbed], PLANTED);
    const placeholder = /\[scrubbed-key-\d+\]/.exec(JSON.stringify(replayed))?.[0] ?? 'none';
    expect(JSON.parse(JSON.stringify(replayed).replaceAll(placeholder, PLANTED))).toEqual(JSON.parse(JSON.stringify(direct)));

    const scenario = folder.path('everything.yaml');
    expect(spawnSync(process.execPath, [BIN, 'from-trace', path, '-o', scenario]).status).toBe(0);
    expect(spawnSync(process.execPath, [BIN, 'lint', scenario], { encoding: 'utf8' }).stdout).toContain('scenario is fine');
    const served = await use([BIN, 'serve', scenario], PLANTED);
    expect({ ...served, progress: 0, stderr: '' }).toEqual({ ...direct, progress: 0, stderr: '' });
    // Listed to a person, it is all there.
    const shown = spawnSync(process.execPath, [BIN, 'show', scrubbed], { encoding: 'utf8' }).stdout;
    expect(shown).toContain('result tools/call get-tiny-image');
    expect(shown.trimEnd().endsWith('every request was answered once')).toBe(true);
  });
});
