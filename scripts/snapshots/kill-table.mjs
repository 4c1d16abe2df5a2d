import { built } from './paths.mjs';

/** The kill table as the mutants declare it; `npm run mutants -- --full` confirms it. */
export async function killTable() {
  const { mutants } = await built('conformance/dist/subjects/mutants/index.js');
  const rows = mutants.map((/** @type {{ id: string, kind: string, kills: string, neighbours: readonly string[] }} */ { id, kind, kills, neighbours }) => ({
    mutant: id, kind, kills, neighbours,
  }));
  const lines = rows.map((/** @type {unknown} */ row) => `    ${JSON.stringify(row)}`);
  return `{\n  "killTable": 1,\n  "mutants": ${rows.length},\n  "rows": [\n${lines.join(',\n')}\n  ]\n}\n`;
}
