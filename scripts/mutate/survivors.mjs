// What survived a run of mutation testing, held against what is explained. Pure but for the listing of files.
import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ file: string, text: string, mutator: string, replacement: string, reason: string }} Explanation
 * `text` is the trimmed first line of the code that was changed, so that it outlives a move; of a block, the whole line.
 * @typedef {{ file: string, line: number, text: string, mutator: string, replacement: string }} Survivor
 * @typedef {{ line: number, column: number }} Place
 * @typedef {{ mutatorName: string, replacement?: string, status: string, location: { start: Place, end: Place } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }> }} MutationReport
 */

/**
 * The files to change, relative to the root: those whose path contains one of the words, or all.
 * @param {string} folder bridge/src
 * @param {readonly string[]} words
 */
export function filesToMutate(folder, words) {
  const room = path.dirname(path.dirname(folder));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && (words.length === 0 || words.some((word) => name.includes(word))))
    .map((name) => path.relative(room, path.join(folder, name)).split(path.sep).join('/'))
    .sort();
}

/** Statuses that say: some test noticed. */
const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);

/**
 * Holds a report against the explanations. An explanation of a file that was tried and that matches nothing is stale.
 * @param {MutationReport} report
 * @param {readonly Explanation[]} explanations
 * @param {readonly string[]} files that were tried
 */
export function explain(report, explanations, files) {
  const all = Object.entries(report.files)
    .filter(([file]) => files.includes(file))
    .flatMap(([file, { source, mutants: changed }]) => changed.map((mutant) => ({ file, source, mutant })));
  const mutants = all.filter(({ mutant }) => mutant.status !== 'Ignored');
  const survivors = mutants.filter(({ mutant }) => !NOTICED.has(mutant.status)).map(survivorOf);
  const used = new Set();
  const unexplained = survivors.filter((survivor) => {
    const found = explanations.find((one) => ['file', 'text', 'mutator', 'replacement'].every((key) => Reflect.get(one, key) === Reflect.get(survivor, key)));
    if (found !== undefined) used.add(found);
    return found === undefined;
  });
  return {
    tried: mutants.length,
    // Of what is made once, when a file is loaded: each would take all tests.
    untried: all.length - mutants.length,
    killed: mutants.length - survivors.length,
    explained: survivors.length - unexplained.length,
    unexplained,
    stale: explanations.filter((one) => files.includes(one.file) && !used.has(one)),
  };
}

/**
 * @param {{ file: string, source: string, mutant: Mutant }} entry
 * @returns {Survivor}
 */
function survivorOf({ file, source, mutant }) {
  const { start, end } = mutant.location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const first = lines[0] ?? '';
  const part = (lines.length === 1 ? first.slice(start.column - 1, end.column - 1) : first.slice(start.column - 1)).trim();
  // A brace alone would name every block of the file.
  const text = part === '{' ? first.trim() : part;
  return { file, line: start.line, text, mutator: mutant.mutatorName, replacement: mutant.replacement ?? '' };
}
