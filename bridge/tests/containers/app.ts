/** Two servers in one real host: one in a container, where things happen to it, and one beside it, which must not care. */
import { Context } from 'cordis';
import * as bridge from '../../src/index.ts';
import { startCordis3Host, type EmbeddedHost, type JsonValue } from '../../src/host/index.ts';
import { bridgeState, STATE_EVENT, type ServerState } from '../../src/internal.ts';
import { Waiting } from '../helpers-logic/waiting.ts';
import { listen } from '../host/sample-tools.ts';

/** How a call ended. */
export type CallEnd = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly message: string };

/** Short enough for a test, long enough for a busy machine. Milliseconds. */
const LIMITS = {
  connectTimeoutMs: 2_000,
  discoveryTimeoutMs: 2_000,
  toolCallTimeoutMs: 1_500,
  reconnect: { initialDelayMs: 50, maxDelayMs: 1_000, maxAttempts: 100 },
};

/** See the module's comment. */
export class ContainerApp {
  readonly host: EmbeddedHost;
  readonly logs: readonly string[];
  readonly #waiting = new Waiting();
  #calls = 0;

  private constructor(host: EmbeddedHost, logs: readonly string[]) {
    this.host = host;
    this.logs = logs;
    host.tools.onSettled(() => this.#waiting.wake());
  }

  /** Starts the host with both servers; resolves when both are active. */
  static async start(farUrl: string, near: { readonly command: string; readonly args: readonly string[] }): Promise<ContainerApp> {
    const logs: string[] = [];
    const host = await startCordis3Host(Context, { onLog: ({ level, message }) => logs.push(`${level}: ${message}`) });
    const app = new ContainerApp(host, logs);
    await host.load({
      name: 'watcher',
      apply(ctx) {
        listen(ctx, STATE_EVENT, () => app.#waiting.wake());
      },
    });
    await host.load(bridge, { transport: 'streamable-http', serverName: 'far', url: farUrl, ...LIMITS });
    await host.load(bridge, { transport: 'stdio', serverName: 'near', command: near.command, args: [...near.args], ...LIMITS });
    return app;
  }

  /** Raw names of the contained server's tools, in registry order. */
  get farTools(): string[] {
    return this.host.tools.list().map(({ name }) => name).filter((name) => name.startsWith('mcp__far__')).map((name) => name.slice('mcp__far__'.length));
  }

  get farState(): ServerState | undefined {
    return bridgeState(this.host.ctx.root).find(({ serverName }) => serverName === 'far');
  }

  /** Resolves as soon as it holds; looked at after each announced state and each change of the registry. */
  until(holds: () => boolean): Promise<void> {
    return this.#waiting.until(holds);
  }

  /** One call with a token of its own, which is on the wire and comes back in the answer. */
  start(server: 'far' | 'near', tool: string): { readonly token: string; readonly end: Promise<CallEnd> } {
    const token = `token-${++this.#calls}`;
    const call = { callId: token, name: `mcp__${server}__${tool}`, arguments: { token }, signal: new AbortController().signal };
    const end = this.host.tools.execute(call).then((result): CallEnd =>
      result.isError ? { ok: false, message: result.error.message } : { ok: true, value: result.value });
    return { token, end };
  }
}
