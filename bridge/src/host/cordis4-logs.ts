/**
 * Logs of Cordis 4, which keeps them in a buffer and prints nothing by itself.
 */
import { format } from 'node:util';
import type { CordisContext } from './cordis-context.ts';
import type { HostLogRecord } from './embedded-host.ts';

/** What a logger of Cordis 4 hands to an exporter. */
interface LogMessage {
  readonly type: HostLogRecord['level'];
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The logger service of Cordis 4. */
interface Cordis4Logger {
  readonly exporters: ReadonlyMap<number, object>;
  readonly buffer: readonly LogMessage[];
  exporter(exporter: object): unknown;
}

/** Levels of Cordis 4: the higher the chattier. */
const logLevels = { info: 2, debug: 3 } as const;

/** Hands every log line to `onLog`, debug lines too, until the calling plugin ends. Does nothing without such a logger. */
export function exportLogs(ctx: CordisContext, onLog: (record: HostLogRecord) => void): void {
  const logger: unknown = ctx.logger;
  if (isCordis4Logger(logger)) addExporter(logger, logLevels.debug, onLog);
}

/**
 * Writes log lines of level info and up to `write`, those logged so far included, unless somebody exports them
 * already. Does nothing in Cordis 3, which prints by itself.
 */
export function printLogs(ctx: CordisContext, write: (line: string) => void): void {
  const logger: unknown = ctx.logger;
  // The one exporter that is always there fills the buffer.
  if (!isCordis4Logger(logger) || logger.exporters.size > 1) return;
  const print = ({ level, name, message }: HostLogRecord): void => write(`[${level}] ${name}: ${message}\n`);
  for (const message of logger.buffer) print(recordOf(message));
  addExporter(logger, logLevels.info, print);
}

function addExporter(logger: Cordis4Logger, level: number, onLog: (record: HostLogRecord) => void): void {
  logger.exporter({ levels: { default: level }, export: (message: LogMessage) => onLog(recordOf(message)) });
}

function isCordis4Logger(logger: unknown): logger is Cordis4Logger {
  return typeof logger === 'function' && 'exporter' in logger && 'exporters' in logger && 'buffer' in logger;
}

/** Cordis prints names with `%c` and `%C`; Node's `%c` would swallow them. Of an error only the message is kept. */
function recordOf({ type, name, args }: LogMessage): HostLogRecord {
  const [first, ...rest] = args;
  if (first instanceof Error) return { level: type, name, message: first.message };
  const message = typeof first === 'string' ? format(first.replace(/%[cC]/g, '%s'), ...rest) : format(...args);
  return { level: type, name, message };
}
