import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createLineSplitter } from '../src/jsonrpc/framing.ts';

/** The command line of the package. */
export const BIN = fileURLToPath(new URL('../bin/mcp-fixture-server.js', import.meta.url));

/** What tests look at in a message. */
export interface Wire {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: unknown;
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly nextCursor?: string;
    readonly content?: readonly { readonly text?: string }[];
  };
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A client of a stdio server that is no library: it sends lines and keeps what comes. */
export interface Client {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Everything that came on stdout, as it came. */
  readonly stdout: () => Buffer;
  readonly stderr: () => string;
  /** The messages that came. */
  readonly messages: readonly Wire[];
  send(message: object): void;
  /** Sends a request and resolves with its answer; rejects when the process ends first. */
  ask(method: string, params?: object): Promise<Wire>;
  /** Sends initialize and initialized. */
  handshake(): Promise<void>;
  /** Resolves when the process has ended and its streams are closed. */
  readonly ended: Promise<Ending>;
}

/** Starts a server and talks to it. */
export function startClient(command: string, args: readonly string[]): Client {
  const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const splitter = createLineSplitter();
  const chunks: Buffer[] = [];
  const messages: Wire[] = [];
  const waiting = new Map<number, { resolve: (answer: Wire) => void; reject: (error: Error) => void }>();
  let stderr = '';
  let nextId = 1;
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    for (const line of splitter.push(chunk)) {
      const message = parse(line.text);
      if (message === undefined) continue;
      messages.push(message);
      if (typeof message.id === 'number') waiting.get(message.id)?.resolve(message);
    }
  });
  const ended = new Promise<Ending>((resolve) => {
    child.on('close', (code, signal) => {
      for (const { reject } of waiting.values()) reject(new Error(`ended with ${code ?? signal}: ${stderr}`));
      resolve({ code, signal });
    });
  });
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const ask = (method: string, params?: object): Promise<Wire> => {
    const id = nextId;
    nextId += 1;
    const answer = new Promise<Wire>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
    send({ id, method, ...(params === undefined ? {} : { params }) });
    return answer;
  };
  return {
    process: child,
    stdout: () => Buffer.concat(chunks),
    stderr: () => stderr,
    messages,
    send,
    ask,
    async handshake() {
      await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
      send({ method: 'notifications/initialized' });
    },
    ended,
  };
}

function parse(text: string): Wire | undefined {
  try {
    const message: Wire = JSON.parse(text.replace('\uFEFF', ''));
    return message;
  } catch {
    return undefined;
  }
}
