// `npm run test:memory`: installs Memorix, which is too large for the lock, into a cache of its own, and calls it through
// the bridge. Needs a compiler and Python, since Memorix builds a native module.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const MEMORIX = 'memorix@1.0.7';
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, 'node_modules/.cache/memorix');
const stamp = path.join(cache, 'node_modules/.setup-stamp');
const wanted = `${MEMORIX} for ABI ${process.versions.modules}`;

/** HOME of the installation: what an install script writes there is thrown away. */
const home = mkdtempSync(path.join(tmpdir(), 'memorix-home-'));

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function npm(args, env) {
  const own = process.env['npm_execpath'];
  const [command, first] = own ? [process.execPath, [own]] : ['npm', []];
  return spawnSync(command, [...first, ...args], { cwd: cache, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** What the build of the native module needs; headers beside the running Node spare it a download. */
function installEnv() {
  const prefix = path.dirname(path.dirname(process.execPath));
  const headers = existsSync(path.join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {};
  const packages = npm(['config', 'get', 'cache'], process.env).stdout.trim();
  return { ...process.env, ...headers, HOME: home, npm_config_cache: packages };
}

try {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.error(`test:memory: installing ${MEMORIX} (it builds a native module, which takes minutes)`);
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    writeFileSync(path.join(cache, 'package.json'), '{ "private": true }\n');
    const installed = npm(['install', MEMORIX, '--no-audit', '--no-fund', '--loglevel=error'], installEnv());
    // Its native module is an optional dependency: the installation succeeds without it, and Memorix then does not start.
    const native = path.join(cache, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node');
    if (installed.status !== 0 || !existsSync(native)) {
      console.error(`test:memory: ${MEMORIX} cannot be installed here (a compiler, Python and the network are needed); see above`);
      process.exit(2);
    }
    writeFileSync(stamp, wanted);
  }
  process.env['MEMORIX_BIN'] = path.join(cache, 'node_modules/.bin');
  const vitest = await startVitest('test', [], {
    root, config: false, include: ['bridge/tests/memory/memorix.memory.ts'], watch: false, pool: 'forks', testTimeout: 120_000,
  });
  await vitest.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
