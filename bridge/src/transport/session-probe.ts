/**
 * Finds out whether a session still lives, when something looks as if it did not (B09, R46): one `ping`, and only the refusal of
 * that counts. A call that fails in an odd way costs no connection, and silence proves nothing: calls have their own limits.
 */
import { discard } from './http-body.ts';
import type { HttpEndpoint } from './http-endpoint.ts';
import { HttpFailure } from './http-failure.ts';
import { lostSessionWordsIn } from './lost-session.ts';

/** How often the network may fail a probe before the server counts as gone: a socket that was kept open too long fails once. */
const NETWORK_TRIES = 2;

/** Probes, one at a time. */
export class SessionProbe {
  readonly #endpoint: HttpEndpoint;
  readonly #timeoutMs: number;
  readonly #onLost: (why: string) => void;
  #abort: AbortController | undefined;
  #run: Promise<void> | undefined;
  #count = 0;

  /**
   * @param timeoutMs how long one `ping` may take
   * @param onLost the session or the server is gone, and why
   */
  constructor(endpoint: HttpEndpoint, timeoutMs: number, onLost: (why: string) => void) {
    this.#endpoint = endpoint;
    this.#timeoutMs = timeoutMs;
    this.#onLost = onLost;
  }

  /** Begins a probe unless one is under way. @returns resolves when it has ended, after `onLost`; never rejects */
  begin(): Promise<void> {
    this.#run ??= this.#probe();
    return this.#run;
  }

  /** Ends the probe that is under way. */
  stop(): void {
    this.#abort?.abort();
  }

  async #probe(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const timer = setTimeout(() => abort.abort(), this.#timeoutMs);
    try {
      const why = await this.#ask(abort.signal);
      if (why !== undefined) this.#onLost(why);
    } catch {
      // No answer within the time, or stopped.
    } finally {
      clearTimeout(timer);
      this.#abort = undefined;
      this.#run = undefined;
    }
  }

  /** Why the session or the server is gone; `undefined` when it is not. */
  async #ask(signal: AbortSignal): Promise<string | undefined> {
    this.#count += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: `probe-${this.#count}`, method: 'ping' });
    for (let tries = 1; ; tries += 1) {
      try {
        const response = await this.#endpoint.send({ method: 'POST', body, signal });
        if (!response.ok) return whyGone(await this.#endpoint.refusal(response));
        if (!this.#endpoint.mayLoseSession) {
          discard(response);
          return undefined;
        }
        const words = lostSessionWordsIn(await this.#endpoint.textOf(response));
        return words === undefined ? undefined : `the server does not know this session any more (it says: ${words})`;
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error;
        if (tries === NETWORK_TRIES) return whyGone(error);
      }
    }
  }
}

function whyGone({ evidence, message }: HttpFailure): string | undefined {
  return evidence === 'none' ? undefined : message;
}
