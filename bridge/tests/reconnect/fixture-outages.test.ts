/** Outages of real processes, scripted and watched over the fixture's control channel (S52-S60, B04, B07). */
import { received, startController, type Controller, type FixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunning } from '../helpers/scripted-session.ts';
import { RealApp, runningInGroup } from './real-app.ts';

let controller: Controller;
let app: RealApp;

beforeEach(async () => {
  controller = await startController();
  app = new RealApp();
});

afterEach(async () => {
  await app.instance?.dispose();
  expect(app.overlaps).toEqual([]);
  expect(app.started.flatMap(({ pid }) => runningInGroup(pid))).toEqual([]);
  await controller.close();
});

const QUICK = { initialDelayMs: 20, maxDelayMs: 40, maxAttempts: 3 };
/** No connection of a test outlives a minute, so none of them starts the budget afresh. */
const NEVER_STABLE = { initialDelayMs: 20, maxDelayMs: 60_000, maxAttempts: 3 };

const tools = [{ name: 'stay' }, { name: 'change', description: 'before' }];

function serve(scenario: ScenarioInput): FixtureServer {
  return controller.serve('real', scenario);
}

async function load({ command, args }: FixtureServer, config: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await app.load({ command, args, reconnect: QUICK, ...config });
}

/** Ends the newest process; it may be gone before it can acknowledge. */
async function crash(server: FixtureServer): Promise<void> {
  await server.do([{ exit: 3 }]).catch(() => undefined);
}

describe('a server that crashes', () => {
  it('comes back with the list it has now, and calls reach the new process (S52, S56)', async () => {
    const server = serve({
      scenario: 1, tools,
      rules: [{ when: { method: 'tools/list', incarnation: { from: 2 } }, do: [{ setTools: { tools: [{ name: 'stay' }, { name: 'new' }] } }, { default: {} }] }],
    });
    await load(server);
    const stay = app.host.tool('mcp__real__stay');
    await crash(server);
    await app.ready(2);
    expect(app.tools).toEqual(['stay', 'new']);
    expect(app.host.tool('mcp__real__stay')).toBe(stay);
    expect(await app.host.call('mcp__real__new')).toMatchObject({ content: [{ type: 'text' }] });
    expect(app.lines('warn', 'error')).toEqual(['connection lost: the process exited with code 3; reconnecting: attempt 1 of 3 in 20 ms']);
    expect(app.lines('info').at(-1)).toBe('recovered at attempt 1 of 3: ready over stdio, 2 tools');
  });

  it('during a call fails that call and is never sent it again (B04, B05)', async () => {
    const server = serve({ scenario: 1, tools, rules: [{ when: { method: 'tools/call', tool: 'stay' }, do: [{ exit: 7 }] }] });
    await load(server);
    await expect(app.host.call('mcp__real__stay')).rejects.toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    await app.ready(2);
    await app.host.call('mcp__real__change');
    await server.waitFor(received('tools/call', 2), { since: 0 });
    expect(server.records.filter(received('tools/call', 3))).toEqual([]);
  });

  it('before it answers, each time, is started exactly maxAttempts times more, and then no more (S53)', async () => {
    const server = serve({ scenario: 1, tools, rules: [{ when: { method: 'initialize', incarnation: { from: 2 } }, do: [{ stderr: { text: 'no database\n' } }, { exit: 4 }] }] });
    await load(server);
    await crash(server);
    await app.host.until(() => app.state?.state === 'failed');
    expect(app.started).toHaveLength(4);
    expect(app.tools).toEqual([]);
    expect(app.lines('error')).toEqual([expect.stringMatching(/^attempt 3 of 3 failed: .*exited with code 4.*no database.*; given up after 3 attempts; it has no tools/)]);
    for (const [index, atLeastMs] of [20, 40, 40].entries()) expect(app.delaysMs[index]).toBeGreaterThanOrEqual(atLeastMs);
  });

  it('right after each listing uses up the budget as well, with growing delays (S54)', async () => {
    const server = serve({ scenario: 1, tools, rules: [{ when: { method: 'tools/list' }, do: [{ default: {} }, { exit: 5 }] }] });
    await load(server, { reconnect: NEVER_STABLE });
    await app.host.until(() => app.state?.state === 'failed');
    expect(app.started).toHaveLength(4);
    expect(app.tools).toEqual([]);
    for (const [index, atLeastMs] of [20, 40, 80].entries()) expect(app.delaysMs[index]).toBeGreaterThanOrEqual(atLeastMs);
  });

  it('at its first start activates without tools, and comes when it can (S06)', async () => {
    const server = serve({ scenario: 1, tools, rules: [{ when: { method: 'initialize', incarnation: { to: 2 } }, do: [{ exit: 1 }] }] });
    await load(server);
    expect(app.tools).toEqual([]);
    await app.ready(3);
    expect(app.tools).toEqual(['stay', 'change']);
    expect(app.lines('error')).toEqual([expect.stringMatching(/^not available: .*; it has no tools until it is connected$/)]);
  });

  it('at its first start leaves nothing when that must not happen (S06)', async () => {
    const server = serve({ scenario: 1, tools, rules: [{ when: { method: 'tools/list' }, do: [{ exit: 1 }] }] });
    await expect(load(server, { failOnStartupError: true })).rejects.toThrow(/exited with code 1/);
    expect(app.started).toHaveLength(1);
    expect(isRunning(app.pid)).toBe(false);
    expect(app.state).toBeUndefined();
  });

  it('is gone as soon as its process is, whoever holds its pipes, and the helper goes with it (S58, B07)', async () => {
    const server = serve({ scenario: 1, tools });
    await load(server);
    await server.do([{ spawn: { holdStdio: true, ignoreTerm: true, ownGroup: false, lifetimeMs: 120_000 } }]);
    const record = await server.waitFor(({ kind }) => kind === 'process', { since: server.records.length - 1 });
    const helper = record.kind === 'process' && record.event === 'grandchild' ? (record.childPid ?? 0) : 0;
    expect(isRunning(helper)).toBe(true);
    await crash(server);
    await app.ready(2);
    expect(isRunning(helper)).toBe(false);
  });
});

describe('a server that refuses to die', () => {
  it('is killed, and the next one starts only when it is gone (S58)', async () => {
    const server = serve({
      scenario: 1, tools,
      rules: [{ when: { method: 'tools/list', incarnation: { from: 2, to: 3 } }, do: [{ ignoreTerm: true }, { hang: true }] }],
    });
    await load(server, { discoveryTimeoutMs: 200, closeGraceMs: 50, terminateGraceMs: 50 });
    await crash(server);
    await app.ready(4);
    expect(app.started).toHaveLength(4);
    expect(app.overlaps).toEqual([]);
    expect(app.lines('warn').filter((line) => line.includes('was not answered within 200 ms'))).toHaveLength(2);
  });

  it('and cannot be killed stops reconnection, loudly, and takes its tools along (S58)', async () => {
    const server = serve({ scenario: 1, tools });
    const control = { spawnOptions: { detached: true }, treeOf: () => ({ signal: () => true, isAlive: () => true }) };
    const { command, args } = server;
    await app.load({ command, args, reconnect: QUICK }, (options) => ({ ...options, limits: { ...options.limits, killWaitMs: 50 }, effects: { ...options.effects, control } }));
    await crash(server);
    await app.host.until(() => app.state?.state === 'failed');
    expect(app.tools).toEqual([]);
    expect(app.lines('error')).toEqual([
      expect.stringMatching(/^connection lost: the process exited with code 3; process group \d+ was still there 50 ms after SIGKILL .*; reconnection stops.*; it has no tools/),
    ]);
    expect(app.started).toHaveLength(1);
  });
});

describe('a disposal', () => {
  it('while a retry waits leaves nothing and starts nothing (S60)', async () => {
    const server = serve({ scenario: 1, tools });
    await load(server, { reconnect: { initialDelayMs: 60_000, maxDelayMs: 60_000 } });
    await crash(server);
    await app.host.until(() => app.state?.state === 'reconnecting' && app.lines('warn').length > 0);
    expect(app.state).toMatchObject({ attempt: 1, nextDelayMs: 60_000, toolCount: 2 });
    await expect(app.host.call('mcp__real__stay')).rejects.toMatchObject({ code: 'not-connected', executed: 'no' });
    await app.instance?.dispose();
    expect(app.tools).toEqual([]);
    expect(app.state).toBeUndefined();
    expect(app.started).toHaveLength(1);
  });

  it('while an attempt hangs ends its process first, and then frees the name (S60)', async () => {
    const server = serve({ scenario: 1, tools, rules: [{ id: 'deaf', when: { method: 'initialize', incarnation: 2 }, do: [{ ignoreTerm: true }, { hang: true }] }] });
    await load(server, { closeGraceMs: 50, terminateGraceMs: 50 });
    await crash(server);
    await server.waitFor((record) => record.kind === 'fault' && record.rule === 'deaf', { since: 0 });
    const disposal = app.instance?.dispose();
    expect(app.tools).toEqual([]);
    await app.host.until(() => app.state?.state === 'disposed');
    expect(isRunning(app.pid)).toBe(true);
    await disposal;
    expect(isRunning(app.pid)).toBe(false);
    expect(app.state).toBeUndefined();
    expect(app.lines('error')).toEqual([]);
  });
});

it('leaves one server alone when another one is lost for good (B19)', async () => {
  const healthy = controller.serve('healthy', { scenario: 1, tools });
  const other = new RealApp();
  await other.load({ command: healthy.command, args: healthy.args });
  const server = serve({ scenario: 1, tools, rules: [{ when: { method: 'initialize', incarnation: { from: 2 } }, do: [{ exit: 4 }] }] });
  await load(server);
  await crash(server);
  await app.host.until(() => app.state?.state === 'failed');
  expect(await other.host.call('mcp__real__stay')).toMatchObject({ content: [{ type: 'text' }] });
  expect(other.started).toHaveLength(1);
  await other.instance?.dispose();
});
