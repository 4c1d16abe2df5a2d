import { connect, type Socket } from 'node:net';
import { createLineSplitter } from '../jsonrpc/framing.ts';
import { isJsonObject } from '../jsonrpc/message.ts';
import { systemErrorCode } from '../system-error.ts';
import type { RecordSink } from '../trace/recorder.ts';
import type { ControllerMessage, FixtureMessage } from './protocol.ts';

/** How far the controller may lag before the fixture takes no more input, in bytes. */
const HIGH_WATER_BYTES = 8 * 1024 * 1024;
/** How far it may lag before the fixture gives up, in bytes: a controller that far behind has stopped reading. */
const GIVE_UP_BYTES = 512 * 1024 * 1024;

/** The fixture's end of the control channel. */
export interface ControlClient {
  /** Sends a message. */
  readonly send: (message: FixtureMessage) => void;
  /** Sends a trace record that is JSON already. */
  readonly sendRecord: RecordSink;
  /** Whether the controller lags. */
  isCongested(): boolean;
  /** Resolves when everything sent before has left the process. */
  flushed(): Promise<void>;
}

/** What the fixture does with the channel. */
export interface ControlHandlers {
  onMessage(message: ControllerMessage): void;
  /**
   * The channel ended, or could not be opened: the process must end. `reason` is what a person has to know;
   * `undefined` when a controller that had answered closed it, which is how every run ends.
   */
  onEnd(reason: string | undefined): void;
}

/**
 * Dials the controller: `host:port`, or the path of a Unix socket. Messages of the controller are not checked beyond
 * their form: it showed the secret's owner, and checks what it sends (a fixture must start fast).
 */
export function connectControl(address: string, handlers: ControlHandlers): ControlClient {
  const socket = dial(address);
  const splitter = createLineSplitter();
  let corked = false;
  let ended = false;
  let answered = false;
  const finish = (reason: string | undefined): void => {
    if (ended) return;
    ended = true;
    handlers.onEnd(reason);
  };
  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    if (ended) return;
    let messages: ControllerMessage[] = [];
    try {
      messages = splitter.push(chunk).map((line) => messageOf(line.text));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      finish(`control ${address}: what answers there is no controller (${why}); give --control the address that a controller names`);
      socket.destroy();
    }
    for (const message of messages) {
      answered = true;
      handlers.onMessage(message);
    }
  });
  socket.on('error', (error) => {
    // A controller that closes while records are on their way is a controller that closes.
    const isClosed = answered && ['ECONNRESET', 'EPIPE'].includes(systemErrorCode(error) ?? '');
    finish(isClosed ? undefined : `control ${address}: ${error.message}; is a controller there?`);
  });
  socket.on('close', () => {
    finish(answered ? undefined : `control ${address}: closed before it answered; give the --secret and the server's name that the controller knows`);
  });

  const write = (text: string): void => {
    if (ended) return;
    if (!corked) {
      // Records of one turn leave together.
      corked = true;
      socket.cork();
      setImmediate(() => {
        corked = false;
        socket.uncork();
      });
    }
    socket.write(text);
    if (socket.writableLength > GIVE_UP_BYTES) finish(`control ${address}: the controller reads nothing`);
  };
  return {
    send: (message) => write(`${JSON.stringify(message)}\n`),
    sendRecord: (line) => write(`{"type":"trace","record":${line}}\n`),
    isCongested: () => socket.writableLength > HIGH_WATER_BYTES,
    flushed: () =>
      new Promise((resolve) => {
        if (ended) resolve();
        else socket.write('', () => resolve());
      }),
  };
}

/** @throws SyntaxError when it is no message */
function messageOf(text: string): ControllerMessage {
  const message: unknown = JSON.parse(text);
  if (!isControllerMessage(message)) throw new SyntaxError('a line is no message');
  return message;
}

function isControllerMessage(value: unknown): value is ControllerMessage {
  return isJsonObject(value) && typeof value['type'] === 'string' && typeof value['seq'] === 'number';
}

function dial(address: string): Socket {
  const tcp = /^(.+):(\d{1,5})$/.exec(address);
  return tcp?.[1] === undefined || tcp[2] === undefined ? connect(address) : connect(Number(tcp[2]), tcp[1]);
}
