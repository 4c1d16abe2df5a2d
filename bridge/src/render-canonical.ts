/**
 * `output.render` of every definition: synchronous, pure, and safe for a value that a host's policy put in place of the
 * canonical one (S47).
 * @module
 */
import type { CanonicalValue } from './canonical-value.ts';
import type { ContentBlock, JsonValue } from './host-services.ts';
import { isJsonObject } from './json-shape.ts';
import { boundText } from './model-text.ts';
import { structuredText } from './payloads.ts';
import { IMAGES_NOT_SHOWN, type ProjectionOptions } from './result-projection.ts';

/** Renders a canonical value by the projection, anything else as its JSON text. */
export function renderCanonical(
  value: JsonValue,
  project: (value: CanonicalValue, options: ProjectionOptions) => ContentBlock[],
  maxChars: number,
): ContentBlock[] {
  if (!isCanonical(value)) return boundText([{ type: 'text', text: typeof value === 'string' ? value : structuredText(value) }], maxChars);
  return project(value, { maxChars, images: IMAGES_NOT_SHOWN });
}

function isCanonical(value: JsonValue): value is JsonValue & CanonicalValue {
  return isJsonObject(value) && Array.isArray(value['content']);
}
