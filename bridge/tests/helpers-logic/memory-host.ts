/**
 * A host in memory, with the shape of a Cordis context: for tests that look at the bridge alone. Real Cordis of every
 * version is tested in `plugin-hosts.test.ts`.
 */
import type { HostContext, JsonValue, ToolDefinition, ToolExecution } from '../../src/host-services.ts';
import { createBridgePlugin, STATE_EVENT, type BridgeStages, type ServerState } from '../../src/internal.ts';
import type { MemoryServer } from './scripted-session.ts';
import { Waiting } from './waiting.ts';

/** One log line. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
}

/** What became of one loaded instance. */
export interface LoadedInstance {
  /** Settles as `apply` does. */
  readonly activated: Promise<void>;
  /** What Cordis 4 tells before it runs disposers: the instance is about to end. */
  cancel(): void;
  /** Disposes it; settles when its disposers have. */
  dispose(): Promise<void>;
}

/** How Cordis 4 tells of the end of a plugin's fiber. */
interface Cordis4Part {
  readonly fiber: object;
  on(event: string, listener: (fiber: object) => void): void;
}

/** The in-memory host. */
export class MemoryHost {
  readonly #definitions = new Map<string, ToolDefinition>();
  readonly logs: LogLine[] = [];
  readonly states: ServerState[] = [];
  /** Every change of the registry: `+name` or `-name`. */
  readonly changes: string[] = [];
  /** What the effects of its instances are called. */
  readonly effects: string[] = [];
  /** Called synchronously after each change, as change events of a registry are. */
  onChange: () => void = () => undefined;
  readonly root = {
    emit: (name: string, state: ServerState): void => {
      if (name !== STATE_EVENT) return;
      this.states.push(state);
      this.onState(state);
      this.#waiting.wake();
    },
  };
  /** Called synchronously with each announced state. */
  onState: (state: ServerState) => void = () => undefined;
  readonly #waiting = new Waiting();

  /** Resolves as soon as it holds: looked at after each log line, announced state and change of the registry. */
  until(holds: () => boolean): Promise<void> {
    return this.#waiting.until(holds);
  }

  /** Public names, in registry order. */
  get names(): string[] {
    return [...this.#definitions.keys()];
  }

  /** The definition of one registered tool. */
  tool(name: string): ToolDefinition {
    const definition = this.#definitions.get(name);
    if (definition === undefined) throw new Error(`no tool ${name}; there are ${this.names.join(', ')}`);
    return definition;
  }

  /** Calls as a registry does. */
  async call(name: string, args: unknown = {}, signal: AbortSignal = new AbortController().signal): Promise<JsonValue> {
    const exec: ToolExecution = { callId: 'call-1', name, arguments: args, signal };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a registry checks, a test compares
    return (await this.tool(name).execute(args, exec)) as JsonValue;
  }

  /** Lines of one level. */
  lines(level: string): string[] {
    return this.logs.filter((line) => line.level === level).map((line) => line.message);
  }

  /** Adds a tool that is not the bridge's. */
  registerForeign(name: string): () => void {
    return this.#register({
      name,
      description: 'foreign',
      parameters: { type: 'object' },
      output: { schema: {}, render: () => [] },
      execute: () => Promise.resolve(null),
    });
  }

  /** Loads one instance. */
  load(config: unknown, server: MemoryServer, stages: Partial<BridgeStages> = {}): LoadedInstance {
    const disposers: (() => void | Promise<void>)[] = [];
    const listeners: ((fiber: object) => void)[] = [];
    const fiber: { uid: number | null } = { uid: 1 };
    const ctx: HostContext & Cordis4Part = {
      fiber,
      on: (_event, listener) => void listeners.push(listener),
      root: this.root,
      tools: { register: (definition) => this.#register(definition) },
      logger: (name: string) => {
        const write = (level: string) => (message: string): void => {
          this.logs.push({ level, message: `[${name}] ${message}` });
          this.#waiting.wake();
        };
        return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
      },
      get: () => undefined,
      effect: (callback, label) => {
        if (label !== undefined) this.effects.push(label);
        return disposers.push(callback());
      },
    };
    const activated = createBridgePlugin({ openSession: server.open, ...stages }).apply(ctx, config);
    activated.catch(() => undefined);
    return {
      activated,
      cancel: () => {
        fiber.uid = null;
        for (const listener of listeners) listener(fiber);
      },
      dispose: async () => {
        await Promise.all(disposers.splice(0).map(async (dispose) => dispose()));
      },
    };
  }

  #register(definition: ToolDefinition): () => void {
    const { name } = definition;
    if (this.#definitions.has(name)) throw new Error(`the tool "${name}" is registered already`);
    this.#definitions.set(name, definition);
    this.#changed(`+${name}`);
    return () => {
      if (this.#definitions.get(name) !== definition) return;
      this.#definitions.delete(name);
      this.#changed(`-${name}`);
    };
  }

  #changed(change: string): void {
    this.changes.push(change);
    this.onChange();
    this.#waiting.wake();
  }
}

/**
 * A config that is complete but for what a test adds; nothing is started, since the session is in memory. Nothing
 * reconnects unless a test asks for it.
 */
export function memoryConfig(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { transport: 'stdio', serverName: 'mem', command: 'unused', reconnect: { enabled: false }, listChangeQuietMs: 1, listChangeMaxWaitMs: 5, ...more };
}
