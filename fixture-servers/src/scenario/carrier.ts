/** What of a scenario only one carrier performs. A scenario names no carrier; who serves it does. */
import { failWith } from './check.ts';
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
  const isPlaced = typeof frame === 'object' && frame !== null && Object.hasOwn(frame, 'stream');
  return isPlaced ? [{ path: [...path, key, 'frame', 'stream'], message }] : [];
}

/**
 * Refuses a scenario that the carrier cannot perform: an action that is ignored would make a case pass that tried nothing.
 * @throws ScenarioError `invalid`
 */
export function assertCarrier(scenario: Pick<Scenario, 'rules'>, carrier: Carrier, from = 'scenario'): void {
  failWith(from, 'invalid', misfits(scenario, carrier));
}
