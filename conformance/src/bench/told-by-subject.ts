/**
 * What the subject tells unasked: it goes on record, and to those who wait for it.
 */
import type { BridgeAdapter } from '../adapter/bridge-adapter.ts';
import type { Recorder } from '../history/recorder.ts';
import { within, type Bounded } from './endings.ts';
import { RegistryWatch } from './registry-watch.ts';

/** See the module's comment. Listens from the beginning on. */
export class ToldBySubject {
  /** Those who wait for the registry. */
  readonly registry = new RegistryWatch();
  readonly #waiting = new Set<(event: string, detail: unknown) => void>();
  readonly #stopListening: () => void;

  constructor(adapter: BridgeAdapter, recorder: Recorder) {
    this.#stopListening = adapter.onNotification((told) => {
      if (told.type === 'registry') {
        const { revision, tools } = told;
        recorder.note({ kind: 'registry', cause: 'told', revision, tools });
        this.registry.told(tools);
      } else if (told.type === 'log') {
        const { level, server, message } = told;
        recorder.note({ kind: 'log', level, message, ...(server === undefined ? {} : { server }) });
      } else {
        const { event, detail } = told;
        recorder.note({ kind: 'host-event', event, ...(detail === undefined ? {} : { detail }) });
        for (const listen of this.#waiting) listen(event, detail);
      }
    });
  }

  /** Waits, from now on and at most `boundMs` milliseconds, until the host tells of something. @returns the event's name. */
  async hostEvent(predicate: (event: string, detail: unknown) => boolean, boundMs: number): Promise<Bounded<string>> {
    let listener: ((event: string, detail: unknown) => void) | undefined;
    const came = new Promise<string>((resolve) => {
      listener = (event, detail) => {
        if (predicate(event, detail)) resolve(event);
      };
      this.#waiting.add(listener);
    });
    try {
      return await within(came, boundMs);
    } finally {
      if (listener !== undefined) this.#waiting.delete(listener);
    }
  }

  /** Listens no more. */
  end(): void {
    this.#stopListening();
  }
}
