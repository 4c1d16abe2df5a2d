/**
 * Gates inside the host: what comes to a held one waits there until it is released.
 */
import type { GateRequest } from 'mcp-bridge-conformance/adapter';

type Gate = GateRequest['gate'];

/** The gates of one open host. */
export class Gates {
  /** What waits at each held gate, by how it goes on. */
  readonly #held = new Map<Gate, Set<() => void>>();
  readonly #tell: (gate: Gate) => void;

  /** @param tell told of everything that begins to wait */
  constructor(tell: (gate: Gate) => void) {
    this.#tell = tell;
  }

  /** Holds or releases. */
  set({ gate, action }: GateRequest): void {
    const waiting = this.#held.get(gate);
    if (action === 'hold') {
      if (waiting === undefined) this.#held.set(gate, new Set());
      return;
    }
    this.#held.delete(gate);
    for (const goOn of waiting ?? []) goOn();
  }

  /** Releases everything. */
  open(): void {
    for (const gate of this.#held.keys()) this.set({ gate, action: 'release' });
  }

  /** Waits while the gate is held, not after an abort. */
  async pass(gate: Gate, signal?: AbortSignal): Promise<void> {
    const waiting = this.#held.get(gate);
    if (waiting === undefined || signal?.aborted === true) return;
    this.#tell(gate);
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        waiting.delete(goOn);
        signal?.removeEventListener('abort', goOn);
        resolve();
      };
      waiting.add(goOn);
      signal?.addEventListener('abort', goOn);
    });
  }
}
