// An adapter that starts nothing: what it lacks is said by its environment variable.
const describe = {
  adapter: 1, name: 'fake', version: '0.0.0', registry: 'push', servers: 'dynamic', names: { scheme: 'mcp-qualified-64-v1' },
  transports: ['stdio'], features: [], levels: ['core', 'seed'], options: [],
  bounds: { settleMs: 50, closeMs: 50, reconnectMs: 50 }, fidelity: { keyOrder: true, bigNumbers: true },
};
const wrong = process.env.FAKE_WRONG;

/** Never comes back to the event loop. */
function block() {
  for (;;);
}

export const createAdapter = () => ({
  describe: async () => (wrong === 'block-describe' ? block() : wrong === 'describe' ? { ...describe, bounds: {} } : describe),
  open: async ({ servers }) => {
    if (wrong === 'life') process.kill(process.pid, 'SIGKILL');
    if (wrong === 'block-open' || (wrong === 'block-many' && servers.length > 2)) block();
    if (wrong === 'never-open') return new Promise(() => undefined);
    return { servers: servers.map(({ name }) => ({ name, status: wrong === 'open' ? 'splendid' : 'ready' })) };
  },
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
});
