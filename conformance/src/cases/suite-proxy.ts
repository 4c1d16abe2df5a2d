/**
 * A proxy of the suite's own, on this machine: it alone knows the way to the names `<server>.mcp.test`, so that a bridge
 * reaches such a server only through it.
 */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Behind every name that the proxy knows. */
const DOMAIN = '.mcp.test';
const HOST = '127.0.0.1';

/** A proxy at work. */
export interface SuiteProxy {
  readonly url: string;
  /** Makes a server known, and gives the URL by which it is reached through the proxy. */
  lead(server: string, url: string): string;
  /** Ends it and every connection through it. */
  close(): void;
}

/** Starts a proxy. */
export async function startProxy(): Promise<SuiteProxy> {
  const ports = new Map<string, number>();
  const sockets = new Set<Socket>();
  const portOf = (authority: string): number | undefined => ports.get(authority.replace(/:\d+$/, ''));
  /** Sends a request on under the fixture's own name: its guard refuses others. */
  const pass = (port: number | undefined, target: string, asked: IncomingMessage, answer: ServerResponse): void => {
    if (port === undefined) {
      answer.writeHead(502).end();
      return;
    }
    const onward = forward({ host: HOST, port, method: asked.method, path: target, headers: { ...asked.headers, host: `${HOST}:${port}` } }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      answer.flushHeaders();
      came.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  };
  const server = createServer((asked, answer) => {
    const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined;
    pass(url === undefined ? undefined : portOf(url.host), url === undefined ? '/' : `${url.pathname}${url.search}`, asked, answer);
  });
  const tunnels = new WeakMap<Socket, string>();
  const tunnelled = createServer((asked, answer) => pass(portOf(tunnels.get(asked.socket) ?? ''), asked.url ?? '/', asked, answer));
  server.on('connect', (asked: IncomingMessage, socket: Socket) => {
    tunnels.set(socket, asked.url ?? '');
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    tunnelled.emit('connection', socket);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const address = server.address();
  return {
    url: `http://${HOST}:${typeof address === 'object' && address !== null ? address.port : 0}`,
    lead(name, url) {
      const { port, pathname } = new URL(url);
      const host = `${name.toLowerCase()}${DOMAIN}`;
      ports.set(host, Number(port));
      return `http://${host}:${port}${pathname}`;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
