import type { TraceRecord } from './schema.ts';

/** How many exchanges and sessions are remembered. */
const MAX_REMEMBERED = 100_000;

/**
 * Says which life of its server a record belongs to: over stdio the process; over HTTP the session, which the request
 * that opens one cannot name yet and its answer does. Bounded memory.
 */
export function createLifeKeys(): (record: TraceRecord) => string {
  const ofExchange = new Map<string, string>();
  const ofSession = new Map<string, string>();
  const latest = new Map<string, string>();
  return (record) => {
    const process = `${record.server}/${record.pid}`;
    if (record.carrier === 'stdio') return process;
    const exchange = record.kind === 'frame' && record.http?.exchange !== undefined ? `${process}/${record.http.exchange}` : undefined;
    const session = record.session === undefined ? undefined : `${record.server} ${record.session}`;
    const opens = record.kind === 'frame' && record.direction === 'client-to-server' && record.raw.includes('"initialize"');
    // The answer that first names a session belongs to the request that opened it, whatever was said of the session in between.
    const known = (exchange === undefined ? undefined : ofExchange.get(exchange)) ?? (session === undefined ? undefined : ofSession.get(session));
    const own = `${process} ${session ?? ''} ${exchange ?? record.seq}`;
    const begins = opens || (session !== undefined && record.kind === 'frame');
    const key = known ?? (begins ? own : (latest.get(process) ?? own));
    if (exchange !== undefined) remember(ofExchange, exchange, key);
    if (session !== undefined && record.kind === 'frame') remember(ofSession, session, key);
    if (record.kind === 'frame') remember(latest, process, key);
    return key;
  };
}

function remember(map: Map<string, string>, key: string, value: string): void {
  map.set(key, value);
  const oldest = map.size > MAX_REMEMBERED ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
}
