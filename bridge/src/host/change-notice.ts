/**
 * Who is told that the set of tools changed: inside each change, and once more when the job that changed it has ended.
 */

/** A listener inside a change; it may see a swap half done (S30). */
export type ChangeListener = () => void;

/** A listener after the job in which the set changed; `revision` counts single changes and never goes back. */
export type SettledListener = (revision: number) => void;

/** Two sets of listeners and a counter. A listener that throws is reported and never disturbs the others. */
export class ChangeNotice {
  readonly #change = new Set<ChangeListener>();
  readonly #settled = new Set<SettledListener>();
  readonly #report: (error: unknown) => void;
  #revision = 0;
  #scheduled = false;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** How often the set changed so far. */
  get revision(): number {
    return this.#revision;
  }

  onChange(listener: ChangeListener): () => void {
    return add(this.#change, () => listener());
  }

  onSettled(listener: SettledListener): () => void {
    return add(this.#settled, (revision) => listener(revision));
  }

  /** One change happened. */
  changed(): void {
    this.#revision += 1;
    for (const listener of this.#change) this.#call(() => listener());
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (const listener of this.#settled) this.#call(() => listener(this.#revision));
    });
  }

  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#report(error);
    }
  }
}

/** The caller wraps the listener, so that one function may listen twice and be removed once. */
function add<T>(listeners: Set<T>, own: T): () => void {
  listeners.add(own);
  return () => {
    listeners.delete(own);
  };
}
