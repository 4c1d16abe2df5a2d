/** What of a scenario only one carrier performs. A scenario names no carrier; who serves it does. */
import { failWith, type Locate } from './check.ts';
import type { Explained } from './explain.ts';
import { HTTP_ACTIONS } from './http-actions.ts';
import type { Action, Scenario } from './schema.ts';

/** How a server is reached. */
export type Carrier = 'stdio' | 'streamable-http';

/** What of a scenario the carrier cannot perform, with its place and the fix. */
export function misfits(scenario: Pick<Scenario, 'rules'>, carrier: Carrier): Explained[] {
  return scenario.rules.flatMap(({ when, do: actions }, index): Explained[] => {
    const path = ['rules', index];
    const found = actions.flatMap((action, at) => misfitsOf(action, [...path, 'do', at], carrier));
    if (when.http === undefined || carrier === 'streamable-http') return found;
    return [{ path: [...path, 'when', 'http'], message: 'is for the carrier streamable-http; serve it there, or use `method`' }, ...found];
  });
}

function misfitsOf(action: Action, path: Explained['path'], carrier: Carrier): Explained[] {
  const key = Object.keys(action)[0] ?? '';
  if (carrier === 'streamable-http') {
    if (!('spawn' in action) || !action.spawn.holdStdio) return [];
    return [{ path: [...path, 'spawn', 'holdStdio'], message: 'is for the carrier stdio: over HTTP no pipe of the client is held; remove it' }];
  }
  const message = 'is for the carrier streamable-http; serve it there, or remove it';
  if (HTTP_ACTIONS.has(key)) return [{ path, key, message: `\`${key}\` ${message}` }];
  if ('raw' in action && action.raw.to !== undefined) return [{ path: [...path, 'raw', 'to'], message }];
  const body: unknown = Reflect.get(action, key);
  const frame: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'frame') : undefined;
  if (typeof frame !== 'object' || frame === null) return [];
  return ['stream', 'event'].filter((word) => Object.hasOwn(frame, word)).map((word) => ({ path: [...path, key, 'frame', word], message }));
}

/** Where a scenario stands: in which text, and at which place of it. */
export interface Whereabouts {
  /** The file, or what the caller says it is. */
  readonly from?: string;
  /** Finds a place of the document in its text; without it an error names the place alone. */
  readonly locate?: Locate | undefined;
  /** The place of the scenario in the document: none when it is the whole of it. */
  readonly at?: Explained['path'];
}

/**
 * Refuses a scenario that the carrier cannot perform: an action that is ignored would make a case pass that tried nothing.
 * @throws ScenarioError `invalid`
 */
export function assertCarrier(scenario: Pick<Scenario, 'rules'>, carrier: Carrier, where: Whereabouts = {}): void {
  const found = misfits(scenario, carrier).map((issue) => ({ ...issue, path: [...(where.at ?? []), ...issue.path] }));
  failWith(where.from ?? 'scenario', 'invalid', found, where.locate);
}

/** A scenario that no carrier can serve: what each of them misses, one place of each. Empty when one can. */
export function servedByNone(scenario: Pick<Scenario, 'rules'>): Explained[] {
  const [overHttp] = misfits(scenario, 'streamable-http');
  const [onStdio] = misfits(scenario, 'stdio');
  if (overHttp === undefined || onStdio === undefined) return [];
  return [overHttp, onStdio].map((issue) => ({ ...issue, message: `${issue.message}; as it stands no carrier serves the whole file` }));
}
