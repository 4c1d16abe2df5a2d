/** Replaces one member of JSON text and leaves every other byte as it was: numbers, order and spaces survive. */

/**
 * The text with the value at `path` (keys of objects, from the root) replaced by `json`. Without such a member the text
 * is returned as it is. Works on text that is cut, too.
 */
export function splice(text: string, path: readonly string[], json: string): string {
  const span = findMember(text, path);
  return span === undefined ? text : text.slice(0, span.from) + json + text.slice(span.to);
}

/** Where the value of a member stands. The last one counts, as with every JSON parser. */
export function findMember(text: string, path: readonly string[]): { from: number; to: number } | undefined {
  /** How much of the path the open levels have matched; -1 where they left it. */
  const levels: { isObject: boolean; matched: number; key: string | undefined }[] = [];
  let found: { from: number; to: number } | undefined;
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    const level = levels.at(-1);
    if (char === '{' || char === '[') {
      const matched = level === undefined ? 0 : next(level, path);
      levels.push({ isObject: char === '{', matched, key: undefined });
      at += 1;
    } else if (char === '}' || char === ']') {
      levels.pop();
      at += 1;
    } else if (char === ',') {
      if (level !== undefined) level.key = undefined;
      at += 1;
    } else if (/[\s:\uFEFF]/.test(char)) at += 1;
    else {
      const to = endOfToken(text, at);
      if (level?.isObject === true && level.key === undefined) level.key = keyOf(text.slice(at, to));
      else if (level !== undefined && next(level, path) === path.length) found = { from: at, to };
      at = to;
    }
  }
  return found;
}

function next(level: { isObject: boolean; matched: number; key: string | undefined }, path: readonly string[]): number {
  return level.isObject && level.matched >= 0 && level.matched < path.length && level.key === path[level.matched] ? level.matched + 1 : -1;
}

function endOfToken(text: string, from: number): number {
  if (text[from] === '"') {
    for (let at = from + 1; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '"') return at + 1;
    }
    return text.length;
  }
  let at = from + 1;
  while (at < text.length && !/[\s,:{}[\]"]/.test(text[at] ?? '')) at += 1;
  return at;
}

function keyOf(token: string): string {
  try {
    const value: unknown = JSON.parse(token);
    return String(value);
  } catch {
    return token;
  }
}
