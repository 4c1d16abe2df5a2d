import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { deferred, type Deferred } from './deferred.ts';
import type { Hello } from './connection.ts';
import { ControlError } from './errors.ts';
import type { ManagedServer, ScriptedServer } from './fixture-server.ts';

const ENTRY = fileURLToPath(new URL('../carriers/http-entry.cjs', import.meta.url));
/** How long a process may take to listen and say hello, in milliseconds: a busy machine takes seconds to load a program. */
const START_LIMIT_MS = 20_000;
/** How much of a process' stderr is kept, in characters. */
const MAX_STDERR_CHARS = 64 * 1024;

/** A scripted server over HTTP. Its process is the controller's own; it can be killed and started again. */
export interface HttpFixtureServer extends ScriptedServer {
  /** Where clients reach it, also after a restart. */
  readonly url: string;
  /** The last that its processes wrote on stderr. */
  stderr(): string;
  /** Kills the process and resolves when it is gone: connections are reset, and nobody listens. */
  kill(): Promise<void>;
  /** Starts a process on the same port, when there is none. @throws ControlError `process-ended`, `timeout` */
  start(): Promise<void>;
  /** Kills the process, and starts another on the same port that knows none of its sessions. @throws ControlError */
  restart(): Promise<void>;
}

/** How a server over HTTP is started. */
export interface HttpServerOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Declares it; the callback hears of each process that says hello. */
  readonly declare: (onHello: (hello: Hello) => void) => { managed: ManagedServer; args: string[] };
}

/** Declares a server and starts its process; resolves when it listens. @throws ScenarioError, ControlError */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpFixtureServer> {
  const { host, name } = options;
  let waiting: Deferred<Hello> | undefined;
  let child: ChildProcess | undefined;
  let stderr = '';
  let isClosed = false;
  let url = '';
  const { args, managed } = options.declare((hello) => waiting?.resolve(hello));
  const { api } = managed;

  const start = async (): Promise<void> => {
    if (isClosed) throw new ControlError('closed', `server "${name}" was closed`);
    if (child !== undefined) return;
    waiting = deferred<Hello>();
    const { promise, reject } = waiting;
    const port = url === '' ? options.port : Number(new URL(url).port);
    const started = spawn(process.execPath, [ENTRY, ...args, '--host', host, '--port', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    started.stderr.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString()}`.slice(-MAX_STDERR_CHARS);
    });
    started.on('error', (error) => reject(new ControlError('process-ended', `server "${name}" cannot be started: ${error.message}`, { cause: error })));
    started.on('exit', (code, signal) => {
      if (child === started) child = undefined;
      reject(new ControlError('process-ended', `server "${name}" ended with ${code ?? signal} before it served: ${stderr.trim() || 'it said nothing'}`));
    });
    const limit = setTimeout(() => {
      reject(new ControlError('timeout', `server "${name}" did not say hello within ${START_LIMIT_MS} ms`));
      started.kill('SIGKILL');
    }, START_LIMIT_MS);
    try {
      url = (await promise).url ?? url;
    } finally {
      clearTimeout(limit);
    }
  };
  const kill = async (): Promise<void> => {
    const running = child;
    if (running === undefined) return;
    const index = api.processes.findIndex((each) => each.pid === running.pid);
    const exited = new Promise((resolve) => {
      running.once('exit', resolve);
    });
    running.kill('SIGKILL');
    await exited;
    if (index !== -1) await api.waitForProcessEnd(index);
  };
  const close = api.close.bind(api);

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return Object.assign(api, {
    url,
    stderr: () => stderr,
    kill,
    start,
    async restart() {
      await kill();
      await start();
    },
    async close() {
      isClosed = true;
      await close();
    },
  });
}
