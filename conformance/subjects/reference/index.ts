/**
 * The reference bridge as a subject of the suite.
 */
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import { createReferenceAdapter } from './adapter.ts';

/** Makes the way to the reference. */
export const createAdapter: AdapterFactory = () => createReferenceAdapter();

export { createReferenceAdapter, type ReferenceOptions } from './adapter.ts';
