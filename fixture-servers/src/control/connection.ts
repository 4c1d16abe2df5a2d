import type { Socket } from 'node:net';
import { createLineSplitter } from '../jsonrpc/framing.ts';
import type { TraceRecord } from '../trace/schema.ts';
import { withMessage } from '../trace/message.ts';
import { ControlError } from './errors.ts';
import { fixtureMessage, type ControllerMessage, type FixtureMessage } from './protocol.ts';

/** The most bytes of one message from a fixture: a record's raw text, escaped, with room. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** What a fixture answers to `environment`. */
export interface EnvironmentAnswer {
  /** The values of the variables asked for; null: not set. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Every name in the environment of the process. */
  readonly names: readonly string[];
}

/** A command without its number. */
export type Command = ControllerMessage extends infer Union
  ? Union extends ControllerMessage
    ? Omit<Union, 'seq'>
    : never
  : never;

/** The first message of a fixture. */
export type Hello = Extract<FixtureMessage, { type: 'hello' }>;

/** The controller's end of the channel to one fixture process. */
export interface FixtureConnection {
  readonly isOpen: boolean;
  /** Sends a command and waits for its acknowledgement. @throws ControlError `refused`, `process-ended`. */
  command(command: Command): Promise<EnvironmentAnswer | undefined>;
  /** Ends the channel, and with it the process. */
  destroy(): void;
}

/** Who hears of what the fixture says. */
export interface ConnectionListener {
  /** The first message. Returning undefined refuses the process. */
  onHello(hello: Hello, connection: FixtureConnection): boolean;
  onRecord(record: TraceRecord): void;
  onClose(): void;
}

interface Pending {
  readonly resolve: (answer: EnvironmentAnswer | undefined) => void;
  readonly reject: (error: ControlError) => void;
}

/** Takes over an accepted socket. */
export function attachConnection(socket: Socket, listener: ConnectionListener): void {
  const splitter = createLineSplitter(MAX_MESSAGE_BYTES);
  const pending = new Map<number, Pending>();
  let nextSeq = 1;
  let greeted = false;
  let open = true;

  const connection: FixtureConnection = {
    get isOpen() {
      return open;
    },
    command(command) {
      if (!open) return Promise.reject(endedError(command.type));
      const seq = nextSeq;
      nextSeq += 1;
      return new Promise((resolve, reject) => {
        pending.set(seq, { resolve, reject });
        socket.write(`${JSON.stringify({ ...command, seq })}\n`);
      });
    },
    destroy: () => socket.destroy(),
  };
  const take = (message: FixtureMessage): void => {
    if (message.type === 'hello') {
      if (greeted || !listener.onHello(message, connection)) socket.destroy();
      greeted = true;
    } else if (!greeted) socket.destroy();
    else if (message.type === 'trace') listener.onRecord(withMessage(message.record));
    else settle(pending, message);
  };

  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    try {
      for (const line of splitter.push(chunk)) take(read(line.text));
    } catch {
      // Not a fixture of ours, or a broken one: without its records no test can trust it.
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    open = false;
    for (const { reject } of pending.values()) reject(endedError('a command'));
    pending.clear();
    if (greeted) listener.onClose();
  });
}

/** Records are trusted after the hello: checking each again would cost more than serving. Everything else is checked. */
function read(text: string): FixtureMessage {
  const value: FixtureMessage = JSON.parse(text);
  return value.type === 'trace' ? value : fixtureMessage.parse(value);
}

function settle(pending: Map<number, Pending>, message: Extract<FixtureMessage, { seq: number }>): void {
  const waiter = pending.get(message.seq);
  pending.delete(message.seq);
  if (message.type === 'environment') waiter?.resolve({ values: message.values, names: message.names });
  else if (message.error === undefined) waiter?.resolve(undefined);
  else waiter?.reject(new ControlError('refused', message.error));
}

function endedError(what: string): ControlError {
  return new ControlError('process-ended', `the fixture process ended before it acknowledged ${what}`);
}
