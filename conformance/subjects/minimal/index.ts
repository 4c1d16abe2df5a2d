/** An independent bridge, written from the invariants alone: no client library, nothing of the reference. */
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import { createMinimalAdapter } from './adapter.ts';

/** Makes the way to the minimal bridge. */
export const createAdapter: AdapterFactory = () => createMinimalAdapter();

export { createMinimalAdapter, MinimalAdapter, type MinimalOptions } from './adapter.ts';
export { publicName } from './naming.ts';
export type { WebHabits, WebRequest } from './web.ts';
