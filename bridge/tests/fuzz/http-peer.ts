/** One loopback server for all runs, which answers as the script of the moment says; and one that sends bytes as they are. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { isObject } from '../../src/transport/narrow.ts';
import { cut } from './chunkings.ts';
import { SOUND_HTTP, type HttpAnswer, type HttpScript } from './http-answers.ts';
import { withId } from './mcp-texts.ts';

/** A server on loopback. */
export interface Peer<Script> {
  readonly url: string;
  /** What it does from now on. */
  script: Script;
  stop(): Promise<void>;
}

interface Asked {
  readonly kind: string;
  readonly id: unknown;
}

/** Starts a server over HTTP, sound until its script is replaced. */
export async function startHttpPeer(): Promise<Peer<HttpScript>> {
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { kind, id } = await readRequest(request);
    const answer = peer.script[kind] ?? peer.script['other'];
    if (answer === undefined || response.destroyed) response.destroy();
    else writeAnswer(response, answer, id);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = {
    url: urlOf(server.address()),
    script: SOUND_HTTP,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return peer;
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  let message: unknown = {};
  try {
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (request.method !== 'POST') return { kind: String(request.method), id: undefined };
    message = JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    // It was given up before it was sent whole.
  }
  const { method, id } = isObject(message) ? message : {};
  return { kind: typeof method === 'string' ? method : 'other', id };
}

function writeAnswer(response: ServerResponse, answer: HttpAnswer, id: unknown): void {
  const body = bodyFor(answer, id);
  response.on('error', () => {});
  response.writeHead(answer.status, { ...answer.headers, ...(answer.saysLength ? { 'content-length': body.length } : {}) });
  for (const piece of cut(body, answer.cuts)) response.write(piece);
  if (answer.end === 'end') response.end();
  else if (answer.end === 'destroy') setImmediate(() => response.destroy());
}

/** The bytes of an answer's body. */
export function bodyFor({ body }: HttpAnswer, id: unknown): Buffer {
  return typeof body === 'string' ? Buffer.from(withId(body, id)) : body;
}

/** Starts a server that answers each first piece of a request with these bytes, cut so, and hangs up. */
export async function startBytesPeer(): Promise<Peer<readonly Buffer[]>> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => {
      for (const piece of peer.script) socket.write(piece);
      socket.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer: Peer<readonly Buffer[]> = {
    url: urlOf(server.address()),
    script: [],
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return peer;
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/mcp`;
}
