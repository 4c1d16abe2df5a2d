/**
 * Whether the images of one call may be stored for its model: a store is mounted, and the calling agent's latest route
 * declares image input (S44). Everything is looked up for each call (S10).
 * @module
 */
import type { AttachmentStore, CallingAgent, ModelRoutes } from './host-services.ts';
import { refuseImages, type ServiceRefusal } from './image-batch.ts';
import { waitAtMost } from './image-wait.ts';
import { isRecord } from './json-shape.ts';

/** Finds optional services of the host: the part of a Cordis context that is needed. */
export interface ServiceLookup {
  get(service: string): unknown;
}

/** What admission looks at. */
export interface AdmissionInput {
  readonly services: ServiceLookup;
  /** On whose behalf the call runs. */
  readonly agent: CallingAgent | undefined;
  /** Bound of the route lookup, milliseconds. */
  readonly imageLookupTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** The store to use, or why there is none. */
export type Admission = { readonly kind: 'admitted'; readonly store: AttachmentStore } | ServiceRefusal;

const NO_STORE = 'no attachment store is mounted';

/** Decides. Never rejects; what it says after an abort is not looked at. */
export async function admitImages({ services, agent, imageLookupTimeoutMs: timeoutMs, signal }: AdmissionInput): Promise<Admission> {
  if (findStore(services) === undefined) return refuseImages(NO_STORE);
  if (agent === undefined) return refuseImages('the call is made for no agent, so no model is known');
  const route = latestRoute(agent);
  if (route === undefined) return refuseImages('the model of the calling agent is not known');
  const routes = findRoutes(services);
  if (routes === undefined) return refuseImages('no model routes are mounted');
  const answer = await waitAtMost((own) => routes.resolveModelInfo(route.provider, route.model, own), { timeoutMs, signal });
  if (answer.kind === 'timed-out') return { ...refuseImages('the model could not be looked up in time'), fault: `no answer within the ${timeoutMs} ms of imageLookupTimeoutMs` };
  if (answer.kind === 'failed') return { ...refuseImages('the model could not be looked up'), fault: answer.error };
  if (answer.kind === 'aborted') return refuseImages('the call was aborted');
  if (!declaresImages(answer.value)) return refuseImages('the model does not declare image input');
  // Once more: the host may have changed while the answer was awaited.
  const store = findStore(services);
  return store === undefined ? refuseImages(NO_STORE) : { kind: 'admitted', store };
}

function findStore(services: ServiceLookup): AttachmentStore | undefined {
  const service = lookup(services, 'attachments');
  return isStore(service) ? service : undefined;
}

function findRoutes(services: ServiceLookup): ModelRoutes | undefined {
  const service = lookup(services, 'llm');
  return isRoutes(service) ? service : undefined;
}

/** A context that has ended may throw. */
function lookup(services: ServiceLookup, service: string): unknown {
  try {
    return services.get(service);
  } catch {
    return undefined;
  }
}

function isStore(service: unknown): service is AttachmentStore {
  return isRecord(service) && typeof service['saveImages'] === 'function';
}

function isRoutes(service: unknown): service is ModelRoutes {
  return isRecord(service) && typeof service['resolveModelInfo'] === 'function';
}

/** The route of the agent's latest request, and of its options where that says nothing. */
function latestRoute(agent: CallingAgent): { readonly provider: string; readonly model: string } | undefined {
  try {
    const latest = agent.session?.requestHeader?.()?.config;
    const provider = latest?.provider ?? agent.options?.provider;
    const model = latest?.model ?? agent.options?.model;
    return typeof provider === 'string' && typeof model === 'string' ? { provider, model } : undefined;
  } catch {
    return undefined;
  }
}

function declaresImages(info: unknown): boolean {
  const modalities = isRecord(info) ? info['inputModalities'] : undefined;
  return Array.isArray(modalities) && modalities.includes('image');
}
