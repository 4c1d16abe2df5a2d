import type { TraceRecord } from './schema.ts';
import { parseMessage } from '../jsonrpc/message.ts';
import { MAX_RAW_CHARS } from './version.ts';

/** Levels that a parsed message may nest to be kept: whoever writes a record down again would run out of stack. */
const MAX_MESSAGE_DEPTH = 1_000;

/** A record with `message` filled in from `raw`, where that is JSON, nests no deeper than can be written, and was not cut (at `maxRawChars`). */
export function withMessage(record: TraceRecord, maxRawChars: number = MAX_RAW_CHARS): TraceRecord {
  if (record.kind !== 'frame' || 'message' in record || record.raw.length >= maxRawChars) return record;
  const parsed = parseMessage(record.raw);
  return parsed.ok && !nestsDeeper(record.raw, parsed.value) ? { ...record, message: parsed.value } : record;
}

/** Level by level: a value from the wire may be deeper than the stack. */
function nestsDeeper(raw: string, value: unknown): boolean {
  // Two brackets a level.
  if (raw.length <= 2 * MAX_MESSAGE_DEPTH) return false;
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_MESSAGE_DEPTH) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
