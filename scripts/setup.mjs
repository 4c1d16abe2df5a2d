// Installs and builds, each only when something changed. Plain JavaScript, no dependency: it runs before there are any.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stamp = path.join(root, 'node_modules', '.setup-stamp');

/** @param {string} message */
function fail(message) {
  console.error(`setup: ${message}`);
  process.exit(2);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old; install Node 20.19 or newer`);
}

/** What an installation depends on: the lock, every manifest, and the ABI of the running Node. */
function fingerprint() {
  const hash = createHash('sha256').update(process.versions.modules).update(process.platform).update(process.arch);
  for (const file of ['package-lock.json', 'package.json', ...['fixture-servers', 'bridge', 'conformance'].map((room) => `${room}/package.json`)]) {
    hash.update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 */
function run(what, command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (result.error) fail(`${what} could not start: ${result.error.message}`);
  if (result.status !== 0) fail(`${what} failed (see above); mend it and run the same command again`);
}

const wanted = fingerprint();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('setup: installing dependencies (npm ci)');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  if (npm) run('npm ci', process.execPath, [npm, ...args]);
  else run('npm ci', 'npm', args);
  writeFileSync(stamp, wanted);
}
run('the build (tsc -b)', process.execPath, [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b']);
run('the build (bundles)', process.execPath, [path.join(root, 'scripts', 'bundle.mjs')]);
