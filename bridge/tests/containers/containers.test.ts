/**
 * A server in a container is killed, frozen, cut off and replaced while it is listed, called and idle (B04, B05, B09, B10,
 * B19). In every cell each call settles, nothing reaches a tool twice, the registry becomes true again, and the server
 * beside it answers as before.
 */
import { held, methodOf, startController, type Controller, type FixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ContainerApp, type CallEnd } from './app.ts';
import { ContainedServer, createNetwork, type CuttableNetwork } from './contained-server.ts';
import { fixtureImage } from './image.ts';

// The library's own reaper is an image from a registry; what is started here is ended here.
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';

const found = fixtureImage();
const isThere = found.image !== undefined;

test('a container engine is there, or this is no CI', () => {
  if (!isThere) console.warn(`NOT RUN: the tests in containers: ${found.unavailable}`);
  expect(isThere || process.env['CI'] === undefined).toBe(true);
});

const rules: NonNullable<ScenarioInput['rules']> = [
  { id: 'slow-call', when: { method: 'tools/call', tool: 'slow' }, do: [{ hold: 'call' }, { default: {} }] },
];
const http = { eventIds: true, retryMs: 50 } as const;
const OLD: ScenarioInput = { scenario: 1, http, tools: [{ name: 'echo' }, { name: 'slow' }], rules };
const NEW: ScenarioInput = { scenario: 1, http, tools: [{ name: 'echo' }, { name: 'other' }, { name: 'slow' }], rules };
const HELD_LISTING: ScenarioInput = {
  ...OLD, rules: [...rules, { id: 'slow-list', when: { method: 'tools/list' }, do: [{ hold: 'listing' }, { default: {} }] }],
};

let network: CuttableNetwork;
let controller: Controller;
let near: FixtureServer;
let far: ContainedServer;
let app: ContainerApp;

/** What befalls the server, and how it comes back. */
interface Fault {
  readonly strike: () => Promise<void>;
  readonly relieve: () => Promise<void>;
  /** The tools it has afterwards. */
  readonly tools: readonly string[];
}

const FAULTS: Readonly<Record<string, Fault>> = {
  killed: { strike: () => far.kill(), relieve: () => far.revive(), tools: ['echo', 'slow'] },
  frozen: { strike: () => far.pause(), relieve: () => far.resume(), tools: ['echo', 'slow'] },
  'cut off': { strike: () => far.cut(), relieve: () => far.mend(), tools: ['echo', 'slow'] },
  'replaced by one with another list': {
    strike: () => far.kill(),
    relieve: async () => {
      await far.server.program(NEW);
      await far.revive();
    },
    tools: ['echo', 'other', 'slow'],
  },
};

/** What the bridge is doing meanwhile. Gives the calls that are under way. */
const MOMENTS: Readonly<Record<string, () => Promise<Promise<CallEnd>[]>>> = {
  idle: async () => [],
  called: async () => {
    const since = far.server.records.length;
    const { end } = app.start('far', 'slow');
    await far.server.waitFor(held('call'), { since });
    return [end];
  },
  listed: async () => {
    await far.server.program(HELD_LISTING, { keepCounts: true });
    const since = far.server.records.length;
    await far.server.do([{ notify: { method: 'notifications/tools/list_changed' } }]);
    await far.server.waitFor(held('listing'), { since });
    await far.server.program(OLD, { keepCounts: true });
    return [];
  },
};

/** Whether a record says that this token was brought to a tool of the contained server. */
function brings(token: string): (record: TraceRecord) => boolean {
  return (record) => record.kind === 'frame' && methodOf(record) === 'tools/call' && record.raw.includes(`"${token}"`);
}

/** How often the contained server has told of it so far. */
function brought(token: string): number {
  return far.server.records.filter(brings(token)).length;
}

/** Calls that one recovery may cost, and the pause between them in milliseconds. */
const MAX_TRIES = 100;
const PAUSE_MS = 50;

/** Calls until one is answered: the first ones after a cut may still find what was lost. Every one settles. */
async function answeredCall(tool: string): Promise<CallEnd> {
  const tokens: string[] = [];
  for (;;) {
    const { token, end } = app.start('far', tool);
    tokens.push(token);
    const outcome = await end;
    for (const each of tokens) expect(brought(each), `${each} reached the tool`).toBeLessThanOrEqual(1);
    if (outcome.ok) {
      expect(JSON.stringify(outcome.value)).toContain(token);
      await far.server.waitFor(brings(token), { since: 0 });
      return outcome;
    }
    expect(tokens.length, outcome.message).toBeLessThan(MAX_TRIES);
    await app.until(() => app.farState?.state === 'ready');
    // A person who tries again takes a moment; a connection that has just ended is still called ready for that long.
    await setTimeout(PAUSE_MS);
  }
}

async function nearAnswers(): Promise<void> {
  const { token, end } = app.start('near', 'echo');
  const outcome = await end;
  expect(outcome.ok && JSON.stringify(outcome.value)).toContain(token);
}

describe.runIf(isThere)('a server in a container', () => {
  beforeAll(async () => {
    network = await createNetwork();
  });
  afterAll(async () => {
    await network.remove();
  });
  beforeEach(async () => {
    controller = await startController();
    near = controller.serve('near', { scenario: 1, tools: [{ name: 'echo' }] });
    far = await ContainedServer.start(found, network, 'far', OLD);
    app = await ContainerApp.start(far.url, near);
  });
  afterEach(async () => {
    const since = far.server.records.length;
    try {
      await app.host.dispose();
      // The session is deleted in order, whatever it has been through.
      await far.server.waitFor((record) => record.kind === 'frame' && record.http?.method === 'DELETE', { since });
    } finally {
      await far.close();
      await controller.close();
    }
  });

  const cells = Object.keys(FAULTS).flatMap((fault) => Object.keys(MOMENTS).map((moment) => [fault, moment] as const));
  test.each(cells)('%s while %s: nothing hangs, nothing happens twice, and it comes back true', async (faultName, moment) => {
    const { strike, relieve, tools } = FAULTS[faultName] ?? {};
    const begin = MOMENTS[moment];
    if (strike === undefined || relieve === undefined || begin === undefined) throw new Error('a cell without a name');
    expect(app.farTools).toEqual(['echo', 'slow']);
    await answeredCall('echo');
    const pending = await begin();
    await strike();
    await nearAnswers();
    const during = app.start('far', 'echo');
    // Settles within its limit, however it ends: the server may have had it, and may not be asked again.
    await during.end;
    await nearAnswers();
    await relieve();
    for (const end of pending) await end;
    await answeredCall('echo');
    await app.until(() => app.farTools.join() === tools?.join());
    await answeredCall(tools?.at(-2) ?? 'echo');
    expect(brought(during.token)).toBeLessThanOrEqual(1);
    await nearAnswers();
  }, 60_000);
});
