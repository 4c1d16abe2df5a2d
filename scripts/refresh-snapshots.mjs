// Regenerates everything that is generated and committed. With --check, also fails when that changed anything.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { invariants } from 'mcp-bridge-conformance/catalogue';
import { faultTable } from 'mcp-fixture-server';
import { cataloguePage } from './snapshots/catalogue-page.mjs';
import { withCertifiedCounts } from './snapshots/certified-counts.mjs';
import { cliHelp } from './snapshots/cli-help.mjs';
import { withFaultFigures } from './snapshots/fault-figures.mjs';
import { imageTranscript } from './snapshots/image-transcript.mjs';
import { killTable } from './snapshots/kill-table.mjs';
import { built, json, root } from './snapshots/paths.mjs';
import { realTools } from './snapshots/real-tools.mjs';
import { transcript } from './snapshots/transcript.mjs';

/** Folders that hold nothing but generated files and the shared vectors. */
const FOLDERS = ['snapshots', 'fixture-servers/schemas', 'conformance/schemas'];

/** Generated files in folders that hold other files too, and a page with generated numbers. */
const FILES = ['conformance/CATALOGUE.md', 'conformance/kill-table.json', 'fixture-servers/REFERENCE.md', 'README.md'];

/** @returns {Map<string, string>} */
function contents() {
  const found = new Map();
  for (const file of FILES) {
    if (existsSync(path.join(root, file))) found.set(file, readFileSync(path.join(root, file), 'utf8'));
  }
  for (const folder of FOLDERS) {
    for (const name of readdirSync(path.join(root, folder))) {
      found.set(`${folder}/${name}`, readFileSync(path.join(root, folder, name), 'utf8'));
    }
  }
  return found;
}

/** @type {Record<string, () => unknown>} */
const SNAPSHOTS = {
  'catalogue.json': () => json(invariants),
  'cli-help.txt': cliHelp,
  'fault-matrix.md': () => faultTable(),
  'image-transcript.txt': imageTranscript,
  'real-tools.json': async () => json(await realTools()),
  'wire-transcript.txt': transcript,
};

for (const folder of FOLDERS) mkdirSync(path.join(root, folder), { recursive: true });
const before = contents();
await built('fixture-servers/dist/schemas/generate.js');
await built('conformance/dist/schemas/generate.js');
for (const [name, make] of Object.entries(SNAPSHOTS)) {
  writeFileSync(path.join(root, 'snapshots', name), String(await make()));
}
writeFileSync(path.join(root, 'conformance/CATALOGUE.md'), await cataloguePage());
const table = await killTable();
writeFileSync(path.join(root, 'conformance/kill-table.json'), table);
const page = path.join(root, 'README.md');
writeFileSync(page, withCertifiedCounts(withFaultFigures(readFileSync(page, 'utf8')), JSON.parse(table).mutants));
const after = contents();
const changed = [...after].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);

console.log(`generated files: ${after.size}, changed: ${changed.length}`);
for (const file of changed) console.log(`  ${file}`);
if (process.argv.includes('--check') && changed.length > 0) {
  console.error('generated files were stale and are fresh now: look at them (git diff) and commit them');
  process.exitCode = 1;
}
