/** Optional services of a host as a test wants them, and what was asked of them. */
import type { CallingAgent, ImageInput, ImageReference } from '../../src/host-services.ts';
import type { ServiceLookup } from '../../src/image-admission.ts';

/** A store and model routes that can be held, and whose calls are recorded. */
export class FakeServices implements ServiceLookup {
  /** Service names, each time one was looked up. */
  readonly lookups: string[] = [];
  /** Batches that the store was given. */
  readonly batches: (readonly ImageInput[])[] = [];
  /** Routes that were asked for, with the signal that came along. */
  readonly asked: { readonly route: string; readonly signal: AbortSignal | undefined }[] = [];
  hasStore = true;
  hasRoutes = true;
  /** What the store answers. */
  save: (images: readonly ImageInput[]) => unknown = (images) => images.map(({ mediaType }, index) => ({ mediaType, sha256: `digest-${index}` }));
  /** What the routes answer. */
  resolve: (signal: AbortSignal | undefined) => unknown = () => ({ inputModalities: ['text', 'image'] });

  readonly #store = {
    saveImages: async (images: readonly ImageInput[]): Promise<readonly ImageReference[]> => {
      this.batches.push(images);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a host's service answers anything
      return (await this.save(images)) as readonly ImageReference[];
    },
  };

  readonly #routes = {
    resolveModelInfo: async (provider: string, model: string, signal?: AbortSignal): Promise<unknown> => {
      this.asked.push({ route: `${provider}/${model}`, signal });
      return this.resolve(signal);
    },
  };

  get(service: string): unknown {
    this.lookups.push(service);
    if (service === 'attachments') return this.hasStore ? this.#store : undefined;
    return service === 'llm' && this.hasRoutes ? this.#routes : undefined;
  }
}

/** An agent whose latest request went to this route. */
export function agentOn(provider: string, model: string): CallingAgent {
  return { session: { requestHeader: () => ({ config: { provider, model } }) } };
}
