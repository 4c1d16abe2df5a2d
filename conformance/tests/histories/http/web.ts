/** What histories over HTTP are told with: requests with a session and a status, sessions that begin and end. */
import type { CallReply, ServerSpec, SubjectDescription } from '../../../src/adapter/messages.ts';
import { echoOf } from '../echo.ts';
import { ServerStory } from '../server-story.ts';

/** What a request carries beside its method. */
interface Request {
  readonly session?: string | undefined;
  readonly status?: number | undefined;
  readonly message?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A story about one server over HTTP. */
export class WebStory extends ServerStory {
  #exchange = 0;

  asked(step: 'open' | 'close', options: Readonly<Record<string, unknown>> = {}): this {
    const servers: ServerSpec[] = step === 'open' ? [{ name: this.server, transport: 'streamable-http', url: 'http://127.0.0.1:1/mcp', options }] : [];
    return this.with((builder) => builder.event({ kind: 'request', step, servers }));
  }

  settled(step: 'open' | 'close', error?: string): this {
    const servers = step === 'open' ? [{ name: this.server, status: 'ready' as const }] : [];
    return this.with((builder) => builder.event({ kind: 'settled', step, servers, ...(error === undefined ? {} : { error }) }));
  }

  /** One request and, with a status, the head of its response. */
  request(method: 'GET' | 'POST' | 'DELETE', { session, status, message, headers = {} }: Request = {}): this {
    this.#exchange += 1;
    const http = { method, exchange: this.#exchange };
    const raw = message === undefined ? '' : JSON.stringify(message);
    const requestHeaders = { ...headers, ...(session === undefined ? {} : { 'mcp-session-id': session }) };
    const known = session !== undefined && status !== 404 && status !== 400 ? { session } : {};
    this.builder.record(this.server, { kind: 'frame', direction: 'client-to-server', raw, bytes: raw.length, ...known, ...(message === undefined ? {} : { message }), http: { ...http, requestHeaders } });
    if (status === undefined) return this;
    return this.with((builder) => builder.record(this.server, { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, http: { ...http, status } }));
  }

  /** A handshake that gives out this session. */
  began(session: string, named?: string): this {
    this.request('POST', { status: 200, message: { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }, session: named });
    return this.with((builder) => builder.record(this.server, { kind: 'process', event: 'session', session }));
  }

  ended(session: string): this {
    return this.with((builder) => builder.record(this.server, { kind: 'process', event: 'session-end', session }));
  }

  ordered(order: string, value: unknown = true): this {
    return this.with((builder) => builder.event({ kind: 'control', server: this.server, do: [{ [order]: value }] }));
  }

  /** A call that came in this session and was answered with its echo; `refusedIn`: after it had been refused in that one. */
  echoed(session: string, rawName = 'steady', refusedIn?: string): this {
    const callId = `call-${this.server}-${this.builder.nextId()}`;
    const id = this.builder.nextId();
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: { probe: callId } } };
    this.with((builder) => builder.asked({ callId, name: `p_${rawName}`, arguments: { probe: callId } }, { server: this.server, rawName }));
    if (refusedIn !== undefined) this.request('POST', { session: refusedIn, status: 404, message });
    this.request('POST', { session, status: 200, message });
    const answer = { jsonrpc: '2.0', id, result: { content: [echoOf(callId)] } };
    const raw = JSON.stringify(answer);
    this.builder.record(this.server, { kind: 'frame', direction: 'server-to-client', raw, bytes: raw.length, session, message: answer, http: { method: 'POST', exchange: this.#exchange } });
    return this.with((builder) => builder.outcome(callId, { view: [echoOf(callId)] }));
  }

  /** A call that was sent in a session, so many times, with these statuses, and ended so; `undefined`: it never did. */
  sent(session: string, statuses: readonly (number | undefined)[], reply: Partial<CallReply> | undefined, rawName = 'steady', tookMs = 0): this {
    const callId = `call-${this.server}-${this.builder.nextId()}`;
    this.with((builder) => builder.asked({ callId, name: `p_${rawName}`, arguments: { probe: callId } }, { server: this.server, rawName }));
    for (const status of statuses) {
      this.request('POST', { session, status, message: { jsonrpc: '2.0', id: this.builder.nextId(), method: 'tools/call', params: { name: rawName, arguments: { probe: callId } } } });
    }
    this.wait(tookMs);
    return reply === undefined ? this : this.with((builder) => builder.outcome(callId, { outcome: 'failed', executed: 'unknown', view: [], ...reply }));
  }

  /** A call that never left the subject. */
  unsent(reply: Partial<CallReply> = {}): this {
    return this.sent('', [], { executed: 'no', ...reply });
  }

  fault(rule: string, action: string): this {
    return this.with((builder) => builder.fault(this.server, rule, action));
  }
}

/** Opened in this session, looked at, called: where most stories begin. */
export function webHealthy(server: string, session = 'one', options: Readonly<Record<string, unknown>> = {}, subject: Partial<SubjectDescription> = {}): WebStory {
  return new WebStory(server, subject).asked('open', options).began(session).settled('open').registry().echoed(session);
}
