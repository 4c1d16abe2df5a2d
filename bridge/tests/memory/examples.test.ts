/** The examples of memory servers, and the example entries of the source, through both published loaders (S64). */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { App } from '../dsh/app.ts';
import { startWebServer } from '../dsh/web-server.ts';
import { ConfigFolder, examples, loaderNames, modules, turnedOn } from './folder.ts';

const sourceEntries = fileURLToPath(new URL('source-entries.cordis.yml', import.meta.url));
const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

/** What each installs with, which its file says. */
const installs: Readonly<Record<string, string>> = {
  'engram.cordis.yml': 'brew install gentleman-programming/tap/engram',
  'mcp-reference-memory.cordis.yml': 'npm install --global @modelcontextprotocol/server-memory',
  'memorix.cordis.yml': 'npm install --global memorix',
};

let folder: ConfigFolder;

beforeEach(() => {
  folder = new ConfigFolder();
});
afterEach(() => folder.remove());

test('there is an example for each of the three servers, with the command that installs it', () => {
  expect(readdirSync(examples).toSorted((a, b) => a.localeCompare(b))).toEqual(Object.keys(installs));
  for (const [file, command] of Object.entries(installs)) expect(readFileSync(path.join(examples, file), 'utf8')).toContain(`Install:  ${command}\n`);
});

describe.each(loaderNames)('the loader of %s', (loader) => {
  test.each(Object.keys(installs))('reads %s, which starts nothing until it is turned on', async (file) => {
    const run = await folder.list(loader, readFileSync(path.join(examples, file), 'utf8'));
    expect(run).toMatchObject({ tools: [], left: [] });
    expect(run.output).toContain('no tools');
    expect(run.output).not.toMatch(/error|warn/i);
  });

  test('starts the reference memory server once its entry is turned on', async () => {
    const run = await folder.list(loader, turnedOn('mcp-reference-memory.cordis.yml'));
    expect(run.tools).toContain('mcp__memory__create_entities');
    expect(run.tools.length).toBe(9);
    expect(run.left).toEqual([]);
  });

  test('evaluates the expressions of the source\'s two entries', async () => {
    const web = await startWebServer();
    // What the first entry starts says how it was started.
    const record = path.join(folder.path, 'record.json');
    folder.write('bin/npx', npx(record), 0o755);
    const entries = readFileSync(sourceEntries, 'utf8').replace('http://localhost:3000/mcp', web.url);
    const PATH = `${path.join(folder.path, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
    try {
      const run = await folder.list(loader, entries, { PATH, GITHUB_TOKEN: 'token of the host', MCP_TOKEN: 'of-the-web' });
      expect(run.tools).toContain('mcp__github__echo');
      expect(run.tools).toContain('mcp__web__echo');
      const started: unknown = JSON.parse(readFileSync(record, 'utf8'));
      expect(started).toEqual({ args: ['-y', '@modelcontextprotocol/server-github'], token: 'token of the host', webToken: null });
      expect(new Set(web.authorizations)).toEqual(new Set(['Bearer of-the-web']));
      expect(run.left).toEqual([]);
    } finally {
      await web.close();
    }
  });
});

test('the Harness takes in a whole example, and a patch turns it on', async () => {
  folder.write('memory.yml', readFileSync(path.join(examples, 'mcp-reference-memory.cordis.yml'), 'utf8'));
  expect((await folder.list('@deepseek-ai/cordis', include(''))).tools).toEqual([]);
  expect((await folder.list('@deepseek-ai/cordis', include('{ id: mcp-reference-memory, disabled: false }'))).tools.length).toBe(9);
});

test('the reference memory server remembers what it is told, in the file of its entry', async () => {
  const file = path.join(folder.path, 'graph.jsonl');
  const app = new App({ runtime: { node: process.execPath, packages: modules }, entries: turnedOn('mcp-reference-memory.cordis.yml'), env: { MEMORY_FILE_PATH: file } });
  try {
    expect((await app.settled()).length).toBe(9);
    const entity = { name: 'bridge', entityType: 'package', observations: ['keeps names'] };
    expect(await app.call('mcp__memory__create_entities', { entities: [entity] })).toMatchObject({ isError: false });
    expect(await app.call('mcp__memory__search_nodes', { query: 'keeps' })).toMatchObject({
      isError: false,
      value: { structuredContent: { entities: [entity], relations: [] } },
    });
    expect(readFileSync(file, 'utf8')).toContain('keeps names');
    expect(await app.dispose()).toBe(0);
    expect(app.processes()).toEqual([]);
  } finally {
    await app.remove();
  }
});

/** An entry that takes in another file. */
function include(patches: string): string {
  return `- name: '@deepseek-ai/cordis-plugin-include'\n  config: { path: ./memory.yml, patches: [${patches}] }\n`;
}

/** A stand-in for npx that writes down how it was started, and is a server. */
function npx(record: string): string {
  return `#!${process.execPath}
const started = { args: process.argv.slice(2), token: process.env.GITHUB_TOKEN ?? null, webToken: process.env.MCP_TOKEN ?? null };
require('node:fs').writeFileSync(${JSON.stringify(record)}, JSON.stringify(started));
process.argv.length = 2;
import(${JSON.stringify(everything)});
`;
}
