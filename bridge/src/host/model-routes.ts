/**
 * The model routes of the embedded host, `ctx.llm`: a table of which model accepts which input (S44). Usable without
 * any Cordis.
 */
import type { ModelRoutes } from '../host-services.ts';
import { HostError } from './host-error.ts';

/** One row of the table. */
export interface ModelRoute {
  readonly provider: string;
  readonly model: string;
  /** What the model accepts, such as `text` and `image`; absent when nothing is declared. */
  readonly inputModalities?: readonly string[];
}

/** A table of routes that can change while calls are under way. */
export class StaticModelRoutes implements ModelRoutes {
  readonly #routes = new Map<string, ModelRoute>();

  constructor(routes: readonly ModelRoute[] = []) {
    for (const route of routes) this.set(route);
  }

  /** Adds a route, or replaces the one of that provider and model. */
  set(route: ModelRoute): void {
    this.#routes.set(keyOf(route.provider, route.model), route);
  }

  /** Removes a route. */
  delete(provider: string, model: string): void {
    this.#routes.delete(keyOf(provider, model));
  }

  /**
   * What a model accepts. Rejects with the reason of `signal`, or with HostError `route-unknown`.
   */
  async resolveModelInfo(provider: string, model: string, signal?: AbortSignal): Promise<{ readonly inputModalities?: readonly string[] }> {
    signal?.throwIfAborted();
    const route = this.#routes.get(keyOf(provider, model));
    if (route === undefined) {
      throw new HostError('route-unknown', `no route to the model "${model}" of "${provider}"; add it to "models" in the config of the embedded host`);
    }
    return route.inputModalities === undefined ? {} : { inputModalities: route.inputModalities };
  }
}

function keyOf(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
