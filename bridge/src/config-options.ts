/**
 * Every option of the bridge as data: the judgement of a config, the host's schema and the table in the README all come
 * from this one list.
 * @module
 */
import type { ReconnectConfig, TuningConfig } from './config-types.ts';
import { DEFAULT_CONNECTION_LIMITS as LIMITS, MAX_TIMER_MS } from './connection-limits.ts';

/** Largest buffer one message may need on a 64-bit platform, with room to spare: 512 MiB. */
const SIZE_MAX_BYTES = 536_870_912;

const MEBIBYTE = 1_048_576;

/** Which transports an option belongs to. */
export type OptionScope = 'both' | 'stdio' | 'streamable-http';

/** What an option with a default may hold. The default of a number may be another option's value. */
export type TunableKind =
  | { readonly type: 'flag'; readonly default: boolean }
  | { readonly type: 'number'; readonly unit: 'ms' | 'bytes' | 'count' | 'chars'; readonly default: number; readonly min: number; readonly max: number; readonly defaultOption?: string }
  | { readonly type: 'choice'; readonly default: string; readonly choices: readonly string[] };

/** What an option may hold. */
export type OptionKind = TunableKind | { readonly type: 'text'; readonly required: boolean } | { readonly type: 'texts' } | { readonly type: 'pairs' } | { readonly type: 'function' };

/** One option. */
export interface OptionSpec {
  readonly key: string;
  readonly scope: OptionScope;
  readonly kind: OptionKind;
  readonly description: string;
}

/** A duration of at least one millisecond. */
function duration(initial: number): TunableKind {
  return { type: 'number', unit: 'ms', default: initial, min: 1, max: MAX_TIMER_MS };
}

/** A duration that is another option's where nothing is written; `initial` is that one's default. */
function durationLike(defaultOption: string, initial: number): TunableKind {
  return { type: 'number', unit: 'ms', default: initial, min: 1, max: MAX_TIMER_MS, defaultOption };
}

/** A positive whole number. */
function count(initial: number): TunableKind {
  return { type: 'number', unit: 'count', default: initial, min: 1, max: Number.MAX_SAFE_INTEGER };
}

/**
 * How deep a value may nest. The most is half of what `JSON.stringify` takes on Node's usual stack, which ends between 3 000
 * and 5 000 levels.
 */
function levels(initial: number): TunableKind {
  return { type: 'number', unit: 'count', default: initial, min: 1, max: 2_000 };
}

/** A size; the least is one kibibyte, below which not even `initialize` fits. */
function bytes(initial: number): TunableKind {
  return { type: 'number', unit: 'bytes', default: initial, min: 1_024, max: SIZE_MAX_BYTES };
}

/** A size of text that a person reads in a message; nobody reads a mebibyte. */
function shownBytes(initial: number): TunableKind {
  return { type: 'number', unit: 'bytes', default: initial, min: 1_024, max: MEBIBYTE };
}

/** Options that belong to one transport; `transport` and `serverName` stand apart. */
export const TRANSPORT_OPTIONS = [
  { key: 'command', scope: 'stdio', kind: { type: 'text', required: true }, description: 'The program to start.' },
  { key: 'args', scope: 'stdio', kind: { type: 'texts' }, description: 'Its arguments, handed over one by one, without a shell.' },
  { key: 'env', scope: 'stdio', kind: { type: 'pairs' }, description: 'Environment merged over the scrubbed environment of the host.' },
  { key: 'cwd', scope: 'stdio', kind: { type: 'text', required: false }, description: "Its working directory; the host's by default." },
  { key: 'url', scope: 'streamable-http', kind: { type: 'text', required: true }, description: "The server's http or https address." },
  { key: 'headers', scope: 'streamable-http', kind: { type: 'pairs' }, description: 'Headers for every request to that origin, and to no other.' },
  { key: 'fetch', scope: 'streamable-http', kind: { type: 'function' }, description: "A function in place of the platform's `fetch`, for a config built in code; proxies are then its own affair." },
] as const satisfies readonly OptionSpec[];

/** Options with a default, for both transports. */
export const TUNING_OPTIONS = [
  { key: 'toolCallTimeoutMs', scope: 'both', kind: duration(60_000), description: 'Bounds one call, or the silence in it where progress may extend it.' },
  { key: 'toolCallMaxTotalMs', scope: 'both', kind: durationLike('toolCallTimeoutMs', 60_000), description: 'The longest a call may take with progress; above `toolCallTimeoutMs`, each progress notice begins that time anew.' },
  { key: 'failOnStartupError', scope: 'both', kind: { type: 'flag', default: false }, description: 'Reject activation when the first connection or sync fails.' },
  { key: 'connectTimeoutMs', scope: 'both', kind: duration(LIMITS.connectTimeoutMs), description: 'From the start of a connection to a completed handshake.' },
  { key: 'discoveryTimeoutMs', scope: 'both', kind: duration(60_000), description: 'One page of the tool list.' },
  { key: 'syncTimeoutMs', scope: 'both', kind: duration(120_000), description: 'The whole tool list, all pages.' },
  { key: 'closeGraceMs', scope: 'both', kind: duration(LIMITS.closeGraceMs), description: 'Time for a server to leave by itself on close.' },
  { key: 'terminateGraceMs', scope: 'both', kind: duration(LIMITS.terminateGraceMs), description: 'Time for a process to leave after SIGTERM, before SIGKILL.' },
  { key: 'killWaitMs', scope: 'both', kind: duration(LIMITS.killWaitMs), description: 'Time for the proof, after SIGKILL, that every process is gone.' },
  { key: 'drainAfterExitMs', scope: 'both', kind: duration(LIMITS.drainAfterExitMs), description: 'How long output that goes on coming is read after a process exited.' },
  { key: 'nameWaitMs', scope: 'both', kind: duration(15_000), description: 'How long to wait for an instance of the same name that is being disposed.' },
  { key: 'maxPages', scope: 'both', kind: count(2_000), description: 'Pages of one tool list.' },
  { key: 'maxTools', scope: 'both', kind: count(20_000), description: 'Tools of one tool list.' },
  { key: 'maxListBytes', scope: 'both', kind: bytes(64 * MEBIBYTE), description: 'Approximate size of one tool list, all pages.' },
  { key: 'maxMessageBytes', scope: 'both', kind: bytes(LIMITS.maxMessageBytes), description: 'One message of the server. Over stdio the end of a longer one is looked for up to twice as far, then the connection ends.' },
  { key: 'maxMessageValues', scope: 'both', kind: count(LIMITS.maxMessageValues), description: 'Values in one message of the server: its commas and opening brackets outside texts.' },
  { key: 'maxSchemaDepth', scope: 'both', kind: levels(200), description: 'Levels an input schema may nest; of a deeper one the model is shown one that takes any object.' },
  { key: 'maxResultDepth', scope: 'both', kind: levels(1_000), description: 'Levels the value of a result may nest; with a deeper one the call fails, with its text.' },
  { key: 'stderrTailBytes', scope: 'both', kind: shownBytes(LIMITS.stderrTailBytes), description: "How much of a server's stderr is kept for error messages; at most 1 MiB." },
  { key: 'maxReportedLineBytes', scope: 'both', kind: shownBytes(LIMITS.maxReportedLineBytes), description: 'The longest line of stderr or noise that is logged; at most 1 MiB.' },
  { key: 'maxReportsPerSecond', scope: 'both', kind: count(LIMITS.maxReportsPerSecond), description: 'Lines of one kind logged in one second; the rest are counted.' },
  { key: 'maxWaitingReplies', scope: 'both', kind: count(LIMITS.maxWaitingReplies), description: "Answers to a server's own requests that may wait to be sent." },
  { key: 'sessionLostOn400', scope: 'streamable-http', kind: { type: 'flag', default: true }, description: 'Take status 400 or 401, or an error, that says that the session is gone for its end, if a `ping` gets it too.' },
  { key: 'noticePostTimeoutMs', scope: 'streamable-http', kind: duration(LIMITS.noticePostTimeoutMs), description: 'How long the server may take to accept a notification.' },
  { key: 'probeTimeoutMs', scope: 'streamable-http', kind: duration(LIMITS.probeTimeoutMs), description: 'How long the `ping` may take that tells whether a doubtful session lives.' },
  { key: 'lossGraceMs', scope: 'streamable-http', kind: duration(LIMITS.lossGraceMs), description: 'How long calls on their way may take to meet a loss themselves, so that each knows whether it ran.' },
  { key: 'answerDrainMs', scope: 'streamable-http', kind: duration(LIMITS.answerDrainMs), description: 'How long an event stream is read on after its answer came, or its call was given up.' },
  { key: 'errorBodyTimeoutMs', scope: 'streamable-http', kind: duration(LIMITS.errorBodyTimeoutMs), description: 'How long the text of an error may take to come.' },
  { key: 'streamRetryMs', scope: 'streamable-http', kind: duration(LIMITS.streamRetryMs), description: 'The wait before a lost event stream is asked for again, unless the server names one; doubles while nothing comes.' },
  { key: 'maxStreamRetryMs', scope: 'streamable-http', kind: duration(LIMITS.maxStreamRetryMs), description: 'The longest such wait, whatever the server names.' },
  { key: 'maxStreamAttempts', scope: 'streamable-http', kind: count(LIMITS.maxStreamAttempts), description: 'Failures in a row to get an event stream again before it is given up.' },
  { key: 'resultTextMaxChars', scope: 'both', kind: { type: 'number', unit: 'chars', default: 100_000, min: 200, max: SIZE_MAX_BYTES }, description: 'Text of one result for the model, and content blocks that are looked at for it; the rest is cut with a visible marker.' },
  { key: 'maxImageBytes', scope: 'both', kind: bytes(20 * MEBIBYTE), description: 'One image of a result; a larger one is shown as text.' },
  { key: 'maxImagesPerResult', scope: 'both', kind: count(20), description: 'Images of one result; with more, all are shown as text.' },
  { key: 'imageLookupTimeoutMs', scope: 'both', kind: duration(10_000), description: 'How long the host may take to say whether the model takes images.' },
  { key: 'imageStoreTimeoutMs', scope: 'both', kind: duration(30_000), description: 'How long the attachment store may take for the images of one result.' },
  { key: 'listChangeQuietMs', scope: 'both', kind: duration(100), description: 'Silence after a list change before the list is read again.' },
  { key: 'listChangeMaxWaitMs', scope: 'both', kind: duration(500), description: 'Longest wait in a burst of list changes; doubles while it lasts.' },
  { key: 'missingStructuredContent', scope: 'both', kind: { type: 'choice', default: 'warn', choices: ['warn', 'fail'] }, description: 'A result without structured content although the tool declares an output schema.' },
  { key: 'schemaRoot', scope: 'both', kind: { type: 'choice', default: 'pass', choices: ['pass', 'repair'] }, description: 'An input schema whose root is no object: hand it on, or give it an object root.' },
] as const satisfies readonly (OptionSpec & { readonly key: keyof TuningConfig; readonly kind: TunableKind })[];

/** Options below `reconnect` (S07). */
export const RECONNECT_OPTIONS = [
  { key: 'enabled', scope: 'both', kind: { type: 'flag', default: true }, description: 'Retry a connection that is lost or never came about.' },
  { key: 'initialDelayMs', scope: 'both', kind: duration(500), description: 'The first delay; it doubles with each attempt.' },
  { key: 'maxDelayMs', scope: 'both', kind: duration(30_000), description: 'The longest delay, and the uptime that resets the budget.' },
  { key: 'maxAttempts', scope: 'both', kind: count(10), description: 'Attempts in one outage.' },
] as const satisfies readonly (OptionSpec & { readonly key: keyof ReconnectConfig; readonly kind: TunableKind })[];
