/** What every request after the handshake says of its session and revision (WIRE-025). */
import type { Bench } from '../../bench/bench.ts';
import { awaiting } from '../../bench/waits.ts';
import type { History } from '../../history/schema.ts';
import { frames, isObject, messageOf, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { doubt, first } from '../support/facts.ts';
import { acceptsBoth } from '../support/media-types.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, receives, settle } from '../support/steps.ts';
import { answers } from '../wire/server-requests.ts';
import { httpRequests, sessionsOf } from './requests.ts';
import { openWeb } from './steps.ts';

const SERVER = 'formal';
/** An older revision than a client of today asks for, so that what was agreed differs from what was asked for. */
const OLDER = '2025-06-18';
const TALKING = 'talking';
const ASKING = 'asking';
const PING = 'are-you-there';

async function exercise(bench: Bench): Promise<void> {
  await openWeb(bench, SERVER, script(SERVER, [], [], { protocolVersion: OLDER }));
  await ask(bench, SERVER, STEADY, { boundMs: 3_000 });
  await bench.close();
}

/** A server that pings in a call, which is given up after the answer: what is said to it beside requests. */
async function beside(bench: Bench): Promise<void> {
  const server = await openWeb(bench, TALKING, script(TALKING, [tool(TALKING, ASKING)], [onCall(ASKING, [{ request: { method: 'ping', id: PING, params: {} } }, { hold: ASKING }, ANSWER])]));
  const call = await begin(bench, TALKING, ASKING, { boundMs: 3_000 });
  await bench.wire(server, 'the ping is answered', awaiting({ replied: PING }, (record) => answers(record, PING)), { boundMs: 2_000 });
  if (bench.subject.features.includes('abort')) {
    await call?.cancel();
    await bench.wire(server, 'the cancellation arrived', receives('notifications/cancelled'), { boundMs: 2_000 });
  }
  await server.fixture.release(ASKING);
  await settle(call);
  await bench.close();
}

/** Answers and notices are looked at like requests, and there has to be one. */
function judgeBeside(history: History): Judgement {
  const said = judge(history, TALKING);
  const isSeen = httpRequests(history, TALKING).some(({ event, rpc }) => rpc === 'notifications/cancelled' || (rpc === undefined && Object.hasOwn(messageOf(event), 'id')));
  if (said.verdict !== 'pass' || isSeen) return said;
  // That a server is answered is WIRE-040's.
  if (subjectOf(history)?.features.includes('abort') !== true) return { verdict: 'not-applicable', message: 'the subject sends nothing but requests' };
  return inconclusive('the subject neither answered the server nor gave its call up');
}

function judge(history: History, server = SERVER): Judgement {
  const sessions = sessionsOf(history, server);
  const requests = httpRequests(history, server);
  const agreed = frames(history, { server, direction: 'server-to-client' }).map(({ event }) => messageOf(event)['result']).find((result) => isObject(result) && 'protocolVersion' in result);
  const revision = isObject(agreed) ? agreed['protocolVersion'] : undefined;
  const start = sessions[0]?.start.index ?? Infinity;
  const later = requests.filter(({ index, rpc }) => index > start && !isOutsideSessions(rpc));
  const doubted = doubt([sessions.length > 0 && requests.some(({ rpc }) => rpc === 'initialize'), 'a handshake that gave a session'], [typeof revision === 'string', 'the revision that was agreed'], [later.length > 0, 'a request after the handshake']);
  if (doubted !== undefined) return doubted;
  // Older revisions are a matter of WIRE-020: who does not go on in one has no requests to judge. That the handshake is ended as it should is WIRE-026's.
  if (!later.some(({ method }) => method === 'POST')) return { verdict: 'not-applicable', message: `the subject does not go on in the revision ${OLDER}` };
  const posts = requests.filter(({ method }) => method === 'POST');
  // A bridge may have several sessions: each request names one that had begun by then.
  const nameless = later.find(({ index, session }) => !sessions.some(({ id, start: began }) => id === session && began.index < index));
  const other = later.find(({ headers }) => headers['mcp-protocol-version'] !== revision);
  const picky = posts.find(({ headers }) => !acceptsBoth(headers['accept'] ?? ''));
  return first(
    nameless === undefined ? undefined : fail(`a ${nameless.method} after the handshake names ${nameless.session === undefined ? 'no session' : 'a session that had not begun'}`, [nameless.index]),
    other === undefined ? undefined : fail(`a ${other.method} after the handshake names the revision ${String(other.headers['mcp-protocol-version'])}; agreed was ${String(revision)}`, [other.index]),
    picky === undefined ? undefined : fail(`a POST accepts ${JSON.stringify(picky.headers['accept'])} alone`, [picky.index]),
  ) ?? pass(`${later.length} requests after the handshake name its session and ${String(revision)}`);
}

/** A handshake has no session yet, and a probe of another era never gets one. */
const isOutsideSessions = (rpc: unknown): boolean => rpc === 'initialize' || rpc === 'server/discover';

/** Checks of headers. */
export const protocolHeaderChecks: readonly Check[] = [
  scripted({ id: 'WIRE-025/older-revision', invariant: 'WIRE-025', exercise, judge: (history) => judge(history) }),
  scripted({ id: 'WIRE-025/answers-and-notices', invariant: 'WIRE-025', exercise: beside, judge: judgeBeside }),
];
