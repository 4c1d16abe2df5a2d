import type { Action, Scenario, ScenarioInput } from '../scenario/schema.ts';
import { assertCarrier, type Carrier } from '../scenario/carrier.ts';
import { checkActions, checkScenario } from '../scenario/check.ts';
import { nowMs } from '../trace/clock.ts';
import type { TraceRecord } from '../trace/schema.ts';
import { TRACE_VERSION } from '../trace/version.ts';
import { deferred } from './deferred.ts';
import type { Command, EnvironmentAnswer, FixtureConnection, Hello } from './connection.ts';
import { ControlError } from './errors.ts';
import { identify, identifyElsewhere, isRunning, killHard, waitUntilGone, type ProcessIdentity } from './processes.ts';
import { createRecordLog, DEFAULT_WAIT_MS, type RecordLog, type WaitOptions } from './record-log.ts';

/** How long a process may take to end by itself after its channel ended, in milliseconds; then it is killed. */
const END_LIMIT_MS = 2_000;

/** One process that said hello. */
export interface FixtureProcess {
  readonly pid: number;
  /** Its arguments after the program's name, as the process saw them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Whether its control channel is open. */
  readonly alive: boolean;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
}

/** A scripted server on any carrier, and every process that was started as it. */
export interface ScriptedServer {
  readonly name: string;
  /** The records of all its processes, in order of arrival. */
  readonly records: readonly TraceRecord[];
  /** In order of hello. */
  readonly processes: readonly FixtureProcess[];
  /**
   * Scripts the live processes anew, and every future one. Lists of actions that wait at a hold go on; counts of
   * matches begin again unless `keepCounts`. Resolves when the live ones acknowledged it.
   * @throws ScenarioError for a wrong scenario, ControlError when a process refuses.
   */
  program(scenario: ScenarioInput, options?: { readonly keepCounts?: boolean }): Promise<void>;
  /** Lets go on what waits at this hold. @throws ControlError `refused` when nothing does, `no-process`. */
  release(hold: string): Promise<void>;
  /** Sends a signal to the rules. @throws ControlError `refused` when no rule waits for it, `no-process`. */
  signal(name: string): Promise<void>;
  /** Performs actions now. Resolves when they were begun, and their records have arrived. @throws ControlError */
  do(actions: readonly Action[]): Promise<void>;
  /** The values of these variables in the newest live process, and the names of all. @throws ControlError */
  environment(names: readonly string[]): Promise<EnvironmentAnswer>;
  /**
   * The first record, past or future, from index `since`, that satisfies the predicate.
   * @throws ControlError `timeout` naming what was awaited and the last records, `closed`.
   */
  waitFor(predicate: (record: TraceRecord) => boolean, options?: WaitOptions): Promise<TraceRecord>;
  /** Resolves when the process of this index is gone. Default: the newest. @throws ControlError `no-process`, `timeout`. */
  waitForProcessEnd(index?: number, options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Ends its processes and their grandchildren, waits until they are gone, and frees the name. */
  close(): Promise<void>;
}

/** A scripted server on stdio. */
export interface FixtureServer extends ScriptedServer {
  /** What a client starts. */
  readonly command: string;
  /** With these arguments; more may follow, the process ignores them and reports them in `argv`. */
  readonly args: readonly string[];
}

/** What the controller sees of a server. */
export interface ManagedServer {
  readonly api: ScriptedServer;
  /** A process said hello. @returns false when it is not wanted any more. */
  accept(hello: Hello, connection: FixtureConnection): { record(record: TraceRecord): void; closed(): void } | undefined;
}

/** How a managed server is made. */
export interface ManagedOptions {
  readonly name: string;
  readonly carrier: Carrier;
  readonly scenario: Scenario;
  readonly maxRecords: number;
  /** Its processes run where their ids mean nothing here: in a container. */
  readonly elsewhere?: boolean;
  readonly onHello?: (hello: Hello) => void;
  readonly onClosed: () => void;
}

interface Live {
  readonly process: FixtureProcess & { alive: boolean };
  readonly identity: ProcessIdentity;
  readonly connection: FixtureConnection;
  lastRecord: TraceRecord | undefined;
  exitSeen: boolean;
}

/** Makes a server of a controller. */
export function createManagedServer(options: ManagedOptions): ManagedServer {
  const { carrier, name } = options;
  const from = `server "${name}"`;
  const log: RecordLog = createRecordLog(name, options.maxRecords);
  const all: Live[] = [];
  const grandchildren: ProcessIdentity[] = [];
  const nameProcess = options.elsewhere === true ? identifyElsewhere : identify;
  let scenario = options.scenario;
  let closing: Promise<void> | undefined;

  const live = (): Live[] => all.filter((entry) => entry.process.alive);
  const needLive = (): Live[] => {
    const entries = live();
    if (entries.length > 0) return entries;
    throw new ControlError('no-process', `server "${name}": no process of it is connected (${all.length} were)`);
  };
  /** Every live process is told; it is enough that one obeys, for only one may be where the command applies. */
  const tell = async (command: Command): Promise<void> => {
    const results = await Promise.allSettled(needLive().map((entry) => entry.connection.command(command)));
    if (results.some((result) => result.status === 'fulfilled')) return;
    const failed = results.find((result) => result.status === 'rejected');
    const cause: unknown = failed?.reason;
    const code = cause instanceof ControlError ? cause.code : 'refused';
    throw new ControlError(code, `server "${name}": ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  };

  const add = (record: TraceRecord): void => {
    if (log.add(record)) return;
    const error = new ControlError(
      'limit', `server "${name}": more than ${options.maxRecords} records; raise maxRecords or close the server earlier`,
    );
    log.close(error);
    for (const entry of live()) entry.connection.destroy();
  };

  const end = async (): Promise<void> => {
    for (const entry of live()) entry.connection.destroy();
    const identities = [...all.map((entry) => entry.identity), ...grandchildren];
    for (const grandchild of grandchildren) killHard(grandchild);
    await Promise.all(identities.map((identity) => endProcess(identity)));
    log.close(new ControlError('closed', `server "${name}" was closed`));
    options.onClosed();
  };

  const api: ScriptedServer = {
    name,
    records: log.records,
    get processes() {
      return all.map((entry) => entry.process);
    },
    async program(input, { keepCounts = false } = {}) {
      scenario = checkFor(input, carrier, from);
      if (live().length > 0) await tell({ type: 'program', scenario, keepCounts });
    },
    release: (hold) => tell({ type: 'release', hold }),
    signal: (signal) => tell({ type: 'signal', name: signal }),
    async do(actions) {
      const checked = checkActions(actions, from);
      assertCarrier({ rules: [{ when: {}, do: checked }] }, carrier, { from });
      await tell({ type: 'do', actions: checked });
    },
    async environment(names) {
      const newest = needLive().at(-1);
      const answer = await newest?.connection.command({ type: 'environment', names: [...names] });
      if (answer === undefined) throw new ControlError('refused', `server "${name}": no environment was given`);
      return answer;
    },
    waitFor: (predicate, waitOptions) => log.waitFor(predicate, waitOptions),
    async waitForProcessEnd(index = all.length - 1, { timeoutMs = DEFAULT_WAIT_MS } = {}) {
      const entry = all[index];
      if (entry === undefined) throw new ControlError('no-process', `server "${name}" has no process ${index} yet`);
      const gone = await waitUntilGone(entry.identity, timeoutMs);
      if (!gone) {
        throw new ControlError('timeout', `server "${name}": process ${entry.process.pid} still runs after ${timeoutMs} ms`);
      }
      await entry.process.ended;
    },
    close() {
      closing ??= end();
      return closing;
    },
  };

  return {
    api,
    accept(hello, connection) {
      if (closing !== undefined || hello.carrier !== carrier) return undefined;
      const entry = createLive(hello, connection, nameProcess(hello.pid));
      all.push(entry.live);
      connection.command({ type: 'program', scenario, keepCounts: false }).catch(() => undefined);
      options.onHello?.(hello);
      return {
        record(record) {
          entry.live.lastRecord = record;
          if (record.kind === 'process' && record.event === 'exit') entry.live.exitSeen = true;
          if (record.kind === 'process' && record.childPid !== undefined) grandchildren.push(nameProcess(record.childPid));
          add(record);
        },
        closed() {
          entry.live.process.alive = false;
          if (!entry.live.exitSeen) add(endedFromOutside(name, carrier, entry.live));
          void waitUntilGone(entry.live.identity, END_LIMIT_MS).then(entry.resolveEnded);
        },
      };
    },
  };
}

/** Checks a scenario, also that the carrier can perform it. @throws ScenarioError */
export function checkFor(input: ScenarioInput, carrier: Carrier, from: string): Scenario {
  const checked = checkScenario(input, from);
  assertCarrier(checked, carrier, { from });
  return checked;
}

function createLive(hello: Hello, connection: FixtureConnection, identity: ProcessIdentity): { live: Live; resolveEnded: () => void } {
  const { promise: ended, resolve: resolveEnded } = deferred<void>();
  const process = { pid: hello.pid, argv: hello.argv, cwd: hello.cwd, alive: true, ended };
  return { live: { process, identity, connection, lastRecord: undefined, exitSeen: false }, resolveEnded };
}

/** A process killed from outside cannot say so; its channel ended, and that is its record. */
function endedFromOutside(server: string, carrier: Carrier, { lastRecord, process }: Live): TraceRecord {
  return {
    trace: TRACE_VERSION,
    seq: (lastRecord?.seq ?? -1) + 1,
    atMs: nowMs(),
    server,
    carrier,
    incarnation: lastRecord?.incarnation ?? 0,
    pid: process.pid,
    kind: 'process',
    event: 'exit',
  };
}

async function endProcess(identity: ProcessIdentity): Promise<void> {
  if (await waitUntilGone(identity, END_LIMIT_MS)) return;
  killHard(identity);
  if (!(await waitUntilGone(identity, END_LIMIT_MS)) && isRunning(identity)) {
    throw new ControlError('timeout', `process ${identity.pid} cannot be killed`);
  }
}
