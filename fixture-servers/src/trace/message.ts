import type { TraceRecord } from './schema.ts';
import { parseMessage } from '../jsonrpc/message.ts';
import { MAX_RAW_CHARS } from './version.ts';

/** A record with `message` filled in from `raw`, where that is JSON and was not cut (at `maxRawChars`). */
export function withMessage(record: TraceRecord, maxRawChars: number = MAX_RAW_CHARS): TraceRecord {
  if (record.kind !== 'frame' || 'message' in record || record.raw.length >= maxRawChars) return record;
  const parsed = parseMessage(record.raw);
  return parsed.ok ? { ...record, message: parsed.value } : record;
}
