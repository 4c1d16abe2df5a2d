import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import { CLIENT_INFO } from '../../src/transport/client-info.ts';
import { ClientSession } from '../../src/transport/library-session.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { SessionWire } from '../../src/transport/session-wire.ts';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';

it('says that nothing was sent when the library sends nothing, also to a caller who gives up at once (B04)', async () => {
  const inner = { start: () => Promise.resolve(), close: () => Promise.resolve(), send: () => Promise.resolve() };
  const wire = new SessionWire(inner, {
    onToolListChanged: () => {},
    reports: new ReportLimiter(() => {}, 1, () => 0),
    maxWaitingReplies: 1,
    onInitializeResult: () => ({}),
  });
  const session = new ClientSession({
    // The library refuses every request of a client that was never connected.
    client: new Client(CLIENT_INFO, { capabilities: {} }),
    wire,
    carrier: { transport: wire, closed: new Promise(() => {}), reason: undefined, pid: undefined, skipped: 0, lastWords: () => '' },
    server: { protocolVersion: '2025-11-25', name: '', version: '', capabilities: {} },
    where: 'server "s"',
    redact: (text) => text,
  });
  const caller = new AbortController();
  const call = failureOf(session.callTool('t', {}, { ...LIMITS, signal: caller.signal }));
  caller.abort();
  expect(await call).toMatchObject({ code: 'not-connected', executed: 'no' });
});
