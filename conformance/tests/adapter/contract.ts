/**
 * The contract of every way to a subject: what an adapter owes the suite, whatever bridge is behind it and however it is reached.
 */
import { startController, type Controller, type FixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAdapterError, type BridgeAdapter, type CallReply, type ServerSpec, type SubjectDescription, type SubjectNotification } from '../../src/adapter/bridge-adapter.ts';
import { inProcess } from '../../src/adapter/in-process.ts';
import { isOutOfProcess } from '../../src/adapter/out-of-process.ts';
import { survivors } from '../../src/bench/processes.ts';

/** How long a process may take to vanish after `close` answered, in milliseconds, on a busy machine. */
const VANISH_MS = 2_000;

/** Two tools that answer with what they are called with, and one that answers when it is told to. */
const SCRIPT: ScenarioInput = {
  scenario: 1,
  tools: [{ name: 'one', description: 'first' }, { name: 'two', description: 'second' }, { name: 'held', description: 'third' }],
  rules: [{
    when: { method: 'tools/call', params: { name: 'held' } },
    do: [{ hold: 'answer' }, { reply: { result: { content: [{ type: 'text', text: 'late' }] } } }],
  }],
};

/** What the contract is about. */
interface Way {
  /** Makes the adapter; out of process it is started here. */
  readonly make: () => BridgeAdapter | Promise<BridgeAdapter>;
  /** Whether a bridge is behind it that starts servers; a driver that only speaks the protocol has none. */
  readonly bridge: boolean;
}

/** Declares the contract over one way. One adapter serves all of it, as in a certification. */
export function adapterContract(name: string, { make, bridge }: Way): void {
  describe(`the adapter contract over ${name}`, () => {
    let adapter: BridgeAdapter;
    let subject: SubjectDescription;
    let controller: Controller;
    const told: SubjectNotification[] = [];
    beforeAll(async () => {
      const made = await make();
      adapter = isOutOfProcess(made) ? made : inProcess(made);
      adapter.onNotification((one) => told.push(one));
      subject = await adapter.describe();
      controller = await startController();
    });
    afterEach(() => adapter.close());
    afterAll(async () => {
      await adapter.end?.('in-order');
      await controller.close();
    });

    let served = 0;
    const entry = (): ServerSpec => entryOf(controller.serve(`server-${(served += 1)}`, SCRIPT));
    const publicName = async (description: string): Promise<string> =>
      (await adapter.tools()).tools.find((tool) => tool.description.includes(description))?.name ?? `no tool "${description}"`;

    it('says who it is, the same each time', async () => {
      expect(await adapter.describe()).toEqual(subject);
    });

    it('closes what is not open, opens nothing, and closes twice', async () => {
      await adapter.close();
      expect(await adapter.open({ servers: [] })).toEqual({ servers: [] });
      expect((await adapter.tools()).tools).toEqual([]);
      await adapter.close();
      await adapter.close();
    });

    it('offers nothing while nothing is open', async () => {
      expect((await adapter.tools()).tools).toEqual([]);
    });

    it('takes the cancelling of a call that nobody knows', async () => {
      await adapter.open({ servers: [] });
      await expect(adapter.cancel('nobody')).resolves.toBeUndefined();
    });

    it('does what it declares, and refuses as unsupported what it does not have', async () => {
      await adapter.open({ servers: [] });
      for (const ask of [() => adapter.state(), () => adapter.gate({ gate: 'store', action: 'release' }), () => adapter.setHost({})]) {
        const refusal = await ask().then(() => undefined, (error: unknown) => error);
        expect(refusal === undefined || (isAdapterError(refusal) && refusal.code === 'unsupported')).toBe(true);
      }
    });

    if (!bridge) return;
    describe('with servers', () => {
      it('answers for each server on its own, in the order in which they were named', async () => {
        const absent: ServerSpec = { name: 'absent', transport: 'stdio', command: './no-such-program', args: [] };
        const healthy = entry();
        const { servers } = await adapter.open({ servers: [absent, healthy] });
        expect(servers.map((server) => server.name)).toEqual(['absent', healthy.name]);
        expect(servers[0]?.status).not.toBe('ready');
        expect(servers[0]?.message).toMatch(/\S/);
        expect(servers[1]).toEqual({ name: healthy.name, status: 'ready' });
      });

      it('offers the tools when opening has settled, and tells of them where it pushes', async () => {
        told.length = 0;
        await adapter.open({ servers: [entry()] });
        const reply = await adapter.tools();
        expect(reply.tools.map((tool) => tool.description)).toEqual(['first', 'second', 'third'].map((word) => expect.stringContaining(word)));
        if (subject.registry !== 'push') return;
        const last = told.findLast((one) => one.type === 'registry');
        expect(last).toEqual({ type: 'registry', ...reply });
      });

      it('calls, several at once, and gives each its own answer', async () => {
        await adapter.open({ servers: [entry()] });
        const names = [await publicName('first'), await publicName('second')];
        const replies = await Promise.all(names.map((tool, at) => adapter.call({ callId: `c${at}`, name: tool, arguments: { at } })));
        for (const reply of replies) expect(reply).toMatchObject({ outcome: 'ok', executed: 'yes' });
        const unknown = await adapter.call({ callId: 'x', name: 'no_such_tool', arguments: {} });
        expect(unknown).toMatchObject({ outcome: 'failed', executed: 'no' });
      });

      it('answers other requests while a call is under way, and aborts it where it declares that', async () => {
        await adapter.open({ servers: [entry()] });
        let settled: CallReply | undefined;
        const held = adapter.call({ callId: 'held', name: await publicName('third'), arguments: {} }).then((reply) => (settled = reply));
        expect(await adapter.describe()).toEqual(subject);
        expect(await adapter.call({ callId: 'c', name: await publicName('first'), arguments: {} })).toMatchObject({ outcome: 'ok' });
        expect(settled).toBeUndefined();
        await adapter.cancel('held');
        if (subject.features.includes('abort')) expect((await held).outcome).toBe('aborted');
      });

      it('leaves no process of a round behind, and opens another one', async () => {
        const server = controller.serve('beta', SCRIPT);
        await adapter.open({ servers: [entryOf(server)] });
        const pids = server.processes.map(({ pid }) => pid);
        expect(pids).toHaveLength(1);
        await adapter.close();
        expect(await survivors(pids, VANISH_MS)).toEqual([]);
        const { servers } = await adapter.open({ servers: [entryOf(server)] });
        expect(servers).toEqual([{ name: 'beta', status: 'ready' }]);
      });
    });
  });
}

function entryOf({ name, command, args }: FixtureServer): ServerSpec {
  return { name, transport: 'stdio', command, args: [...args] };
}
