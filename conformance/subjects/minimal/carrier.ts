/** The way of messages to a server and back: pipes of a process, or HTTP. */
import { isObject, type JsonObject } from './json.ts';

/** A way that is open, or was. */
export interface Carrier {
  /** Resolves with the reason when nothing comes any more, and what came was heard. */
  readonly gone: Promise<string>;
  /** Sends a message. Resolves when the server has it, or when it is known that it never will. Never rejects. */
  send(message: JsonObject): Promise<void>;
  /** The handshake is done, in this revision. */
  agreed(revision: string): void;
  /** Nobody waits for the answer to this request any more. */
  forget(id: number): void;
  /** Ends it, and what the server holds for it. Resolves when nothing of it is left. */
  end(): Promise<void>;
}

/** Who listens to a carrier. */
export interface Hearing {
  onMessage(message: JsonObject): void;
  /** Something that is no message. */
  onNoise(text: string): void;
  /** The answer to this request will not come. */
  onLost(id: number, reason: string): void;
}

/** What is sent for a message. */
export function textOf(message: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

/** Hands on what came as text. */
export function hear(text: string, hearing: Hearing): void {
  let message: unknown;
  try {
    message = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    message = undefined;
  }
  if (isObject(message)) hearing.onMessage(message);
  else if (text.trim() !== '') hearing.onNoise(text);
}
