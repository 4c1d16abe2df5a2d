/** The Node 24 beside the workspace stays beside it: everything else runs in the caller's Node. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = path.join(root, 'scripts/node24');

test('this run is in the Node of its caller, not in one that was installed', () => {
  expect(path.relative(root, process.execPath)).toMatch(/^\.\./);
  // npm says in which Node it was started.
  const caller = process.env['npm_node_execpath'];
  if (caller !== undefined) {
    const { stdout } = spawnSync(caller, ['-p', 'process.version'], { encoding: 'utf8' });
    expect(process.version).toBe(stdout.trim());
  }
});

test.each(['.', 'bridge', 'conformance', 'fixture-servers'])('a script of npm in %s finds the Node of its caller', (room) => {
  // As npm builds it: the rooms' own programs first.
  const PATH = [path.join(root, room, 'node_modules/.bin'), path.join(root, 'node_modules/.bin'), path.dirname(process.execPath)].join(path.delimiter);
  const { stdout } = spawnSync('node', ['-p', 'process.version'], { encoding: 'utf8', env: { ...process.env, PATH } });
  expect(stdout.trim()).toBe(process.version);
});

test('its lock names no registry and pins the DeepSeek packages to one release', () => {
  const text = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  expect(text).not.toContain('"resolved"');
  const versions = [...text.matchAll(/"node_modules\/@deepseek-ai\/dsh-[^"]+": \{\s+"version": "([^"]+)"/g)].map(([, version]) => version);
  expect(versions.length).toBeGreaterThan(0);
  expect(new Set(versions)).toEqual(new Set(['0.1.0-rc.8']));
  // Its folder is none of the workspaces.
  expect(existsSync(path.join(root, 'node_modules/mcp-bridge-kit-node24'))).toBe(false);
});

test('its setup says in one line of JSON where Node 24 is, or why it is not there', () => {
  const { stdout, status } = spawnSync(process.execPath, [path.join(folder, 'setup.mjs')], { encoding: 'utf8' });
  expect(status).toBe(0);
  const found: unknown = JSON.parse(stdout);
  if (typeof found === 'object' && found !== null && 'node' in found) {
    const { stdout: version } = spawnSync(String(found.node), ['-p', 'process.versions.node'], { encoding: 'utf8' });
    expect(version).toMatch(/^24\./);
  } else {
    expect(found).toEqual({ unavailable: expect.any(String) as unknown });
    expect(process.env['CI'], 'in CI Node 24 is required').toBeFalsy();
  }
});
