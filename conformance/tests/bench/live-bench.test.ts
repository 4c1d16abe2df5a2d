import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BridgeAdapter } from '../../src/adapter/bridge-adapter.ts';
import { mark } from '../../src/bench/bench.ts';
import { BenchTimeout, NotApplicable } from '../../src/bench/endings.ts';
import type { LiveBench } from '../../src/bench/live-bench.ts';
import { isRunning } from '../../src/bench/processes.ts';
import { IMAGE_HOST, isHeldAt, SEES, storeCalls } from '../../src/checks/projection/image-facts.ts';
import { imageBlock } from '../../src/checks/projection/sample-images.ts';
import { barrierOf, eventsOf, lastRegistry, listings, pairings, programAt, received, settledSteps } from '../../src/history/views.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { benchesOf } from '../../src/runner/with-bench.ts';
import { createAdapter } from '../../subjects/reference/index.ts';
import { fakeAdapter, fakeDescription, never } from '../support/fake-adapter.ts';

const toolNamed = (name: string): { name: string; description: string } => ({ name, description: mark('files', name) });
const listing = (...names: string[]) => ({ scenario: 1 as const, tools: names.map(toolNamed) });

const benches: LiveBench[] = [];
async function benchOver(factory: () => BridgeAdapter | Promise<BridgeAdapter>): Promise<LiveBench> {
  const bench = await benchesOf(new SubjectWorker(factory)).make(1);
  benches.push(bench);
  return bench;
}
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.end();
});

describe('a bench over the reference', () => {
  let bench: LiveBench;
  beforeEach(async () => {
    bench = await benchOver(createAdapter);
  });

  it('writes what the suite asked, what the subject told and what crossed the wire into one history', async () => {
    const files = bench.serve('files', listing('read.file'));
    await bench.open([files]);
    const tool = await bench.find('read.file', 'files');
    expect(tool).toBeDefined();
    if (tool === undefined) return;
    const reply = await bench.call({ tool, arguments: { path: '/a' } });
    expect(reply.outcome).toBe('ok');
    await bench.flush();
    const { history } = bench;
    expect(settledSteps(history, 'open')[0]?.event.servers).toEqual([{ name: 'files', status: 'ready' }]);
    expect(pairings(history)).toMatchObject([{ publicName: tool.name, server: 'files', rawName: 'read.file' }]);
    expect(listings(history, 'files')).toMatchObject([{ complete: true }]);
    expect(programAt(history, 'files')?.event.tools).toHaveLength(1);
    const times = history.map((event) => event.atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('makes a change of a list known and waits until the registry shows it', async () => {
    const files = bench.serve('files', listing('a'));
    await bench.open([files]);
    for (let round = 1; round <= 6; round += 1) {
      const shown = await bench.change(files, listing('a', `b${round}`), `list ${round}`, (tools) =>
        tools.some((tool) => tool.description.includes(mark('files', `b${round}`))));
      expect(shown).toBe(true);
    }
    // From the fifth on it reloads: announcements in a row would be answered more slowly each time.
    expect(eventsOf(bench.history, 'request').filter(({ event }) => event.step === 'reload')).toHaveLength(1);
    expect(barrierOf(bench.history, 'list 6')?.event.reached).toBe(true);
    expect(lastRegistry(bench.history)?.event.tools).toHaveLength(2);
  });

  it('records silence instead of hiding it', async () => {
    const files = bench.serve('files', listing('a'));
    await bench.open([files]);
    expect(await bench.wire(files, 'a call that nobody makes', (record) => record.kind === 'fault', { boundMs: 20 })).toBe(false);
    expect(barrierOf(bench.history, 'a call that nobody makes')?.event).toMatchObject({ reached: false, boundMs: 20 });
  });

  it('waits for what the host tells from now on, and records when it does not', async () => {
    const files = bench.serve('files', { scenario: 1, tools: [{ ...toolNamed('draw'), result: { content: [imageBlock('image/png', 'drawn')] } }] });
    await bench.open([files], IMAGE_HOST);
    const tool = await bench.find('draw', 'files');
    if (tool === undefined) throw new Error('the tool is not offered');
    await bench.gate({ gate: 'store', action: 'hold' });
    const held = bench.told('held', isHeldAt('store'));
    const elsewhere = bench.told('held elsewhere', isHeldAt('finalize'));
    const call = bench.start({ tool, extra: { agent: SEES } });
    expect(await held).toBe(true);
    await bench.gate({ gate: 'store', action: 'release' });
    expect((await call.reply).view).toMatchObject([{ type: 'image' }]);
    expect(storeCalls(bench.history)).toHaveLength(1);
    expect(await elsewhere).toBe(false);
    expect(barrierOf(bench.history, 'held elsewhere')?.event.reached).toBe(false);
  }, 20_000);

  it('accounts for every process of a server, grandchildren too, and finds none after closing', async () => {
    const files = bench.serve('files', { ...listing('a'), rules: [{ when: { spawn: true }, do: [{ spawn: {} }] }] });
    await bench.open([files]);
    await bench.wire(files, 'a grandchild', (record) => record.kind === 'process' && record.event === 'grandchild');
    await bench.close();
    const processes = eventsOf(bench.history, 'processes')[0]?.event;
    expect(processes?.started).toHaveLength(2);
    expect(processes?.alive).toEqual([]);
  });

  it('asks a server for its environment', async () => {
    const files = bench.serve('files', listing('a'), { env: { FILES_TOKEN: 'given' } });
    await bench.open([files]);
    expect(await bench.environment(files, ['FILES_TOKEN', 'MCPBC_API_KEY', 'MCPBC_PLAIN'])).toBe(true);
    const { values, configured } = eventsOf(bench.history, 'environment')[0]?.event ?? {};
    expect(configured).toEqual({ FILES_TOKEN: 'given' });
    expect(values).toEqual({ FILES_TOKEN: 'given', MCPBC_API_KEY: null, MCPBC_PLAIN: bench.ambient['MCPBC_PLAIN'] });
  });

  it('scripts a name that is declared again anew', async () => {
    await bench.open([bench.serve('files', listing('a'))]);
    await bench.open([bench.serve('files', listing('b', 'c'))]);
    expect(lastRegistry(bench.history)?.event.tools).toHaveLength(2);
    expect(received(bench.history, 'files', 'initialize')).toHaveLength(2);
  });

  it('leaves no process behind when it ends with everything open', async () => {
    const files = bench.serve('files', listing('a'));
    await bench.open([files]);
    const pid = files.fixture.processes[0]?.pid ?? 0;
    expect(await isRunning(pid)).toBe(true);
    await bench.end();
    expect(await isRunning(pid)).toBe(false);
    await expect(bench.look()).rejects.toBeInstanceOf(BenchTimeout);
  });
});

describe('a bench over a subject that does not do what it should', () => {
  it('gives up a close that does not answer in the declared time plus slack, and says that the adapter hung', async () => {
    const bench = await benchOver(() => fakeAdapter({ close: never }));
    await bench.open([]);
    await expect(bench.close()).rejects.toBeInstanceOf(BenchTimeout);
    expect(bench.hung).toBe(true);
    expect(barrierOf(bench.history, 'close settles')?.event).toMatchObject({ reached: false, boundMs: 1_050 });
  });

  it('records a method that rejects as settled with its error', async () => {
    const bench = await benchOver(() => fakeAdapter({ open: () => Promise.reject(new Error('no way')) }));
    await expect(bench.open([])).rejects.toThrow('no way');
    expect(settledSteps(bench.history, 'open')[0]?.event.error).toBe('no way');
  });

  it('does not ask for what is not declared', async () => {
    const bench = await benchOver(() => fakeAdapter({ describe: async () => ({ ...fakeDescription, servers: 'fixed' }) }));
    await expect(bench.add(bench.serve('a', listing()))).rejects.toBeInstanceOf(NotApplicable);
    await expect(bench.reload('a')).rejects.toBeInstanceOf(NotApplicable);
  });

  it('opens everything anew for a change where the subject neither follows announcements nor reloads', async () => {
    let opened = 0;
    const open: BridgeAdapter['open'] = async ({ servers }) => {
      opened += 1;
      return { servers: servers.map(({ name }) => ({ name, status: 'ready' })) };
    };
    const tools = async () => ({ revision: opened, tools: opened < 2 ? [] : [{ name: 'x', description: '', parameters: {} }] });
    const bench = await benchOver(() => fakeAdapter({ open, tools }));
    const files = bench.serve('files', listing());
    await bench.open([files]);
    expect(await bench.change(files, listing('a'), 'a tool', (seen) => seen.length === 1)).toBe(true);
    expect(opened).toBe(2);
  });

  it('looks again and again at a registry that does not tell', async () => {
    let looks = 0;
    const tools = async () => ({ revision: 0, tools: (looks += 1) < 3 ? [] : [{ name: 'x', description: '', parameters: {} }] });
    const bench = await benchOver(() => fakeAdapter({ describe: async () => ({ ...fakeDescription, registry: 'pull' }), tools }));
    expect(await bench.registry('a tool', (seen) => seen.length === 1)).toBe(true);
    expect(looks).toBe(3);
  });
});
