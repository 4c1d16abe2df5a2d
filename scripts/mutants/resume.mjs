// What an interrupted run of the mutants had done, if it was of the same build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('../mutants-worker.mjs').MutantLine} MutantLine */

/** Of the results file; one of another version is not resumed. */
export const RESULTS_VERSION = 3;

/** Changes no mutant: a result tells which declarations it was made under. */
const DECLARATIONS = path.join('subjects', 'mutants', 'neighbours.js');

/**
 * Changes with every built file of the three packages, but the declared neighbours.
 * @param {string} root
 */
export function buildFingerprint(root) {
  const hash = createHash('sha256');
  for (const room of ['fixture-servers', 'bridge', 'conformance']) {
    for (const file of builtFiles(path.join(root, room, 'dist'))) hash.update(path.relative(root, file)).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function builtFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.endsWith(path.sep + DECLARATIONS))
    .sort();
}

/**
 * Lines of the results file that still hold, with the strangers of today's declarations. One that survived or has a stranger
 * is tried again, and so is one that spared an invariant that is declared no more.
 * @param {string} file
 * @param {{ build: string, seed: number, full: boolean }} now
 * @param {(mutant: string) => readonly string[]} neighboursOf
 * @returns {MutantLine[]}
 */
export function doneBefore(file, now, neighboursOf) {
  if (!existsSync(file)) return [];
  /** @type {{ mutants: number, build: string, seed: number, full: boolean, lines: MutantLine[] }} */
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  if (saved.mutants !== RESULTS_VERSION || saved.build !== now.build || saved.seed !== now.seed || saved.full !== now.full) return [];
  return saved.lines
    .map((line) => ({ ...line, strangers: line.strangers.filter((check) => !neighboursOf(line.id).includes(check.split('/')[0] ?? '')) }))
    .filter(({ id, killed, strangers, spared }) => killed && strangers.length === 0 && spared.every((one) => neighboursOf(id).includes(one)));
}
