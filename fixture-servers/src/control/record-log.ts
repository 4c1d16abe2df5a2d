import type { TraceRecord } from '../trace/schema.ts';
import { deferred } from './deferred.ts';
import { ControlError } from './errors.ts';
import { describeRecord } from './describe.ts';

/** How long `waitFor` waits unless told, in milliseconds. */
export const DEFAULT_WAIT_MS = 10_000;
/** How many records one server may collect unless told: some 100 bytes each beside their frames. */
export const DEFAULT_MAX_RECORDS = 500_000;
/** How many of the last records an error shows. */
const SHOWN_RECORDS = 8;

/** How to wait for a record. */
export interface WaitOptions {
  /** Index into the records from which to look. Default 0: the past counts too. */
  readonly since?: number;
  /** Milliseconds. Default 10 000. */
  readonly timeoutMs?: number;
  /** What is awaited, for the error. */
  readonly what?: string;
}

interface Waiter {
  readonly predicate: (record: TraceRecord) => boolean;
  readonly resolve: (record: TraceRecord) => void;
  readonly reject: (error: unknown) => void;
}

/** Records in order of arrival, and those who wait for one. */
export interface RecordLog {
  readonly records: readonly TraceRecord[];
  /** Adds a record. @returns false when the bound is reached and it was not added. */
  add(record: TraceRecord): boolean;
  waitFor(predicate: (record: TraceRecord) => boolean, options?: WaitOptions): Promise<TraceRecord>;
  /** Rejects everybody who waits, now and later, unless a past record satisfies them. */
  close(error: ControlError): void;
}

/** Makes a log for one server. */
export function createRecordLog(server: string, maxRecords: number): RecordLog {
  const records: TraceRecord[] = [];
  const waiters = new Set<Waiter>();
  let closed: ControlError | undefined;
  return {
    records,
    add(record) {
      if (records.length >= maxRecords) return false;
      records.push(record);
      for (const waiter of waiters) settle(waiter, record, waiters);
      return true;
    },
    waitFor(predicate, options = {}) {
      const timeoutMs = options.timeoutMs ?? DEFAULT_WAIT_MS;
      for (let index = options.since ?? 0; index < records.length; index += 1) {
        const record = records[index];
        if (record !== undefined && predicate(record)) return Promise.resolve(record);
      }
      if (closed !== undefined) return Promise.reject(closed);
      const { promise, resolve, reject } = deferred<TraceRecord>();
      const waiter: Waiter = { predicate, resolve, reject };
      waiters.add(waiter);
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        waiter.reject(new ControlError('timeout', timeoutMessage(server, records, options.what, timeoutMs)));
      }, timeoutMs);
      const stop = (): void => clearTimeout(timer);
      promise.then(stop, stop);
      return promise;
    },
    close(error) {
      closed = error;
      for (const waiter of waiters) waiter.reject(error);
      waiters.clear();
    },
  };
}

function settle(waiter: Waiter, record: TraceRecord, waiters: Set<Waiter>): void {
  try {
    if (!waiter.predicate(record)) return;
    waiter.resolve(record);
  } catch (error) {
    waiter.reject(error);
  }
  waiters.delete(waiter);
}

function timeoutMessage(
  server: string,
  records: readonly TraceRecord[],
  what: string | undefined,
  timeoutMs: number,
): string {
  const last = records.slice(-SHOWN_RECORDS).map((record) => `  ${describeRecord(record)}`);
  return [
    `server "${server}": waited ${timeoutMs} ms for ${what ?? 'a record'}, which did not come.`,
    last.length === 0 ? 'It has no records: no process said anything.' : `The last of ${records.length} records:`,
    ...last,
  ].join('\n');
}
