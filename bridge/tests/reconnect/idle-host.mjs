// A host that loads one server that cannot be started, and has nothing else to do: it must end by itself (S60).
import { apply } from 'cordis-plugin-mcp-bridge';

const ctx = {
  root: {},
  tools: { register: () => () => undefined },
  logger: () => ({ error: console.log, warn: console.log, info: console.log, debug: console.log }),
  get: () => undefined,
  effect: () => undefined,
};
await apply(ctx, { serverName: 'missing', transport: 'stdio', command: '/nonexistent/program', reconnect: { initialDelayMs: 600_000, maxDelayMs: 600_000 } });
console.log('activated');
