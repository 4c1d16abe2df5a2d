/** Drives one cell: brings the bridge into the phase, lets the fault fire, mends the server, unloads it. */
import { FAULT_RULE, IDLE_SIGNAL, type FaultCell } from 'mcp-fixture-server';
import { ControlError, fired, methodOf, type FixtureServer, type HttpFixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { PluginHandle } from '../../src/host/index.ts';
import type { CallRecord, CellRecord, Remains } from './cell-record.ts';
import { isTrue, saysWhy } from './judge.ts';
import { connectionsTo, processesWith } from './observe.ts';
import { within, type MatrixWorld } from './world.ts';

/** A cell that a scenario covers. */
export type DrivenCell = Extract<FaultCell, { scenario: unknown }>;

/** Short enough to wait for, long enough for a busy machine to start a process. */
const LIMITS = {
  connectTimeoutMs: 4_000,
  discoveryTimeoutMs: 2_000,
  syncTimeoutMs: 6_000,
  toolCallTimeoutMs: 3_000,
  closeGraceMs: 2_000,
  terminateGraceMs: 300,
  killWaitMs: 5_000,
  noticePostTimeoutMs: 2_000,
  probeTimeoutMs: 2_000,
  streamRetryMs: 20,
  maxStreamRetryMs: 200,
  listChangeQuietMs: 20,
  listChangeMaxWaitMs: 100,
  // Below what the fixture calls oversize.
  maxMessageBytes: 8 * 1024 * 1024,
  reconnect: { initialDelayMs: 20, maxDelayMs: 200, maxAttempts: 100 },
};
const DISPOSAL_BOUND_MS = LIMITS.closeGraceMs + LIMITS.terminateGraceMs + LIMITS.killWaitMs + 10_000;
/** What a busy machine may take for a few processes; nothing waits so long on an idle one. */
const PATIENCE_MS = 25_000;
const LIST_CHANGED = { notify: { method: 'notifications/tools/list_changed' } } as const;
/** The list of a server that is well again has one tool more, at its end. */
const HEALED_TOOL = 'healed';

/** Runs one cell from the start of its server to its end; rejects only when the fixture itself fails. */
export async function driveCell(world: MatrixWorld, cell: DrivenCell, serverName: string): Promise<CellRecord> {
  const drive = new CellDrive(world, cell, serverName);
  return drive.run();
}

class CellDrive {
  readonly #world: MatrixWorld;
  readonly #cell: DrivenCell;
  readonly #name: string;
  readonly #calls: CallRecord[] = [];
  #listed = namesOf(6);

  constructor(world: MatrixWorld, cell: DrivenCell, name: string) {
    this.#world = world;
    this.#cell = cell;
    this.#name = name;
  }

  async run(): Promise<CellRecord> {
    const { controller } = this.#world;
    const { carrier, scenario } = this.#cell;
    if (carrier === 'stdio') {
      const server = controller.serve(this.#name, scenario);
      return this.#withServer(server, { transport: 'stdio', command: server.command, args: [...server.args] });
    }
    const server = await controller.serve(this.#name, scenario, { carrier });
    return this.#withServer(server, { transport: 'streamable-http', url: server.url });
  }

  async #withServer(server: FixtureServer | HttpFixtureServer, config: object): Promise<CellRecord> {
    const handle = await this.#world.load(this.#name, { ...LIMITS, ...config });
    const isShutdown = this.#cell.phase === 'shutdown';
    const before = this.#listed;
    const during = isShutdown ? undefined : await this.#letItFail(server, before);
    const afterwards = isShutdown ? undefined : await this.#mend(server);
    if (isShutdown) await this.#ready();
    const lastCall = await this.#start(this.#listed.at(-1) ?? '');
    this.#calls.push(lastCall);
    const remains = await this.#unload(server, handle);
    const didFire = await this.#hasFired(server);
    this.#calls.push(...(await this.#world.callBeside()));
    await server.close();
    return {
      id: this.#cell.id, carrier: this.#cell.carrier, fired: didFire, calls: this.#calls, onWire: this.#onWire(server),
      during, afterwards, lastCall, remains, requests: server.records.filter(isFromClient).length, log: this.#world.linesOf(this.#name),
    };
  }

  /** Into the phase and through its fault, with calls to this server and to those beside it. */
  async #letItFail(server: FixtureServer | HttpFixtureServer, before: readonly string[]): Promise<CellRecord['during']> {
    const inFlight = await this.#enterPhase(server);
    await this.#hasFired(server);
    const [beside, ...faulty] = await Promise.all([this.#world.callBeside(), this.#start('tool_0'), ...inFlight]);
    this.#calls.push(...beside, ...faulty);
    await this.#world.until(() => isTrue(this.#view, this.#listed) || saysWhy(this.#view), PATIENCE_MS);
    return { ...this.#view, before, listed: this.#listed };
  }

  /** @returns the calls that are under way then */
  async #enterPhase(server: FixtureServer | HttpFixtureServer): Promise<Promise<CallRecord>[]> {
    const { phase, scenario } = this.#cell;
    if (phase === 'idle') {
      await this.#ready();
      await obeyed(server.signal(IDLE_SIGNAL));
    } else if (phase === 'call in flight') {
      await this.#ready();
      return [this.#start('tool_1')];
    } else if (phase === 'listing after a change') {
      // Over HTTP the list is read twice after connecting, and the fault may have been met already.
      await this.#world.until(() => this.#view.state?.state === 'ready', PATIENCE_MS);
      this.#listed = namesOf(8);
      await obeyed(server.program({ ...scenario, tools: toolsOf(8) }, { keepCounts: true }));
      await obeyed(server.do([LIST_CHANGED]));
    }
    return [];
  }

  /** Makes the server well, with another list; resolves when the host has seen it. */
  async #mend(server: FixtureServer | HttpFixtureServer): Promise<CellRecord['afterwards']> {
    const { fault, phase, scenario } = this.#cell;
    this.#listed = [...namesOf(6), HEALED_TOOL];
    await obeyed(server.program({ ...scenario, tools: [...toolsOf(6), { name: HEALED_TOOL }], rules: [] }));
    if ('restart' in server) {
      // Somebody starts it again, where it ended or must be ended.
      if (['exit', 'kill', 'hang'].includes(fault)) await server.restart();
      if (fault === 'stream loss' && phase === 'spawn') await server.do([{ up: true }]);
    } else if (fault === 'hang') await obeyed(server.do([{ exit: 9 }]));
    await obeyed(server.do([LIST_CHANGED]));
    await this.#world.until(() => isTrue(this.#view, this.#listed), PATIENCE_MS);
    return { ...this.#view, listed: this.#listed };
  }

  async #unload(server: FixtureServer | HttpFixtureServer, handle: PluginHandle): Promise<Remains> {
    const since = server.records.length;
    const startedAtMs = performance.now();
    const isOver = await within(this.#world.host.unload(handle).then(() => true), DISPOSAL_BOUND_MS);
    const tookMs = isOver === undefined ? undefined : performance.now() - startedAtMs;
    const view = this.#view;
    if (!('url' in server)) return { view, tookMs, processes: processesWith(this.#name), sockets: 0, sessionDeleted: undefined };
    const port = Number(new URL(server.url).port);
    const deletion = server.waitFor((record) => record.kind === 'frame' && record.http?.method === 'DELETE', { since, timeoutMs: 3_000 });
    const deleted = await deletion.then(() => true, () => false);
    return { view, tookMs, processes: [], sockets: await closed(port), sessionDeleted: this.#cell.phase === 'shutdown' ? undefined : deleted };
  }

  get #view() {
    return this.#world.view(this.#name);
  }

  #ready(): Promise<boolean> {
    return this.#world.until(() => isTrue(this.#view, this.#listed), PATIENCE_MS);
  }

  #start(tool: string): Promise<CallRecord> {
    return this.#world.call('faulty', this.#name, tool, LIMITS.toolCallTimeoutMs);
  }

  #hasFired(server: FixtureServer | HttpFixtureServer): Promise<boolean> {
    return server.waitFor(fired(FAULT_RULE), { since: 0, timeoutMs: PATIENCE_MS }).then(() => true, () => false);
  }

  #onWire(server: FixtureServer | HttpFixtureServer): Map<string, number> {
    const calls = server.records.flatMap((record) => (record.kind === 'frame' && methodOf(record) === 'tools/call' ? [record.raw] : []));
    return new Map(this.#calls.map(({ token }) => [token, calls.filter((raw) => raw.includes(`"${token}"`)).length]));
  }
}

/** A command to a process that may end before it acknowledges, or be gone; the next process has the newest script anyway. */
async function obeyed(command: Promise<void>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}

/** How many connections to this port there are, when they have had a moment to close. */
async function closed(port: number): Promise<number> {
  for (let tries = 0; tries < 100 && connectionsTo(port) > 0; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  return connectionsTo(port);
}

/** A message, or over HTTP any request. */
function isFromClient(record: TraceRecord): boolean {
  return record.kind === 'frame' && record.direction === 'client-to-server';
}

function toolsOf(count: number): NonNullable<ScenarioInput['tools']> {
  return [{ generate: { count } }];
}

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `tool_${index}`);
}
