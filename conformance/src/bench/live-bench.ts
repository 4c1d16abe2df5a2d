/**
 * The bench at work: one subject, its scripted servers, one history.
 */
import type { Controller } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type {
  BridgeAdapter, CallReply, GateRequest, HostChange, HostSpec, OfferedTool, OpenReply, ServerReply, ServerSpec, StateReply,
  SubjectDescription, ToolsReply,
} from '../adapter/bridge-adapter.ts';
import { Recorder } from '../history/recorder.ts';
import type { History, HistoryEvent } from '../history/schema.ts';
import { AMBIENT_CANARIES } from './ambient.ts';
import { Asking, type Silence } from './asking.ts';
import { BenchCalls } from './bench-calls.ts';
import { mark, type Bench, type BenchCall, type BenchServer, type EntryExtras, type PendingCall } from './bench.ts';
import { ANSWER_BOUND_MS, SLACK_MS, WIRE_BOUND_MS } from './bounds.ts';
import { Entries } from './entries.ts';
import { ListChanges } from './list-changes.ts';
import type { RegistryPredicate } from './registry-watch.ts';
import { ScriptedServers } from './scripted-servers.ts';
import { ToldBySubject } from './told-by-subject.ts';
import { descriptionsFor, scriptedTools, wordsOf } from './waits.ts';

/** What a bench is made of. */
export interface LiveBenchOptions {
  readonly adapter: BridgeAdapter;
  readonly subject: SubjectDescription;
  /** Listens for the fixtures; the bench ends it. */
  readonly controller: Controller;
  readonly seed: number;
  /** Told each event that the bench notes, at once. */
  readonly onNote?: ((event: HistoryEvent) => void) | undefined;
}

/** One bench. `end` must be called. */
export class LiveBench implements Bench {
  readonly subject: SubjectDescription;
  readonly seed: number;
  readonly ambient = AMBIENT_CANARIES;
  readonly #adapter: BridgeAdapter;
  readonly #recorder: Recorder;
  readonly #asking: Asking;
  readonly #servers: ScriptedServers;
  readonly #entries: Entries;
  readonly #changes: ListChanges;
  readonly #calls: BenchCalls;
  readonly #told: ToldBySubject;

  constructor({ adapter, subject, controller, seed, onNote }: LiveBenchOptions) {
    this.#recorder = new Recorder(onNote);
    this.#asking = new Asking(this.#recorder);
    this.subject = subject;
    this.seed = seed;
    this.#adapter = adapter;
    this.#recorder.note({ kind: 'subject', description: subject });
    this.#servers = new ScriptedServers(controller, this.#recorder);
    this.#entries = new Entries({ adapter, subject, asking: this.#asking, onClosed: () => this.#servers.recordProcesses() });
    this.#changes = new ListChanges(subject, { reload: (name) => this.reload(name), reopen: () => this.#reopen() });
    this.#calls = new BenchCalls(adapter, this.#asking, this.#recorder);
    this.#told = new ToldBySubject(adapter, this.#recorder);
  }

  get history(): History {
    return this.#recorder.history();
  }

  /** A method of the adapter did not answer in time: whoever made it should not be used again. */
  get hung(): boolean {
    return this.silent !== undefined;
  }

  /** What was not answered, the first time. */
  get silent(): Silence | undefined {
    return this.#asking.silent;
  }

  /** How many calls were answered. */
  get callsAnswered(): number {
    return this.#calls.answered;
  }

  record(event: HistoryEvent): void {
    this.#recorder.add(event);
  }

  /** Notes that the exercise itself could not go on. */
  trouble(message: string): void {
    this.#recorder.note({ kind: 'trouble', message });
  }

  /** Begins the next run of a property: what earlier runs observed is dropped. */
  beginRun(input: unknown): void {
    this.#recorder.beginRun(input);
  }

  serve(name: string, scenario: ScenarioInput, extras: EntryExtras = {}): BenchServer {
    return this.#servers.serve(name, scenario, extras);
  }

  serveHttp(name: string, scenario: ScenarioInput, extras: EntryExtras = {}): Promise<BenchServer> {
    return this.#servers.serveHttp(name, scenario, extras);
  }

  open(servers: readonly (BenchServer | ServerSpec)[], host?: HostSpec): Promise<OpenReply> {
    return this.#asking.quiet(() => this.#entries.open(servers.map(specOf), host));
  }

  add(server: BenchServer | ServerSpec): Promise<ServerReply> {
    return this.#asking.quiet(() => this.#entries.add(specOf(server)));
  }

  remove(name: string): Promise<void> {
    return this.#asking.quiet(() => this.#entries.remove(name));
  }

  reload(name: string): Promise<ServerReply> {
    return this.#asking.quiet(() => this.#entries.reload(name));
  }

  close(): Promise<void> {
    return this.#asking.quiet(() => this.#entries.close());
  }

  look(): Promise<ToolsReply> {
    return this.#asking.quiet(async () => {
      const reply = await this.#asking.bounded('the registry answers', ANSWER_BOUND_MS, () => this.#adapter.tools(), 'tools');
      this.#recorder.note({ kind: 'registry', cause: 'looked', ...reply });
      return reply;
    });
  }

  registry(what: string, predicate: RegistryPredicate, options: Parameters<Bench['registry']>[2] = {}): Promise<boolean> {
    return this.#asking.quiet(async () => {
      const boundMs = options.boundMs ?? this.subject.bounds.settleMs + SLACK_MS;
      let seen: readonly OfferedTool[] = [];
      const watched: RegistryPredicate = (tools) => {
        seen = tools;
        return predicate(tools);
      };
      const reached = await this.#told.registry.until(watched, this.subject.registry === 'push', boundMs, () => this.look());
      const until = descriptionsFor(predicate, reached ? seen : scriptedTools(this.#servers.scenarios), seen);
      this.#recorder.note({ kind: 'barrier', what, reached, boundMs, ...(until === undefined ? {} : { until }) });
      return reached;
    });
  }

  change(server: BenchServer, scenario: ScenarioInput, what: string, predicate: RegistryPredicate): Promise<boolean> {
    return this.#asking.quiet(() => this.#changes.make(server, scenario, () => this.registry(what, predicate)));
  }

  find(rawName: string, server: string): Promise<OfferedTool | undefined> {
    return this.#asking.quiet(async () => {
      const wanted = mark(server, rawName);
      return (await this.look()).tools.find((tool) => tool.description.includes(wanted));
    });
  }

  call(call: BenchCall): Promise<CallReply> {
    return this.start(call).reply;
  }

  start(call: BenchCall): PendingCall {
    return this.#calls.start(call);
  }

  gate(request: GateRequest): Promise<void> {
    return this.#asking.quiet(() => {
      this.#recorder.note({ kind: 'host', gate: request });
      return this.#asking.bounded(`gate ${request.gate} answers`, ANSWER_BOUND_MS, () => this.#adapter.gate(request), 'gate');
    });
  }

  told(what: string, predicate: (event: string, detail: unknown) => boolean): Promise<boolean> {
    return this.#asking.quiet(async () => {
      const answer = await this.#told.hostEvent(predicate, WIRE_BOUND_MS);
      const { reached } = answer;
      this.#recorder.note({ kind: 'barrier', what, reached, boundMs: WIRE_BOUND_MS, ...(answer.reached ? { until: { hostEvent: answer.value } } : {}) });
      return reached;
    });
  }

  setHost(change: HostChange): Promise<void> {
    return this.#asking.quiet(() => {
      this.#recorder.note({ kind: 'host', change });
      return this.#asking.bounded('the host changes', ANSWER_BOUND_MS, () => this.#adapter.setHost(change), 'host/set');
    });
  }

  state(): Promise<StateReply> {
    return this.#asking.quiet(() => this.#asking.bounded('the state is told', ANSWER_BOUND_MS, () => this.#adapter.state(), 'state'));
  }

  environment(server: BenchServer, names: readonly string[]): Promise<boolean> {
    return this.#asking.quiet(() => this.#servers.named(server.name).environment(names, this.ambient, ANSWER_BOUND_MS));
  }

  flush(): Promise<void> {
    return this.#servers.flush();
  }

  wire(
    server: BenchServer, what: string, predicate: Parameters<Bench['wire']>[2], options: Parameters<Bench['wire']>[3] = {},
  ): Promise<boolean> {
    return this.#asking.quiet(async () => {
      const boundMs = options.boundMs ?? WIRE_BOUND_MS;
      const record = await this.#servers.named(server.name).saw(predicate, boundMs, options.since);
      const reached = record !== undefined;
      const until = wordsOf(server.name, predicate, record);
      this.#recorder.note({ kind: 'barrier', what, reached, boundMs, ...(until === undefined ? {} : { until }) });
      return reached;
    });
  }

  /** Closes what is open and ends the fixtures; afterwards every method throws. Never throws itself. */
  async end(): Promise<void> {
    if (this.#asking.over) return;
    await this.close().catch(() => undefined);
    this.#asking.end();
    this.#told.end();
    await this.#servers.end();
  }

  async #reopen(): Promise<void> {
    const { opened } = this.#entries;
    if (opened !== undefined) await this.open(opened.servers, opened.host);
  }
}

function specOf(server: BenchServer | ServerSpec): ServerSpec {
  return 'entry' in server ? server.entry : server;
}
