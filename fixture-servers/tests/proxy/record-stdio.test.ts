import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { passOn } from '../../src/proxy/pass-on.ts';
import { defaultPath, nameOf } from '../../src/cli/server-name.ts';
import { readTrace } from '../../src/trace/reader.ts';
import type { TraceRecord } from '../../src/trace/schema.ts';
import { BIN } from '../client.ts';
import { temporaryFolder } from '../trace/records.ts';

const folder = temporaryFolder();

type Recorded = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts `record` over a command. */
function record(out: string, command: readonly string[], flags: readonly string[] = []): { child: Recorded; out: () => Buffer; err: () => Buffer; ended: Promise<[number | null, string | null]> } {
  const child = spawn(process.execPath, [BIN, 'record', '--out', out, ...flags, '--', ...command], { stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (code, signal) => resolve([code, signal]));
  });
  return { child, out: () => Buffer.concat(stdout), err: () => Buffer.concat(stderr), ended };
}

function trace(path: string): TraceRecord[] {
  return readTrace(readFileSync(path, 'utf8'), path);
}

/** A server in a line of JavaScript. */
const node = (script: string): string[] => [process.execPath, '-e', script];

describe('recording a stdio server', () => {
  it('passes every byte on at once, in any chunks, and the end of input', async () => {
    const path = folder.path('cat.jsonl');
    const cat = record(path, ['cat']);
    let sent = Buffer.alloc(0);
    const chunk = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('\n', '\r\n', 'half a line', 'ü'.slice(0, 1), '{"jsonrpc":"2.0"}\n').map((text) => Buffer.from(text)),
      fc.constantFrom(Buffer.from([0xc3]), Buffer.from([0xbc, 0x0a]), Buffer.alloc(200_000, 'x')),
    );
    await fc.assert(fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 5 }), async (chunks) => {
      for (const each of chunks) {
        sent = Buffer.concat([sent, each]);
        cat.child.stdin.write(each);
      }
      // Half lines too: nothing waits for a line end.
      while (cat.out().length < sent.length) await once(cat.child.stdout, 'data');
      expect(cat.out().equals(sent)).toBe(true);
    }), { numRuns: 30 });
    cat.child.stdin.end();
    expect(await cat.ended).toEqual([0, null]);
    const records = trace(path);
    const bytes = (direction: string): number => records.reduce((sum, each) => sum + (each.kind === 'frame' && each.direction === direction ? each.bytes : 0), 0);
    expect([bytes('client-to-server'), bytes('server-to-client')]).toEqual([sent.length, sent.length]);
    expect(records.at(-1)).toMatchObject({ kind: 'process', event: 'exit', code: 0 });
  });

  it('mirrors stderr byte for byte, and the exit code', async () => {
    const path = folder.path('err.jsonl');
    const script = `process.stderr.write(Buffer.from([0x61, 0xff, 0xc3])); process.stderr.write('no end\\nlast'); process.exitCode = 7;`;
    const server = record(path, node(script));
    expect(await server.ended).toEqual([7, null]);
    expect(server.err().equals(Buffer.concat([Buffer.from([0x61, 0xff, 0xc3]), Buffer.from('no end\nlast')]))).toBe(true);
    expect(trace(path).filter((each) => each.kind === 'process' && each.event === 'stderr').map((each) => (each.kind === 'process' ? each.text : '')).join('')).toContain('no end\nlast');
  });

  it('dies by the signal by which the server died, with everything it said before', async () => {
    const path = folder.path('kill.jsonl');
    const server = record(path, ['sh', '-c', 'echo last words; kill -9 $$']);
    expect(await server.ended).toEqual([null, 'SIGKILL']);
    expect(server.out().toString()).toBe('last words\n');
    expect(trace(path).at(-1)).toMatchObject({ event: 'exit', signal: 'SIGKILL' });
  });

  it('passes signals on, and tells that they came from the client', async () => {
    const path = folder.path('term.jsonl');
    const server = record(path, node(`process.on('SIGTERM', () => { console.log('bye'); process.exit(5); }); process.stdin.resume(); console.log('up');`));
    await once(server.child.stdout, 'data');
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual([5, null]);
    expect(server.out().toString()).toBe('up\nbye\n');
    expect(trace(path)).toContainEqual(expect.objectContaining({ event: 'note', signal: 'SIGTERM' }));
  });

  it('leaves no server behind when it is killed itself, though that server ignores the end of its input', async () => {
    const server = record(folder.path('orphan.jsonl'), node(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid);`));
    await once(server.child.stdout, 'data');
    const pid = Number(server.out().toString());
    server.child.kill('SIGKILL');
    expect(await server.ended).toEqual([null, 'SIGKILL']);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 20_000 });
  });

  it('tells the server when the client closes its end, and the client when the server closes its', async () => {
    const script = `const fs = require('fs'); fs.closeSync(1); setTimeout(() => { process.exit(3); }, 200);`;
    const server = record(folder.path('closed.jsonl'), node(script));
    let code: number | null | undefined;
    server.child.on('exit', (value) => {
      code = value;
    });
    await once(server.child.stdout, 'end');
    expect(code).toBeUndefined();
    expect(await server.ended).toEqual([3, null]);
    const deaf = record(folder.path('deaf.jsonl'), node(`process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 9 : 1)); setInterval(() => console.log('x'), 5);`));
    await once(deaf.child.stdout, 'data');
    deaf.child.stdout.destroy();
    expect(await deaf.ended).toEqual([9, null]);
  });

  it('stops the trace at its bound with a note, and the traffic goes on', async () => {
    const path = folder.path('bound.jsonl');
    const cat = record(path, ['cat'], ['--max-bytes', '3000']);
    const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'y'.repeat(300) } })}\n`;
    cat.child.stdin.end(line.repeat(20));
    expect(await cat.ended).toEqual([0, null]);
    expect(cat.out().toString()).toBe(line.repeat(20));
    const text = readFileSync(path, 'utf8');
    expect(text.length).toBeLessThan(3_500);
    expect(readTrace(text).at(-1)).toMatchObject({ event: 'note', text: expect.stringContaining('bound of 3000 bytes') });
  });

  it('says in one line what is wrong with its arguments, and leaves no file of a server that cannot be started', async () => {
    const missing = record(folder.path('missing.jsonl'), ['no-such-program']);
    expect(await missing.ended).toEqual([127, null]);
    expect(missing.err().toString()).toMatch(/^mcp-fixture-server: no-such-program cannot be started: .*ENOENT.*\n$/);
    expect(existsSync(folder.path('missing.jsonl'))).toBe(false);
    const nowhere = record('/no/such/folder/t.jsonl', ['cat']);
    expect(await nowhere.ended).toEqual([2, null]);
    expect(nowhere.err().toString()).toContain('give --out a file that can be created');
    expect(readdirSync(folder.path('.')).filter((name) => name.includes('missing'))).toEqual([]);
  });

  it('holds the source back while the sink is full, and keeps what is in between small', async () => {
    const source = new PassThrough();
    let taken = 0;
    let next: (() => void) | undefined;
    const sink = new PassThrough({ highWaterMark: 1024 });
    sink.pause();
    const passage = passOn(source, sink, { look: (chunk) => void (taken += chunk.length), end: () => next?.() });
    for (let each = 0; each < 64; each += 1) source.write(Buffer.alloc(1024));
    await vi.waitFor(() => expect(source.isPaused()).toBe(true));
    expect(taken).toBeLessThan(8 * 1024);
    const ended = new Promise<void>((resolve) => {
      next = resolve;
    });
    source.end();
    sink.resume();
    await ended;
    await passage.finished(1, 1);
    expect(taken).toBe(64 * 1024);
  });

  it('names the trace after the server', () => {
    expect([
      ['npx', '-y', '@modelcontextprotocol/server-everything'], ['node', '/a/server-x/dist/index.js', 'stdio'], ['/usr/bin/my-server', '--flag'],
      ['uvx', 'mcp-server-git@1.2', '--repository', 'x'], ['python3', '-m', 'weather.py'], ['sh', '-c', 'echo hi'], ['docker', 'run', '-i', 'org/image'], ['../..'],
    ].map((command) => nameOf(command))).toEqual(['server-everything', 'server-x', 'my-server', 'mcp-server-git', 'weather', 'sh', 'image', '..']);
    expect(defaultPath('x')).toMatch(/^x-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+\.trace\.jsonl$/);
  });
});
