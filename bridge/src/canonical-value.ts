/**
 * The canonical success of a call, as programs get it (S35).
 * @module
 */
import { BridgeError } from './errors.ts';
import type { JsonObject, JsonValue } from './host-services.ts';

/** `{ content, structuredContent? }`: the parsed JSON that came, by reference, nothing added. */
export interface CanonicalValue {
  readonly content: JsonValue[];
  readonly structuredContent?: JsonValue;
}

/**
 * The canonical value of a raw result. An absent `content` is an empty one, as the official client has it; an absent
 * `structuredContent` stays absent.
 * @throws {BridgeError} `result-invalid` when `content` is no list
 */
export function canonicalValue(where: string, result: JsonObject): CanonicalValue {
  const { content, structuredContent } = result;
  if (content !== undefined && !Array.isArray(content)) {
    throw new BridgeError('result-invalid', `${where}: the answer is no tool result, its "content" is no list; the tool ran, but what it returned cannot be used`, { executed: 'yes' });
  }
  return structuredContent === undefined ? { content: content ?? [] } : { content: content ?? [], structuredContent };
}
