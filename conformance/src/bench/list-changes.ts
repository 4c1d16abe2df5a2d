/**
 * Making a change of a server's list known to the subject, by the quickest of the means that it declares.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { SubjectDescription } from '../adapter/bridge-adapter.ts';
import type { BenchServer } from './bench.ts';

/** The notice by which a server says that its list changed. */
const LIST_CHANGED = 'notifications/tools/list_changed';

/**
 * How many changes in a row are announced to one process. A bridge may rightly grow slow with a server that announces
 * again and again (B02); from then on another process is quicker, where the subject can reload.
 */
const ANNOUNCED_IN_A_ROW = 4;

/** Other means than an announcement. */
export interface ChangeMeans {
  readonly reload: (name: string) => Promise<unknown>;
  /** Closes and opens everything as it was opened last. */
  readonly reopen: () => Promise<unknown>;
}

/** See the module's comment. */
export class ListChanges {
  readonly #subject: SubjectDescription;
  readonly #means: ChangeMeans;
  readonly #announced = new Map<string, number>();
  /** Settles when no change is under way that closes and opens everything. */
  #reopening: Promise<unknown> = Promise.resolve();

  constructor(subject: SubjectDescription, means: ChangeMeans) {
    this.#subject = subject;
    this.#means = means;
  }

  /** Gives a server another script, makes that known, and waits as `settled` does. */
  make<T>(server: BenchServer, scenario: ScenarioInput, settled: () => Promise<T>): Promise<T> {
    const { registry, features } = this.#subject;
    const work = async (): Promise<T> => {
      await server.program(scenario);
      // A subject that lists afresh needs nothing; one that follows may show at a look no more than it was told.
      if (registry === 'push' || features.includes('list-changes')) await this.#makeKnown(server);
      return settled();
    };
    const reopens = registry === 'push' && !features.includes('list-changes') && !features.includes('reload');
    if (!reopens) return work();
    // Nobody may look while all is closed for the change of another server.
    const mine = this.#reopening.then(work);
    this.#reopening = mine.catch(() => undefined);
    return mine;
  }

  async #makeKnown(server: BenchServer): Promise<void> {
    const { features } = this.#subject;
    const announced = this.#announced.get(server.name) ?? 0;
    if (features.includes('list-changes') && (announced < ANNOUNCED_IN_A_ROW || !features.includes('reload'))) {
      this.#announced.set(server.name, announced + 1);
      await server.fixture.do([{ notify: { method: LIST_CHANGED } }]);
      return;
    }
    this.#announced.delete(server.name);
    await (features.includes('reload') ? this.#means.reload(server.name) : this.#means.reopen());
  }
}
