/**
 * Hand-written histories: what a judge is given when nothing runs. A builder keeps the clock and the counters, so that a
 * history reads as the story it tells.
 */
import type { FrameRecord, TraceRecord } from 'mcp-fixture-server/trace';
import type {
  CallReply, CallRequest, HostSpec, OfferedTool, ServerReply, ServerSpec, SubjectDescription,
} from '../../src/adapter/messages.ts';
import type { EventOf, History, HistoryEvent } from '../../src/history/schema.ts';

/** A history and what is told in it. */
export interface NamedHistory {
  readonly name: string;
  readonly history: History;
}

/** What one judge must say. At least one history of each of the first two kinds. */
export interface JudgeHistories {
  /** Id of the check whose judge is meant. */
  readonly check: string;
  /** Each shows the invariant broken. */
  readonly mustFail: readonly NamedHistory[];
  /** Each is unusual and allowed. */
  readonly mustPass: readonly NamedHistory[];
  /** Each lacks the witness. */
  readonly mustDoubt?: readonly NamedHistory[];
  /** Each shows a subject that does not do, and need not do, what the judge is about. */
  readonly mustSkip?: readonly NamedHistory[];
}

/** A subject that declares everything; a history overrides what it is about. */
export const capableSubject: SubjectDescription = {
  adapter: 1,
  name: 'hand-written',
  version: '0.0.0',
  registry: 'push',
  servers: 'dynamic',
  names: { scheme: 'mcp-qualified-64-v1' },
  transports: ['stdio', 'streamable-http'],
  features: ['list-changes', 'reconnect', 'abort', 'images', 'output-validation', 'shared-registry', 'policies', 'programs', 'reload', 'outcomes'],
  levels: ['core', 'seed', 'resilience'],
  options: [],
  bounds: { settleMs: 1000, closeMs: 1000, reconnectMs: 1000 },
  fidelity: { keyOrder: true, bigNumbers: true },
};

type Without<T> = T extends unknown ? Omit<T, 'atMs'> : never;
type WithoutBase<T> = T extends unknown ? Omit<T, 'trace' | 'seq' | 'atMs' | 'server' | 'carrier' | 'incarnation' | 'pid'> : never;

/** A tool as a history's registry holds it. */
export function offered(name: string, description = '', parameters: unknown = { type: 'object' }): OfferedTool {
  return { name, description, parameters };
}

/** Writes one history. Each method appends and returns the builder. */
export class HistoryBuilder {
  readonly #events: HistoryEvent[] = [];
  #atMs = 1000;
  #seq = 0;
  #revision = 0;
  #id = 0;

  /** A history begins with the subject. */
  constructor(subject: Partial<SubjectDescription> = {}) {
    this.event({ kind: 'subject', description: { ...capableSubject, ...subject } });
  }

  /** Any event, one millisecond after the last. */
  event(event: Without<HistoryEvent>): this {
    this.#atMs += 1;
    this.#events.push({ atMs: this.#atMs, ...event });
    return this;
  }

  /** Time passes. */
  wait(ms: number): this {
    this.#atMs += ms;
    return this;
  }

  run(input: unknown): this {
    return this.event({ kind: 'run', input });
  }

  program(server: string, scenario: unknown): this {
    return this.event({ kind: 'program', server, scenario });
  }

  /** A step that was asked for and settled; servers are ready unless said otherwise. */
  step(step: EventOf<'request'>['step'], servers: readonly (string | ServerReply)[] = [], host?: HostSpec): this {
    const replies = servers.map((one): ServerReply => (typeof one === 'string' ? { name: one, status: 'ready' } : one));
    this.event({ kind: 'request', step, servers: replies.map(entry), ...(host === undefined ? {} : { host }) });
    return this.event({ kind: 'settled', step, servers: replies });
  }

  /** The registry, whole. */
  registry(tools: readonly OfferedTool[], cause: 'told' | 'looked' = 'looked'): this {
    this.#revision += 1;
    return this.event({ kind: 'registry', cause, revision: this.#revision, tools: [...tools] });
  }

  /** One record of a fixture's trace. */
  record(server: string, record: WithoutBase<TraceRecord>, incarnation = 1): this {
    this.#seq += 1;
    const base = { trace: 1, seq: this.#seq, atMs: this.#atMs + 1, server, carrier: 'stdio', incarnation, pid: 100 + incarnation } as const;
    return this.event({ kind: 'wire', record: { ...base, ...record } });
  }

  /** The server received this message. */
  received(server: string, message: object, incarnation = 1): this {
    return this.record(server, frame('client-to-server', message), incarnation);
  }

  /** The server sent this message. */
  sent(server: string, message: object, incarnation = 1): this {
    return this.record(server, frame('server-to-client', message), incarnation);
  }

  /** One answered page of a listing. */
  page(server: string, tools: readonly unknown[], cursors: { readonly cursor?: string; readonly nextCursor?: unknown } = {}): this {
    const { cursor, nextCursor } = cursors;
    const id = this.nextId();
    this.received(server, { jsonrpc: '2.0', id, method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) });
    return this.sent(server, { jsonrpc: '2.0', id, result: { tools, ...(nextCursor === undefined ? {} : { nextCursor }) } });
  }

  /** The server announced a change of its list. */
  announced(server: string): this {
    return this.sent(server, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  /**
   * A call of a public name that reached the server under `wireName`, carrying its probe, and was answered.
   * `wireName: undefined`: it never reached a server.
   */
  call(name: string, server: string, rawName: string, wireName: string | undefined = rawName, reply: Partial<CallReply> = {}): this {
    const callId = `call-${this.nextId()}`;
    const args = { probe: callId };
    this.asked({ callId, name, arguments: args }, { server, rawName });
    if (wireName !== undefined) this.wireCall(server, wireName, args);
    return this.outcome(callId, reply);
  }

  /** A call never reached any server. */
  unreached(name: string, server: string, rawName: string, reply: Partial<CallReply> = { outcome: 'failed', executed: 'no' }): this {
    const callId = `call-${this.nextId()}`;
    return this.asked({ callId, name, arguments: { probe: callId } }, { server, rawName }).outcome(callId, reply);
  }

  asked(request: CallRequest, believed: { readonly server?: string; readonly rawName?: string } = {}): this {
    return this.event({ kind: 'call', request: { ...request, via: request.via ?? 'model' }, ...believed });
  }

  /** `tools/call` on the wire with its answer. */
  wireCall(server: string, name: string, args: unknown, result: object = { content: [{ type: 'text', text: 'done' }] }): this {
    const id = this.nextId();
    this.received(server, { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    return this.sent(server, { jsonrpc: '2.0', id, result });
  }

  outcome(callId: string, reply: Partial<CallReply> = {}): this {
    const whole: CallReply = { outcome: 'ok', executed: 'yes', view: [{ type: 'text', text: 'done' }], ...reply };
    return this.event({ kind: 'outcome', callId, reply: whole });
  }

  log(level: EventOf<'log'>['level'], message: string, server?: string): this {
    return this.event({ kind: 'log', level, message, ...(server === undefined ? {} : { server }) });
  }

  barrier(what: string, reached = true, boundMs = 1000): this {
    return this.event({ kind: 'barrier', what, reached, boundMs });
  }

  fault(server: string, rule: string, action: string, incarnation = 1): this {
    return this.record(server, { kind: 'fault', rule, action, index: 0 }, incarnation);
  }

  /** A request id that was not used yet. */
  nextId(): number {
    this.#id += 1;
    return this.#id;
  }

  /** The history so far, under a name. */
  named(name: string): NamedHistory {
    return { name, history: [...this.#events] };
  }
}

/** Begins a history. */
export function history(subject: Partial<SubjectDescription> = {}): HistoryBuilder {
  return new HistoryBuilder(subject);
}

function entry(reply: ServerReply): ServerSpec {
  return { name: reply.name, transport: 'stdio', command: 'node', args: [] };
}

function frame(direction: FrameRecord['direction'], message: object): WithoutBase<FrameRecord> {
  const raw = JSON.stringify(message);
  return { kind: 'frame', direction, raw, bytes: Buffer.byteLength(raw), message };
}
