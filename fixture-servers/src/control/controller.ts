import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkScenario } from '../scenario/check.ts';
import type { ScenarioInput } from '../scenario/schema.ts';
import { attachConnection } from './connection.ts';
import { ControlError } from './errors.ts';
import { createManagedServer, type FixtureServer, type ManagedServer } from './fixture-server.ts';
import { DEFAULT_MAX_RECORDS } from './record-log.ts';

/** How long a connection may take to say hello, in milliseconds. */
const HELLO_LIMIT_MS = 5_000;
const ENTRY = fileURLToPath(new URL('../carriers/stdio-entry.js', import.meta.url));

/** How a controller listens. */
export interface ControllerOptions {
  /** The path of a Unix socket to listen on. Default: 127.0.0.1, a free port. */
  readonly socketPath?: string;
}

/** How one server is declared. */
export interface ServeServerOptions {
  /** The carrier. Only `stdio` is built. */
  readonly carrier?: 'stdio' | 'streamable-http';
  /** A file to which every process of the server appends its trace, beside telling it to the controller. */
  readonly traceFile?: string;
  /** The most records it may collect; past it the server is ended. Default 500 000. */
  readonly maxRecords?: number;
}

/** Scripts fixture processes, hears what they observe, and sees to it that none outlives it. */
export interface Controller {
  /**
   * Declares a server; every process started with its arguments is scripted with it.
   * @throws ScenarioError for a wrong scenario, ControlError when the name is taken.
   */
  serve(server: string, scenario: ScenarioInput, options?: ServeServerOptions): FixtureServer;
  /** Ends all fixture processes, waits until they are gone, and removes the run folder. */
  close(): Promise<void>;
}

/**
 * Starts a controller.
 * @throws Error of the operating system when it cannot listen.
 */
export async function startController(options: ControllerOptions = {}): Promise<Controller> {
  const runFolder = await mkdtemp(join(tmpdir(), 'mcp-fixture-run-'));
  const bySecret = new Map<string, ManagedServer>();
  const byName = new Map<string, ManagedServer>();
  const sockets = new Set<Socket>();
  let declared = 0;
  let closing: Promise<void> | undefined;

  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    greet(socket, bySecret);
  });
  const address = await listen(listener, options.socketPath);

  const serve: Controller['serve'] = (server, scenario, serveOptions = {}) => {
    if (closing !== undefined) throw new ControlError('closed', 'the controller was closed');
    if (byName.has(server)) {
      throw new ControlError('refused', `there is a server "${server}" already; close it first, or give another name`);
    }
    if (serveOptions.carrier === 'streamable-http') {
      throw new ControlError('refused', `server "${server}": the carrier streamable-http is not built yet; use stdio`);
    }
    const secret = randomBytes(16).toString('hex');
    declared += 1;
    const managed = createManagedServer({
      name: server,
      command: process.execPath,
      args: [
        ENTRY, '--server', server, '--control', address, '--secret', secret, '--run', join(runFolder, String(declared)),
        ...(serveOptions.traceFile === undefined ? [] : ['--trace', serveOptions.traceFile]), '--',
      ],
      scenario: checkScenario(scenario, `server "${server}"`),
      maxRecords: serveOptions.maxRecords ?? DEFAULT_MAX_RECORDS,
      onClosed: () => {
        bySecret.delete(secret);
        byName.delete(server);
      },
    });
    bySecret.set(secret, managed);
    byName.set(server, managed);
    return managed.api;
  };

  const end = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => {
      listener.close(() => resolve());
    });
    const results = await Promise.allSettled([...byName.values()].map((managed) => managed.api.close()));
    for (const socket of sockets) socket.destroy();
    await stopped;
    await rm(runFolder, { recursive: true, force: true });
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };

  return {
    serve,
    close() {
      closing ??= end();
      return closing;
    },
  };
}

/** Waits for the hello of a new connection and hands it to the server whose secret it knows. */
function greet(socket: Socket, bySecret: ReadonlyMap<string, ManagedServer>): void {
  let process_: ReturnType<ManagedServer['accept']>;
  const limit = setTimeout(() => socket.destroy(), HELLO_LIMIT_MS);
  socket.on('close', () => clearTimeout(limit));
  attachConnection(socket, {
    onHello(hello, connection) {
      clearTimeout(limit);
      process_ = bySecret.get(hello.secret)?.accept(hello, connection);
      return process_ !== undefined;
    },
    onRecord: (record) => process_?.record(record),
    onClose: () => process_?.closed(),
  });
}

function listen(listener: Server, socketPath: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    const listening = (): void => {
      listener.off('error', reject);
      if (socketPath !== undefined) resolve(socketPath);
      else {
        const bound = listener.address();
        resolve(`127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`);
      }
    };
    if (socketPath === undefined) listener.listen(0, '127.0.0.1', listening);
    else listener.listen(socketPath, listening);
  });
}
