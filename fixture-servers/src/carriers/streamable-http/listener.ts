import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCode } from '../../system-error.ts';
import { KEEP_ALIVE_MS, LISTEN_AGAIN_MS, MAX_CONNECTIONS } from './bounds.ts';

/** How long between two tries to listen on a port that is taken for a moment, in milliseconds. */
const RETRY_MS = 20;

/** A port that can be closed and opened again. */
export interface Listener {
  readonly port: number;
  /** Stops listening and resets every connection. */
  down(): void;
  /** Listens again on the same port. @throws Error when it stays taken by somebody else. */
  up(): Promise<void>;
}

/** Takes a request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Listens on an address; port 0 takes a free one.
 * @throws Error of the operating system.
 */
export async function openListener(host: string, wanted: number, handler: RequestHandler): Promise<Listener> {
  const sockets = new Set<Socket>();
  let isWanted = true;
  const make = (): Server => {
    const made = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handler);
    made.maxConnections = MAX_CONNECTIONS;
    made.on('connection', (socket) => {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
      // What a client does to its connection is its own affair (B27).
      socket.on('error', () => undefined);
    });
    made.on('clientError', refuseBytes);
    return made;
  };
  let server = make();
  await listen(server, host, wanted);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : wanted;

  return {
    port,
    down() {
      if (!isWanted) return;
      isWanted = false;
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async up() {
      if (isWanted) return;
      isWanted = true;
      const until = Date.now() + LISTEN_AGAIN_MS;
      for (;;) {
        server = make();
        try {
          await listen(server, host, port);
          // It may have been told to go down again in the meantime.
          if (!isWanted) server.close();
          return;
        } catch (error) {
          // A connection of somebody else may have been given the port as its own end, for a moment.
          if (systemErrorCode(error) !== 'EADDRINUSE' || Date.now() > until) throw error;
          await sleep(RETRY_MS);
        }
      }
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Bytes that are no HTTP get a clear answer, and the connection ends. */
function refuseBytes(error: Error, socket: Socket | import('node:stream').Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const isLong = systemErrorCode(error) === 'HPE_HEADER_OVERFLOW';
  const text = isLong ? 'the header fields are too long\n' : `this is no HTTP: ${error.message}\n`;
  socket.end(
    `HTTP/1.1 ${isLong ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\ncontent-type: text/plain\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}
