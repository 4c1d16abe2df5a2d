/**
 * Waiting for the registry to hold something: told by a subject that pushes, looked at where it does not.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { OfferedTool, ToolsReply } from '../adapter/messages.ts';
import { nowMs } from '../history/clock.ts';
import { LOOK_BETWEEN_MS, LOOK_EVERY_MS } from './bounds.ts';

/** What a registry must hold. */
export type RegistryPredicate = (tools: readonly OfferedTool[]) => boolean;

/** Those who wait for the next time the subject tells its registry. */
export class RegistryWatch {
  readonly #waiting = new Set<(tools: readonly OfferedTool[]) => void>();

  /** The subject told its registry. */
  told(tools: readonly OfferedTool[]): void {
    for (const listener of this.#waiting) listener(tools);
  }

  /**
   * Waits until the predicate holds, at most `boundMs`. A look comes first, now and then, and last.
   * @param pushes whether the subject tells, and is looked at more seldom; it may follow changes and have no way to tell.
   */
  async until(predicate: RegistryPredicate, pushes: boolean, boundMs: number, look: () => Promise<ToolsReply>): Promise<boolean> {
    const deadline = nowMs() + boundMs;
    let listener: ((tools: readonly OfferedTool[]) => void) | undefined;
    const told = new Promise<true>((resolve) => {
      listener = (tools) => {
        if (predicate(tools)) resolve(true);
      };
      this.#waiting.add(listener);
    });
    try {
      while (!predicate((await look()).tools)) {
        const leftMs = deadline - nowMs();
        if (leftMs <= 0) return false;
        const pause = wait(Math.min(pushes ? LOOK_BETWEEN_MS : LOOK_EVERY_MS, leftMs), false, { ref: true });
        if (await Promise.race([told, pause])) return true;
      }
      return true;
    } finally {
      if (listener !== undefined) this.#waiting.delete(listener);
    }
  }
}
