import type { Controller, ScriptedServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from '../../src/scenario/schema.ts';
import { startClient, type Wire } from '../client.ts';
import { createHttpClient, messagesOf } from '../http-client.ts';

/** How servers are reached. */
export const CARRIERS = ['stdio', 'streamable-http'] as const;

/** One connection to a server, whatever the carrier. */
export interface Peer {
  handshake(): Promise<void>;
  /** Sends a request; rejects when the connection ends first. */
  ask(method: string, params?: object): Promise<Wire>;
  /** Sends anything, and waits for no answer. */
  send(message: object): void;
  /** The messages that came without being asked for. */
  readonly unasked: () => readonly Wire[];
  /** Says that it is done. */
  end(): Promise<void>;
}

/** A server and how to connect to it. */
export interface Setup {
  readonly server: ScriptedServer;
  readonly connect: () => Peer;
}

let count = 0;

/** Declares a server on a carrier. */
export async function serveOn(carrier: (typeof CARRIERS)[number], controller: Controller, scenario: Omit<ScenarioInput, 'scenario'>): Promise<Setup> {
  count += 1;
  const name = `server-${count}`;
  if (carrier === 'streamable-http') {
    const server = await controller.serve(name, { scenario: 1, ...scenario }, { carrier });
    return { server, connect: () => httpPeer(server.url) };
  }
  const server = controller.serve(name, { scenario: 1, ...scenario });
  return { server, connect: () => stdioPeer(server.command, server.args) };
}

function stdioPeer(command: string, args: readonly string[]): Peer {
  const client = startClient(command, args);
  return {
    handshake: () => client.handshake(),
    ask: (method, params) => client.ask(method, params),
    send: (message) => client.send(message),
    unasked: () => client.messages.filter(({ method }) => method !== undefined),
    async end() {
      client.process.stdin.end();
      await client.ended;
    },
  };
}

function httpPeer(url: string): Peer {
  const client = createHttpClient(url);
  const texts: (() => string)[] = [];
  let nextId = 1;
  return {
    async handshake() {
      await client.handshake();
      const listening = await client.listen();
      texts.push(() => listening.text());
    },
    async ask(method, params) {
      const id = nextId;
      nextId += 1;
      const reply = await client.open('POST', { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
      texts.push(() => reply.text());
      const text = await reply.until((sofar) => messagesOf(sofar).some((message) => message.id === id));
      const answer = messagesOf(text).find((message) => message.id === id);
      if (answer === undefined) throw new Error(`no answer to ${method}`);
      return answer;
    },
    send: (message) => void client.send('POST', { jsonrpc: '2.0', ...message }).catch(() => undefined),
    unasked: () => texts.flatMap((text) => messagesOf(text())).filter(({ method }) => method !== undefined),
    async end() {
      await client.send('DELETE');
    },
  };
}
