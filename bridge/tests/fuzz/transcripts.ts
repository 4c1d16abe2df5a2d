/** Everything that a bridge hears of one server, in order. */
import { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { openSession } from '../../src/client-session.ts';
import { resolveConnectionLimits } from '../../src/connection-limits.ts';
import { BridgeError } from '../../src/errors.ts';
import { deferred } from '../../src/transport/deferred.ts';
import { setHandlers } from '../../src/transport/handlers.ts';
import { isObject } from '../../src/transport/narrow.ts';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { StdioTransport } from '../../src/transport/stdio-transport.ts';
import { cut, type Cuts } from './chunkings.ts';
import { soundHttp, type HttpAnswer } from './http-answers.ts';
import { bodyFor } from './http-peer.ts';
import { PATIENT, settled } from './judge.ts';
import { expectQuietHost } from './quiet-host.ts';

/** Messages, reports and the end of one server on stdio. */
export async function heardOnStdio(bytes: Buffer, cuts: Cuts, maxMessageBytes: number): Promise<unknown[]> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const child = Object.assign(new ChildProcess(), { pid: 4_000_000, stdin, stdout, stderr });
  const heard: unknown[] = [];
  const transport = new StdioTransport({
    program: { command: 'none', args: [], env: {}, cwd: undefined },
    limits: resolveConnectionLimits({ ...PATIENT, maxMessageBytes, drainAfterExitMs: 5_000 }),
    redact: createRedactor(),
    reports: new ReportLimiter((level, message) => heard.push([level, message]), 1_000, () => 0),
    effects: { spawn: () => child, control: { spawnOptions: { detached: true }, treeOf: () => ({ signal: () => false, isAlive: () => false }) } },
  });
  setHandlers(transport, {
    onmessage: (message) => heard.push(message),
    onclose: () => heard.push('closed'),
    onerror: (error) => heard.push(error.message),
  });
  await transport.start();
  for (const piece of cut(bytes, cuts)) stdout.write(piece);
  stdout.end();
  stderr.end();
  child.emit('exit', 0, null);
  heard.push((await settled('the end', transport.closed)).kind);
  return heard;
}

function hasBody({ status }: HttpAnswer): boolean {
  return ![204, 205, 304].includes(status);
}

/** The result of one call, and what was reported, over a `fetch` that gives the body in these pieces. */
export async function heardOverHttp(answer: HttpAnswer, cuts: Cuts, maxMessageBytes = 1_000_000): Promise<unknown> {
  const heard: unknown[] = [];
  const read = deferred<void>();
  let isOdd = true;
  const fetch = async (_url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const request: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    const { method, id } = isObject(request) ? request : {};
    const kind = typeof method === 'string' ? method : String(init.method);
    const isThis = kind === 'tools/call' && isOdd;
    if (isThis) isOdd = false;
    const given = isThis ? answer : soundHttp(kind, false);
    const body = bodyFor(given, id);
    const pieces = cut(body, isThis ? cuts : []).values();
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = pieces.next();
        if (next.done !== true) return controller.enqueue(next.value);
        controller.close();
        if (isThis) read.resolve();
      },
      cancel: read.resolve,
    });
    const headers = new Headers(given.headers);
    if (given.saysLength) headers.set('content-length', String(body.length));
    return new Response(hasBody(given) ? stream : null, { status: given.status, headers });
  };
  const session = await openSession({
    serverName: 'fuzz', target: { transport: 'streamable-http', url: 'http://fuzz.example/mcp', fetch },
    limits: { ...PATIENT, maxMessageBytes, maxReportsPerSecond: 1_000, answerDrainMs: 5_000 },
    listeners: { onToolListChanged: () => heard.push('changed'), onDiagnostic: (level, message) => heard.push([level, message]) },
  });
  const call = session.callTool('echo', {}, { timeoutMs: 20_000 });
  const end = await settled('the call', call.catch((error: unknown) => (error instanceof BridgeError ? [error.code, error.message] : error)));
  if (hasBody(answer)) await settled('reading', read.promise);
  // What was read last is heard first.
  await expectQuietHost();
  await session.close();
  return { end, heard };
}
