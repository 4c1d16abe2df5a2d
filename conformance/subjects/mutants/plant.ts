/**
 * Where defects are planted: in a stage of the reference, in the adapter around it, in messages on the wire, or in the
 * bytes and the start of a process.
 */
import type { Transform } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { AdapterFactory, BridgeAdapter } from 'mcp-bridge-conformance/adapter';
import { spawn } from 'node:child_process';
import { referenceStages, type BridgeStages, type OpenSessionOptions } from 'cordis-plugin-mcp-bridge/internal';
import { createReferenceAdapter } from '../reference/adapter.ts';

/** The reference with other stages. `make` runs once an adapter, so that a defect may remember something. */
export function withStages(make: () => Partial<BridgeStages>): AdapterFactory {
  return () => createReferenceAdapter({ stages: make() });
}

/** The reference behind an adapter of which some methods are replaced; `stages` for a defect that sits in two places. */
export function around(change: (inner: BridgeAdapter) => Partial<BridgeAdapter>, stages: Partial<BridgeStages> = {}): AdapterFactory {
  return () => {
    const inner = createReferenceAdapter({ stages });
    return {
      describe: () => inner.describe(),
      open: (request) => inner.open(request),
      add: (server) => inner.add(server),
      remove: (server) => inner.remove(server),
      reload: (server) => inner.reload(server),
      close: () => inner.close(),
      tools: () => inner.tools(),
      state: () => inner.state(),
      call: (request) => inner.call(request),
      cancel: (callId) => inner.cancel(callId),
      gate: (request) => inner.gate(request),
      setHost: (host) => inner.setHost(host),
      onNotification: (listener) => inner.onNotification(listener),
      ...change(inner),
    };
  };
}

/** Effects of a connection: how a process is started, watched and given its environment. */
export type Effects = NonNullable<OpenSessionOptions['effects']>;

/** The reference that connects with other options. */
export function connecting(change: (options: OpenSessionOptions) => OpenSessionOptions): AdapterFactory {
  return withStages(() => ({ openSession: (options) => referenceStages.openSession(change(options)) }));
}

/** A message, as a defect looks at it. */
export type Message = Readonly<Record<string, unknown>>;

/** What a defect does with messages. Each passes on what it likes. */
export interface Tap {
  /** From the bridge. */
  readonly send?: (message: Message, pass: (message: Message) => Promise<void>) => Promise<void>;
  /** From the server. */
  readonly receive?: (message: Message, pass: (message: Message) => void) => void;
  /** Before the bridge ends the connection: what may still be sent. */
  readonly close?: (send: (message: Message) => Promise<void>) => Promise<void>;
}

/** The reference with a tap on the wire of every session; `make` runs once a session. */
export function onWire(make: (serverName: string) => Tap): AdapterFactory {
  return connecting((options) => ({ ...options, decorateTransport: (inner) => tapped(inner, make(options.serverName)) }));
}

function tapped(inner: Transport, tap: Tap): Transport {
  const outer: Transport = {
    start() {
      // A transport of the library has these members and no event target.
      // oxlint-disable unicorn/prefer-add-event-listener
      inner.onmessage = (message, extra) => {
        const pass = (passed: Message): void => outer.onmessage?.(asWire(passed), extra);
        if (tap.receive === undefined) pass({ ...message });
        else tap.receive({ ...message }, pass);
      };
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      // oxlint-enable unicorn/prefer-add-event-listener
      return inner.start();
    },
    send(message, options) {
      const pass = (passed: Message): Promise<void> => inner.send(asWire(passed), options);
      return tap.send === undefined ? pass({ ...message }) : tap.send({ ...message }, pass);
    },
    async close() {
      await tap.close?.((message) => inner.send(asWire(message)));
      await inner.close();
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  return outer;
}

/** Whether a value can be looked at as a message. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asWire(message: Message): JSONRPCMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a defect may well put something else on the wire
  return message as unknown as JSONRPCMessage;
}

/** The reference that reads the stdout of its servers through a filter; `make` runs once a process. */
export function onBytes(make: () => Transform): AdapterFactory {
  return connecting((options) => ({
    ...options,
    effects: {
      ...options.effects,
      spawn: (command, args, how) => {
        const child = spawn(command, args, how);
        if (child.stdout !== null) Object.defineProperty(child, 'stdout', { value: child.stdout.pipe(make()) });
        return child;
      },
    },
  }));
}

/** Sends one HTTP request. */
export type Send = typeof fetch;

/** A `fetch` of one's own goes round the platform's proxy, which would be another defect: where there is a proxy, none is planted. */
export function ownFetch(fetch: NonNullable<Effects['fetch']>): Pick<Effects, 'fetch'> {
  const isProxied = [process.env['http_proxy'], process.env['HTTP_PROXY']].some((address) => address !== undefined && address !== '');
  return isProxied ? {} : { fetch };
}

/** The reference whose HTTP requests go through `change`; `make` runs once an adapter, so that a defect may remember something. */
export function onFetch(make: () => (send: Send, url: string | URL, init: RequestInit) => Promise<Response>): AdapterFactory {
  return withStages(() => {
    const change = make();
    return {
      openSession: (options) => referenceStages.openSession({
        ...options,
        effects: { ...options.effects, ...ownFetch((url, init) => change(fetch, url, init ?? {})) },
      }),
    };
  });
}

/** The JSON-RPC message that a request carries; `{}` where it carries none. */
export function messageIn({ body }: RequestInit): Message {
  const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return isMessage(parsed) ? parsed : {};
}
