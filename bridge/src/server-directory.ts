/**
 * What the instances of one app know of each other: which server names are live (S08), which public name stands for
 * which identity (S18), and the state of each server (B20).
 *
 * It hangs on the app's root context under a global symbol, so that two copies of this package in one process share it.
 * @module
 */

/** An MCP tool, wherever it comes from (S18). */
export interface ToolIdentity {
  readonly serverName: string;
  readonly rawName: string;
}

/** Where one server stands (B20). */
export type ServerStatus = 'connecting' | 'ready' | 'reconnecting' | 'failed' | 'disposed';

/** The visible state of one server. */
export interface ServerState {
  readonly serverName: string;
  readonly state: ServerStatus;
  /**
   * While `reconnecting`, the attempt that is waited for or under way; while `failed`, how many were made in the outage;
   * otherwise 0.
   */
  readonly attempt: number;
  /**
   * While an attempt is waited for, its whole delay in milliseconds, counted from the proven end of the old connection
   * (S52); otherwise `undefined`.
   */
  readonly nextDelayMs: number | undefined;
  readonly toolCount: number;
  /** What went wrong last, one line, without secrets; `undefined` after a clean sync. */
  readonly lastError: string | undefined;
}

/** Whether two states of one server tell the same. */
export function sameState(left: ServerState, right: ServerState): boolean {
  return (
    left.state === right.state && left.attempt === right.attempt && left.nextDelayMs === right.nextDelayMs &&
    left.toolCount === right.toolCount && left.lastError === right.lastError
  );
}

/** One live or closing instance. */
export interface NameHolder {
  /** Set when disposal has begun: then it is no conflict but waited for (S08). */
  closing: boolean;
  /** Settles when the name is free. Never rejects. */
  readonly freed: Promise<void>;
  /** The current state, for `bridgeState`. */
  readState(): ServerState;
}

/** What is shared by the instances of one app. */
export interface ServerDirectory {
  /** By `serverName`. */
  readonly holders: Map<string, NameHolder>;
  /** By public name: the identity it stands for while it is registered. */
  readonly claims: Map<string, ToolIdentity>;
}

/** Versioned, so that a later incompatible shape does not meet this one. */
const DIRECTORY_KEY = Symbol.for('cordis-plugin-mcp-bridge.directory.v1');

/** The directory of the app that `root` is the root of; made on first use, and gone with the root. */
export function serverDirectory(root: object): ServerDirectory {
  const holder: typeof globalThis & { [DIRECTORY_KEY]?: WeakMap<object, ServerDirectory> } = globalThis;
  const directories = (holder[DIRECTORY_KEY] ??= new WeakMap());
  let directory = directories.get(root);
  if (directory === undefined) {
    directory = { holders: new Map(), claims: new Map() };
    directories.set(root, directory);
  }
  return directory;
}
