/** What an instance is told in confidence appears in nothing that a person or a model reads (B18). */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../src/errors.ts';
import { bridgeState } from '../src/internal.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { listedTool, MemoryServer } from './helpers-logic/scripted-session.ts';

let host: MemoryHost;

beforeEach(() => {
  host = new MemoryHost();
});

/** Everything a person may read, as one text. */
function readable(error?: unknown): string {
  return [String(error), JSON.stringify(host.logs), JSON.stringify(host.states)].join('\n');
}

describe('secrets', () => {
  const key = 'canary-5f2e91';
  const config = memoryConfig({ env: { API_KEY: key }, failOnStartupError: true });

  const failed = (server: MemoryServer): Promise<unknown> => host.load(config, server).activated.then(() => undefined, (error: unknown) => error);

  it.each<readonly [string, (server: MemoryServer) => void, string]>([
    ['a failed connection', (server) => (server.connectError = new BridgeError('protocol-unsupported', `it answered with revision "${key}"`)), 'revision "[redacted]"'],
    ['a tool that is listed twice', (server) => server.tools.push(listedTool(`x${key}`), listedTool(`x${key}`)), '"x[redacted]" twice'],
    ['a long name that is cut in the middle of one', (server) => server.tools.push(...Array.from({ length: 2 }, () => listedTool(`${'x'.repeat(110)}${key}`))), 'x[redacted]…" twice'],
  ])('are kept out of the error, the log and the state of %s (B18)', async (_what, breakIt, words) => {
    const server = new MemoryServer();
    breakIt(server);
    const text = readable(await failed(server));
    expect(text).not.toContain(key.slice(0, 8));
    expect(text).toContain(words);
  });

  it('are kept out of the error that a tool reports, in which other settings stay (B18, S36)', async () => {
    const server = new MemoryServer(listedTool('a'));
    server.onCall = () => ({ isError: true, content: [{ type: 'text', text: `key ${key} does not open /srv/data` }] });
    await host.load(memoryConfig({ env: { API_KEY: key, ROOT: '/srv/data' } }), server).activated;
    await expect(host.call('mcp__mem__a')).rejects.toMatchObject({ code: 'tool-error', executed: 'yes', message: 'key [redacted] does not open /srv/data' });
  });

  it.each([
    ['a header', { headers: { 'X-Api-Key': key }, url: 'https://mcp.example/mcp' }],
    ['the address', { url: `https://mcp.example/mcp?key=${key}` }],
  ])('that are in %s are kept out of what is said (B18)', async (_where, target) => {
    const server = new MemoryServer();
    server.connectError = new BridgeError('http-error', `the key ${key} has expired`);
    await host.load({ transport: 'streamable-http', serverName: 'web', reconnect: { enabled: false }, ...target }, server).activated;
    expect(host.lines('error')).toEqual(['[mcp-bridge] web: not available: the key [redacted] has expired; it has no tools until this entry is reloaded']);
    expect(readable()).not.toContain(key);
  });

  it('are kept out of what is said of odd entries, conflicts and refreshes (B18)', async () => {
    const server = new MemoryServer(listedTool(`a${key}`, { description: 5 }));
    host.registerForeign(`mcp__mem__a${key}`);
    await host.load(memoryConfig({ env: { API_KEY: key } }), server).activated;
    server.tools.push(listedTool(`x${key}`), listedTool(`x${key}`));
    server.session.notify();
    await vi.waitFor(() => expect(host.lines('error').join()).toContain('could not be read again'));
    expect(host.lines('warn').join()).toContain('tool "a[redacted]" has a description that is no text');
    expect(bridgeState(host.root)[0]?.lastError).toContain('"x[redacted]" twice');
    expect(readable()).not.toContain(key);
  });
});
