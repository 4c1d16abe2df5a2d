/** A wire between a transport that a test plays and a library that only listens. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { SessionWire } from '../../src/transport/session-wire.ts';

/** See the module's comment. */
export interface Bench {
  readonly wire: SessionWire;
  readonly inner: Transport;
  readonly sent: JSONRPCMessage[];
  readonly reports: string[];
  /** What the library gets to see. */
  readonly delivered: JSONRPCMessage[];
  /** Lets the second pass for which reports are bounded: at most a hundred. */
  readonly nextSecond: () => void;
}

/** A started wire; `send` is what becomes of each message. */
export async function bench(send: (message: JSONRPCMessage) => Promise<void> = () => Promise.resolve()): Promise<Bench> {
  const sent: JSONRPCMessage[] = [];
  const reports: string[] = [];
  const delivered: JSONRPCMessage[] = [];
  let nowMs = 0;
  const inner: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.reject(new Error('close failed')),
    send: (message) => {
      sent.push(message);
      return send(message);
    },
  };
  const wire = new SessionWire(inner, {
    onToolListChanged: () => {},
    reports: new ReportLimiter((level, message) => reports.push(level === 'debug' ? message : `${level}: ${message}`), 100, () => nowMs),
    maxWaitingReplies: 2,
    onInitializeResult: (result) => ({ read: result }),
  });
  Object.assign(wire, { onmessage: (message: JSONRPCMessage) => delivered.push(message) });
  await wire.start();
  const nextSecond = (): void => {
    nowMs += 1_000;
  };
  return { wire, inner, sent, reports, delivered, nextSecond };
}

/** A message that the library's types do not allow. */
export function odd(members: object): JSONRPCMessage {
  return Object.assign(JSON.parse('{"jsonrpc":"2.0"}'), members);
}

/** A call with this id. */
export const request = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
