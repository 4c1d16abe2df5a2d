/** What a step of a case refers to: servers, calls, other steps and invariants, each with its place in the step. */
import type { Step } from './steps.ts';

/** Where in the step. */
type Path = readonly (string | number)[];
/** What can be begun and awaited. */
type Begun = 'call' | 'step';

/** References of one step. */
export interface References {
  readonly servers: readonly { readonly path: Path; readonly name: string }[];
  readonly awaits: readonly { readonly path: Path; readonly kind: Begun; readonly id: string }[];
  readonly begins: { readonly kind: Begun; readonly id: string } | undefined;
  readonly speaksFor: readonly { readonly path: Path; readonly ids: readonly string[] }[];
}

const NONE: References = { servers: [], awaits: [], begins: undefined, speaksFor: [] };

/** Works out what a step refers to. */
export function refersTo(step: Step): References {
  if ('call' in step) {
    const { id, server, expect } = step.call;
    return {
      ...NONE, servers: [{ path: ['call', 'server'], name: server }], begins: id === undefined ? undefined : { kind: 'call', id },
      speaksFor: expect?.for === undefined ? [] : [{ path: ['call', 'expect', 'for'], ids: expect.for }],
    };
  }
  if ('open' in step) {
    if (step.open === true) return NONE;
    const { servers = [], id } = step.open;
    return { ...NONE, servers: servers.map((name, index) => ({ path: ['open', 'servers', index], name })), begins: begun(id) };
  }
  if ('add' in step) return onServer('add', step.add);
  if ('remove' in step) return onServer('remove', step.remove);
  if ('reload' in step) return onServer('reload', step.reload);
  if ('abort' in step) return { ...NONE, awaits: [{ path: ['abort'], kind: 'call', id: step.abort }] };
  if ('environment' in step) return one(['environment'], step.environment);
  if ('configure' in step) return one(['configure', 'server'], step.configure.server);
  if ('advance' in step) return one(['advance', 'server'], step.advance.server);
  if ('await' in step) {
    const awaited = step.await;
    if ('call' in awaited) return { ...NONE, awaits: [{ path: ['await', 'call'], kind: 'call', id: awaited.call }] };
    if ('step' in awaited) return { ...NONE, awaits: [{ path: ['await', 'step'], kind: 'step', id: awaited.step }] };
    return 'server' in awaited ? one(['await', 'server'], awaited.server) : NONE;
  }
  if ('expect' in step) {
    const { expect } = step;
    const speaksFor = expect.for === undefined ? [] : [{ path: ['expect', 'for'], ids: expect.for }];
    return { ...('server' in expect && expect.server !== undefined ? one(['expect', 'server'], expect.server) : NONE), speaksFor };
  }
  return NONE;
}

function one(path: Path, name: string): References {
  return { ...NONE, servers: [{ path, name }] };
}

function begun(id: string | undefined): References['begins'] {
  return id === undefined ? undefined : { kind: 'step', id };
}

function onServer(key: string, value: string | { readonly server: string; readonly id?: string | undefined }): References {
  if (typeof value === 'string') return one([key], value);
  return { ...one([key, 'server'], value.server), begins: begun(value.id) };
}
