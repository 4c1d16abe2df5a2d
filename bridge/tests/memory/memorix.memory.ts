/** Memorix, from its example entry: `npm run test:memory`, which installs it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { App } from '../dsh/app.ts';
import { modules, turnedOn } from './folder.ts';

test('Memorix stores what it is told and finds it again', async () => {
  const bin = process.env['MEMORIX_BIN'];
  if (bin === undefined) throw new Error('run npm run test:memory, which installs Memorix and says where');
  const PATH = `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`;
  let project = '';
  const app = new App({
    runtime: { node: process.execPath, packages: modules },
    entries: turnedOn('memorix.cordis.yml').replace('process.env.MEMORIX_PROJECT ?? process.cwd()', "process.cwd() + '/project'"),
    prepare: (folder) => {
      project = path.join(folder, 'project');
      mkdirSync(project);
      // Memorix takes a Git repository for a project.
      execFileSync('git', ['init', '--quiet', project]);
    },
    env: { PATH },
  });
  try {
    const tools = await app.settled();
    expect(tools).toContain('mcp__memorix__memorix_store');
    expect(tools.every((name) => name.startsWith('mcp__memorix__'))).toBe(true);
    const memory = { entityName: 'bridge', type: 'decision', title: 'Names stay', narrative: 'A public name is never changed by another server.' };
    expect(await app.call('mcp__memorix__memorix_store', memory)).toMatchObject({ isError: false });
    const found = await app.call('mcp__memorix__memorix_search', { query: 'public name' });
    expect(found).toMatchObject({ isError: false });
    expect(JSON.stringify(found['content'])).toContain('Names stay');
    // HOME is the app's folder: nothing is written into the real one.
    expect(existsSync(path.join(app.folder, '.memorix'))).toBe(true);
    expect(await app.dispose()).toBe(0);
    expect(app.processes()).toEqual([]);
  } finally {
    await app.remove();
  }
});
