/** When a server is started, and what becomes of its tools when it is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { BridgeAdapter, OpenReply, ServerSpec } from '../../../src/adapter/bridge-adapter.ts';
import type { MinimalAdapter } from '../../../subjects/minimal/index.ts';
import { liberty, type Liberty } from './vary.ts';

const LIVES = ['CALL-018', 'GENERATION-051', 'CALL-003', 'CALL-050', 'CONNECTION-014', 'ISOLATION-003', 'HOST-003'] as const;

/** How long a probed process may take to leave, in milliseconds. */
const GRACE_MS = 300;

/** Starts a process before the real one, asks what it is in the words of another era, and ends it. */
async function probe(spec: ServerSpec): Promise<void> {
  if (spec.transport !== 'stdio') return;
  const child = spawn(spec.command, spec.args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit').catch(() => undefined);
  child.stdin.on('error', () => undefined);
  child.stdin.write('{"jsonrpc":"2.0","id":"probe","method":"server/discover","params":{}}\n');
  await Promise.race([once(child.stdout, 'data'), ended]).catch(() => undefined);
  child.stdin.end();
  await Promise.race([ended, wait(GRACE_MS)]);
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
  await ended;
}

/** Opens its servers one after the other. */
async function inTurn(inner: MinimalAdapter, servers: readonly ServerSpec[], host: Parameters<BridgeAdapter['open']>[0]['host']): Promise<OpenReply> {
  const replies = await inner.open({ servers: [], ...(host === undefined ? {} : { host }) });
  for (const server of servers) replies.servers.push(await inner.add(server));
  return replies;
}

/** Starts a lost server again when it is needed next, not before. */
function onDemand(inner: MinimalAdapter): Partial<BridgeAdapter> {
  const names = new Set<string>();
  let reviving: Promise<unknown> = Promise.resolve();
  const revive = async (): Promise<void> => {
    const lost = (await inner.state()).servers.filter(({ name, state }) => names.has(name) && state === 'failed').map(({ name }) => name);
    for (const name of lost) await inner.reload(name);
  };
  return {
    open: async (request) => {
      names.clear();
      for (const { name } of request.servers) names.add(name);
      return inner.open({ ...request, servers: request.servers.map(withoutRetries) });
    },
    add: async (server) => inner.add(withoutRetries(server)),
    call: async (request) => {
      reviving = reviving.then(revive).catch(() => undefined);
      await reviving;
      return inner.call(request);
    },
  };
}

function withoutRetries(spec: ServerSpec): ServerSpec {
  return { ...spec, options: { ...spec.options, reconnect: { enabled: false } } };
}

/** Liberties of lives. */
export const lifeLiberties: readonly Liberty[] = [
  liberty('probes each server with a process of its own first', LIVES, {}, (inner) => ({
    open: async (request) => {
      await Promise.all(request.servers.map(probe));
      return inner.open(request);
    },
    add: async (server) => {
      await probe(server);
      return inner.add(server);
    },
  })),
  liberty('opens its servers one after the other', ['ISOLATION-001', 'HOST-001', 'HOST-002'], {}, (inner) => ({ open: ({ servers, host }) => inTurn(inner, servers, host) })),
  liberty('starts a lost server again when it is called next', LIVES, { declares: { features: ['list-changes', 'abort', 'shared-registry', 'reload', 'outcomes'], options: [] } }, onDemand),
  liberty('offers no tool of a server that is lost', LIVES, { keepsTools: false }),
];
