/** What the model sees of a result: every block leaves something, in order, and no payload (PROJECTION-001, -004, -006). */
import { isObject } from './json.ts';

/** The longest name, type or address that is repeated from a block, in characters. */
const WORD_CHARS = 200;

/** The text of each block. */
export function textsOf(content: unknown): string[] {
  return (Array.isArray(content) ? (content as unknown[]) : []).map(textOfBlock);
}

/** The text of all blocks. */
export function textOfResult(content: unknown): string {
  const text = textsOf(content).join('\n');
  return text.trim() === '' ? '(the tool answered without anything to show)' : text;
}

function textOfBlock(block: unknown): string {
  if (!isObject(block)) return '[a part of the answer that is no block]';
  const { type, text, name, uri, resource, mimeType } = block;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : '[a text without words]';
    case 'resource_link':
      return `[link ${word(name)}: ${word(uri)}]`;
    case 'resource':
      return `[resource ${word(isObject(resource) ? resource['uri'] : undefined)}]`;
    default:
      return `[${word(type)} ${mimeType === undefined ? 'that is not shown' : word(mimeType)}]`;
  }
}

/** A word of a peer; one that is long may be a payload. */
function word(value: unknown): string {
  if (typeof value !== 'string') return 'unnamed';
  return value.length <= WORD_CHARS && !/[A-Za-z0-9+/=]{60}/.test(value) ? value : `${value.slice(0, 20)}…`;
}
