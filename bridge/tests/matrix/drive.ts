/** Drives cells: brings the bridge into the phase, lets the fault fire, mends the server, unloads it. */
import { FAULT_RULE, IDLE_SIGNAL, type FaultCell } from 'mcp-fixture-server';
import { ControlError, fired, methodOf, type FixtureServer, type HttpFixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { PluginHandle } from '../../src/host/index.ts';
import type { CallRecord, CellRecord, Remains, Step } from './cell-record.ts';
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

type AnyServer = FixtureServer | HttpFixtureServer;

/** Faults that end the connection, or the stream of the answer, while a call waits for it. */
const CUTS_OFF: ReadonlySet<string> = new Set(['exit', 'kill', 'half a line', 'stream loss']);

/** A stream with event ids is resumed, and then waited for. */
function cutsOff({ fault, scenario }: DrivenCell): boolean {
  return CUTS_OFF.has(fault) && (scenario.http?.eventIds !== true || ['exit', 'kill'].includes(fault));
}

/**
 * Runs cells of one carrier one after the other in the life of one server, from its start to its end; rejects only when
 * the fixture itself fails. More than one: such as fire when the connection is there.
 */
export async function driveCells(world: MatrixWorld, id: string, cells: readonly [DrivenCell, ...DrivenCell[]], serverName: string, patienceMs = PATIENCE_MS): Promise<CellRecord> {
  return new CellDrive(world, id, cells, serverName, patienceMs).run();
}

class CellDrive {
  readonly #world: MatrixWorld;
  readonly #id: string;
  readonly #cells: readonly [DrivenCell, ...DrivenCell[]];
  readonly #name: string;
  readonly #calls: CallRecord[] = [];
  readonly #patienceMs: number;
  #listed = namesOf(6);
  #fired = 0;

  constructor(world: MatrixWorld, id: string, cells: readonly [DrivenCell, ...DrivenCell[]], name: string, patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#world = world;
    this.#id = id;
    this.#cells = cells;
    this.#name = name;
  }

  async run(): Promise<CellRecord> {
    const { controller } = this.#world;
    const [{ carrier, scenario }] = this.#cells;
    if (carrier === 'stdio') {
      const server = controller.serve(this.#name, scenario);
      return this.#withServer(server, { transport: 'stdio', command: server.command, args: [...server.args] });
    }
    const server = await controller.serve(this.#name, scenario, { carrier });
    return this.#withServer(server, { transport: 'streamable-http', url: server.url });
  }

  async #withServer(server: AnyServer, config: object): Promise<CellRecord> {
    const handle = await this.#world.load(this.#name, { ...LIMITS, ...config });
    const [{ carrier, phase }] = this.#cells;
    const steps: Step[] = [];
    let since = 0;
    if (phase === 'shutdown') {
      await this.#ready();
      this.#calls.push(await this.#start('tool_5'));
    } else {
      for (const [index, cell] of this.#cells.entries()) {
        if (index > 0) {
          since = server.records.length;
          await server.program({ ...cell.scenario, tools: toolsOf(this.#listed.length) });
        }
        steps.push(await this.#takeStep(server, cell, since));
      }
    }
    const remains = await this.#unload(server, handle);
    if (phase === 'shutdown') await this.#waitForFault(server, 0);
    this.#calls.push(...(await this.#world.callBeside()));
    await server.close();
    return {
      id: this.#id, carrier, faults: this.#cells.length, fired: this.#fired, calls: this.#calls, onWire: this.#onWire(server), steps,
      remains, requests: server.records.filter(isFromClient).length, log: this.#world.linesOf(this.#name),
    };
  }

  /** Into the phase, through its fault and out of it, with calls to this server and to those beside it. */
  async #takeStep(server: AnyServer, cell: DrivenCell, since: number): Promise<Step> {
    const before = this.#listed;
    const inFlight = await this.#enterPhase(server, cell);
    await this.#waitForFault(server, since);
    const [beside, during, met] = await Promise.all([this.#world.callBeside(), this.#start('tool_0'), ...inFlight]);
    this.#calls.push(...beside, during, ...(met === undefined ? [] : [met]));
    await this.#world.until(() => isTrue(this.#view, this.#listed) || saysWhy(this.#view), this.#patienceMs);
    const known = { before, listed: this.#listed, during: this.#view, cutOff: cutsOff(cell) ? met : undefined };
    await this.#mend(server, cell);
    await this.#ready();
    const afterwards = this.#view;
    const lastCall = await this.#start(this.#listed.at(-1) ?? '');
    this.#calls.push(lastCall);
    return { ...known, healed: this.#listed, afterwards, lastCall };
  }

  /** @returns the calls that are under way then */
  async #enterPhase(server: AnyServer, { phase, scenario }: DrivenCell): Promise<Promise<CallRecord>[]> {
    if (phase === 'idle') {
      await this.#ready();
      await obeyed(server.signal(IDLE_SIGNAL));
    } else if (phase === 'call in flight') {
      await this.#ready();
      return [this.#start('tool_1')];
    } else if (phase === 'listing after a change') {
      // Over HTTP the list is read twice after connecting, and the fault may have been met already.
      await this.#world.until(() => this.#view.state?.state === 'ready', this.#patienceMs);
      this.#listed = namesOf(8);
      await obeyed(server.program({ ...scenario, tools: toolsOf(8) }, { keepCounts: true }));
      await obeyed(server.do([LIST_CHANGED]));
    }
    return [];
  }

  /** Makes the server well, with a list one tool longer. */
  async #mend(server: AnyServer, { fault, phase, scenario }: DrivenCell): Promise<void> {
    const count = this.#listed.length + 1;
    this.#listed = namesOf(count);
    await obeyed(server.program({ ...scenario, tools: toolsOf(count), rules: [] }));
    if ('restart' in server) {
      // Somebody starts it again, where it ended or must be ended.
      if (['exit', 'kill', 'hang'].includes(fault)) await server.restart();
      if (fault === 'stream loss' && phase === 'spawn') await server.do([{ up: true }]);
    } else if (fault === 'hang') await obeyed(server.do([{ exit: 9 }]));
    await obeyed(server.do([LIST_CHANGED]));
  }

  async #unload(server: AnyServer, handle: PluginHandle): Promise<Remains> {
    const since = server.records.length;
    const startedAtMs = performance.now();
    const isOver = await within(this.#world.host.unload(handle).then(() => true), DISPOSAL_BOUND_MS);
    const tookMs = isOver === undefined ? undefined : performance.now() - startedAtMs;
    const view = this.#view;
    if (!('url' in server)) return { view, tookMs, processes: processesWith(this.#name), sockets: 0, sessionDeleted: undefined };
    const port = Number(new URL(server.url).port);
    const [{ phase, scenario }] = this.#cells;
    const hasSession = phase !== 'shutdown' && scenario.http?.sessions !== false;
    const sessionDeleted = hasSession ? await server.waitFor(isDeletion, { since, timeoutMs: 3_000 }).then(() => true, () => false) : undefined;
    return { view, tookMs, processes: [], sockets: await closed(port), sessionDeleted };
  }

  get #view() {
    return this.#world.view(this.#name);
  }

  #ready(): Promise<boolean> {
    return this.#world.until(() => isTrue(this.#view, this.#listed), this.#patienceMs);
  }

  #start(tool: string): Promise<CallRecord> {
    return this.#world.call('faulty', this.#name, tool, LIMITS.toolCallTimeoutMs);
  }

  /** Waits for the fault of a cell; its absence shows in the record. */
  async #waitForFault(server: AnyServer, since: number): Promise<void> {
    const didFire = await server.waitFor(fired(FAULT_RULE), { since, timeoutMs: this.#patienceMs }).then(() => true, () => false);
    if (didFire) this.#fired += 1;
  }

  #onWire(server: AnyServer): Map<string, number> {
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

function isDeletion(record: TraceRecord): boolean {
  return record.kind === 'frame' && record.http?.method === 'DELETE';
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
