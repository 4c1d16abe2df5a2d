/** What one line from a server's stdout is: messages, or noise. Nothing here throws (B08, B13). */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { KEPT_END_BYTES, type OversizedLine } from './line-splitter.ts';
import { holdsMoreValues } from './message-values.ts';
import { isObject } from './narrow.ts';

/**
 * Parses one line.
 * @returns the messages (more than one for a batch, which protocol revision 2025-03-26 allows), none for an empty line,
 * `undefined` when the line is no JSON-RPC message, or its ends when it holds more than `maxValues` and was not parsed
 * (B01). What is inside an envelope is not checked here.
 */
export function parseStdioLine(line: Buffer, maxValues: number): JSONRPCMessage[] | OversizedLine | undefined {
  const text = line.toString('utf8').trim();
  if (text === '') return [];
  // Every message begins and ends so. An error of the parser costs a thousand times as much, and noise may come by the million.
  if (!(text.startsWith('{') && text.endsWith('}')) && !(text.startsWith('[') && text.endsWith(']'))) return undefined;
  if (holdsMoreValues(text, maxValues)) return { head: line.subarray(0, KEPT_END_BYTES), tail: line.subarray(-KEPT_END_BYTES), bytes: line.length };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isEnvelope(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isEnvelope)) return value;
  return undefined;
}

function isEnvelope(value: unknown): value is JSONRPCMessage {
  return isObject(value) && value['jsonrpc'] === '2.0';
}

/**
 * The request that an oversized line answers, where its envelope tells: with the id before the result (as most
 * libraries write it) or after it (as the official TypeScript library does). A quotation mark inside a JSON string is
 * escaped, so neither pattern can match inside the payload.
 */
export function answeredRequest(line: OversizedLine): number | undefined {
  const head = line.head.toString('latin1');
  const first = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+)\s*,\s*"(?:result|error)"/.exec(head);
  if (first !== null) return Number(first[1]);
  if (!/^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/.test(head)) return undefined;
  const last = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(line.tail.toString('latin1'));
  return last === null ? undefined : Number(last[1]);
}

/** Marks an answer that the bridge wrote itself in place of one that it did not take. */
const limitExceeded = Symbol('limit exceeded');

/** The answer to a request whose own answer was too long. */
export function limitExceededAnswer(id: number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: Object.assign({ code: -32_603, message }, { [limitExceeded]: true }) };
}

/** Whether an error comes from {@link limitExceededAnswer}; no server can write one. */
export function isLimitExceeded(error: object): boolean {
  return limitExceeded in error;
}
