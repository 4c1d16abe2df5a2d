import { expect, it } from 'vitest';
import { bridgeState, whenDisposed } from '../src/state.ts';
import { ManualClock, settle } from './helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { defer, listedTool, MemoryServer } from './helpers-logic/scripted-session.ts';

it('lists every server of one app, in order of activation, and none of another (B20)', async () => {
  const [host, other] = [new MemoryHost(), new MemoryHost()];
  await host.load(memoryConfig({ serverName: 'b' }), new MemoryServer(listedTool('x'))).activated;
  await host.load(memoryConfig({ serverName: 'a' }), new MemoryServer()).activated;
  expect(bridgeState(host.root)).toMatchObject([
    { serverName: 'b', state: 'ready', toolCount: 1 },
    { serverName: 'a', state: 'ready', toolCount: 0 },
  ]);
  expect(bridgeState(other.root)).toEqual([]);
});

it('lists a server from the moment that its name is taken, as one that is connecting (B20)', async () => {
  const host = new MemoryHost();
  const { activated } = host.load(memoryConfig(), new MemoryServer());
  expect(bridgeState(host.root)).toEqual([{ serverName: 'mem', state: 'connecting', attempt: 0, nextDelayMs: undefined, toolCount: 0, lastError: undefined }]);
  await activated;
});

it('lists one that is being disposed with what went wrong last, and no attempt to come (B20, S60)', async () => {
  const [host, server, clock] = [new MemoryHost(), new MemoryServer(), new ManualClock()];
  const loaded = host.load(memoryConfig({ reconnect: {} }), server, { clock });
  await loaded.activated;
  server.session.lose('the process exited with code 7');
  const gate = defer<void>();
  server.session.closing = gate.promise;
  const ending = loaded.dispose();
  await settle();
  expect(bridgeState(host.root)).toEqual([{ serverName: 'mem', state: 'disposed', attempt: 0, nextDelayMs: undefined, toolCount: 0, lastError: 'the process exited with code 7' }]);
  gate.resolve();
  await ending;
});

it('waits for every instance that is being disposed, for one of them, and for none that stays (S60)', async () => {
  const host = new MemoryHost();
  const gates = new Map(['a', 'b'].map((serverName) => [serverName, defer<void>()]));
  const settled: string[] = [];
  for (const serverName of ['a', 'b', 'stays']) {
    const server = new MemoryServer();
    const loaded = host.load(memoryConfig({ serverName }), server);
    await loaded.activated;
    const gate = gates.get(serverName);
    if (gate === undefined) continue;
    server.session.closing = gate.promise;
    void loaded.dispose();
  }
  const waits = [
    whenDisposed(host.root).then(() => settled.push('all')),
    whenDisposed(host.root, 'a').then(() => settled.push('a')),
    whenDisposed(host.root, 'nobody').then(() => settled.push('nobody')),
    // It lives: it may be the successor of the one that was meant.
    whenDisposed(host.root, 'stays').then(() => settled.push('stays')),
  ];
  await settle();
  expect(settled.toSorted()).toEqual(['nobody', 'stays']);
  gates.get('a')?.resolve();
  await waits[1];
  expect(settled.slice(2)).toEqual(['a']);
  gates.get('b')?.resolve();
  await Promise.all(waits);
  expect(bridgeState(host.root)).toMatchObject([{ serverName: 'stays', state: 'ready' }]);
});
