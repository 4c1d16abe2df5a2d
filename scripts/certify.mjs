// `npm run certify`: the suite's own command, with this repository's reference as the subject unless one is named.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const named = given.some((word) => /^--(?:subject|driver)(?:=|$)/.test(word));
const args = [path.join(root, 'conformance/bin/mcp-bridge-conformance.js'), 'certify', ...(named ? [] : ['--subject', 'reference']), ...given];
const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
process.exitCode = result.status ?? 2;
