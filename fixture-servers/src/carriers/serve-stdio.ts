/** Wires a stdio server to its control channel and its trace file. No library is loaded here: start-up time counts. */
import { CONTROL_VERSION } from '../control/version.ts';
import { connectControl, type ControlClient } from '../control/client.ts';
import type { Scenario } from '../scenario/schema.ts';
import { createRecorder, type RecordSink } from '../trace/recorder.ts';
import { createTraceWriter } from '../trace/writer.ts';
import { endWithControl } from './end-with-control.ts';
import { obey } from './obey.ts';
import { createStdioServer } from './stdio.ts';

/** How a fixture process is started. */
export interface ServeOptions {
  /** The name of the server in its case. */
  readonly server: string;
  /** The script; without one it comes over the control channel before any input is read. */
  readonly scenario?: Scenario | undefined;
  /** `host:port`, or the path of a Unix socket. */
  readonly control?: string | undefined;
  /** Shown to the controller in the first message. */
  readonly secret?: string | undefined;
  /** The folder in which the processes of this server count themselves. */
  readonly run?: string | undefined;
  /** The file to which the trace is appended. */
  readonly trace?: string | undefined;
}

/**
 * Serves on the standard streams of this process until its end.
 * @throws Error of the file system when the trace file cannot be opened.
 */
export function serveStdio(options: ServeOptions): void {
  const writer = options.trace === undefined ? undefined : createTraceWriter(options.trace);
  const sinks: RecordSink[] = writer === undefined ? [] : [writer.sink];
  let client: ControlClient | undefined;
  if (options.control !== undefined) {
    client = connectControl(options.control, {
      onMessage: (message) => obey(server, reply, message),
      onEnd: (reason) => endWithControl(server.grandchildren, writer, reason),
    });
    const { sendRecord } = client;
    sinks.push(sendRecord);
  }
  const reply: ControlClient['send'] = (message) => client?.send(message);
  const server = createStdioServer({
    recorder: createRecorder({ server: options.server, carrier: 'stdio', pid: process.pid }, sinks),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    runFolder: options.run,
    watched: client !== undefined,
    traceFlushed: async () => {
      writer?.flush();
      await client?.flushed();
    },
    traceCongested: () => client?.isCongested() ?? false,
  });
  client?.send({
    type: 'hello',
    control: CONTROL_VERSION,
    secret: options.secret ?? '',
    server: options.server,
    carrier: 'stdio',
    pid: process.pid,
    argv: process.argv.slice(2),
    cwd: process.cwd(),
  });
  if (options.scenario !== undefined) server.start(options.scenario);
}
