/**
 * One scripted server on the bench: a fixture, its entry for the subject, and its records for the history.
 */
import type { FixtureServer, HttpFixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { ServerSpec } from '../adapter/messages.ts';
import type { Recorder } from '../history/recorder.ts';
import type { BenchServer, EntryExtras } from './bench.ts';
import { within } from './endings.ts';
import { recordedControl } from './recorded-control.ts';
import { isRunning } from './processes.ts';

/** How long the records of a live process may take to arrive, in milliseconds; they are on their way already. */
const FLUSH_BOUND_MS = 1_000;

/** A scripted server. */
export class ServedFixture implements BenchServer {
  readonly name: string;
  readonly fixture: FixtureServer;
  entry: ServerSpec;
  readonly #recorder: Recorder;
  /** Over HTTP: where it is reached. */
  readonly #url: string | undefined;
  #scenario: ScenarioInput;
  #taken = 0;

  constructor(served: FixtureServer | HttpFixtureServer, recorder: Recorder, scenario: ScenarioInput, extras: EntryExtras) {
    this.name = served.name;
    this.#recorder = recorder;
    this.#url = 'url' in served ? served.url : undefined;
    this.fixture = recordedControl(served, recorder);
    this.#scenario = scenario;
    this.entry = entryOf(this.fixture, this.#url, extras);
    recorder.addSource(() => this.#fresh());
    recorder.note({ kind: 'program', server: this.name, scenario });
  }

  /** Declares it anew: another script for processes to come and for live ones, another entry. */
  again(scenario: ScenarioInput, extras: EntryExtras): this {
    this.entry = entryOf(this.fixture, this.#url, extras);
    void this.program(scenario).catch(() => undefined);
    return this;
  }

  /** What it is scripted as. */
  get scenario(): ScenarioInput {
    return this.#scenario;
  }

  async program(scenario: ScenarioInput): Promise<void> {
    this.#scenario = scenario;
    this.#recorder.note({ kind: 'program', server: this.name, scenario });
    await this.fixture.program(scenario);
  }

  /** Waits for a record, at most `boundMs`. @returns the one that came. */
  async saw(predicate: Parameters<FixtureServer['waitFor']>[0], boundMs: number, since = 0): Promise<TraceRecord | undefined> {
    try {
      return await this.fixture.waitFor(predicate, { since, timeoutMs: boundMs });
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'timeout' || error.code === 'closed')) return undefined;
      throw error;
    }
  }

  /** Asks a live process for its environment and records the answer. @returns whether there was one. */
  async environment(names: readonly string[], ambient: Readonly<Record<string, string>>, boundMs: number): Promise<boolean> {
    const answer = await within(this.fixture.environment(names), boundMs).catch(() => ({ reached: false }) as const);
    if (!answer.reached) return false;
    const configured = this.entry.transport === 'stdio' ? (this.entry.env ?? {}) : {};
    const { values, names: all } = answer.value;
    this.#recorder.note({
      kind: 'environment', server: this.name, names: [...all], values: { ...values }, ambient: { ...ambient }, configured,
    });
    return true;
  }

  /** Waits until what its processes did so far is on record: an answer of a live one comes after its records. */
  async flush(): Promise<void> {
    // A process that is gone may still have records in the socket: its end is told after them.
    const waits = this.fixture.processes
      .filter((one) => one.alive)
      .map(async (one) => ((await isRunning(one.pid)) ? void (await this.fixture.environment([])) : one.ended));
    await within(Promise.allSettled(waits), FLUSH_BOUND_MS);
  }

  /** Every process of it that was ever seen, grandchildren too. */
  pids(): number[] {
    // A server over HTTP is the suite's own process, and no bridge's to end.
    if (this.#url !== undefined) return [];
    const grandchildren = this.fixture.records.flatMap((record) =>
      record.kind === 'process' && record.childPid !== undefined ? [record.childPid] : [],
    );
    return [...this.fixture.processes.map(({ pid }) => pid), ...grandchildren];
  }

  #fresh(): FixtureServer['records'] {
    const fresh = this.fixture.records.slice(this.#taken);
    this.#taken += fresh.length;
    return fresh;
  }
}

function entryOf(fixture: FixtureServer, url: string | undefined, extras: EntryExtras): ServerSpec {
  const { env, cwd, headers, options } = extras;
  const given = options === undefined ? {} : { options: { ...options } };
  if (url !== undefined) return { name: fixture.name, transport: 'streamable-http', url, ...(headers === undefined ? {} : { headers: { ...headers } }), ...given };
  return {
    name: fixture.name, transport: 'stdio', command: fixture.command, args: [...fixture.args],
    ...(env === undefined ? {} : { env: { ...env } }), ...(cwd === undefined ? {} : { cwd }), ...given,
  };
}
