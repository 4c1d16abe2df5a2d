/** A whole instance on the embedded host, beside a sound one: the registry stays true whatever its server sends. */
import { Context } from 'cordis';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession, type ConnectionEffects } from '../../src/client-session.ts';
import { startCordis3Host, type EmbeddedHost, type ToolExecutionResult } from '../../src/host/index.ts';
import { bridgeState, createBridgePlugin } from '../../src/internal.ts';
import { fuzzRuns } from './fuzz-runs.ts';
import { anyHttpScript, SOUND_HTTP } from './http-answers.ts';
import { startHttpPeer, type Peer } from './http-peer.ts';
import type { HttpScript } from './http-answers.ts';
import { clear, LIMITS, REQUEST_MS, settled } from './judge.ts';
import { expectQuietHost, watchHost } from './quiet-host.ts';
import { anyStdioScript, SOUND_STDIO, stdioEffects } from './stdio-peer.ts';

/** Each run loads, lists, calls and unloads an instance. */
const SHARE = 0.2;
const PATIENT_MS = 30_000;
const CALLED_TOOLS = 3;
/** One attempt after a loss, so that a second connection is fuzzed too. */
const RECONNECT = { enabled: true, initialDelayMs: 1, maxDelayMs: 2, maxAttempts: 1 };
const HURRIED = { ...LIMITS, toolCallTimeoutMs: REQUEST_MS, discoveryTimeoutMs: REQUEST_MS, syncTimeoutMs: 100, listChangeQuietMs: 1, listChangeMaxWaitMs: 5, reconnect: RECONNECT };

watchHost();

let host: EmbeddedHost;
let server: Peer<HttpScript>;
let calls = 0;

/** Loads one instance whose processes are in memory. */
function load(config: Readonly<Record<string, unknown>>, effects: () => ConnectionEffects = () => ({})): ReturnType<EmbeddedHost['load']> {
  const plugin = createBridgePlugin({ openSession: (options) => openSession({ ...options, effects: { ...options.effects, ...effects() } }) });
  return host.load(plugin, config);
}

beforeAll(async () => {
  server = await startHttpPeer();
  host = await startCordis3Host(Context, { onLog: ({ message }) => expect(message.length).toBeLessThan(20_000) });
  await load({ serverName: 'near', transport: 'stdio', command: 'none', toolCallTimeoutMs: PATIENT_MS }, () => stdioEffects(SOUND_STDIO));
});

afterAll(async () => {
  await host.dispose();
  await server.stop();
});

function call(name: string): Promise<ToolExecutionResult> {
  calls += 1;
  return settled(`a call of ${name}`, host.tools.execute({ callId: `call-${calls}`, name, arguments: { value: 1 }, signal: new AbortController().signal }));
}

function expectFitForModel({ content }: ToolExecutionResult): void {
  expect(content.length).toBeGreaterThan(0);
  for (const block of content) {
    if (block.type !== 'text') continue;
    expect(block.text.length).toBeLessThanOrEqual(100_200);
    expect(Buffer.from(block.text).toString() === block.text).toBe(true);
  }
}

const namesOf = (serverName: string): string[] => host.tools.list().map(({ name }) => name).filter((name) => name.startsWith(`mcp__${serverName}__`));

/** Uses the instance `fuzz` as a host does, unloads it, and looks at what is left. */
async function survives(loading: ReturnType<EmbeddedHost['load']>): Promise<void> {
  const handle = await clear('loading', loading);
  const names = namesOf('fuzz');
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  for (const name of names.slice(0, CALLED_TOOLS)) {
    const result = await call(name);
    if (result.isError) expect(result.error.message).not.toBe('');
    expectFitForModel(result);
  }
  const state = bridgeState(host.ctx.root).find(({ serverName }) => serverName === 'fuzz');
  if (handle === undefined) expect(state).toBeUndefined();
  else expect(state?.toolCount).toBe(namesOf('fuzz').length);
  if (handle !== undefined) await settled('unloading', host.unload(handle));
  expect(host.tools.list().map(({ name }) => name)).toEqual(['mcp__near__echo']);
  expect(bridgeState(host.ctx.root).map(({ serverName }) => serverName)).toEqual(['near']);
  expect((await call('mcp__near__echo')).isError).toBe(false);
  await expectQuietHost();
}

describe('an instance on a host, whatever its server sends', () => {
  it('keeps the registry true over stdio, and leaves nothing behind (B01, B05, B13, B19, B27)', async () => {
    await fc.assert(fc.asyncProperty(anyStdioScript, fc.boolean(), async (script, failOnStartupError) => {
      const config = { ...HURRIED, serverName: 'fuzz', transport: 'stdio', command: 'none', failOnStartupError };
      await survives(load(config, () => stdioEffects(script)));
    }), fuzzRuns(40, SHARE));
  });

  it('keeps the registry true over HTTP, and leaves nothing behind (B01, B05, B10, B13, B19, B27)', async () => {
    await fc.assert(fc.asyncProperty(anyHttpScript, fc.boolean(), async (script, failOnStartupError) => {
      server.script = script;
      await survives(load({ ...HURRIED, serverName: 'fuzz', transport: 'streamable-http', url: server.url, failOnStartupError }));
      server.script = SOUND_HTTP;
    }), fuzzRuns(40, SHARE));
  });
});
