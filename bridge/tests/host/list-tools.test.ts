/** The plugin that lists the tools, in this process; as a process of its own it is tested in `example.test.ts`. */
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import type { HostContext } from '../../src/host-services.ts';
import type { EmbeddedHost } from '../../src/host/embedded-host.ts';
import * as host from '../../src/host/index.ts';
import * as listTools from '../../src/host/list-tools.ts';
import { embeddedHosts } from './cordis-versions.ts';
import { loaders, type Entry, type LoadedApp } from './loaders.ts';
import { textValue, tool } from './sample-tools.ts';

/** What became of the plugins of the entries. */
const disposed: string[] = [];

/** Registers one tool, named by its config, a little late. */
const oneTool = {
  name: 'one-tool',
  inject: ['tools'],
  reusable: true,
  async apply(ctx: HostContext, config: { tool: string }): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    ctx.effect(() => ctx.tools.register(tool(config.tool, async () => textValue(config.tool))));
    ctx.effect(() => () => void disposed.push(config.tool));
  },
};

/** A plugin whose activation fails, late. */
const failing = {
  name: 'failing',
  async apply(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('no server');
  },
};

const modules = { host, 'list-tools': listTools, 'one-tool': oneTool, failing };

type ListeningContext = Parameters<typeof listTools.apply>[0];

const written: { readonly out: string[]; readonly err: string[] } = { out: [], err: [] };
let spies: MockInstance[];

beforeEach(() => {
  disposed.length = 0;
  for (const lines of [written.out, written.err]) lines.length = 0;
  spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.out.push(String(text)) > 0),
    // Cordis 3 logs there.
    vi.spyOn(console, 'log').mockReturnValue(),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.err.push(String(text)) > 0),
  ];
});

afterEach(() => {
  for (const spy of spies) spy.mockRestore();
  process.exitCode = undefined;
});

/** What list-tools printed, apart from what Cordis logs. */
function lists(): string[] {
  return written.out.filter((text) => /^(?:no tools|\d+ tools?:)\n/.test(text));
}

describe.each(loaders)('started by the loader of %s and told to end', (_name, boot) => {
  let app: LoadedApp;
  afterEach(() => app.end());

  const start = async (...entries: Entry[]): Promise<void> => {
    app = await boot(modules, [{ name: 'host', config: { printLogs: false } }, ...entries]);
  };

  test('prints the tools of every entry once all of them have settled, well or badly, and unloads them', async () => {
    await start(
      { name: 'list-tools', config: { exit: true } },
      { name: 'one-tool', config: { tool: 'a' } },
      { name: 'failing' },
      { name: 'nowhere' },
      { name: 'one-tool', config: { tool: 'off' }, disabled: true },
      { name: 'one-tool', config: { tool: 'b' } },
    );
    await vi.waitFor(() => expect(disposed.toSorted()).toEqual(['a', 'b']));
    expect(lists()).toEqual(['2 tools:\n  a\n  b\n']);
    expect(process.exitCode).toBeUndefined();
    await vi.waitFor(() => expect(app.ctx.get('tools')).toBeUndefined());
    expect(app.writes).toEqual([]);
  });

  test('says that there is no tool, also to the shell', async () => {
    await start({ name: 'list-tools', config: { exit: true } });
    await vi.waitFor(() => expect(lists()).toEqual(['no tools\n']));
    await vi.waitFor(() => expect(app.ctx.get('tools')).toBeUndefined());
    expect(process.exitCode).toBe(1);
  });

  test('says that it cannot read the tools, also to the shell, and unloads everything', async () => {
    const broken = {
      name: 'broken',
      inject: ['tools'],
      async apply(ctx: HostContext): Promise<void> {
        Object.assign(ctx.tools, {
          schemas: () => {
            throw new Error('out of order');
          },
        });
      },
    };
    app = await boot({ ...modules, broken }, [{ name: 'host', config: { printLogs: false } }, { name: 'broken' }, { name: 'list-tools', config: { exit: true } }]);
    await vi.waitFor(() => expect(written.err).toContain('mcp-bridge-list-tools: cannot list the tools: out of order\n'));
    await vi.waitFor(() => expect(app.ctx.get('tools')).toBeUndefined());
    expect(process.exitCode).toBe(1);
  });
});

describe.each(embeddedHosts)('in a host without a loader, on %s,', (_name, start) => {
  let embedded: EmbeddedHost;
  beforeEach(async () => {
    embedded = await start({ onLog: () => undefined });
  });
  afterEach(() => embedded.dispose());

  const add = (name: string): (() => void) => embedded.tools.register(tool(name, async () => textValue(name)));

  test('prints the tools that there are, and again at the end of each job that changed them', async () => {
    add('a');
    await embedded.load(listTools);
    expect(lists()).toEqual(['1 tool:\n  a\n']);
    const removeB = add('b');
    add('c');
    await Promise.resolve();
    expect(lists().slice(1)).toEqual(['3 tools:\n  a\n  b\n  c\n']);
    removeB();
    await Promise.resolve();
    expect(lists().slice(2)).toEqual(['2 tools:\n  a\n  c\n']);
  });

  test('prints nothing before there is a tool', async () => {
    await embedded.load(listTools, { exit: false });
    expect(lists()).toEqual([]);
    add('a');
    await Promise.resolve();
    expect(lists()).toEqual(['1 tool:\n  a\n']);
  });

  test('prints at once when it is told to end, since there is nothing to wait for', async () => {
    add('a');
    await embedded.load(listTools, { exit: true });
    await vi.waitFor(() => expect(lists()).toEqual(['1 tool:\n  a\n']));
    expect(process.exitCode).toBeUndefined();
  });

  test.each([['no object', 'text'], ['nothing', undefined], ['null', null], ['no schemas', {}], ['schemas that cannot be asked for', { schemas: [] }]])('refuses a registry that is or has %s', async (_what, tools) => {
    const ctx: ListeningContext = Object.create(embedded.ctx, { get: { value: () => tools } });
    await expect(listTools.apply(ctx, {})).rejects.toThrow("this host's ctx.tools has no schemas()");
  });
});
