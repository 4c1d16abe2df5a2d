/**
 * The bench at work: one subject, its scripted servers, one history.
 */
import type { Controller } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import {
  AdapterError, type BridgeAdapter, type CallReply, type CallRequest, type GateRequest, type HostChange, type HostSpec,
  type OfferedTool, type OpenReply, type ServerReply, type ServerSpec, type StateReply, type SubjectDescription,
  type ToolsReply,
} from '../adapter/bridge-adapter.ts';
import { PROBE } from '../history/call-views.ts';
import { Recorder } from '../history/recorder.ts';
import type { EventOf, History, HistoryEvent } from '../history/schema.ts';
import { isObject } from '../history/wire-views.ts';
import { AMBIENT_CANARIES } from './ambient.ts';
import { mark, type Bench, type BenchCall, type BenchServer, type EntryExtras, type PendingCall } from './bench.ts';
import { ACTIVATION_BOUND_MS, ANSWER_BOUND_MS, CALL_BOUND_MS, SLACK_MS, VANISH_BOUND_MS, WIRE_BOUND_MS } from './bounds.ts';
import { BenchTimeout, NotApplicable, within } from './endings.ts';
import { ServedFixture } from './served-fixture.ts';
import { survivors } from './processes.ts';
import { RegistryWatch, type RegistryPredicate } from './registry-watch.ts';
import { descriptionsFor, scriptedTools, wordsOf } from './waits.ts';

/** The notice by which a server says that its list changed. */
const LIST_CHANGED = 'notifications/tools/list_changed';

/**
 * How many changes in a row are announced to one process. A bridge may rightly grow slow with a server that announces
 * again and again (B02); from then on another process is quicker, where the subject can reload.
 */
const ANNOUNCED_IN_A_ROW = 4;

/** What a bench is made of. */
export interface LiveBenchOptions {
  readonly adapter: BridgeAdapter;
  readonly subject: SubjectDescription;
  /** Listens for the fixtures; the bench ends it. */
  readonly controller: Controller;
  readonly seed: number;
}

type Step = EventOf<'request'>['step'];

/** One bench. `end` must be called. */
export class LiveBench implements Bench {
  readonly subject: SubjectDescription;
  readonly seed: number;
  readonly ambient = AMBIENT_CANARIES;
  readonly #adapter: BridgeAdapter;
  readonly #controller: Controller;
  readonly #recorder = new Recorder();
  readonly #watch = new RegistryWatch();
  readonly #fixtures = new Map<string, ServedFixture>();
  readonly #entries = new Map<string, ServerSpec>();
  readonly #announced = new Map<string, number>();
  readonly #hostListeners = new Map<object, (event: string, detail: unknown) => void>();
  readonly #stopListening: () => void;
  #calls = 0;
  #open = false;
  /** What the last `open` was given, for subjects that see a change only then. */
  #opened: { readonly servers: readonly ServerSpec[]; readonly host: HostSpec | undefined } | undefined;
  /** Settles when no change is under way that closes and opens everything. */
  #reopening: Promise<unknown> = Promise.resolve();
  #over = false;
  /** A method of the adapter did not answer in time: whoever made it should not be used again. */
  hung = false;

  constructor(options: LiveBenchOptions) {
    this.subject = options.subject;
    this.seed = options.seed;
    this.#adapter = options.adapter;
    this.#controller = options.controller;
    this.#recorder.note({ kind: 'subject', description: options.subject });
    this.#stopListening = this.#adapter.onNotification((told) => {
      if (told.type === 'registry') {
        const { revision, tools } = told;
        this.#recorder.note({ kind: 'registry', cause: 'told', revision, tools });
        this.#watch.told(tools);
      } else if (told.type === 'log') {
        const { level, server, message } = told;
        this.#recorder.note({ kind: 'log', level, message, ...(server === undefined ? {} : { server }) });
      } else {
        const { event, detail } = told;
        this.#recorder.note({ kind: 'host-event', event, ...(detail === undefined ? {} : { detail }) });
        for (const listen of this.#hostListeners.values()) listen(event, detail);
      }
    });
  }

  get history(): History {
    return this.#recorder.history();
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
    const known = this.#fixtures.get(name);
    if (known !== undefined) return known.again(scenario, extras);
    const served = new ServedFixture(this.#controller.serve(name, scenario), this.#recorder, scenario, extras);
    this.#fixtures.set(name, served);
    return served;
  }

  async serveHttp(name: string, scenario: ScenarioInput, extras: EntryExtras = {}): Promise<BenchServer> {
    const known = this.#fixtures.get(name);
    if (known !== undefined) return known.again(scenario, extras);
    const listening = await this.#controller.serve(name, scenario, { carrier: 'streamable-http' });
    const served = new ServedFixture(listening, this.#recorder, scenario, extras);
    this.#fixtures.set(name, served);
    return served;
  }

  open(servers: readonly (BenchServer | ServerSpec)[], host?: HostSpec): Promise<OpenReply> {
    return this.#quiet(async () => {
      if (servers.length > 1 && this.subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
      if (this.#open) await this.close();
      const specs = servers.map(specOf);
      for (const spec of specs) this.#entries.set(spec.name, spec);
      this.#open = true;
      this.#opened = { servers: specs, host };
      const request = { servers: specs, ...(host === undefined ? {} : { host }) };
      return this.#step('open', specs, () => this.#adapter.open(request), (reply) => reply.servers, host);
    });
  }

  add(server: BenchServer | ServerSpec): Promise<ServerReply> {
    return this.#quiet(() => {
      this.#needDynamic('add');
      const spec = specOf(server);
      this.#entries.set(spec.name, spec);
      return this.#step('add', [spec], () => this.#adapter.add(spec), (reply) => [reply]);
    });
  }

  remove(name: string): Promise<void> {
    return this.#quiet(() => {
      this.#needDynamic('remove');
      return this.#step('remove', this.#entriesOf(name), () => this.#adapter.remove(name), () => []);
    });
  }

  reload(name: string): Promise<ServerReply> {
    return this.#quiet(() => {
      if (!this.subject.features.includes('reload')) throw new NotApplicable('the subject does not declare the feature reload');
      return this.#step('reload', this.#entriesOf(name), () => this.#adapter.reload(name), (reply) => [reply]);
    });
  }

  close(): Promise<void> {
    return this.#quiet(async () => {
      if (!this.#open) return;
      this.#open = false;
      await this.#step('close', [], () => this.#adapter.close(), () => [], undefined, this.subject.bounds.closeMs + SLACK_MS);
      await this.#recordProcesses();
    });
  }

  look(): Promise<ToolsReply> {
    return this.#quiet(async () => {
      const reply = await this.#bounded('the registry answers', ANSWER_BOUND_MS, () => this.#adapter.tools());
      this.#recorder.note({ kind: 'registry', cause: 'looked', ...reply });
      return reply;
    });
  }

  registry(what: string, predicate: RegistryPredicate): Promise<boolean> {
    return this.#quiet(async () => {
      const boundMs = this.subject.bounds.settleMs + SLACK_MS;
      let seen: readonly OfferedTool[] = [];
      const watched: RegistryPredicate = (tools) => {
        seen = tools;
        return predicate(tools);
      };
      const reached = await this.#watch.until(watched, this.subject.registry === 'push', boundMs, () => this.look());
      const until = descriptionsFor(predicate, reached ? seen : scriptedTools([...this.#fixtures.values()].map(({ scenario }) => scenario)), seen);
      this.#recorder.note({ kind: 'barrier', what, reached, boundMs, ...(until === undefined ? {} : { until }) });
      return reached;
    });
  }

  change(server: BenchServer, scenario: ScenarioInput, what: string, predicate: RegistryPredicate): Promise<boolean> {
    return this.#quiet(() => {
      const { registry, features } = this.subject;
      const work = async (): Promise<boolean> => {
        await server.program(scenario);
        // A subject that lists afresh needs nothing; one that follows may show at a look no more than it was told.
        if (registry === 'push' || features.includes('list-changes')) await this.#makeKnown(server);
        return this.registry(what, predicate);
      };
      const reopens = registry === 'push' && !features.includes('list-changes') && !features.includes('reload');
      if (!reopens) return work();
      // Nobody may look while all is closed for the change of another server.
      const mine = this.#reopening.then(work);
      this.#reopening = mine.catch(() => undefined);
      return mine;
    });
  }

  find(rawName: string, server: string): Promise<OfferedTool | undefined> {
    return this.#quiet(async () => {
      const wanted = mark(server, rawName);
      return (await this.look()).tools.find((tool) => tool.description.includes(wanted));
    });
  }

  call(call: BenchCall): Promise<CallReply> {
    return this.start(call).reply;
  }

  start(call: BenchCall): PendingCall {
    const callId = `call-${++this.#calls}`;
    const { via = 'model', ...extra } = call.extra ?? {};
    const request = { callId, name: call.tool.name, arguments: withProbe(call, callId), via, ...extra } satisfies CallRequest;
    const reply = this.#quiet(async () => {
      this.#recorder.note({
        kind: 'call', request,
        ...(call.server === undefined ? {} : { server: call.server }),
        ...(call.rawName === undefined ? {} : { rawName: call.rawName }),
      });
      const settled = await this.#bounded(`${callId} settles`, call.boundMs ?? CALL_BOUND_MS, () => this.#adapter.call(request));
      this.#recorder.note({ kind: 'outcome', callId, reply: settled });
      return settled;
    });
    const cancel = (): Promise<void> =>
      this.#quiet(async () => {
        this.#recorder.note({ kind: 'cancel', callId });
        await this.#bounded(`cancel of ${callId} answers`, ANSWER_BOUND_MS, () => this.#adapter.cancel(callId));
      });
    return { callId, reply, cancel };
  }

  gate(request: GateRequest): Promise<void> {
    return this.#quiet(() => {
      this.#recorder.note({ kind: 'host', gate: request });
      return this.#bounded(`gate ${request.gate} answers`, ANSWER_BOUND_MS, () => this.#adapter.gate(request));
    });
  }

  told(what: string, predicate: (event: string, detail: unknown) => boolean): Promise<boolean> {
    return this.#quiet(async () => {
      const key = {};
      const came = new Promise<string>((resolve) => {
        this.#hostListeners.set(key, (event, detail) => {
          if (predicate(event, detail)) resolve(event);
        });
      });
      const answer = await within(came, WIRE_BOUND_MS);
      const { reached } = answer;
      this.#hostListeners.delete(key);
      this.#recorder.note({ kind: 'barrier', what, reached, boundMs: WIRE_BOUND_MS, ...(answer.reached ? { until: { hostEvent: answer.value } } : {}) });
      return reached;
    });
  }

  setHost(change: HostChange): Promise<void> {
    return this.#quiet(() => {
      this.#recorder.note({ kind: 'host', change });
      return this.#bounded('the host changes', ANSWER_BOUND_MS, () => this.#adapter.setHost(change));
    });
  }

  state(): Promise<StateReply> {
    return this.#quiet(() => this.#bounded('the state is told', ANSWER_BOUND_MS, () => this.#adapter.state()));
  }

  environment(server: BenchServer, names: readonly string[]): Promise<boolean> {
    return this.#quiet(() => this.#fixture(server.name).environment(names, this.ambient, ANSWER_BOUND_MS));
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#fixtures.values()].map((fixture) => fixture.flush()));
  }

  wire(
    server: BenchServer, what: string, predicate: Parameters<Bench['wire']>[2], options: Parameters<Bench['wire']>[3] = {},
  ): Promise<boolean> {
    return this.#quiet(async () => {
      const boundMs = options.boundMs ?? WIRE_BOUND_MS;
      const record = await this.#fixture(server.name).saw(predicate, boundMs, options.since);
      const reached = record !== undefined;
      const until = wordsOf(server.name, predicate, record);
      this.#recorder.note({ kind: 'barrier', what, reached, boundMs, ...(until === undefined ? {} : { until }) });
      return reached;
    });
  }

  /** Closes what is open and ends the fixtures; afterwards every method throws. Never throws itself. */
  async end(): Promise<void> {
    if (this.#over) return;
    await this.close().catch(() => undefined);
    this.#over = true;
    this.#stopListening();
    await this.#controller.close();
  }

  async #makeKnown(server: BenchServer): Promise<void> {
    const { features } = this.subject;
    const announced = this.#announced.get(server.name) ?? 0;
    if (features.includes('list-changes') && (announced < ANNOUNCED_IN_A_ROW || !features.includes('reload'))) {
      this.#announced.set(server.name, announced + 1);
      await server.fixture.do([{ notify: { method: LIST_CHANGED } }]);
      return;
    }
    this.#announced.delete(server.name);
    if (features.includes('reload')) await this.reload(server.name);
    else if (this.#opened !== undefined) await this.open(this.#opened.servers, this.#opened.host);
  }

  async #recordProcesses(): Promise<void> {
    // Real servers are no fixtures: whoever starts them accounts for their processes.
    if (this.#fixtures.size === 0) return;
    await this.flush();
    const started = [...this.#fixtures.values()].flatMap((fixture) => fixture.pids());
    const alive = await survivors(started, VANISH_BOUND_MS);
    this.#recorder.note({ kind: 'processes', started, alive });
  }

  async #step<T>(
    step: Step, servers: ServerSpec[], run: () => Promise<T>, settled: (reply: T) => ServerReply[], host?: HostSpec,
    boundMs = ACTIVATION_BOUND_MS,
  ): Promise<T> {
    this.#recorder.note({ kind: 'request', step, servers, ...(host === undefined ? {} : { host }) });
    try {
      const reply = await this.#bounded(`${step} settles`, boundMs, run);
      this.#recorder.note({ kind: 'settled', step, servers: settled(reply) });
      return reply;
    } catch (error) {
      if (!(error instanceof BenchTimeout)) {
        this.#recorder.note({ kind: 'settled', step, servers: [], error: error instanceof Error ? error.message : String(error) });
      }
      throw error;
    }
  }

  async #bounded<T>(what: string, boundMs: number, run: () => Promise<T>): Promise<T> {
    const answer = await within(run(), boundMs);
    if (answer.reached) return answer.value;
    this.hung = true;
    this.#recorder.note({ kind: 'barrier', what, reached: false, boundMs });
    throw new BenchTimeout(`waited ${boundMs} ms in vain: ${what}`);
  }

  /** A rejection that an exercise does not wait for is on record already, and must not end the process. */
  #quiet<T>(run: () => Promise<T> | T): Promise<T> {
    const promise = (async () => {
      if (this.#over) throw new BenchTimeout('the exercise is over');
      return run();
    })();
    promise.catch(() => undefined);
    return promise;
  }

  #needDynamic(method: string): void {
    if (this.subject.servers !== 'dynamic') throw new NotApplicable(`the subject's servers are ${this.subject.servers}: it has no ${method}`);
  }

  #entriesOf(name: string): ServerSpec[] {
    const spec = this.#entries.get(name);
    return spec === undefined ? [] : [spec];
  }

  #fixture(name: string): ServedFixture {
    const found = this.#fixtures.get(name);
    if (found === undefined) throw new AdapterError('misuse', `no scripted server "${name}" is on the bench; declare it with serve`);
    return found;
  }
}

function specOf(server: BenchServer | ServerSpec): ServerSpec {
  return 'entry' in server ? server.entry : server;
}

function withProbe(call: BenchCall, callId: string): unknown {
  const given = call.arguments ?? {};
  return call.probe === false || !isObject(given) ? given : { ...given, [PROBE]: callId };
}
