// The figures of the fault matrix, which `bridge/tests/matrix` counts and keeps in a file, as the front page shows them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';

/** @param {string} page the text of a page with the two marks */
export function withFaultFigures(page) {
  const figures = JSON.parse(readFileSync(path.join(root, 'snapshots/fault-matrix-figures.json'), 'utf8'));
  const rows = Object.entries(figures).map(([what, count]) => `| ${what} | ${count} |`);
  const table = ['| counted by a test | |', '|---|---:|', ...rows].join('\n');
  return page.replace(/(?<=<!-- fault-figures: start -->\n)[\s\S]*?(?=\n<!-- fault-figures: end -->)/, () => table);
}
