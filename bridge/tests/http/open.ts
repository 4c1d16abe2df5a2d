/** Opens sessions over HTTP and closes them when a test ends. */
import { afterEach } from 'vitest';
import { openSession, type OpenedSession, type OpenSessionOptions } from '../../src/client-session.ts';
import type { CloseReason } from '../../src/session.ts';
import type { HttpTarget } from '../../src/transport/create-carrier.ts';

/** A session and what it told. */
export interface OpenedHttp {
  readonly session: OpenedSession;
  readonly reports: string[];
  readonly lost: CloseReason[];
  readonly changes: () => number;
}

const sessions: OpenedSession[] = [];

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});

/** Opens a session; short waits between tries. */
export async function openHttp(url: string, more: Omit<Partial<OpenSessionOptions>, 'target'> & Partial<Omit<HttpTarget, 'transport' | 'url'>> = {}): Promise<OpenedHttp> {
  const { headers, fetch, sessionLostOn400, limits, ...options } = more;
  const reports: string[] = [];
  const lost: CloseReason[] = [];
  let changes = 0;
  const session = await openSession({
    serverName: 'web',
    target: { transport: 'streamable-http', url, headers, fetch, sessionLostOn400 },
    listeners: {
      onToolListChanged: () => {
        changes += 1;
      },
      onDiagnostic: (level, message) => reports.push(`${level}: ${message}`),
      onLost: (reason) => lost.push(reason),
    },
    limits: { streamRetryMs: 10, maxStreamRetryMs: 100, ...limits },
    ...options,
  });
  sessions.push(session);
  return { session, reports, lost, changes: () => changes };
}
