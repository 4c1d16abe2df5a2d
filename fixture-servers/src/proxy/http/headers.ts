/** Header fields as Node gives them: names and values in turn, so that case, order and repeats survive. */
export type RawHeaders = readonly string[];

/** What belongs to one connection and not to the message (RFC 9110, 7.6.1); each leg has its own. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect',
]);

/** The fields of the message, without those of its connection, `drop` (small letters) and those the connection names. */
export function endToEnd(raw: RawHeaders, drop: readonly string[] = []): string[] {
  const named = new Set(drop);
  for (const [name, value] of pairs(raw)) {
    if (name.toLowerCase() === 'connection') for (const token of value.split(',')) named.add(token.trim().toLowerCase());
  }
  return pairs(raw).filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase())).flat();
}

/** As a record of the trace keeps them: names in small letters, repeats joined. */
export function asRecord(raw: RawHeaders): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs(raw)) {
    const key = name.toLowerCase();
    const before = joined.get(key);
    joined.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}

/** The first value of a field. */
export function valueOf(raw: RawHeaders, wanted: string): string | undefined {
  return pairs(raw).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Names with their values. */
export function pairs(raw: RawHeaders): [string, string][] {
  const found: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) found.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return found;
}
