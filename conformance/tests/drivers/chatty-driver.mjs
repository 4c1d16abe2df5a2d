// A driver whose bridge writes to stdout, and that gets SIGTERM in the middle of a call.
import { serveDriver } from '../../dist/adapter/index.js';

const description = {
  adapter: 1, name: 'chatty', version: '0.0.0', registry: 'push', servers: 'dynamic', names: { scheme: 'mcp-qualified-64-v1' },
  transports: ['stdio'], features: [], levels: ['core'], options: [],
  bounds: { settleMs: 50, closeMs: 50, reconnectMs: 50 }, fidelity: { keyOrder: true, bigNumbers: true },
};
await serveDriver({
  describe: async () => (console.log('describing'), description),
  open: async () => (process.stdout.write('opening\n'), { servers: [] }),
  close: async () => console.log('closing'),
  tools: async () => ({ revision: 0, tools: [] }),
  call: () => (process.kill(process.pid, 'SIGTERM'), new Promise(() => undefined)),
});
