/**
 * A subject that is a pure object: no bridge, no process. Tests override the methods they are about.
 */
import type { BridgeAdapter, SubjectDescription } from '../../src/adapter/bridge-adapter.ts';

/** What the fake declares, unless a test says otherwise. */
export const fakeDescription: SubjectDescription = {
  adapter: 1,
  name: 'fake',
  version: '0.0.0',
  registry: 'push',
  servers: 'dynamic',
  names: { scheme: 'mcp-qualified-64-v1' },
  transports: ['stdio'],
  features: [],
  levels: ['core'],
  options: [],
  bounds: { settleMs: 50, closeMs: 50, reconnectMs: 50 },
  fidelity: { keyOrder: true, bigNumbers: true },
};

/** A fake adapter whose every server is ready, whose registry is empty and whose calls succeed. */
export function fakeAdapter(overrides: Partial<BridgeAdapter> = {}): BridgeAdapter {
  return {
    describe: async () => fakeDescription,
    open: async ({ servers }) => ({ servers: servers.map(({ name }) => ({ name, status: 'ready' })) }),
    add: async ({ name }) => ({ name, status: 'ready' }),
    remove: async () => undefined,
    reload: async (name) => ({ name, status: 'ready' }),
    close: async () => undefined,
    tools: async () => ({ revision: 0, tools: [] }),
    state: async () => ({ servers: [] }),
    call: async () => ({ outcome: 'ok', executed: 'yes', view: [] }),
    cancel: async () => undefined,
    gate: async () => undefined,
    setHost: async () => undefined,
    onNotification: () => () => undefined,
    ...overrides,
  };
}

/** A promise that nothing settles: what a hung subject answers. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
