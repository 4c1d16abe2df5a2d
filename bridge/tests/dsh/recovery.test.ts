/** A server of a Harness that dies, in real processes (S33, S55, S56). */
import { createRequire } from 'node:module';
import { expect, test, vi } from 'vitest';
import { modules } from '../memory/folder.ts';
import { App, names } from './app.ts';
import { isState, states } from './states.ts';

const filesystem = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

const entries = `
- id: files
  name: 'cordis-plugin-mcp-bridge'
  config:
    serverName: files
    transport: stdio
    command: !!js process.execPath
    args: ['${filesystem}', '.']
    reconnect: { initialDelayMs: 50 }
`;

test.runIf(process.platform === 'linux')('a server that is killed comes back, and its tools stay as they are', async () => {
  const app = new App({ runtime: { node: process.execPath, packages: modules }, entries });
  try {
    const before = await app.settled();
    expect(before.length).toBe(14);
    const [pid] = app.processes('server-filesystem');
    if (pid === undefined) throw new Error('the server does not run');
    const from = app.lines.length;
    process.kill(pid, 'SIGKILL');
    await app.line(isState('files', 'ready'), from);
    expect(states(app.lines.slice(from))).toEqual(['files reconnecting', 'files ready']);
    // Nothing was registered or removed.
    expect(app.lines.slice(from).filter(({ event }) => event === 'tools')).toEqual([]);
    expect(await app.call('mcp__files__list_allowed_directories', {})).toMatchObject({ isError: false });
    expect(app.processes('server-filesystem').length).toBe(1);
    expect(app.processes('server-filesystem')).not.toContain(pid);
    expect(names(await app.line(({ event }) => event === 'settled'))).toEqual(before);
    expect(await app.dispose()).toBe(0);
    await vi.waitFor(() => expect(app.processes()).toEqual([]));
  } finally {
    await app.remove();
  }
});
