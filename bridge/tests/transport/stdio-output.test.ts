/** What is told of the output of a process, on either pipe (B01, B06, B08). */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { resolveConnectionLimits, type ConnectionLimits } from '../../src/connection-limits.ts';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { StdioOutput } from '../../src/transport/stdio-output.ts';

interface Told {
  readonly output: StdioOutput;
  readonly pipes: { readonly stdout: PassThrough; readonly stderr: PassThrough };
  readonly messages: JSONRPCMessage[];
  readonly hopeless: string[];
  readonly reports: string[];
  readonly nextSecond: () => void;
}

/** An output that is read, three reports of each kind a second. */
function read(limits: Partial<ConnectionLimits> = {}): Told {
  const pipes = { stdout: new PassThrough(), stderr: new PassThrough() };
  const messages: JSONRPCMessage[] = [];
  const hopeless: string[] = [];
  const reports: string[] = [];
  let nowMs = 0;
  const output = new StdioOutput({
    limits: resolveConnectionLimits(limits),
    redact: createRedactor(),
    reports: new ReportLimiter((level, text) => reports.push(`${level}: ${text}`), 3, () => nowMs),
    onMessage: (message) => messages.push(message),
    onHopeless: (detail) => hopeless.push(detail),
  });
  output.read(pipes);
  const nextSecond = (): void => {
    nowMs += 1_000;
  };
  return { output, pipes, messages, hopeless, reports, nextSecond };
}

/** Lets the process write this and exit. */
async function written(told: Told, stdout: string, stderr = ''): Promise<Told> {
  const ends = [told.pipes.stdout, told.pipes.stderr].map((pipe) => once(pipe, 'end'));
  told.pipes.stdout.end(stdout);
  told.pipes.stderr.end(stderr);
  await Promise.all(ends);
  await told.output.readRest(told.pipes, () => 0);
  return told;
}

const message = (id: number, text = ''): string => `${JSON.stringify({ jsonrpc: '2.0', id, result: { text } })}\n`;

describe('the output of a process', () => {
  it('is messages in order, and noise that is counted and told', async () => {
    const { messages, reports, output } = await written(read(), `${message(1)}Listening\n\n[${message(2).trim()}]\n`);
    expect(messages).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(reports).toEqual(['warn: skipped a line on stdout that is no JSON-RPC message: "Listening"']);
    expect(output.skipped).toBe(1);
    expect(output.lastWords()).toBe('');
    // A message is more than an empty line.
    expect((await written(read(), 'Error: no key\n\n')).output.lastWords()).toBe('its stdout ended with:\nError: no key');
  });

  it('is told as it was written to stderr, as much of it as may be told in a second', async () => {
    const told = await written(read(), '', 'a\nb\nc\nd\ne\n');
    expect(told.reports).toEqual(['debug: stderr: a', 'debug: stderr: b', 'debug: stderr: c']);
    told.nextSecond();
    await written({ ...told, pipes: reread(told) }, '', 'f\n');
    expect(told.reports.slice(3)).toEqual(['debug: 2 more stderr reports were left out', 'debug: stderr: f']);
    expect(told.output.lastWords()).toBe('its stderr ended with:\na\nb\nc\nd\ne\nf');
  });

  it('is cut off where its last message has no end', async () => {
    const cut = 'warn: the last message on stdout was cut off; it was dropped';
    expect((await written(read(), message(1).trim())).reports).toEqual([cut]);
    expect((await written(read(), message(1))).reports).toEqual([]);
    const noisy = await written(read(), `x\nx\nx\n${message(1).trim()}`);
    noisy.nextSecond();
    await written({ ...noisy, pipes: reread(noisy) }, 'x\n');
    // From the same allowance as noise.
    expect(noisy.reports).toContain('debug: 1 more noise reports were left out');
  });

  it('delivers nothing once it is stopped', async () => {
    const told = read();
    told.output.stop();
    expect((await written(told, message(1))).messages).toEqual([]);
  });
});

/** Gives the output two more pipes to read. */
function reread({ output }: Told): Told['pipes'] {
  const pipes = { stdout: new PassThrough(), stderr: new PassThrough() };
  output.read(pipes);
  return pipes;
}

describe('a message that is too much', () => {
  const limits = { maxMessageBytes: 100, maxMessageValues: 20 };
  const tooLong = message(7, 'x'.repeat(100));
  const long = `the server sent a message of ${tooLong.length - 1} bytes, more than \`maxMessageBytes\` (100) allows`;
  const many = 'the server sent a message of more values than `maxMessageValues` (20) allows; raise it if messages are meant to hold so many';

  it.each([
    ['too long', tooLong, long],
    ['of too many values', '{"jsonrpc":"2.0","id":7,"result":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}\n', many],
  ])('fails the request that it answers: %s', async (_what, text, words) => {
    const { messages, hopeless, reports } = await written(read(limits), text);
    expect(messages).toMatchObject([{ id: 7, error: { message: words } }]);
    expect([hopeless, reports]).toEqual([[], [`warn: ${words}`]]);
  });

  it('is told of from the allowance of the protocol', async () => {
    const told = await written(read(limits), tooLong.repeat(4));
    told.nextSecond();
    await written({ ...told, pipes: reread(told) }, tooLong);
    expect(told.reports[3]).toBe('debug: 1 more protocol reports were left out');
  });

  it('ends the connection where it answers none, or has no end', async () => {
    expect((await written(read(limits), `${'x'.repeat(150)}\n`)).hopeless).toEqual(['the server sent a message of 150 bytes, more than `maxMessageBytes` (100) allows']);
    expect((await written(read(limits), 'x'.repeat(201))).hopeless).toEqual(['a message grew past 200 bytes, twice `maxMessageBytes`, without an end; raise `maxMessageBytes`']);
  });
});

it('is read to its end after the exit for as long as something comes, within its time', async () => {
  const { output, pipes, messages } = read({ drainAfterExitMs: 10 });
  let nowMs = 0;
  let count = 0;
  const write = (): void => {
    count += 1;
    if (count > 50) return;
    pipes.stdout.write(message(count));
    setImmediate(write);
  };
  write();
  await output.readRest(pipes, () => (nowMs += 4));
  // Begun at 4, the time is up at 14: three looks.
  expect(messages.length).toBeGreaterThan(6);
  expect(messages.length).toBeLessThan(20);
  const quiet = read();
  // Who has closed its stderr may still have something to say.
  quiet.pipes.stderr.end();
  quiet.pipes.stderr.resume();
  await once(quiet.pipes.stderr, 'end');
  setImmediate(() => quiet.pipes.stdout.write(message(1)));
  await quiet.output.readRest(quiet.pipes, () => 0);
  expect(quiet.messages).toHaveLength(1);
});
