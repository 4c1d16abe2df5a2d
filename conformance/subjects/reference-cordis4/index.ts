/**
 * The reference bridge in the embedded host on Cordis 4, as a subject of the suite.
 */
import * as cordis4 from 'cordis4';
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import { startCordis4Host, type CordisContextClass } from 'cordis-plugin-mcp-bridge/host';
import { createReferenceAdapter } from '../reference/adapter.ts';

/** Makes the way to it. */
export const createAdapter: AdapterFactory = () =>
  createReferenceAdapter({ host: { label: 'on Cordis 4', start: (options) => startCordis4Host(contextClass(cordis4), options) } });

/** The declarations of this release candidate do not resolve under NodeNext; its code does. */
function contextClass(module: object): CordisContextClass {
  const found: unknown = Object.getOwnPropertyDescriptor(module, 'Context')?.value;
  if (isClass(found)) return found;
  throw new TypeError('the package cordis4 exports no Context');
}

function isClass(value: unknown): value is CordisContextClass {
  return typeof value === 'function';
}
