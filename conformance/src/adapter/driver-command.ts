/**
 * A driver's command as a person types it, without a shell.
 */
import { parse } from 'shell-quote';
import { AdapterError } from './bridge-adapter.ts';
import type { DriverCommand } from './driver-process.ts';

/**
 * Cuts a command into program and arguments: spaces separate, quotes and backslashes keep together, as in a shell. There is
 * no shell: variables stay as they stand, and what only a shell could do is refused.
 * @throws AdapterError `misuse` when it is empty, leaves a quote open, or asks for a pipe, a redirection, a list of commands or a comment
 */
export function parseDriverCommand(text: string): DriverCommand & { readonly args: readonly string[] } {
  const words = parse(text, (name) => `$${name}`).map((word) => {
    if (typeof word === 'string') return word;
    // A star is a star: there is nobody here to look for files.
    if ('pattern' in word) return word.pattern;
    const what = 'comment' in word ? '#' : word.op;
    throw new AdapterError('misuse', `${JSON.stringify(text)} asks a shell for ${JSON.stringify(what)}, and no shell is used; put it in quotes, or the whole into a script and give that`);
  });
  const open = openQuote(text);
  if (open !== undefined) {
    throw new AdapterError('misuse', `${JSON.stringify(text)} opens ${open} and does not close it; close it, or put a backslash before it if it is to stand for itself`);
  }
  const [command, ...args] = words;
  if (command === undefined || command === '') {
    throw new AdapterError('misuse', 'the command of the driver is empty; give a program and its arguments, such as "python3 my_driver.py"');
  }
  return { command, args };
}

/**
 * What is open at the end. The library that cuts passes over a quote that is not closed; but what follows it, with a quote
 * of that kind behind, is no word of its own then.
 */
function openQuote(text: string): string | undefined {
  const end = 'end';
  if (parse(`${text} ${end}`).at(-1) !== end) return 'what its last backslash begins';
  return [`"`, `'`].find((quote) => parse(`${text} ${end}${quote}`).at(-1) !== end);
}
