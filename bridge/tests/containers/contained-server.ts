/** A scripted server over HTTP in a container of its own, at an address that outlives every cut and restart. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import { startController, type Controller, type ScriptedServer } from 'mcp-fixture-server/control';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import type { FixtureImage } from './image.ts';

/** What of an engine's own interface is used beside the library that starts containers. */
type Engine = Awaited<ReturnType<typeof getContainerRuntimeClient>>['container']['dockerode'];

/** Where the control socket is seen inside; the same path as outside would tie the two file systems together. */
const CONTROL_FOLDER = '/control';
const PORT = 8080;
/** Private networks to choose from: 10.213.x.0/24. One that is taken is refused by the engine, and the next is tried. */
const SUBNETS = 200;

/** A network in which an address can be kept. */
export interface CuttableNetwork {
  readonly name: string;
  readonly engine: Engine;
  /** The n-th host's address. */
  address(host: number): string;
  remove(): Promise<void>;
}

/** Makes a network with addresses of our choosing. */
export async function createNetwork(): Promise<CuttableNetwork> {
  const engine = (await getContainerRuntimeClient()).container.dockerode;
  const name = `mcp-bridge-${process.pid}-${Date.now()}`;
  let refused: unknown;
  for (let subnet = 1; subnet <= SUBNETS; subnet += 1) {
    try {
      const network = await engine.createNetwork({ Name: name, IPAM: { Driver: 'default', Config: [{ Subnet: `10.213.${subnet}.0/24` }] } });
      return {
        name,
        engine,
        address: (host) => `10.213.${subnet}.${host}`,
        remove: async () => {
          await network.remove();
        },
      };
    } catch (error) {
      refused = error;
    }
  }
  throw refused;
}

/** See the module's comment. */
export class ContainedServer {
  readonly url: string;
  readonly server: ScriptedServer;
  readonly #controller: Controller;
  readonly #container: StartedTestContainer;
  readonly #network: CuttableNetwork;
  readonly #address: string;
  readonly #folder: string;

  private constructor(parts: {
    controller: Controller; server: ScriptedServer; container: StartedTestContainer; network: CuttableNetwork; address: string; folder: string; name: string;
  }) {
    this.#controller = parts.controller;
    this.server = parts.server;
    this.#container = parts.container;
    this.#network = parts.network;
    this.#address = parts.address;
    this.#folder = parts.folder;
    this.url = `http://${parts.address}:${PORT}/${parts.name}/mcp`;
  }

  /** Starts one; resolves when it serves. */
  static async start({ image = '', command }: FixtureImage, network: CuttableNetwork, name: string, scenario: ScenarioInput): Promise<ContainedServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'contained-'));
    const controller = await startController({ socketPath: path.join(folder, 'control') });
    const { args, server } = controller.declare(name, scenario);
    const inside = args.map((word) => (word === path.join(folder, 'control') ? `${CONTROL_FOLDER}/control` : word));
    const container = await new GenericContainer(image)
      .withNetworkMode(network.name)
      .withBindMounts([{ source: folder, target: CONTROL_FOLDER }])
      .withCommand([...command, ...inside, '--host', '0.0.0.0', '--port', String(PORT)])
      .start();
    const address = network.address(10);
    const contained = new ContainedServer({ controller, server, container, network, address, folder, name });
    // Once more with an address that is its own: the engine keeps it over restarts then.
    await contained.cut();
    await contained.mend();
    await server.waitFor((record) => record.kind === 'process' && record.event === 'start');
    return contained;
  }

  /** Ends its process with SIGKILL. */
  async kill(): Promise<void> {
    await this.#engineContainer.kill({ signal: 'SIGKILL' });
    await this.#engineContainer.wait();
  }

  /** Starts another process in the same container; resolves when it serves. */
  async revive(): Promise<void> {
    const since = this.server.records.length;
    await this.#engineContainer.start();
    await this.server.waitFor((record) => record.kind === 'process' && record.event === 'start', { since });
  }

  /** Freezes it: connections stay open, and nothing answers. */
  async pause(): Promise<void> {
    await this.#engineContainer.pause();
  }

  /** Thaws it. */
  async resume(): Promise<void> {
    await this.#engineContainer.unpause();
  }

  /** Takes its network away: nothing of what is sent arrives, and nobody says so. */
  async cut(): Promise<void> {
    await this.#engineNetwork.disconnect({ Container: this.#container.getId(), Force: true });
  }

  /** Gives its network back, with the same address. */
  async mend(): Promise<void> {
    await this.#engineNetwork.connect({ Container: this.#container.getId(), EndpointConfig: { IPAMConfig: { IPv4Address: this.#address } } });
  }

  /** Ends it whatever state it is in. */
  async close(): Promise<void> {
    await this.#engineContainer.remove({ force: true, v: true });
    await this.#controller.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #engineContainer(): ReturnType<Engine['getContainer']> {
    return this.#network.engine.getContainer(this.#container.getId());
  }

  get #engineNetwork(): ReturnType<Engine['getNetwork']> {
    return this.#network.engine.getNetwork(this.#network.name);
  }
}
