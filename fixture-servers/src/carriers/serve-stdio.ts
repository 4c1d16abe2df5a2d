/** Wires a stdio server to its control channel and its trace file. No library is loaded here: start-up time counts. */
import { CONTROL_VERSION } from '../control/version.ts';
import { connectControl, type ControlClient } from '../control/client.ts';
import type { ControllerMessage } from '../control/protocol.ts';
import type { Scenario } from '../scenario/schema.ts';
import { createRecorder, type RecordSink } from '../trace/recorder.ts';
import { createTraceWriter, type TraceWriter } from '../trace/writer.ts';
import { createStdioServer, type StdioServer } from './stdio.ts';

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

/** The exit code of a fixture whose control channel ended or never opened. */
export const CONTROL_LOST_EXIT = 70;

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
      onEnd: (reason) => endWithControl(server, writer, reason),
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

function obey(server: StdioServer, reply: ControlClient['send'], message: ControllerMessage): void {
  switch (message.type) {
    case 'environment':
      reply({
        type: 'environment',
        seq: message.seq,
        values: Object.fromEntries(message.names.map((name) => [name, process.env[name] ?? null])),
        names: Object.keys(process.env),
      });
      return;
    case 'end':
      reply({ type: 'ack', seq: message.seq });
      setImmediate(() => process.exit(0));
      return;
    case 'program':
    case 'release':
    case 'signal':
    case 'do':
      acknowledge(reply, message.seq, server.command(message));
      return;
  }
}

function acknowledge(reply: ControlClient['send'], seq: number, error: string | undefined): void {
  reply({ type: 'ack', seq, ...(error === undefined ? {} : { error }) });
}

/** The end of control is the end of the process and of what it started (DESIGN.md §5). */
function endWithControl(server: StdioServer, writer: TraceWriter | undefined, reason: string | undefined): void {
  writer?.flush();
  for (const pid of server.grandchildren) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended before.
    }
  }
  if (reason !== undefined) process.stderr.write(`mcp-fixture-server: ${reason}\n`, () => process.exit(CONTROL_LOST_EXIT));
  setImmediate(() => process.exit(CONTROL_LOST_EXIT));
}
