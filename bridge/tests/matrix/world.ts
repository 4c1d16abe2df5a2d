/** One host for all cells: two healthy servers that stay, and beside them the faulty ones, which come and go. */
import { Context } from 'cordis';
import { startController, type Controller } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import * as bridge from '../../src/index.ts';
import { startCordis3Host, type EmbeddedHost, type HostedPlugin, type PluginHandle } from '../../src/host/index.ts';
import { BridgeError, bridgeState, STATE_EVENT } from '../../src/internal.ts';
import type { CallEnd, CallRecord, View } from './cell-record.ts';

/** The servers beside: one on each carrier. */
const BESIDE = ['near-stdio', 'near-http'] as const;
const BESIDE_CALL_LIMIT_MS = 15_000;
/** On top of a limit of the bridge: a busy machine wakes late. */
const SLACK_MS = 10_000;
const SHOWN_LINES = 20;

/** See the module's comment. */
export class MatrixWorld {
  readonly host: EmbeddedHost;
  readonly controller: Controller;
  readonly #plugin: HostedPlugin;
  readonly #logs: string[];
  readonly #waiting = new Set<() => void>();
  #tokens = 0;

  private constructor(plugin: HostedPlugin, host: EmbeddedHost, controller: Controller, logs: string[]) {
    this.#plugin = plugin;
    this.host = host;
    this.#logs = logs;
    this.controller = controller;
    host.tools.onSettled(() => this.#wake());
  }

  /** Resolves when both healthy servers are ready. `plugin`: the bridge, or one with a defect. */
  static async start(plugin: HostedPlugin = bridge): Promise<MatrixWorld> {
    const controller = await startController();
    const logs: string[] = [];
    const host = await startCordis3Host(Context, {
      onLog: ({ level, message }) => {
        if (level === 'warn' || level === 'error') logs.push(message);
      },
    });
    const world = new MatrixWorld(plugin, host, controller, logs);
    await world.host.load({
      name: 'watcher',
      apply(ctx) {
        if (isEmitter(ctx)) ctx.on(STATE_EVENT, () => world.#wake());
      },
    });
    const scenario: ScenarioInput = { scenario: 1, tools: [{ name: 'echo' }] };
    const { command, args } = controller.serve('near-stdio', scenario);
    const { url } = await controller.serve('near-http', scenario, { carrier: 'streamable-http' });
    await world.load('near-stdio', { transport: 'stdio', command, args: [...args], toolCallTimeoutMs: BESIDE_CALL_LIMIT_MS });
    await world.load('near-http', { transport: 'streamable-http', url, toolCallTimeoutMs: BESIDE_CALL_LIMIT_MS });
    return world;
  }

  /** Loads one server; resolves when its activation has settled. */
  load(serverName: string, config: Readonly<Record<string, unknown>>): Promise<PluginHandle> {
    return this.host.load(this.#plugin, { serverName, ...config });
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await this.host.dispose();
    await this.controller.close();
  }

  /** What the host shows of one server. */
  view(serverName: string): View {
    const prefix = `mcp__${serverName}__`;
    return {
      tools: this.host.tools.list().flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
      state: bridgeState(this.host.ctx.root).find((state) => state.serverName === serverName),
    };
  }

  /** The last warnings and errors about one server. */
  linesOf(serverName: string): string[] {
    return this.#logs.filter((line) => line.startsWith(`[mcp-bridge] ${serverName}: `)).slice(-SHOWN_LINES);
  }

  /** Resolves with true as soon as it holds, with false after the limit; looked at after each change the host tells of. */
  until(holds: () => boolean, limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (held: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(held);
      };
      const timer = setTimeout(() => end(false), limitMs);
      const look = (): void => {
        if (holds()) end(true);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** One call with a token of its own. Resolves when it has settled, or was given time enough to. */
  async call(to: CallRecord['to'], serverName: string, tool: string, limitMs: number): Promise<CallRecord> {
    this.#tokens += 1;
    const token = `token-${this.#tokens}-of-${serverName}`;
    const boundMs = limitMs + SLACK_MS;
    const startedAtMs = performance.now();
    const outcome = this.host.tools.execute({
      callId: token, name: `mcp__${serverName}__${tool}`, arguments: { token }, signal: new AbortController().signal,
    });
    const end = await within(outcome.then((result): CallEnd => {
      if (!result.isError) return { ok: true, text: JSON.stringify(result.value) };
      const { cause, info, message } = result.error;
      return { ok: false, message, code: info?.code, executed: cause instanceof BridgeError ? cause.executed : undefined };
    }), boundMs);
    return { token, to, tookMs: performance.now() - startedAtMs, end, boundMs };
  }

  /** One call to each of the healthy servers. */
  callBeside(): Promise<CallRecord[]> {
    return Promise.all(BESIDE.map((name) => this.call('beside', name, 'echo', BESIDE_CALL_LIMIT_MS)));
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }
}

/** What a promise resolves with; `undefined` after the limit. */
export async function within<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The part of a context of Cordis 3 that the host's own description leaves out. */
function isEmitter(ctx: unknown): ctx is { on(event: string, listener: () => void): unknown } {
  return typeof ctx === 'object' && ctx !== null && 'on' in ctx && typeof ctx.on === 'function';
}
