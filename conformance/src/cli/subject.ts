/**
 * Finds what `--subject` names.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SUBJECTS_DIR } from './package-paths.ts';
import { isFolder } from './saved-failure.ts';
import { UsageError } from './usage-error.ts';

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
