/** What a fixture process of any carrier does with the messages of its controller. */
import type { ControlClient } from '../control/client.ts';
import type { ControllerMessage } from '../control/protocol.ts';

/** A server that takes commands. @returns why one could not be obeyed. */
export interface Commanded {
  command(message: Extract<ControllerMessage, { type: 'program' | 'release' | 'signal' | 'do' }>): string | undefined;
}

/** Obeys one message and says so. */
export function obey(server: Commanded, reply: ControlClient['send'], message: ControllerMessage): void {
  switch (message.type) {
    case 'environment':
      reply({
        type: 'environment',
        seq: message.seq,
        values: Object.fromEntries(message.names.map((name) => [name, process.env[name] ?? null])),
        names: Object.keys(process.env),
      });
      return;
    case 'end':
      reply({ type: 'ack', seq: message.seq });
      setImmediate(() => process.exit(0));
      return;
    case 'program':
    case 'release':
    case 'signal':
    case 'do':
      acknowledge(reply, message.seq, server.command(message));
      return;
  }
}

function acknowledge(reply: ControlClient['send'], seq: number, error: string | undefined): void {
  reply({ type: 'ack', seq, ...(error === undefined ? {} : { error }) });
}
