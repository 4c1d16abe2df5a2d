/** One message that was POSTed, and with which status it was taken or refused. */
import type { HistoryBuilder } from '../builder.ts';

/** `exchange`: a number that no other request of the history has. No status: there is no response yet. */
export function posted(builder: HistoryBuilder, server: string, exchange: number, message: object, status?: number): HistoryBuilder {
  const raw = JSON.stringify(message);
  const http = { method: 'POST', exchange } as const;
  builder.record(server, { kind: 'frame', direction: 'client-to-server', raw, bytes: raw.length, message, http });
  return status === undefined ? builder : builder.record(server, { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, http: { ...http, status } });
}
