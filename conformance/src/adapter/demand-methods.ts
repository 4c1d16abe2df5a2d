/**
 * What an object must have before it is operated. A method that is not there would otherwise be met in the middle of a
 * check, as a failure of the bridge.
 */
import { suggest } from 'mcp-fixture-server';
import { AdapterError, type BridgeAdapter } from './bridge-adapter.ts';

/** What every adapter has to bring. */
export const NEEDED_METHODS = ['describe', 'open', 'close', 'tools', 'call'] as const satisfies readonly (keyof BridgeAdapter)[];

/**
 * Looks whether this is an adapter.
 * @param made what was made where an adapter was due
 * @param maker what made it, for the message, such as `createAdapter returned`
 * @throws AdapterError `misuse` that names what was found, or each method that is missing
 */
export function demandMethods(made: unknown, maker: string): void {
  if (typeof made !== 'object' || made === null) {
    throw new AdapterError('misuse', `${maker} ${made === null ? 'null' : typeof made}; return an object with ${NEEDED_METHODS.join(', ')}`);
  }
  const own = Object.keys(made);
  const missing = NEEDED_METHODS.filter((method) => typeof Reflect.get(made, method) !== 'function');
  if (missing.length === 0) return;
  const told = missing.map((method) => {
    const near = suggest(method, own.filter((key) => !NEEDED_METHODS.some((known) => known === key)));
    return `"${method}"${near === undefined ? '' : ` (it has "${near}")`}`;
  });
  throw new AdapterError('misuse', `the adapter has no method ${told.join(', ')}; every adapter needs ${NEEDED_METHODS.join(', ')}`);
}
