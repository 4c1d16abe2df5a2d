/**
 * Finds what `--subject` and `--driver` name. Both are one word from here on, so that reports, saved histories and replays
 * carry it: the name or path of a subject, or `driver:` and a command.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { quote } from 'shell-quote';
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import { parseDriverCommand } from '../adapter/driver-command.ts';
import { wayToDriver, type SubjectWay } from '../runner/subject-way.ts';
import { SUBJECTS_DIR } from './package-paths.ts';
import { isFolder } from './saved-failure.ts';
import { UsageError } from './usage-error.ts';

/** What the word of a driver begins with. */
const DRIVER = 'driver:';

/**
 * The one word for what was named.
 * @param otherwise the word when none is named, such as that of a saved failure
 * @throws UsageError when none is named, or two are
 */
export function subjectWord({ subject, driver }: { readonly subject?: string; readonly driver?: string }, otherwise?: string): string {
  if (subject !== undefined && driver !== undefined) throw new UsageError('--subject and --driver both name the bridge; give one of them');
  const chosen = driver === undefined ? (subject ?? otherwise) : `${DRIVER}${driver}`;
  if (chosen !== undefined) return chosen;
  throw new UsageError('say which bridge: --subject <name, or path of a module that exports createAdapter>, or --driver "<command>"');
}

/** A word as it is typed: the option and its value, quoted for a shell. */
export function subjectArguments(word: string): string {
  return word.startsWith(DRIVER) ? `--driver ${quote([word.slice(DRIVER.length)])}` : `--subject ${word}`;
}

/**
 * The way to the subject that a word names.
 * @throws UsageError when there is none
 */
export function wayTo(word: string): SubjectWay {
  if (!word.startsWith(DRIVER)) return { kind: 'module', url: subjectUrl(word) };
  try {
    return wayToDriver(parseDriverCommand(word.slice(DRIVER.length)));
  } catch (error) {
    if (isAdapterError(error)) throw new UsageError(`--driver: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Whether a word is a path rather than a name. */
function isPath(word: string): boolean {
  return /^\.+$/.test(word) || /[/\\]/.test(word) || /\.[cm]?[jt]s$/.test(word);
}

/** Names of the subjects that come with the suite. */
export function subjectNames(): string[] {
  if (!existsSync(SUBJECTS_DIR)) return [];
  return readdirSync(SUBJECTS_DIR).filter((name) => existsSync(path.join(SUBJECTS_DIR, name, 'index.js')) && name !== 'mutants').sort();
}

/**
 * The URL of a subject's module.
 * @param word a name, `reference`, or the path of a module that exports `createAdapter`
 * @throws UsageError when there is no such subject.
 */
export function subjectUrl(word: string): string {
  if (word.trim() === '') throw new UsageError('--subject is empty; give a name, or the path of a module that exports createAdapter');
  if (!isPath(word)) {
    const named = path.join(SUBJECTS_DIR, word, 'index.js');
    if (existsSync(named)) return pathToFileURL(named).href;
    const known = subjectNames();
    const names = known.length === 0 ? 'none comes with this copy of the suite' : `known: ${known.join(', ')}`;
    throw new UsageError(`--subject ${word}: there is no subject of that name (${names}); for a module of your own give its path, ./${word}.js`);
  }
  const file = path.resolve(word);
  if (isFolder(file)) throw new UsageError(`--subject ${word}: this is a folder; give the path of a module in it that exports createAdapter`);
  if (existsSync(file)) return pathToFileURL(file).href;
  throw new UsageError(`--subject ${word}: there is no file ${file}; give the path of a module that exports createAdapter`);
}
