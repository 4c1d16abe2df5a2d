import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Carrier } from '../scenario/carrier.ts';
import type { ScenarioInput } from '../scenario/schema.ts';
import { attachConnection, type Hello } from './connection.ts';
import { ControlError } from './errors.ts';
import { checkFor, createManagedServer, type FixtureServer, type ManagedServer, type ScriptedServer } from './fixture-server.ts';
import { startHttpServer, type HttpFixtureServer } from './http-server.ts';
import { DEFAULT_MAX_RECORDS } from './record-log.ts';

/** How long a connection may take to say hello, in milliseconds. */
const HELLO_LIMIT_MS = 5_000;
/** In one file, made by the build: a process that reads thirty takes half as long again to start. */
const ENTRY = fileURLToPath(new URL('../carriers/stdio-entry.cjs', import.meta.url));

/** How a controller listens. */
export interface ControllerOptions {
  /** The path of a Unix socket to listen on. Default: 127.0.0.1, a free port. */
  readonly socketPath?: string;
}

/** How one server on stdio is declared. */
export interface ServeServerOptions {
  readonly carrier?: 'stdio';
  /** A file to which every process of the server appends its trace, beside telling it to the controller. */
  readonly traceFile?: string;
  /** The most records it may collect; past it the server is ended. Default 500 000. */
  readonly maxRecords?: number;
}

/** How one server over HTTP is declared. */
export interface ServeHttpServerOptions extends Omit<ServeServerOptions, 'carrier'> {
  readonly carrier: 'streamable-http';
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free one, which a restart keeps. */
  readonly port?: number;
}

/** A server whose processes somebody else starts, out of reach of the controller: in a container. */
export interface DeclaredServer {
  readonly server: ScriptedServer;
  /** The arguments for `carriers/http-entry.cjs`; `--host` and `--port` may be added. */
  readonly args: readonly string[];
}

/** Scripts fixture processes, hears what they observe, and sees to it that none outlives it. */
export interface Controller {
  /**
   * Declares a server; every process started with its arguments is scripted with it.
   * @throws ScenarioError for a wrong scenario, ControlError when the name is taken.
   */
  serve(server: string, scenario: ScenarioInput, options?: ServeServerOptions): FixtureServer;
  /**
   * The same over HTTP: starts a process that listens, and resolves when it does.
   * @throws ScenarioError for a wrong scenario, ControlError when the name is taken or the process does not start.
   */
  serve(server: string, scenario: ScenarioInput, options: ServeHttpServerOptions): Promise<HttpFixtureServer>;
  /**
   * Declares a server over HTTP whose processes somebody else starts with `args`, in a process table of their own: they are
   * scripted and heard, and never signalled. The controller has to listen on a socket that they reach (`socketPath`).
   * @throws ScenarioError for a wrong scenario, ControlError when the name is taken.
   */
  declare(server: string, scenario: ScenarioInput, options?: Omit<ServeServerOptions, 'carrier'>): DeclaredServer;
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

  /** Declares a server and makes it known; `secret` and `folder` are its own. */
  const declare = (
    server: string, scenario: ScenarioInput, carrier: Carrier, serveOptions: Pick<ServeServerOptions, 'maxRecords' | 'traceFile'>,
    more: { readonly onHello?: (hello: Hello) => void; readonly elsewhere?: boolean } = {},
  ): { managed: ManagedServer; args: string[] } => {
    if (closing !== undefined) throw new ControlError('closed', 'the controller was closed');
    if (byName.has(server)) {
      throw new ControlError('refused', `there is a server "${server}" already; close it first, or give another name`);
    }
    const secret = randomBytes(16).toString('hex');
    declared += 1;
    const managed = createManagedServer({
      name: server,
      carrier,
      scenario: checkFor(scenario, carrier, `server "${server}"`),
      maxRecords: serveOptions.maxRecords ?? DEFAULT_MAX_RECORDS,
      ...more,
      onClosed: () => {
        bySecret.delete(secret);
        byName.delete(server);
      },
    });
    bySecret.set(secret, managed);
    byName.set(server, managed);
    const args = [
      '--server', server, '--control', address, '--secret', secret, '--run', join(runFolder, String(declared)),
      ...(serveOptions.traceFile === undefined ? [] : ['--trace', serveOptions.traceFile]),
    ];
    return { managed, args };
  };

  function serve(server: string, scenario: ScenarioInput, serveOptions?: ServeServerOptions): FixtureServer;
  function serve(server: string, scenario: ScenarioInput, serveOptions: ServeHttpServerOptions): Promise<HttpFixtureServer>;
  function serve(
    server: string, scenario: ScenarioInput, serveOptions: ServeServerOptions | ServeHttpServerOptions = {},
  ): FixtureServer | Promise<HttpFixtureServer> {
    if (serveOptions.carrier === 'streamable-http') {
      const { host = '127.0.0.1', port = 0 } = serveOptions;
      return startHttpServer({
        name: server, host, port, declare: (onHello) => declare(server, scenario, 'streamable-http', serveOptions, { onHello }),
      });
    }
    const { managed, args } = declare(server, scenario, 'stdio', serveOptions);
    return Object.assign(managed.api, { command: process.execPath, args: [ENTRY, ...args, '--'] });
  }

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
    declare(server, scenario, declareOptions = {}) {
      const { managed, args } = declare(server, scenario, 'streamable-http', declareOptions, { elsewhere: true });
      return { server: managed.api, args };
    },
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
