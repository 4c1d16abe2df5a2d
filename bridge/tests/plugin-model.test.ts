/** Any sequence of what a server and an operator may do, compared with a small model of what the registry must hold. */
import { array, assert, asyncProperty, constantFrom, oneof, record, constant } from 'fast-check';
import { expect, it, vi } from 'vitest';
import { publicToolName } from '../src/naming.ts';
import { bridgeState } from '../src/state.ts';
import { MemoryHost, memoryConfig, type LoadedInstance } from './helpers-logic/memory-host.ts';
import { settle } from './helpers-logic/manual-clock.ts';
import { listedTool, MemoryServer, textResult } from './helpers-logic/scripted-session.ts';

const SERVER_NAMES = ['one', 'two'] as const;

/** Lists may be void: a name may come twice. */
const lists = array(constantFrom('a', 'b', 'c', 'a.b', '__proto__'), { maxLength: 4 });
const servers = constantFrom(...SERVER_NAMES);

const commands = array(
  oneof(
    { weight: 4, arbitrary: record({ kind: constant('change' as const), serverName: servers, list: lists }) },
    { weight: 2, arbitrary: record({ kind: constantFrom('crash' as const, 'load' as const, 'dispose' as const, 'call' as const), serverName: servers }) },
  ),
  { maxLength: 12 },
);

/** One server, real and as the model has it. */
class Side {
  readonly serverName: string;
  readonly server = new MemoryServer(listedTool('a'));
  readonly host: MemoryHost;
  loaded: LoadedInstance | undefined;
  connected = false;
  list: readonly string[] = ['a'];
  registered: readonly string[] = [];

  constructor(serverName: string, host: MemoryHost) {
    this.serverName = serverName;
    this.host = host;
  }

  publicName(rawName: string): string {
    return publicToolName(this.serverName, rawName);
  }

  async change(list: readonly string[]): Promise<void> {
    this.list = list;
    this.server.tools = list.map((name) => listedTool(name));
    if (!this.connected) return;
    const { listings } = this.server;
    this.server.session.notify();
    await vi.waitFor(() => expect(this.server.listings).toBe(listings + 1), { interval: 1 });
    await settle();
    if (this.isListLegal()) this.registered = list;
  }

  async load(): Promise<void> {
    if (this.loaded !== undefined) return;
    this.loaded = this.host.load(memoryConfig({ serverName: this.serverName }), this.server);
    await this.loaded.activated;
    this.connected = this.isListLegal();
    this.registered = this.connected ? this.list : [];
  }

  async crash(): Promise<void> {
    if (!this.connected) return;
    this.connected = false;
    this.server.session.crash();
    await settle();
  }

  async dispose(): Promise<void> {
    await this.loaded?.dispose();
    this.loaded = undefined;
    this.connected = false;
    this.registered = [];
  }

  async call(): Promise<void> {
    for (const rawName of this.registered) {
      const called = this.host.call(this.publicName(rawName));
      if (this.connected) expect(await called).toEqual(textResult(`called ${rawName}`));
      else await expect(called).rejects.toMatchObject({ code: 'not-connected', executed: 'no' });
    }
  }

  private isListLegal(): boolean {
    return new Set(this.list).size === this.list.length;
  }
}

it('holds exactly what each server last listed well, through changes, crashes and reloads (S27, S28, S33, S57, S60)', async () => {
  await assert(
    asyncProperty(commands, async (sequence) => {
      const host = new MemoryHost();
      const sides = new Map(SERVER_NAMES.map((serverName) => [serverName, new Side(serverName, host)]));
      for (const side of sides.values()) await side.load();
      for (const command of sequence) {
        const side = sides.get(command.serverName);
        if (side === undefined) continue;
        if (command.kind === 'change') await side.change(command.list);
        else await side[command.kind]();
        for (const { serverName, registered } of sides.values()) {
          const prefix = `mcp__${serverName}__`;
          expect(host.names.filter((name) => name.startsWith(prefix))).toEqual(registered.map((rawName) => publicToolName(serverName, rawName)));
        }
        const counts = bridgeState(host.root).map((state) => [state.serverName, state.toolCount] as const);
        expect(new Map(counts)).toEqual(new Map([...sides.values()].filter((other) => other.loaded !== undefined).map((other) => [other.serverName, other.registered.length])));
      }
      for (const side of sides.values()) await side.dispose();
      expect(host.names).toEqual([]);
      expect([...sides.values()].every(({ server }) => server.sessions.every((session) => !session.isOpen))).toBe(true);
    }),
    { numRuns: 150 },
  );
});
