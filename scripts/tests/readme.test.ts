import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariants } from 'mcp-bridge-conformance/catalogue';
import { describe, expect, it } from 'vitest';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** The two commands a newcomer needs run this very suite; the CI script runs them on a fresh clone. */
const RUN_ELSEWHERE = new Set(['npm run certify', 'npm test']);

/** Every command that a `sh` block shows, without its comment. */
const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter((line) => line !== '');

describe('the README', () => {
  it('shows the two commands first', () => {
    expect(commands.slice(0, 2)).toEqual(['npm run certify', 'npm test']);
  });

  it.each(commands.filter((command) => !RUN_ELSEWHERE.has(command)))('shows a command that works: %s', (command) => {
    const result = spawnSync(command, { cwd: root, shell: true, encoding: 'utf8', timeout: 50_000, env: { ...process.env, NO_COLOR: '1' } });
    expect(result.stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    expect({ status: result.status, stderr: result.status === 0 ? '' : result.stderr + result.stdout }).toEqual({ status: 0, stderr: '' });
  });

  it('shows what a certification of today ends with: each area with as many invariants as the catalogue has', () => {
    const block = /<!-- output: certify -->\n```text\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const shown = Object.fromEntries([...block.matchAll(/^ {2}([a-z]+) +(\d+) passed$/gm)].map(([, area = '', count]) => [area, Number(count)]));
    const counted: Record<string, number> = {};
    for (const { area } of invariants) counted[area] = (counted[area] ?? 0) + 1;
    expect(shown).toEqual(counted);
    expect(block).toContain(`${invariants.length} invariants: ${invariants.length} passed`);
    const table: { mutants: number } = JSON.parse(readFileSync(path.join(root, 'conformance/kill-table.json'), 'utf8'));
    expect(block).toContain(`Kill table: ${table.mutants} planted defects`);
    expect(block).toContain('CERTIFIED');
  });

  it('shows the figures that the fault matrix counted', () => {
    const figures: Record<string, number> = JSON.parse(readFileSync(path.join(root, 'snapshots/fault-matrix-figures.json'), 'utf8'));
    const block = /<!-- fault-figures: start -->\n([\s\S]*?)\n<!-- fault-figures: end -->/.exec(readme)?.[1] ?? '';
    const shown = [...block.matchAll(/^\| (.+) \| (\d+) \|$/gm)].map(([, what, count]) => [what, Number(count)]);
    expect(shown).toEqual(Object.entries(figures));
    expect(figures['calls settled']).toBe(figures['calls made']);
    expect([figures['calls executed twice'], figures['processes left']]).toEqual([0, 0]);
  });

  it('links only to what is there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target).filter((target) => !target.includes('://'));
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((target) => !existsSync(path.join(root, target)))).toEqual([]);
  });

  it('names every npm command that the manifest has and a reader needs', () => {
    const manifest: { scripts: Record<string, string> } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const shown = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
    expect(shown.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});
