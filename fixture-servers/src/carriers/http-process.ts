/** What a process that serves over HTTP does for its servers: its end, its port, its numbers, its grandchildren. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../system-error.ts';
import type { Recorder } from '../trace/recorder.ts';
import { FLUSH_LIMIT_MS, SETUP_EXIT, UNWATCHED_LIFETIME_MS } from './bounds.ts';
import { killSelf, outliveTerm } from './end-self.ts';
import { claimIncarnation } from './incarnations.ts';
import { createOutput } from './output.ts';
import { spawnGrandchild } from './spawn-grandchild.ts';
import { openListener, type Listener, type RequestHandler } from './streamable-http/listener.ts';
import type { HttpHost } from './streamable-http/server-context.ts';

/** The most ports of one process beside its own: a controller may program any number of scenarios in a row. */
const MAX_PORTS = 64;

/** How a process is made. */
export interface HttpProcessOptions {
  /** The address to listen on, as in a URL. */
  readonly host: string;
  readonly run: string | undefined;
  /** Whether a control channel ends this process at the latest when it closes itself. */
  readonly watched: boolean;
  readonly traceFlushed: () => Promise<void>;
  readonly traceCongested: () => boolean;
}

/** A server of the process, as far as the process is concerned. */
export interface HostedServer {
  readonly name: string;
  readonly recorder: Recorder;
  /** Connections over which it was asked. */
  readonly sockets: Set<Socket>;
  /** Takes a request that came to this origin. */
  readonly handlerOf: (origin: string) => RequestHandler;
  readonly flushed: () => Promise<void>;
}

/** A process that serves over HTTP. */
export interface HttpProcess {
  readonly grandchildren: readonly number[];
  /** What the process does for one of its servers. */
  hostFor(server: HostedServer): HttpHost;
}

/** Makes the process' side. `main` is the port on which all servers are. */
export function createHttpProcess(options: HttpProcessOptions, main: Listener): HttpProcess {
  const hosted: HostedServer[] = [];
  const grandchildren: number[] = [];
  const listeners: Listener[] = [main];
  const errors = createOutput(process.stderr);
  let ending = false;

  /** Everything sent so far leaves the process first, the trace last; then it ends, exactly as asked. */
  const end = async (finish: () => void, how: { code?: number; signal?: string }): Promise<void> => {
    if (ending) return;
    ending = true;
    const limit = new Promise<void>((resolve) => {
      setTimeout(resolve, FLUSH_LIMIT_MS);
    });
    await Promise.race([Promise.all([...hosted.map((server) => server.flushed()), errors.flushed()]), limit]);
    for (const { recorder } of hosted) recorder.record({ kind: 'process', event: 'exit', ...how });
    await Promise.race([options.traceFlushed(), limit]);
    finish();
  };
  const fail = (message: string): void => {
    errors.raw(Buffer.from(`mcp-fixture-server: ${message}\n`));
    void end(() => process.exit(SETUP_EXIT), { code: SETUP_EXIT });
  };
  const limitLifetime = (): void => {
    if (!options.watched) setTimeout(() => process.exit(0), UNWATCHED_LIFETIME_MS);
  };
  const exit = (code: number): void => void end(() => process.exit(code), { code });

  return {
    grandchildren,
    hostFor(server) {
      hosted.push(server);
      const origins = new Map<string, Promise<Listener>>([['self', Promise.resolve(main)]]);
      const folder = options.run === undefined ? undefined : join(options.run, encodeURIComponent(server.name));
      let claimed = 0;
      return {
        recorder: server.recorder,
        traceFlushed: options.traceFlushed,
        traceCongested: options.traceCongested,
        claim() {
          try {
            claimed = folder === undefined ? claimed + 1 : claimIncarnation(folder);
          } catch (error) {
            fail(`cannot count incarnations in ${folder ?? ''}: ${messageOf(error)}; give --run a folder that can be written`);
          }
          server.recorder.setIncarnation(claimed);
          return claimed;
        },
        exit,
        kill: (signal) => void end(() => killSelf(signal), { signal }),
        hang: limitLifetime,
        ignoreTerm() {
          outliveTerm(server.recorder);
          limitLifetime();
        },
        stderr: (text, times) => errors.raw(Buffer.from(text), times),
        async spawn(grandchild) {
          try {
            const childPid = await spawnGrandchild(grandchild);
            grandchildren.push(childPid);
            server.recorder.record({ kind: 'process', event: 'grandchild', childPid });
          } catch (error) {
            process.stderr.write(`mcp-fixture-server: could not start a grandchild: ${String(error)}\n`);
          }
        },
        down() {
          for (const listener of listeners) listener.down();
        },
        up() {
          for (const listener of listeners) {
            listener.up().catch((error: unknown) => fail(`cannot listen again on port ${listener.port}: ${messageOf(error)}`));
          }
        },
        resetConnections() {
          for (const socket of server.sockets) socket.resetAndDestroy();
        },
        async originUrl(name) {
          let opening = origins.get(name);
          if (opening === undefined && listeners.length > MAX_PORTS) throw new Error(`more than ${MAX_PORTS} origins were led to`);
          if (opening === undefined) {
            opening = openListener(options.host, 0, server.handlerOf(name)).then((listener) => {
              listeners.push(listener);
              return listener;
            });
            origins.set(name, opening);
          }
          return baseUrl(options.host, (await opening).port);
        },
      };
    },
  };
}

/** The base of a URL, without a slash at its end. */
export function baseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
