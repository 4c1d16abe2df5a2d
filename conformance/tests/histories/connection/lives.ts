/** What histories of outages are told with: processes that begin, list, answer and end. */
import type { CallReply, ServerReply, ServerSpec, SubjectDescription } from '../../../src/adapter/messages.ts';
import { echoOf } from '../echo.ts';
import { ServerStory } from '../server-story.ts';

/** Any options of an entry. */
type Options = Readonly<Record<string, unknown>>;

/** An entry with these options. */
export function entryOf(name: string, options: Options = {}): ServerSpec {
  return { name, transport: 'stdio', command: 'node', args: [], options };
}

/** A story about one server. */
export class Story extends ServerStory {
  asked(step: 'open' | 'add' | 'remove' | 'reload' | 'close', options: Options = {}): this {
    return this.with((builder) => builder.event({ kind: 'request', step, servers: [entryOf(this.server, options)] }));
  }

  settled(step: 'open' | 'add' | 'remove' | 'reload' | 'close', status: ServerReply['status'] = 'ready', message?: string): this {
    const servers = [{ name: this.server, status, ...(message === undefined ? {} : { message }) }];
    return this.with((builder) => builder.event({ kind: 'settled', step, servers }));
  }

  /** The n-th process begins. */
  began(n: number, ageMs = 0): this {
    return this.with((builder) => builder.record(this.server, { kind: 'process', event: 'start', ageMs }, n));
  }

  /** It leaves a sign of life. */
  sign(n: number): this {
    return this.with((builder) => builder.fault(this.server, 'stubborn', 'delay', n));
  }

  /** Its input was closed. */
  leaving(n: number): this {
    return this.with((builder) => builder.record(this.server, { kind: 'process', event: 'input-end' }, n));
  }

  /** It was sent SIGTERM, and outlives it. */
  termed(n: number): this {
    return this.with((builder) => builder.record(this.server, { kind: 'process', event: 'note', signal: 'SIGTERM', text: 'the client sent SIGTERM' }, n));
  }

  ended(n: number, code = 3): this {
    return this.with((builder) => builder.record(this.server, { kind: 'process', event: 'exit', code }, n));
  }

  /** It was killed: others tell so. */
  killed(n: number): this {
    return this.with((builder) => builder.record(this.server, { kind: 'process', event: 'exit' }, n));
  }

  /** It was asked for its list, and answered with these tools, or with an error. */
  listed(n: number, names: readonly string[] | 'error' = ['steady']): this {
    const id = this.builder.nextId();
    this.builder.received(this.server, { jsonrpc: '2.0', id, method: 'tools/list' }, n);
    const answer = names === 'error' ? { error: { code: -32603, message: 'no' } } : { result: { tools: names.map((name) => ({ name, inputSchema: {} })) } };
    this.builder.sent(this.server, { jsonrpc: '2.0', id, ...answer }, n);
    return this;
  }

  /** A call of its tool that the n-th process answered. */
  echoed(n: number, rawName = 'steady', publicName = `p_${rawName}`): this {
    const callId = `echo-${this.builder.nextId()}`;
    const id = this.builder.nextId();
    this.builder.asked({ callId, name: publicName, arguments: { probe: callId } }, { server: this.server, rawName });
    this.builder.received(this.server, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: { probe: callId } } }, n);
    this.builder.sent(this.server, { jsonrpc: '2.0', id, result: { content: [echoOf(callId)] } }, n);
    this.builder.outcome(callId, { view: [echoOf(callId)] });
    return this;
  }

  /** A call that reached nobody. */
  refused(reply: Partial<CallReply> = {}): this {
    this.builder.unreached('p_steady', this.server, 'steady', { outcome: 'failed', executed: 'no', view: [], ...reply });
    return this;
  }

  log(level: 'info' | 'warn' | 'error', message: string): this {
    return this.with((builder) => builder.log(level, message, this.server));
  }
}

/** Opened, listed, called, and looked at: where most stories begin. */
export function healthy(server: string, options: Options = {}, subject: Partial<SubjectDescription> = {}): Story {
  return new Story(server, subject).asked('open', options).began(1).listed(1).settled('open').registry().echoed(1);
}
