// What an interrupted run of the mutants had done, if it was of the same build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('../mutants-worker.mjs').MutantLine} MutantLine */

/**
 * Changes with every built file of the three packages.
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
    .sort();
}

/**
 * Lines of the results file that still hold. One that survived is tried again.
 * @param {string} file
 * @param {{ build: string, seed: number, full: boolean }} now
 * @returns {MutantLine[]}
 */
export function doneBefore(file, now) {
  if (!existsSync(file)) return [];
  /** @type {{ build: string, seed: number, full: boolean, lines: MutantLine[] }} */
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  const same = saved.build === now.build && saved.seed === now.seed && saved.full === now.full;
  return same ? saved.lines.filter((line) => line.killed && line.strangers.length === 0) : [];
}
