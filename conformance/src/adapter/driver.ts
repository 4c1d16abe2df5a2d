/**
 * The driver's end of the protocol: makes a driver of any adapter that is written in TypeScript or JavaScript.
 *
 * ```ts
 * import { serveDriver } from 'mcp-bridge-conformance/adapter';
 * import { createAdapter } from './my-adapter.js';
 *
 * await serveDriver(createAdapter());
 * ```
 */
import type { Readable, Writable } from 'node:stream';
import { createLineSplitter } from 'mcp-fixture-server';
import type { z } from 'zod';
import { isAdapterError, type BridgeAdapter } from './bridge-adapter.ts';
import { completeAdapter, type PartialAdapter } from './complete-adapter.ts';
import { DRIVER_METHODS, isDriverMethod, MAX_DRIVER_LINE_BYTES, RPC_ERRORS, rpcRequest, toWire, type DriverMethod } from './driver-protocol.ts';
import { problemsOf } from './problems.ts';

/** How long the adapter may take to close when the driver ends, in milliseconds; the suite waits a little less for the exit. */
const CLOSE_BOUND_MS = 10_000;

/** Where a driver reads and writes. */
export interface ServeDriverOptions {
  /** Default: stdin, stdout, and the process ends when the input does. With streams given, only the returned promise settles. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
}

/** Asks the adapter, with parameters as they came. */
type Handler = (adapter: BridgeAdapter, params: unknown) => Promise<unknown>;

/** Parameters that do not fit. */
class WrongParams extends Error {
  override readonly name = 'WrongParams';
}

/** A handler that checks its parameters first. */
function on<P extends z.ZodType>({ params }: { readonly params: P }, ask: (adapter: BridgeAdapter, params: z.output<P>) => Promise<unknown>): Handler {
  return (adapter, given) => {
    const checked = params.safeParse(given);
    if (!checked.success) throw new WrongParams(problemsOf(checked.error, given));
    return ask(adapter, checked.data);
  };
}

/** How each method is asked of the adapter. */
const HANDLERS: Readonly<Record<DriverMethod, Handler>> = {
  describe: on(DRIVER_METHODS.describe, (adapter) => adapter.describe()),
  open: on(DRIVER_METHODS.open, (adapter, request) => adapter.open(request)),
  add: on(DRIVER_METHODS.add, (adapter, { server }) => adapter.add(server)),
  remove: on(DRIVER_METHODS.remove, (adapter, { name }) => adapter.remove(name)),
  reload: on(DRIVER_METHODS.reload, (adapter, { name }) => adapter.reload(name)),
  close: on(DRIVER_METHODS.close, (adapter) => adapter.close()),
  tools: on(DRIVER_METHODS.tools, (adapter) => adapter.tools()),
  state: on(DRIVER_METHODS.state, (adapter) => adapter.state()),
  call: on(DRIVER_METHODS.call, (adapter, request) => adapter.call(request)),
  cancel: on(DRIVER_METHODS.cancel, (adapter, { callId }) => adapter.cancel(callId)),
  gate: on(DRIVER_METHODS.gate, (adapter, request) => adapter.gate(request)),
  'host/set': on(DRIVER_METHODS['host/set'], (adapter, change) => adapter.setHost(change)),
};

/**
 * Serves an adapter on stdin and stdout until the input ends or SIGTERM or SIGINT comes; then closes the adapter and exits 0.
 * What anything else in this process writes to stdout goes to stderr, so that a stray `console.log` does no harm.
 *
 * @param partial only what the subject can do, see `completeAdapter`
 * @returns settles when the adapter is closed; with the default streams the process ends before
 * @throws AdapterError `misuse` when it is no adapter
 */
export async function serveDriver(partial: PartialAdapter, { streams }: ServeDriverOptions = {}): Promise<void> {
  const adapter = completeAdapter(partial);
  const { input, output } = streams ?? ownStreams();
  const send = (message: object): void => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  adapter.onNotification((told) => send(toWire(told)));
  await untilEnd(input, output, streams === undefined, (line) => void answer(adapter, line).then(send));
  const closed = await closeWithin(adapter);
  if (streams === undefined) process.exit(closed ? 0 : 1);
}

/** The reply to one line. Never rejects. */
async function answer(adapter: BridgeAdapter, line: string): Promise<object> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return refusal(null, RPC_ERRORS.parse, 'this line is no JSON');
  }
  const request = rpcRequest.safeParse(message);
  if (!request.success) return refusal(null, RPC_ERRORS.invalidRequest, problemsOf(request.error, message));
  const { id, method, params = {} } = request.data;
  if (!isDriverMethod(method)) return refusal(id, RPC_ERRORS.methodNotFound, `no method "${method}"`);
  try {
    const result = (await HANDLERS[method](adapter, params)) ?? {};
    // What is no JSON is found here, while there is a request to refuse.
    JSON.stringify(result);
    return { id, result };
  } catch (error) {
    if (error instanceof WrongParams) return refusal(id, RPC_ERRORS.invalidParams, error.message);
    if (isAdapterError(error) && error.code === 'unsupported') return refusal(id, RPC_ERRORS.methodNotFound, error.message);
    process.stderr.write(`${method}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return refusal(id, RPC_ERRORS.internal, error instanceof Error ? error.message : String(error));
  }
}

function refusal(id: number | null, code: number, message: string): object {
  return { id, error: { code, message } };
}

/** Stdin and stdout of this process; stdout for the protocol alone. */
function ownStreams(): { readonly input: Readable; readonly output: Writable } {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const output = Object.create(stdout, { write: { value: write } });
  stdout.write = stderr.write.bind(stderr);
  return { input: stdin, output };
}

/** Hands on lines until nothing more is to come. */
function untilEnd(input: Readable, output: Writable, signals: boolean, take: (line: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const splitter = createLineSplitter(MAX_DRIVER_LINE_BYTES);
    input.on('data', (chunk: Buffer) => {
      for (const { text } of splitter.push(chunk)) if (text.trim() !== '') take(text);
    });
    const end = (): void => resolve();
    input.once('end', end);
    input.once('error', end);
    // Nobody reads any more.
    output.once('error', end);
    if (signals) for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, end);
  });
}

/** @returns whether it closed by itself and in time */
async function closeWithin(adapter: BridgeAdapter): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), CLOSE_BOUND_MS)));
  const closed = adapter.close().then(() => true, (error: unknown) => {
    process.stderr.write(`close: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return false;
  });
  const ended = await Promise.race([closed, bound]);
  clearTimeout(timer);
  return ended;
}
