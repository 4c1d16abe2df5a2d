import type { TraceRecord } from '../trace/schema.ts';

/** How much of a frame a line shows, in characters. */
const SHOWN_CHARS = 160;

/** One record as one line a person reads. */
export function describeRecord(record: TraceRecord): string {
  const who = `#${record.incarnation} pid ${record.pid}`;
  switch (record.kind) {
    case 'frame': {
      const arrow = record.direction === 'client-to-server' ? '-->' : '<--';
      const cut = record.raw.length > SHOWN_CHARS ? `${record.raw.slice(0, SHOWN_CHARS)}… (${record.bytes} bytes)` : record.raw;
      return `${who} ${arrow} ${cut}`;
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
