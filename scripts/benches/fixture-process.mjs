// A controller of fixture servers in a process of its own, asked over its IPC channel: what it hears and keeps of its servers is then
// no part of what the bench's own process does and holds.
import { methodOf, startController } from 'mcp-fixture-server/control';

/**
 * @typedef {import('mcp-fixture-server/control').ScriptedServer} ScriptedServer
 * @typedef {import('mcp-fixture-server/scenario').ScenarioInput} ScenarioInput
 * @typedef {import('mcp-fixture-server/scenario').Action} Action
 * @typedef {{ kind: 'serve', server: string, carrier: 'stdio' | 'http', scenario: ScenarioInput }
 *   | { kind: 'burst', server: string, actions: Action[], notices: number }
 *   | { kind: 'drains', server: string, since: number }
 *   | { kind: 'close' }} Request
 */

const LIST_CHANGED = 'notifications/tools/list_changed';
/** How long a burst may take to leave the server, in milliseconds. */
const BURST_LIMIT_MS = 60_000;

const controller = await startController();
/** @type {Map<string, ScriptedServer>} */
const servers = new Map();

/** @param {string} name */
function serverOf(name) {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`there is no server ${name}`);
  return server;
}

/**
 * @param {Request} request
 * @returns {Promise<unknown>}
 */
async function answer(request) {
  switch (request.kind) {
    case 'serve': {
      const { carrier, scenario, server: name } = request;
      if (carrier === 'stdio') {
        const server = controller.serve(name, scenario);
        servers.set(name, server);
        return { transport: 'stdio', command: server.command, args: server.args };
      }
      const server = await controller.serve(name, scenario, { carrier: 'streamable-http' });
      servers.set(name, server);
      return { transport: 'streamable-http', url: server.url };
    }
    case 'burst': {
      const server = serverOf(request.server);
      const since = server.records.length;
      let seen = 0;
      let beganAtMs = 0;
      const last = server.waitFor(
        (record) => {
          if (methodOf(record) !== LIST_CHANGED) return false;
          seen += 1;
          if (seen === 1) beganAtMs = record.atMs;
          return seen === request.notices;
        },
        { since, timeoutMs: BURST_LIMIT_MS, what: `${request.notices} notices` },
      );
      await server.do(request.actions);
      const endedAtMs = (await last).atMs;
      return { since, endedAtMs, tookMs: endedAtMs - beganAtMs };
    }
    case 'drains':
      return serverOf(request.server).records.slice(request.since).filter((record) => methodOf(record) === 'tools/list').length;
    default:
      await controller.close();
      return null;
  }
}

process.on('message', (/** @type {{ seq: number, request: Request }} */ { request, seq }) => {
  answer(request).then(
    (value) => process.send?.({ seq, value }),
    (/** @type {unknown} */ error) => process.send?.({ seq, error: String(error) }),
  ).finally(() => {
    if (request.kind === 'close') process.disconnect();
  });
});
process.on('disconnect', () => void controller.close());
process.send?.({ seq: 0 });
