/**
 * What a host or an operator may ask of the bridge: the state of each server, and when a disposed one is really gone.
 * @module
 */
import { serverDirectory, type ServerState } from './server-directory.ts';

export type { ServerState, ServerStatus } from './server-directory.ts';

/**
 * The state of every server of one app, in order of activation (B20). An instance that is being disposed is listed as
 * `disposed` until its process or session is gone, and not at all afterwards.
 * @param root the app's root context, `ctx.root`
 */
export function bridgeState(root: object): readonly ServerState[] {
  return [...serverDirectory(root).holders.values()].map((holder) => holder.readState());
}

/**
 * Settles when what is being disposed now is gone: its process or session has ended and its name is free (S60). Cordis 4
 * awaits a disposal by itself; Cordis 3 disposes synchronously, and this is where to wait for the rest. An instance that
 * lives on is not waited for: it may already be the successor of the one that was meant.
 * @param root the app's root context, `ctx.root`
 * @param serverName the instance to wait for; without it, every instance that is being disposed now
 */
export async function whenDisposed(root: object, serverName?: string): Promise<void> {
  const leaving = [...serverDirectory(root).holders].filter(([name, holder]) => holder.closing && (serverName === undefined || name === serverName));
  await Promise.all(leaving.map(([, holder]) => holder.freed));
}
