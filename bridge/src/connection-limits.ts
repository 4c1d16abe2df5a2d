/**
 * Every bound of one connection in one place (B01): what a server may make the bridge wait for, hold in memory or log.
 */

/** Bounds of one connection, each an option of an instance. All are positive; times in milliseconds, sizes in bytes. */
export interface ConnectionLimits {
  /** From the start of the process or the first HTTP request to the end of the handshake; default 60 000 (B03). */
  readonly connectTimeoutMs: number;
  /** How long a process may take to leave by itself after its stdin ended; the time a session DELETE may take; default 2 000 (S60). */
  readonly closeGraceMs: number;
  /** How long the process group may take to leave after SIGTERM; default 2 000 (B07). */
  readonly terminateGraceMs: number;
  /** How long the proof that every process is gone may take after SIGKILL; default 2 000 (S58). */
  readonly killWaitMs: number;
  /** How long output that is still in the pipes is read after the process exited, while more keeps coming; default 250 (B07). */
  readonly drainAfterExitMs: number;
  /**
   * Largest message from the server, line end not counted; default 64 MiB (B01). Past it nothing is kept, but up to twice as
   * much is read on for its end: only the call that it answers fails then, and the connection goes on.
   */
  readonly maxMessageBytes: number;
  /** Values of one message, counted as commas and opening brackets outside texts; default 1 000 000 (B01). */
  readonly maxMessageValues: number;
  /** How much of the server's stderr is kept for error messages, at most 1 MiB; default 8 KiB (B06). */
  readonly stderrTailBytes: number;
  /** Longest stderr or noise line that is reported; the rest of the line is dropped; at most 1 MiB, default 2 KiB (B08). */
  readonly maxReportedLineBytes: number;
  /** Reports of one kind (stderr, noise, ...) in one second; the rest are counted and summed up in one; default 20 (B01, B08). */
  readonly maxReportsPerSecond: number;
  /** Over HTTP: how long a notification or an answer of the bridge may take to be accepted; default 10 000 (B01). */
  readonly noticePostTimeoutMs: number;
  /** Over HTTP: how long a `ping` may take that tells whether a doubtful session still lives; silence proves nothing; default 10 000 (B09). */
  readonly probeTimeoutMs: number;
  /** Over HTTP: how long requests on their way may take to meet the loss of their connection themselves; default 250 (B04). */
  readonly lossGraceMs: number;
  /** Over HTTP: how long the rest of an event stream is read after its answer came, so that its socket can be used again, or after its call was given up; default 1 000 (B01). */
  readonly answerDrainMs: number;
  /** Over HTTP: how long the beginning of an error's body may take; default 1 000 (B06). */
  readonly errorBodyTimeoutMs: number;
  /** Over HTTP: the wait before a lost event stream is asked for again, where the server names none; doubles while nothing comes; default 500 (B10). */
  readonly streamRetryMs: number;
  /** Over HTTP: the longest such wait, whatever the server names; default 30 000 (B10). */
  readonly maxStreamRetryMs: number;
  /** Over HTTP: failures in a row to get an event stream again before it is given up; default 5 (B10). */
  readonly maxStreamAttempts: number;
  /** Answers to requests from the server that may wait to be sent; further requests go unanswered; default 10 000 (B01, B21). */
  readonly maxWaitingReplies: number;
}

/** The defaults. */
export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  // What B03 states.
  connectTimeoutMs: 60_000,
  // A healthy server leaves within milliseconds; two seconds allow for one that flushes a file on a slow disk.
  closeGraceMs: 2_000,
  terminateGraceMs: 2_000,
  // SIGKILL takes effect at once except in an uninterruptible system call.
  killWaitMs: 2_000,
  // Only spent when somebody else goes on writing to the dead server's pipes.
  drainAfterExitMs: 250,
  // Images and files travel as base64 inside one message; past this a server is more likely broken than useful.
  maxMessageBytes: 64 * 1024 * 1024,
  // Half a second of parsing and some 50 MB at the worst; 20 000 tools of fifty values each.
  maxMessageValues: 1_000_000,
  // Enough for a stack trace of any usual runtime.
  stderrTailBytes: 8 * 1024,
  maxReportedLineBytes: 2 * 1024,
  maxReportsPerSecond: 20,
  // These requests need no work of the server.
  noticePostTimeoutMs: 10_000,
  // As long as Node waits for a connection.
  probeTimeoutMs: 10_000,
  // A refusal needs no work of the server.
  lossGraceMs: 250,
  // The end of a stream comes with its last event or right after.
  answerDrainMs: 1_000,
  errorBodyTimeoutMs: 1_000,
  // Short enough to notice a crash soon; the doubling keeps a server that always hangs up from being asked often.
  streamRetryMs: 500,
  // Two requests a minute burden nobody.
  maxStreamRetryMs: 30_000,
  // With the doubling about 7 s of failures.
  maxStreamAttempts: 5,
  // About a megabyte; only a server that asks without reading the answers gets there.
  maxWaitingReplies: 10_000,
};

/** The limits among the options of an instance, which carry the same names. */
export function limitsOf(config: ConnectionLimits): ConnectionLimits {
  const { connectTimeoutMs, closeGraceMs, terminateGraceMs, killWaitMs, drainAfterExitMs } = config;
  const { maxMessageBytes, maxMessageValues, stderrTailBytes, maxReportedLineBytes, maxReportsPerSecond, maxWaitingReplies } = config;
  const { noticePostTimeoutMs, probeTimeoutMs, lossGraceMs, answerDrainMs, errorBodyTimeoutMs, streamRetryMs, maxStreamRetryMs, maxStreamAttempts } = config;
  return {
    connectTimeoutMs, closeGraceMs, terminateGraceMs, killWaitMs, drainAfterExitMs,
    maxMessageBytes, maxMessageValues, stderrTailBytes, maxReportedLineBytes, maxReportsPerSecond, maxWaitingReplies,
    noticePostTimeoutMs, probeTimeoutMs, lossGraceMs, answerDrainMs, errorBodyTimeoutMs, streamRetryMs, maxStreamRetryMs, maxStreamAttempts,
  };
}

/** Longest delay Node's timers take; a longer one fires after one millisecond (S09). */
export const MAX_TIMER_MS = 2_147_483_647;

/** Fills in the defaults and keeps every time within what a timer can hold. Members that are `undefined` count as absent. */
export function resolveConnectionLimits(given: Partial<ConnectionLimits> = {}): ConnectionLimits {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const clamped = present.map(([name, value]) => [name, name.endsWith('Ms') ? clampTimerMs(value) : value]);
  return { ...DEFAULT_CONNECTION_LIMITS, ...Object.fromEntries(clamped) };
}

/** The nearest delay a timer can hold: at least 1, at most {@link MAX_TIMER_MS}. `NaN` becomes the maximum. */
export function clampTimerMs(ms: number): number {
  if (Number.isNaN(ms)) return MAX_TIMER_MS;
  return Math.min(Math.max(ms, 1), MAX_TIMER_MS);
}
