// `npm run mutate`: mutation testing of the bridge. Each survivor is a change of `bridge/src` that no test of the bridge
// notices; it is killed by a new test, or explained in scripts/mutate/explained.json. Words narrow it to files:
// `npm run mutate -- naming payloads`. What was tried before and has not changed is not tried again (reports/).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './snapshots/paths.mjs';
import { explain, filesToMutate } from './mutate/survivors.mjs';

const words = process.argv.slice(2);
const files = filesToMutate(path.join(root, 'bridge/src'), words);
if (files.length === 0) {
  console.error(`no file of bridge/src is called ${words.join(', ')}; give a part of a path, such as naming or transport/, or nothing for all`);
  process.exit(2);
}
const reports = path.join(root, 'reports');
mkdirSync(reports, { recursive: true });
const stryker = path.join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const run = spawnSync(process.execPath, [stryker, 'run', 'scripts/mutate/stryker.config.mjs', '--mutate', files.join(',')], { cwd: root, stdio: 'inherit' });
const report = path.join(reports, 'mutation.json');
if (run.status !== 0 || !existsSync(report)) {
  console.error(`mutate: the tool ended with ${run.status ?? run.signal ?? run.error?.message}; see above`);
  process.exit(2);
}
const { tried, untried, killed, explained, unexplained, stale } = explain(
  JSON.parse(readFileSync(report, 'utf8')), JSON.parse(readFileSync(path.join(root, 'scripts/mutate/explained.json'), 'utf8')), files,
);
writeFileSync(path.join(reports, 'mutation-survivors.json'), `${JSON.stringify(unexplained, undefined, 2)}\n`);
for (const one of unexplained) console.log(`SURVIVED ${one.file}:${one.line} ${one.mutator}: ${one.text}  ->  ${one.replacement}`);
for (const one of stale) console.log(`STALE    ${one.file}: explained in scripts/mutate/explained.json, but nothing like it survives: ${one.text}  ->  ${one.replacement}`);
console.log(`${tried} changes tried, ${killed} noticed, ${explained} explained, ${unexplained.length} unexplained, ${stale.length} stale explanations; ${untried} changes of constants not tried, since each would take all tests`);
process.exitCode = unexplained.length + stale.length === 0 ? 0 : 1;
