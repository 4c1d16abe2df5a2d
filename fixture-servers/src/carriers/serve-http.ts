/** Wires servers over HTTP to their control channel and their trace file. No library is loaded here: start-up time counts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CONTROL_VERSION } from '../control/version.ts';
import { connectControl, type ControlClient } from '../control/client.ts';
import type { Scenario } from '../scenario/schema.ts';
import { createRecorder, type Recorder, type RecordSink } from '../trace/recorder.ts';
import { createTraceWriter } from '../trace/writer.ts';
import { endWithControl } from './end-with-control.ts';
import { baseUrl, createHttpProcess, type HostedServer, type HttpProcess } from './http-process.ts';
import { obey } from './obey.ts';
import { openListener } from './streamable-http/listener.ts';
import { createHttpScenarioServer, type HttpScenarioServer } from './streamable-http/server.ts';

/** How a process that serves over HTTP is started. */
export interface ServeHttpOptions {
  /** Its servers, each under `/<name>/mcp`. With `control` there is one. */
  readonly servers: readonly { readonly name: string; readonly scenario?: Scenario | undefined }[];
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  readonly control?: string | undefined;
  readonly secret?: string | undefined;
  /** The folder in which sessions count themselves, in a folder for each server. Default: this process alone counts. */
  readonly run?: string | undefined;
  readonly trace?: string | undefined;
}

const LOOPBACK_HOST = /^(127\.|localhost$|::1$)/;
/** What a path that is no server's gets. */
const NOT_FOUND = 404;

interface Served extends HostedServer {
  readonly server: HttpScenarioServer;
}

/**
 * Serves until the end of the process.
 * @returns the URL of each server, in their order.
 * @throws Error of the system when the trace file cannot be opened or the address not be listened on.
 */
export async function serveHttp(options: ServeHttpOptions): Promise<string[]> {
  const host = options.host ?? '127.0.0.1';
  const writer = options.trace === undefined ? undefined : createTraceWriter(options.trace);
  const served = new Map<string, Served>();
  const byPath = (origin: string) => (request: IncomingMessage, response: ServerResponse): void => {
    const target = served.get(serverOf(request.url ?? ''));
    if (target !== undefined) target.handlerOf(origin)(request, response);
    else {
      response.writeHead(NOT_FOUND, { 'content-type': 'text/plain' });
      response.end(`no server here; there are: ${[...served.keys()].map(pathOf).join(', ')}\n`);
    }
  };
  const listener = await openListener(host, options.port ?? 0, byPath('self'));
  const base = baseUrl(host, listener.port);

  let client: ControlClient | undefined;
  const sinks: RecordSink[] = writer === undefined ? [] : [writer.sink];
  if (options.control !== undefined) {
    client = connectControl(options.control, {
      onMessage: (message) => {
        for (const { server } of served.values()) obey(server, (answer) => client?.send(answer), message);
      },
      onEnd: (reason) => endWithControl(process_.grandchildren, writer, reason),
    });
    sinks.push(client.sendRecord);
  }
  const process_ = createHttpProcess({
    host,
    run: options.run,
    watched: client !== undefined,
    traceFlushed: async () => {
      writer?.flush();
      await client?.flushed();
    },
    traceCongested: () => client?.isCongested() ?? false,
  }, listener);

  for (const { name } of options.servers) {
    const recorder = createRecorder({ server: name, carrier: 'streamable-http', pid: process.pid }, sinks);
    served.set(name, hostServer(process_, name, recorder, LOOPBACK_HOST.test(host)));
  }

  const urls = options.servers.map(({ name }) => `${base}${pathOf(name)}`);
  client?.send({
    type: 'hello',
    control: CONTROL_VERSION,
    secret: options.secret ?? '',
    server: options.servers[0]?.name ?? '',
    carrier: 'streamable-http',
    pid: process.pid,
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    url: urls[0] ?? base,
  });
  for (const { name, scenario } of options.servers) {
    if (scenario !== undefined) served.get(name)?.server.start(scenario);
  }
  return urls;
}

function hostServer(process_: HttpProcess, name: string, recorder: Recorder, isLoopback: boolean): Served {
  const sockets: HostedServer['sockets'] = new Set();
  const hosted: HostedServer = {
    name,
    recorder,
    sockets,
    handlerOf: (origin) => (request, response) => {
      const { socket } = request;
      if (!sockets.has(socket)) {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      }
      server.handle(request, response, origin);
    },
    flushed: () => server.flushed(),
  };
  const server = createHttpScenarioServer(process_.hostFor(hosted), isLoopback);
  return { ...hosted, server };
}

function pathOf(name: string): string {
  return `/${encodeURIComponent(name)}/mcp`;
}

/** The server that a path names: everything below its name is its own. */
function serverOf(url: string): string {
  const first = /^\/([^/?#]*)/.exec(url)?.[1] ?? '';
  try {
    return decodeURIComponent(first);
  } catch {
    return first;
  }
}
