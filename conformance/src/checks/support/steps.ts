/**
 * Steps that exercises share. Tools are found by their mark, within the subject's settling time.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import { mark, type Bench, type BenchCall, type BenchServer, type PendingCall } from '../../bench/bench.ts';
import { BenchTimeout } from '../../bench/endings.ts';
import { awaiting } from '../../bench/waits.ts';
import { nowMs } from '../../history/clock.ts';
import type { CallReply, HostSpec, OfferedTool, StateReply } from '../../adapter/messages.ts';
import { offeredBarrier } from './facts.ts';

/** How a call is made, beside whose tool it is. */
export type CallOptions = Partial<Pick<BenchCall, 'arguments' | 'probe' | 'boundMs' | 'extra'>>;

/** Waits until the tool is offered; records the barrier {@link offeredBarrier}. */
export async function offeredTool(bench: Bench, server: string, rawName: string): Promise<OfferedTool | undefined> {
  const wanted = mark(server, rawName);
  let found: OfferedTool | undefined;
  await bench.registry(offeredBarrier(server, rawName), (tools) => {
    found = tools.find((tool) => tool.description.includes(wanted));
    return found !== undefined;
  });
  return found;
}

/** Starts a call of a tool; `undefined` when it is not offered, which the history says. */
export async function begin(bench: Bench, server: string, rawName: string, options: CallOptions = {}): Promise<PendingCall | undefined> {
  const tool = await offeredTool(bench, server, rawName);
  return tool === undefined ? undefined : bench.start({ tool, server, rawName, arguments: {}, ...options });
}

/** Calls a tool and waits. `undefined` when it is not offered or the call did not settle; the history says which. */
export async function ask(bench: Bench, server: string, rawName: string, options: CallOptions = {}): Promise<CallReply | undefined> {
  return settle(await begin(bench, server, rawName, options));
}

/** Waits for a call. `undefined` when it did not settle within its bound; the exercise goes on. */
export async function settle(pending: PendingCall | undefined): Promise<CallReply | undefined> {
  try {
    return await pending?.reply;
  } catch (error) {
    if (error instanceof BenchTimeout) return undefined;
    throw error;
  }
}

/** The server that a bench was opened with: what the inputs of a property share. */
const opened = new WeakMap<Bench, BenchServer>();

/** Says with which server a bench was opened, for {@link openedServer}. */
export function opens(bench: Bench, server: BenchServer): void {
  opened.set(bench, server);
}

/** Declares a server, opens the subject with it alone. */
export async function openOne(
  bench: Bench, name: string, scenario: ScenarioInput, options?: Readonly<Record<string, unknown>>, host?: HostSpec,
): Promise<BenchServer> {
  const server = bench.serve(name, scenario, options === undefined ? {} : { options });
  opens(bench, server);
  await bench.open([server], host);
  return server;
}

/** How long a handshake may take where silence is what a check looks for; far more than a fixture needs. */
const SHORT_CONNECT_MS = 2_000;

/** Options that end a hopeless handshake soon, where the subject has them. */
export function shortConnect(bench: Bench): Readonly<Record<string, unknown>> | undefined {
  return bench.subject.options.includes('connectTimeoutMs') ? { connectTimeoutMs: SHORT_CONNECT_MS } : undefined;
}

/**
 * The server that {@link openOne} or {@link opens} declared.
 * @throws Error when there is none: a property without `prepare`.
 */
export function openedServer(bench: Bench): BenchServer {
  const server = opened.get(bench);
  if (server === undefined) throw new Error('a property needs `prepare` to open its server');
  return server;
}

/** Whether a record is a message to the server with this method. */
export function receives(method: string): (record: TraceRecord) => boolean {
  return awaiting({ received: method }, (record) => record.kind === 'frame' && record.direction === 'client-to-server' && memberOf(record.message, 'method') === method);
}

/** Whether a record says that this hold was reached. */
export function heldAt(hold: string): (record: TraceRecord) => boolean {
  return awaiting({ held: hold }, (record) => record.kind === 'hold' && record.hold === hold && record.event === 'held');
}

/** Whether a record says that the process ended. */
export const ended = awaiting({ ended: true }, (record) => record.kind === 'process' && record.event === 'exit');

/** A member of a message, when it is an object. */
export function memberOf(message: unknown, key: string): unknown {
  return typeof message === 'object' && message !== null && Object.hasOwn(message, key) ? Reflect.get(message, key) : undefined;
}

/** Asks what is told of the state of the servers, and records it under this name of the moment. */
export async function tellState(bench: Bench, moment: string): Promise<StateReply['servers']> {
  const { servers } = await bench.state();
  bench.record({ atMs: nowMs(), kind: 'state', moment, servers });
  return servers;
}

/** Notes a fact of the fixture's that no other event holds. */
export function note(bench: Bench, event: string, detail: unknown): void {
  bench.record({ atMs: nowMs(), kind: 'host-event', event, detail });
}
