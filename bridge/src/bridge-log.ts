/**
 * Log lines in the host's manner. Every line names the server (S59), is one line, bounded, and carries no control
 * character of a peer.
 * @module
 */
import type { HostContext, HostLogger } from './host-services.ts';
import { cutText } from './model-text.ts';

/** Longest message of a log line, the server's name apart, in characters; a server's own words are quoted in some. */
const LINE_MAX_CHARS = 2_000;

/** Levels the bridge logs at. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Logs for one server. Never throws. */
export type BridgeLog = (level: LogLevel, message: string) => void;

/**
 * The log of one instance: `ctx.logger('mcp-bridge')` of either Cordis version, each line begun with the server's name.
 * A host without a logger gets errors and warnings on stderr, since S06 wants a failed start logged always.
 * @param redact takes configured secrets out of a message, before it is cut (B18)
 */
export function createLog(ctx: HostContext, serverName: string, redact: (text: string) => string = (text) => text): BridgeLog {
  const logger = findLogger(ctx);
  return (level, message) => {
    try {
      logger[level](escapeFormat(`${serverName}: ${oneLine(redact(message))}`));
    } catch {
      // A logger that fails must not take a server down with it.
    }
  };
}

function findLogger(ctx: HostContext): HostLogger {
  // `in` asks without the warning that Cordis 3 gives for reading an unknown property.
  const source = 'logger' in ctx ? ctx.logger : undefined;
  if (typeof source !== 'function') return console;
  return source('mcp-bridge');
}

/** One line without control characters, bounded. */
function oneLine(message: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const line = message.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g, ' ').trim();
  return line.length > LINE_MAX_CHARS ? `${cutText(line, LINE_MAX_CHARS - 1)}…` : line;
}

/** Cordis' loggers read `%d` and the like in their first argument; a server's text must not be read so. */
function escapeFormat(line: string): string {
  return line.replace(/%(?=[a-zA-Z%])/g, '%%');
}
