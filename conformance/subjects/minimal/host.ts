/** The host around the minimal bridge, as the suite asks for it: a store, routes, gates, and a policy for each call. */
import { AdapterError, HOST_EVENTS, type CallReply, type CallRequest, type GateRequest, type HostChange, type SubjectNotification } from 'mcp-bridge-conformance/adapter';
import type { Gallery } from './images.ts';

/** See the module's comment. */
export class Host {
  readonly #tell: (told: SubjectNotification) => void;
  readonly #routes = new Map<string, NonNullable<HostChange['routes']>[string]>();
  /** What waits at each gate that is held. */
  readonly #held = new Map<GateRequest['gate'], (() => void)[]>();
  #store: NonNullable<HostChange['attachmentStore']> = 'none';

  constructor(tell: (told: SubjectNotification) => void) {
    this.#tell = tell;
  }

  /** Takes what is named; the rest stays. */
  change({ attachmentStore, routes }: HostChange): void {
    this.#store = attachmentStore ?? this.#store;
    for (const [name, route] of Object.entries(routes ?? {})) this.#routes.set(name, route);
  }

  /** Holds a gate or lets everything through. */
  set({ gate, action }: GateRequest): void {
    const waiting = this.#held.get(gate) ?? [];
    if (action === 'hold') this.#held.set(gate, waiting);
    else this.#held.delete(gate);
    if (action === 'release') for (const goOn of waiting) goOn();
  }

  /** Lets everything through. */
  release(): void {
    for (const gate of this.#held.keys()) this.set({ gate, action: 'release' });
  }

  /** What it does for the images of a call on behalf of an agent. */
  galleryOf(agent: string | undefined): Gallery {
    return {
      isWanted: async (signal) => {
        if (agent === undefined || this.#store === 'none') return false;
        this.#tell({ type: 'host-event', event: HOST_EVENTS.routeLookup, detail: { route: agent } });
        await this.#pass('route-lookup', signal);
        return this.#routes.get(agent)?.inputModalities?.includes('image') === true;
      },
      store: async (pictures) => {
        this.#tell({ type: 'host-event', event: HOST_EVENTS.storeCall, detail: { images: pictures.map(({ mediaType, sha256 }) => ({ mediaType, sha256 })) } });
        await this.#pass('store');
        if (this.#store !== 'memory') throw new AdapterError('unsupported', 'this store takes nothing');
      },
    };
  }

  /** What a policy makes of a reply. Its waiting ends with the call. */
  async finalize(reply: CallReply, policy: CallRequest['policy'], signal: AbortSignal): Promise<CallReply> {
    await this.#pass('finalize', signal);
    if (policy === undefined || reply.outcome !== 'ok') return reply;
    if ('block' in policy) return { outcome: 'failed', executed: 'yes', view: [{ type: 'text', text: policy.block }], message: policy.block };
    const text = 'replaceContent' in policy ? policy.replaceContent : JSON.stringify('replaceValue' in policy ? policy.replaceValue : null);
    return { ...reply, view: [{ type: 'text', text }], ...('replaceValue' in policy ? { value: policy.replaceValue } : {}) };
  }

  async #pass(gate: GateRequest['gate'], signal?: AbortSignal): Promise<void> {
    const waiting = this.#held.get(gate);
    if (waiting === undefined || signal?.aborted === true) return;
    this.#tell({ type: 'host-event', event: HOST_EVENTS.gateHeld, detail: { gate } });
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
