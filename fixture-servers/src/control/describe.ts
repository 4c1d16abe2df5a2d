import type { FrameRecord, TraceRecord } from '../trace/schema.ts';

/** How much of a frame a line shows, in characters. */
const SHOWN_CHARS = 160;

/** One record as one line a person reads. */
export function describeRecord(record: TraceRecord): string {
  const who = `#${record.incarnation} pid ${record.pid}`;
  switch (record.kind) {
    case 'frame': {
      const arrow = record.direction === 'client-to-server' ? '-->' : '<--';
      const cut = record.raw.length > SHOWN_CHARS ? `${record.raw.slice(0, SHOWN_CHARS)}… (${record.bytes} bytes)` : record.raw;
      return [who, arrow, ...(record.http === undefined ? [] : httpWords(record.http)), cut].filter((word) => word !== '').join(' ');
    }
    case 'fault':
      return `${who} rule ${record.rule}: ${record.action}`;
    case 'hold':
      return `${who} ${record.event} at ${record.hold}`;
    default: {
      const how = record.code ?? record.signal ?? record.childPid;
      return `${who} process ${record.event}${how === undefined ? '' : ` ${how}`}`;
    }
  }
}

/** What HTTP adds: the request's method and path, the response's status, and where it ended. */
function httpWords({ ended, exchange, method, path, status }: NonNullable<FrameRecord['http']>): string[] {
  const which = exchange === undefined ? method : `${method} ${exchange}`;
  return [which, path ?? '', status === undefined ? '' : String(status), ended === undefined ? '' : `(${ended})`];
}
