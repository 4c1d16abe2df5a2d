/**
 * The bench: what an exercise works with. It operates one subject and its fixture servers, and writes everything
 * that happens into one history.
 */
import type { FixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type {
  CallReply, CallRequest, GateRequest, HostChange, HostSpec, OfferedTool, OpenReply, ServerReply, ServerSpec, StateReply,
  SubjectDescription, ToolsReply,
} from '../adapter/bridge-adapter.ts';
import type { History, HistoryEvent } from '../history/schema.ts';

/** Members of a server entry beside how it is reached. */
export interface EntryExtras {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Over HTTP: headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A scripted server on the bench. */
export interface BenchServer {
  readonly name: string;
  /** The fixture, for `release`, `signal`, `do`, `waitFor`, … Its records are in the history already. */
  readonly fixture: FixtureServer;
  /** The entry for the subject. */
  readonly entry: ServerSpec;
  /** Replaces the script, recorded as `program`; resolves when the live process acknowledged it. */
  program(scenario: ScenarioInput): Promise<void>;
}

/** A call under way. */
export interface PendingCall {
  readonly callId: string;
  readonly reply: Promise<CallReply>;
  cancel(): Promise<void>;
}

/** One call to make. `arguments` gets the member `probe: <callId>` unless it is no object or `probe: false` is said. */
export interface BenchCall {
  /** The tool, as found in the registry. */
  readonly tool: OfferedTool;
  readonly arguments?: unknown;
  /** Whether to add `probe`, by which a judge pairs the call with what the server received. Default true. */
  readonly probe?: boolean;
  /** For the history: whose tool the exercise believes this is. */
  readonly server?: string;
  readonly rawName?: string;
  /** Milliseconds after which the bench stops waiting (`barrier`, then `BenchTimeout`). Default 15 000. */
  readonly boundMs?: number;
  readonly extra?: Pick<CallRequest, 'agent' | 'via' | 'policy'>;
}

/**
 * What an exercise works with. Methods that wait are bounded. Those that answer whether something came record a barrier
 * and answer `false`; those that have nothing to give back record a barrier that was not reached and throw
 * `BenchTimeout`, which ends the exercise: the judge then reads the silence.
 *
 * What a subject does not declare ends an exercise too (`NotApplicable`): several servers for one that takes one, `add`
 * for one that is not dynamic, `reload` or a gate for one without it. Such a check is not applicable.
 */
export interface Bench {
  readonly subject: SubjectDescription;
  /** Everything so far, in the order of time. Records of a fixture may arrive late: `flush` first where that matters. */
  readonly history: History;
  /**
   * Canaries in the environment that the subject was started in, name to value (see `ambient.ts`): some names that a
   * scrub must withhold, some that it must pass on.
   */
  readonly ambient: Readonly<Record<string, string>>;
  /** Seeded by the run: the only source of chance an exercise may use. */
  readonly seed: number;
  /** Appends an event. */
  record(event: HistoryEvent): void;
  /**
   * Declares a scripted server. Does not start it: the subject does. A name that is declared again is the same server
   * with another script and entry; its incarnations count on.
   */
  serve(name: string, scenario: ScenarioInput, extras?: EntryExtras): BenchServer;
  /** Declares a scripted server over Streamable HTTP, and resolves when it listens. Otherwise as `serve`. */
  serveHttp(name: string, scenario: ScenarioInput, extras?: EntryExtras): Promise<BenchServer>;
  /** Starts the subject with these. */
  open(servers: readonly (BenchServer | ServerSpec)[], host?: HostSpec): Promise<OpenReply>;
  add(server: BenchServer | ServerSpec): Promise<ServerReply>;
  remove(name: string): Promise<void>;
  reload(name: string): Promise<ServerReply>;
  /** Closes the subject, then records which processes of all its servers are still alive. Idempotent. */
  close(): Promise<void>;
  /** Looks at the registry. */
  look(): Promise<ToolsReply>;
  /**
   * Waits until the registry satisfies `predicate`, told (push) or looked at (pull), within the declared `settleMs` plus
   * slack, or within another bound; records the barrier. @returns whether it did.
   */
  registry(what: string, predicate: (tools: readonly OfferedTool[]) => boolean, options?: { readonly boundMs?: number }): Promise<boolean>;
  /**
   * Makes a change of a server's list known: announces it where the subject follows announcements, otherwise reloads the
   * entry, or closes and opens everything where the subject cannot reload, or just lets the next look show it (pull, where
   * it does not follow).
   * Then waits as `registry` does. It is a means, not a stimulus: after some announcements in a row it reloads, since a
   * bridge may rightly grow slow with a server that announces on and on (B02). A check about announcements sends its own.
   */
  change(server: BenchServer, scenario: ScenarioInput, what: string, predicate: (tools: readonly OfferedTool[]) => boolean): Promise<boolean>;
  /** The tool whose description contains the mark (see `mark`); `undefined` when there is none. */
  find(rawName: string, server: string): Promise<OfferedTool | undefined>;
  /** Makes one call and waits for it. */
  call(call: BenchCall): Promise<CallReply>;
  /** Starts one call. */
  start(call: BenchCall): PendingCall;
  /** Holds or releases something inside the host. */
  gate(request: GateRequest): Promise<void>;
  /**
   * Waits until the host tells, from now on, of something (see `host-events.ts`); records the barrier. Called before what
   * makes it happen, awaited after it. @returns whether it came.
   */
  told(what: string, predicate: (event: string, detail: unknown) => boolean): Promise<boolean>;
  /** Changes a route or the store while calls run. */
  setHost(change: HostChange): Promise<void>;
  /** State of each server, as the subject tells it (B20). */
  state(): Promise<StateReply>;
  /**
   * Asks the live process of a server for these variables and for all names in its environment, and records the event
   * `environment`. @returns `false` when no process answered.
   */
  environment(server: BenchServer, names: readonly string[]): Promise<boolean>;
  /** Waits until the records of everything that live fixtures did so far are in the history. */
  flush(): Promise<void>;
  /** Waits for something on a fixture's wire; records the barrier. @returns whether it came. */
  wire(server: BenchServer, what: string, predicate: Parameters<FixtureServer['waitFor']>[0], options?: { readonly since?: number; readonly boundMs?: number }): Promise<boolean>;
}

/**
 * The mark that descriptions of scripted tools carry, so that an exercise can find a tool without knowing how the subject
 * makes names. Judges never use it: they pair names by what the server received.
 */
export function mark(server: string, rawName: string): string {
  return `[[${encodeURIComponent(server)}|${Buffer.from(rawName, 'utf8').toString('hex')}]]`;
}
