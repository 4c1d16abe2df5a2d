/**
 * The attachment store and the model routes that the suite asks for, mounted in the host and changed while calls run.
 */
import { createHash } from 'node:crypto';
import { HOST_EVENTS, type HostChange, type SubjectNotification } from 'mcp-bridge-conformance/adapter';
import type { AttachmentStore, CallingAgent, EmbeddedHost, ImageInput, ImageReference, ModelRoutes, PluginHandle } from 'cordis-plugin-mcp-bridge/host';
import type { Gates } from './gates.ts';

type StoreKind = NonNullable<HostChange['attachmentStore']>;
type Routes = NonNullable<HostChange['routes']>;
type Tell = (told: SubjectNotification) => void;

/** The provider of every route of the suite. */
const PROVIDER = 'suite';

/** An agent whose latest request went to a route of the suite. */
export function agentOn(route: string): CallingAgent {
  return { session: { requestHeader: () => ({ config: { provider: PROVIDER, model: route } }) } };
}

/** Mounts and unmounts both services. */
export class ImageServices {
  readonly #host: EmbeddedHost;
  readonly #gates: Gates;
  readonly #tell: Tell;
  readonly #routes = new Map<string, Routes[string]>();
  #store: PluginHandle | undefined;
  #hasRoutes = false;

  constructor(host: EmbeddedHost, gates: Gates, tell: Tell) {
    this.#host = host;
    this.#gates = gates;
    this.#tell = tell;
  }

  /** Settles when the services are as asked for; what is not named stays. */
  async apply({ attachmentStore, routes }: HostChange): Promise<void> {
    for (const [route, info] of Object.entries(routes ?? {})) this.#routes.set(route, info);
    if (this.#routes.size > 0 && !this.#hasRoutes) {
      this.#hasRoutes = true;
      await this.#host.provide('llm', this.#modelRoutes());
    }
    if (attachmentStore !== undefined) await this.#mountStore(attachmentStore);
  }

  async #mountStore(kind: StoreKind): Promise<void> {
    const mounted = this.#store;
    this.#store = undefined;
    if (mounted !== undefined) await this.#host.unload(mounted);
    if (kind !== 'none') this.#store = await this.#host.provide('attachments', this.#attachmentStore(kind));
  }

  #attachmentStore(kind: Exclude<StoreKind, 'none'>): AttachmentStore {
    return {
      saveImages: async (inputs) => {
        const references = inputs.map(referenceTo);
        this.#tell({ type: 'host-event', event: HOST_EVENTS.storeCall, detail: { images: references.map(({ mediaType, sha256 }) => ({ mediaType, sha256 })) } });
        await this.#gates.pass('store');
        if (kind === 'refusing') throw new Error('this store refuses everything');
        return references;
      },
    };
  }

  #modelRoutes(): ModelRoutes {
    return {
      resolveModelInfo: async (_provider, model, signal) => {
        this.#tell({ type: 'host-event', event: HOST_EVENTS.routeLookup, detail: { route: model } });
        await this.#gates.pass('route-lookup', signal);
        signal?.throwIfAborted();
        const route = this.#routes.get(model);
        if (route === undefined) throw new Error(`there is no route "${model}"`);
        return route.inputModalities === undefined ? {} : { inputModalities: route.inputModalities };
      },
    };
  }
}

function referenceTo({ data, mediaType }: ImageInput): ImageReference {
  const sha256 = createHash('sha256').update(data).digest('hex');
  return { attachmentId: `sha256:${sha256}`, mediaType, sha256, bytes: data.byteLength };
}
