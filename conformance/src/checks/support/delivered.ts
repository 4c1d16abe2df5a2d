/** Whether a message that came over HTTP was taken: a fixture keeps what it refused as well. Pure. */
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { wireRecords, type At } from '../../history/views.ts';

/** The status with which the POST of a message was refused; `undefined` where it was taken, is not answered, or came over stdio. */
export function refusedWith(history: History, { event: { server, pid, http } }: At<FrameRecord>): number | undefined {
  const exchange = http?.exchange;
  if (exchange === undefined) return undefined;
  const response = wireRecords(history, 'frame', server).find(({ event }) =>
    event.direction === 'server-to-client' && event.pid === pid && event.http?.exchange === exchange && event.http.status !== undefined);
  const status = response?.event.http?.status;
  return status === undefined || (status >= 200 && status < 300) ? undefined : status;
}

/** Divides messages into those that were taken and those that were refused. */
export function byDelivery(history: History, sent: readonly At<FrameRecord>[]): { readonly taken: At<FrameRecord>[]; readonly refused: At<FrameRecord>[] } {
  const taken = sent.filter((frame) => refusedWith(history, frame) === undefined);
  return { taken, refused: sent.filter((frame) => !taken.includes(frame)) };
}
