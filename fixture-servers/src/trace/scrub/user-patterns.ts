import { RE2JS } from 're2js';
import { messageOf } from '../../system-error.ts';
import type { Matcher } from './secret-text.ts';

/** A pattern of the user that is none. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly code = 'pattern';
}

/**
 * Makes a pattern ready. It is RE2: no look-around and no back references, and time in proportion to the text whatever
 * the pattern, since a trace may be a stranger's and hostile to a slow one.
 * @throws PatternError
 */
export function compilePattern(source: string): Matcher {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    throw new PatternError(`the pattern ${source} cannot be used: ${messageOf(error)}`, { cause: error });
  }
  return (text) => {
    const matcher = compiled.matcher(text);
    const found: { from: number; to: number }[] = [];
    while (matcher.find()) found.push({ from: matcher.start(), to: matcher.end() });
    return found;
  };
}
