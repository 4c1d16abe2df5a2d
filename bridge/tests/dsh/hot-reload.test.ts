/** Hot reload of `cordis.yml` and of a plugin's files, by the Harness' own reloader (S61). */
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isJsonObject } from '../../src/json-shape.ts';
import { App, appConfig, names, type AppLine } from './app.ts';
import { describeOnNode24, type Node24 } from './node24.ts';
import { isState, states, textIn } from './states.ts';

const require = createRequire(import.meta.url);
const filesystem = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
/** Where this package's own dependencies are. */
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

const hmr = `
- id: timer
  name: '@deepseek-ai/cordis-plugin-timer'
- id: hmr
  name: '@deepseek-ai/cordis-plugin-hmr'
  config: { root: ['.'], debounce: 50 }
`;

/** One server in a folder of its own name, so that its process can be told from others. */
const entry = (id: string, serverName: string, more = '', plugin = 'cordis-plugin-mcp-bridge'): string => `
- id: ${id}
  name: '${plugin}'
  config:
    serverName: ${serverName}
    transport: stdio
    command: !!js process.execPath
    args: ['${filesystem}', './folder-of-${id}']
    ${more}
`;

const config = (...entries: string[]): string => appConfig(`${hmr}${entries.join('')}`);

describeOnNode24('hot reload', (node24) => {
  let app: App;

  beforeEach(async () => {
    app = await boot(node24);
  });
  afterEach(() => app.remove());

  test('of an edited entry ends the old instance and then begins the new one, and leaves the others alone', async () => {
    const [before, other] = [app.processes('folder-of-edited'), app.processes('folder-of-other')];
    expect([before.length, other.length]).toEqual([1, 1]);
    const from = app.lines.length;
    app.write('cordis.yml', config(entry('edited', 'edited', 'toolCallTimeoutMs: 1234'), entry('other', 'other')));
    await app.line(isState('edited', 'ready'), from);
    expect(states(app.lines.slice(from))).toEqual(['edited disposed', 'edited connecting', 'edited ready']);
    expect(listed(await app.ask('tools'))).toEqual(expected('other', 'edited'));
    const after = app.processes('folder-of-edited');
    expect(after.length).toBe(1);
    expect(after).not.toEqual(before);
    expect(app.processes('folder-of-other')).toEqual(other);
    expect(await app.call('mcp__edited__list_allowed_directories', {})).toMatchObject({ isError: false });
  });

  test('of an entry that gets another name gives its tools another name', async () => {
    const from = app.lines.length;
    app.write('cordis.yml', config(entry('edited', 'renamed'), entry('other', 'other')));
    await app.line(isState('renamed', 'ready'), from);
    expect(states(app.lines.slice(from))).toEqual(['edited disposed', 'renamed connecting', 'renamed ready']);
    expect(listed(await app.ask('tools'))).toEqual(expected('other', 'renamed'));
    expect(app.processes('folder-of-edited').length).toBe(1);
  });

  test('of an entry that is switched off takes its tools and its process, and gives them back', async () => {
    let from = app.lines.length;
    app.write('cordis.yml', config(entry('edited', 'edited').replace('  config:', '  disabled: true\n  config:'), entry('other', 'other')));
    await app.line((line) => line['event'] === 'tools' && names(line).every((name) => name.startsWith('mcp__other__')), from);
    await vi.waitFor(() => expect(app.processes('folder-of-edited')).toEqual([]), { timeout: 10_000 });
    from = app.lines.length;
    // Again and again: the watcher is deaf for 50 ms after a change, and passes over a file that has not become another.
    await vi.waitFor(
      () => {
        app.write('cordis.yml', config(entry('edited', 'edited'), entry('other', 'other')));
        expect(states(app.lines.slice(from))).toContain('edited connecting');
      },
      { interval: 100, timeout: 20_000 },
    );
    await app.line(isState('edited', 'ready'), from);
    expect(listed(await app.ask('tools'))).toEqual(expected('other', 'edited'));
    expect(app.processes('folder-of-edited').length).toBe(1);
  });

  afterEach(async () => {
    expect(doubled(app.lines)).toEqual([]);
    expect(await app.dispose()).toBe(0);
    expect(app.processes()).toEqual([]);
  });
});

describeOnNode24('hot reload of an edited file', (node24) => {
  test('of the plugin ends every instance of it, begins them anew from the new file, and frees no name too early', async () => {
    const own = [entry('first', 'first', '', './bridge/index.js'), entry('second', 'second', '', './bridge/index.js')];
    const app = await boot(node24, own, (folder) => {
      cpSync(dist, path.join(folder, 'bridge'), { recursive: true });
      for (const each of ['@modelcontextprotocol', 'ajv', 'eventsource-parser', 'schemastery', 'undici']) symlinkSync(path.join(modules, each), path.join(folder, 'node_modules', each));
    });
    try {
      const before = app.processes('folder-of-');
      expect(before.length).toBe(2);
      const file = path.join(app.folder, 'bridge/naming.js');
      const from = app.lines.length;
      // A new name proves that the new file runs.
      app.write('bridge/naming.js', readFileSync(file, 'utf8').replaceAll('mcp__', 'new__'));
      await app.line(isState('first', 'ready'), from);
      await app.line(isState('second', 'ready'), from);
      const seen = states(app.lines.slice(from));
      for (const name of ['first', 'second']) {
        expect(seen.filter((each) => each.startsWith(name))).toEqual([`${name} disposed`, `${name} connecting`, `${name} ready`]);
      }
      expect(listed(await app.ask('tools')).toSorted(byText)).toEqual(expected('first', 'second').map((name) => name.replace('mcp__', 'new__')).toSorted(byText));
      const after = app.processes('folder-of-');
      expect(after.length).toBe(2);
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
      expect(doubled(app.lines)).toEqual([]);
      expect(await app.dispose()).toBe(0);
      expect(app.processes()).toEqual([]);
    } finally {
      await app.remove();
    }
  });
});

async function boot(node24: Node24, entries = [entry('edited', 'edited'), entry('other', 'other')], prepare: (folder: string) => void = () => undefined): Promise<App> {
  const files = Object.fromEntries(['edited', 'other', 'first', 'second'].map((id) => [`folder-of-${id}/.keep`, '']));
  const app = new App({ runtime: node24, entries: `${hmr}${entries.join('')}`, files, prepare, nodeArguments: ['--expose-internals'] });
  // Every entry has settled, so the reloader watches.
  await app.settled();
  return app;
}

/** Names of tools that were listed twice at some time. */
function doubled(lines: readonly AppLine[]): readonly string[] {
  return lines.flatMap((line) => {
    const all = names(line);
    return all.filter((name, index) => all.indexOf(name) !== index);
  });
}

function listed(tools: unknown): readonly string[] {
  return Array.isArray(tools) ? tools.map((tool: unknown) => (isJsonObject(tool) ? textIn(tool, 'name') : '?')) : [];
}

const rawNames = [
  'read_file', 'read_text_file', 'read_media_file', 'read_multiple_files', 'write_file', 'edit_file', 'create_directory', 'list_directory',
  'list_directory_with_sizes', 'directory_tree', 'move_file', 'search_files', 'get_file_info', 'list_allowed_directories',
];

/** Names of the tools of servers, in the order in which they were registered. */
function expected(...serverNames: string[]): readonly string[] {
  return serverNames.flatMap((serverName) => rawNames.map((rawName) => `mcp__${serverName}__${rawName}`));
}

function byText(left: string, right: string): number {
  return left.localeCompare(right);
}
