/**
 * The scripted servers of one bench, by name.
 */
import type { Controller } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import { AdapterError } from '../adapter/bridge-adapter.ts';
import type { Recorder } from '../history/recorder.ts';
import type { EntryExtras } from './bench.ts';
import { VANISH_BOUND_MS } from './bounds.ts';
import { survivors } from './processes.ts';
import { ServedFixture } from './served-fixture.ts';

/** See the module's comment. */
export class ScriptedServers {
  readonly #controller: Controller;
  readonly #recorder: Recorder;
  readonly #fixtures = new Map<string, ServedFixture>();

  /** @param controller listens for the fixtures; `end` ends it. */
  constructor(controller: Controller, recorder: Recorder) {
    this.#controller = controller;
    this.#recorder = recorder;
  }

  /** What each of them is scripted as. */
  get scenarios(): ScenarioInput[] {
    return [...this.#fixtures.values()].map(({ scenario }) => scenario);
  }

  /** Declares one over stdio, or declares it anew. */
  serve(name: string, scenario: ScenarioInput, extras: EntryExtras): ServedFixture {
    return this.#known(name, scenario, extras) ?? this.#add(this.#controller.serve(name, scenario), scenario, extras);
  }

  /** Declares one over Streamable HTTP, or declares it anew; resolves when it listens. */
  async serveHttp(name: string, scenario: ScenarioInput, extras: EntryExtras): Promise<ServedFixture> {
    return this.#known(name, scenario, extras) ?? this.#add(await this.#controller.serve(name, scenario, { carrier: 'streamable-http' }), scenario, extras);
  }

  /** The one of this name. @throws `AdapterError` (`misuse`) when nobody declared it. */
  named(name: string): ServedFixture {
    const found = this.#fixtures.get(name);
    if (found === undefined) throw new AdapterError('misuse', `no scripted server "${name}" is on the bench; declare it with serve`);
    return found;
  }

  /** Waits until what their live processes did so far is on record. */
  async flush(): Promise<void> {
    await Promise.all([...this.#fixtures.values()].map((fixture) => fixture.flush()));
  }

  /** Records which of all their processes are still alive, after time to go. */
  async recordProcesses(): Promise<void> {
    // Real servers are no fixtures: whoever starts them accounts for their processes.
    if (this.#fixtures.size === 0) return;
    await this.flush();
    const started = [...this.#fixtures.values()].flatMap((fixture) => fixture.pids());
    const alive = await survivors(started, VANISH_BOUND_MS);
    this.#recorder.note({ kind: 'processes', started, alive });
  }

  /** Ends them all. */
  async end(): Promise<void> {
    await this.#controller.close();
  }

  #known(name: string, scenario: ScenarioInput, extras: EntryExtras): ServedFixture | undefined {
    return this.#fixtures.get(name)?.again(scenario, extras);
  }

  #add(served: ConstructorParameters<typeof ServedFixture>[0], scenario: ScenarioInput, extras: EntryExtras): ServedFixture {
    const fixture = new ServedFixture(served, this.#recorder, scenario, extras);
    this.#fixtures.set(fixture.name, fixture);
    return fixture;
  }
}
