/**
 * Judges a config: the same function behind the host's schema and in `apply`, so a config that was built in code and
 * never passed the schema is judged all the same (S09).
 * @module
 */
import { RECONNECT_OPTIONS, TRANSPORT_OPTIONS, TUNING_OPTIONS, type OptionSpec, type TunableKind } from './config-options.ts';
import { configError, ConfigProblems, describeKind, nearestWord, quoteWord } from './config-problems.ts';
import type { ReconnectConfig, ResolvedConfig, TuningConfig } from './config-types.ts';
import { readChoice, readFetch, readFlag, readNumber, readPairs, readText, readTexts, readUrl } from './config-values.ts';
import { isRecord } from './json-shape.ts';
import { SERVER_NAME_PATTERN } from './naming.ts';

/** A judged config, detached from the object it came from (S07: captured at load). */
export interface ConfigVerdict {
  readonly config: ResolvedConfig;
  /** The mapping that was judged, as it was written. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Oddities a person should know; they name keys, never values. */
  readonly warnings: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

/**
 * Judges one config after defaults.
 * @param value whatever the host hands over
 * @throws {BridgeError} `config-invalid`: one message that names each wrong place and its fix (S09)
 */
export function resolveConfig(value: unknown): ConfigVerdict {
  // What is no mapping at all is one fault, not one for each option.
  if (!isRecord(value)) throw configError('config', `must be a mapping, not ${describeKind(value)}`, 'write at least serverName, transport and command or url');
  const { serverName } = value;
  const problems = new ConfigProblems(isServerName(serverName) ? serverName : undefined);
  const config = readConfig(value, problems);
  warnUnknown(value, config.transport, problems);
  problems.throwIfAny();
  return { config, written: value, warnings: problems.warnings };
}

function readConfig(raw: Raw, problems: ConfigProblems): ResolvedConfig {
  const transport = readTransport(raw, problems);
  const serverName = readServerName(raw['serverName'], problems);
  const tuning = readTuning(raw, problems);
  if (transport === 'streamable-http') {
    const url = readUrl(raw['url'], 'config.url', problems);
    const headers = readPairs(raw['headers'], 'config.headers', problems, 'headers');
    return { ...tuning, transport, serverName, url, headers, fetch: readFetch(raw['fetch'], 'config.fetch', problems) };
  }
  const cwd = raw['cwd'] === undefined || raw['cwd'] === null ? undefined : readText(raw['cwd'], 'config.cwd', problems, 'a folder, or leave it out');
  // With a wrong transport there is no telling which of the two sets is missing.
  const command = transport === 'stdio' ? readText(raw['command'], 'config.command', problems, 'the program to start, such as npx') : '';
  const args = readTexts(raw['args'], 'config.args', problems);
  const env = readPairs(raw['env'], 'config.env', problems, 'env');
  return { ...tuning, transport: 'stdio', serverName, command, args, env, cwd };
}

function readTransport(raw: Raw, problems: ConfigProblems): 'stdio' | 'streamable-http' | undefined {
  const transport = raw['transport'];
  if (transport === 'stdio' || transport === 'streamable-http') return transport;
  const what = transport === undefined ? 'is missing' : `is ${typeof transport === 'string' ? quoteWord(transport) : describeKind(transport)}`;
  const hint = transport === 'http' || transport === 'sse' || raw['url'] !== undefined ? 'streamable-http for a url' : 'stdio for a command';
  problems.add('config.transport', what, `write stdio or streamable-http (${hint})`);
  return undefined;
}

function readServerName(value: unknown, problems: ConfigProblems): string {
  if (isServerName(value)) return value;
  const what = value === undefined ? 'is missing' : `is ${typeof value === 'string' ? quoteWord(value) : describeKind(value)}`;
  problems.add('config.serverName', what, 'write 1 to 32 letters, digits, _ or -, such as github');
  return '';
}

function isServerName(value: unknown): value is string {
  return typeof value === 'string' && SERVER_NAME_PATTERN.test(value);
}

function readTuning(raw: Raw, problems: ConfigProblems): TuningConfig {
  const reconnect = readReconnect(raw['reconnect'], problems);
  const tuning = readOptions<Omit<TuningConfig, 'reconnect'>>(TUNING_OPTIONS, raw, 'config', problems);
  const { toolCallTimeoutMs } = tuning;
  const toolCallMaxTotalMs = raw['toolCallMaxTotalMs'] === undefined || raw['toolCallMaxTotalMs'] === null ? toolCallTimeoutMs : tuning.toolCallMaxTotalMs;
  if (toolCallMaxTotalMs < toolCallTimeoutMs) {
    problems.add('config.toolCallMaxTotalMs', `is ${toolCallMaxTotalMs}, less than toolCallTimeoutMs, which is ${toolCallTimeoutMs}`, 'raise it or lower toolCallTimeoutMs');
  }
  return { ...tuning, toolCallMaxTotalMs, reconnect };
}

function readReconnect(value: unknown, problems: ConfigProblems): ReconnectConfig {
  const place = 'config.reconnect';
  if (!isRecord(value) && value !== undefined && value !== null) {
    problems.add(place, `must be a mapping, not ${describeKind(value)}`, 'write reconnect: { enabled: false } to switch it off');
  }
  const raw: Raw = isRecord(value) ? value : {};
  const keys = RECONNECT_OPTIONS.map((option) => option.key);
  for (const key of Object.keys(raw)) {
    if (!keys.some((known) => known === key)) problems.add(`${place}.${key.slice(0, 60)}`, 'is no option', hintFor(key, keys));
  }
  const reconnect = readOptions<ReconnectConfig>(RECONNECT_OPTIONS, raw, place, problems);
  if (reconnect.initialDelayMs > reconnect.maxDelayMs) {
    problems.add(`${place}.initialDelayMs`, `is ${reconnect.initialDelayMs}, more than maxDelayMs, which is ${reconnect.maxDelayMs}`, 'lower it or raise maxDelayMs');
  }
  return reconnect;
}

function readOptions<Options>(options: readonly (OptionSpec & { readonly key: keyof Options; readonly kind: TunableKind })[], raw: Raw, place: string, problems: ConfigProblems): Options {
  const values: Partial<Record<keyof Options, unknown>> = {};
  for (const { key, kind } of options) {
    const at = `${place}.${key}`;
    if (kind.type === 'number') values[key] = readNumber(kind, raw[key], at, problems);
    else if (kind.type === 'flag') values[key] = readFlag(kind, raw[key], at, problems);
    else values[key] = readChoice(kind, raw[key], at, problems);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables hold every key of their type, which a test checks
  return values as Options;
}

/** Unknown top-level keys only warn: hosts and loaders may add their own, and a drop-in entry must keep loading. */
function warnUnknown(raw: Raw, transport: string, problems: ConfigProblems): void {
  const known = new Map<string, string>([['serverName', 'both'], ['transport', 'both'], ['reconnect', 'both']]);
  for (const { key, scope } of TRANSPORT_OPTIONS) known.set(key, scope);
  // Every config carries these once its defaults are filled in, so they are odd nowhere.
  for (const { key } of TUNING_OPTIONS) known.set(key, 'both');
  for (const key of Object.keys(raw)) {
    const scope = known.get(key);
    if (scope === undefined) problems.warn('config', `${quoteWord(key)} is no option and is ignored${hintOf(key, [...known.keys()])}`);
    else if (scope !== 'both' && scope !== transport) problems.warn('config', `${quoteWord(key)} is ignored: it belongs to the transport ${scope}`);
  }
}

function hintOf(key: string, known: readonly string[]): string {
  const near = nearestWord(key, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

function hintFor(key: string, known: readonly string[]): string {
  const near = nearestWord(key, known);
  return near === undefined ? `the options are ${known.join(', ')}` : `did you mean ${near}?`;
}
