/**
 * The canonical success of a call, as programs get it (S35).
 * @module
 */
import type { JsonValue } from './host-services.ts';

/** `{ content, structuredContent? }`: the parsed JSON that came, by reference, nothing added. A JSON value itself. */
// A type alias, since an interface would not be assignable to JsonValue.
export type CanonicalValue = {
  content: JsonValue[];
  structuredContent?: JsonValue;
};
