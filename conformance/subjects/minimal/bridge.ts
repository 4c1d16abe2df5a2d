/** The bridge: servers and the one registry of what they offer. */
import type { CallReply, OfferedTool, ServerReply, ServerSpec, StateReply } from 'mcp-bridge-conformance/adapter';
import { notSent, type CallWay } from './calls.ts';
import type { ListedTool } from './listing.ts';
import type { PublicName } from './naming.ts';
import { Server, type Habits } from './server.ts';

/** What may be chosen about a bridge. */
export interface BridgeOptions {
  readonly publicName: PublicName;
  readonly habits: Habits;
  /** What is sent for a raw name. Anything but itself is a defect, which a mutant plants. */
  readonly sentName: (rawName: string) => string;
  log(level: 'info' | 'warn' | 'error', server: string, message: string): void;
  /** The registry changed, as a whole and at once. */
  onChange(): void;
}

/** A tool in the registry. */
interface Registered {
  readonly rawName: string;
  readonly outputSchema: unknown;
  readonly offered: OfferedTool;
}

interface Entry {
  readonly spec: ServerSpec;
  readonly server: Server;
  /** By public name, in the order of the list. */
  tools: ReadonlyMap<string, Registered>;
}

/** One bridge. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #native: ReadonlyMap<string, OfferedTool>;

  /** @param native names that the host gave to tools of its own, which no server may take */
  constructor(options: BridgeOptions, native: readonly string[]) {
    this.#options = options;
    this.#native = new Map(native.map((name) => [name, { name, description: 'a tool of the host', parameters: { type: 'object' } }]));
  }

  /** Starts a server; settles when its tools are offered, or when it is known that they are not. */
  async add(spec: ServerSpec): Promise<ServerReply> {
    const { name } = spec;
    if (this.#entries.has(name)) return { name, status: 'rejected', message: `a server "${name}" is loaded already; give this one another name` };
    const server = new Server(spec, {
      habits: this.#options.habits,
      log: (level, message) => this.#options.log(level, name, `server "${name}": ${message}`),
      offer: (tools) => this.#offer(name, tools),
    });
    this.#entries.set(name, { spec, server, tools: new Map() });
    return server.start();
  }

  /** Ends a server; settles when nothing of it is left. @returns its entry, when there was one */
  async remove(name: string): Promise<ServerSpec | undefined> {
    const entry = this.#entries.get(name);
    await entry?.server.stop();
    if (this.#entries.get(name) === entry) this.#entries.delete(name);
    return entry?.spec;
  }

  /** Ends them all. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((name) => this.remove(name)));
  }

  /** Reads every list afresh. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ server }) => server.refresh()));
  }

  /** What the model is offered: the host's own, then each server's in the order of its list. */
  get tools(): OfferedTool[] {
    return [...this.#native.values(), ...[...this.#entries.values()].flatMap(({ tools }) => [...tools.values()].map(({ offered }) => offered))];
  }

  /** How the servers are. */
  get states(): StateReply['servers'] {
    return [...this.#entries.values()].map(({ server }) => server.state);
  }

  /** Calls what goes by this public name. */
  async call(name: string, args: unknown, how: CallWay): Promise<CallReply> {
    for (const { server, tools } of this.#entries.values()) {
      const tool = tools.get(name);
      if (tool !== undefined) return server.call({ ...how, rawName: this.#options.sentName(tool.rawName), outputSchema: tool.outputSchema, args });
    }
    return notSent(`there is no tool "${name}" of a server`);
  }

  /** Swaps the tools of one server. A name that is taken keeps its first owner, and the other is refused by name. */
  #offer(server: string, listed: readonly ListedTool[]): string[] {
    const entry = this.#entries.get(server);
    if (entry === undefined) return [];
    const tools = new Map<string, Registered>();
    const refused: string[] = [];
    for (const { rawName, description, parameters, outputSchema } of listed) {
      const name = this.#options.publicName(server, rawName);
      const owner = this.#ownerOf(name, server) ?? tools.get(name)?.rawName;
      if (owner === undefined) tools.set(name, { rawName, outputSchema, offered: { name, description, parameters } });
      else refused.push(`${JSON.stringify(rawName)} is not offered: the name ${name} belongs to ${JSON.stringify(owner)} already`);
    }
    const before = JSON.stringify([...entry.tools]);
    entry.tools = tools;
    // Who lists the same again has changed nothing.
    if (JSON.stringify([...tools]) !== before) this.#options.onChange();
    return refused;
  }

  #ownerOf(name: string, server: string): string | undefined {
    if (this.#native.has(name)) return 'the host';
    return [...this.#entries].find(([other, { tools }]) => other !== server && tools.has(name))?.[0];
  }
}
