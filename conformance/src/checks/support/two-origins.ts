/** A server that sends some of its requests to another origin, for checks of what is trusted to whom. */
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { wireRecords, type At } from '../../history/views.ts';
import { httpOrigin } from './http-origin.ts';
import { STEADY } from './scripts.ts';
import { ask } from './steps.ts';

/** Who takes part. */
export interface TwoOrigins {
  /** Name of the configured server. */
  readonly server: string;
  /** Name of the other origin: those who want an event stream are sent there. */
  readonly elsewhere: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Calls are sent there too; default false. */
  readonly redirectsCalls?: boolean;
}

/** Opens the server with these headers, calls it once and closes everything. */
export async function visitTwoOrigins(bench: Bench, { server, elsewhere, headers, redirectsCalls = false }: TwoOrigins): Promise<void> {
  const other = await httpOrigin(bench, { name: elsewhere });
  const origin = await httpOrigin(bench, { name: server, redirectTo: other.url, ...(redirectsCalls ? { redirectCallsTo: other.url } : {}) });
  try {
    await bench.open([{ name: server, transport: 'streamable-http', url: origin.url, headers: { ...headers } }]);
    await ask(bench, server, STEADY);
    await bench.close();
  } finally {
    await bench.close().catch(() => undefined);
    await Promise.all([origin.close(), other.close()]);
  }
}

/** What an origin was asked over HTTP, in order. */
export function requestsTo(history: History, server: string): At<FrameRecord>[] {
  return wireRecords(history, 'frame', server).filter(({ event }) => event.http !== undefined);
}
