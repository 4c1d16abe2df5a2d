/** What every request after the handshake says of its session and revision (WIRE-025). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { frames, isObject, messageOf } from '../../history/views.ts';
import { fail, pass, scripted, type Check, type Judgement } from '../check.ts';
import { doubt, first } from '../support/facts.ts';
import { acceptsBoth } from '../support/media-types.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests, sessionsOf } from './requests.ts';
import { openWeb } from './steps.ts';

const SERVER = 'formal';
/** An older revision than a client of today asks for, so that what was agreed differs from what was asked for. */
const OLDER = '2025-06-18';

async function exercise(bench: Bench): Promise<void> {
  await openWeb(bench, SERVER, script(SERVER, [], [], { protocolVersion: OLDER }));
  await ask(bench, SERVER, STEADY, { boundMs: 3_000 });
  await bench.close();
}

function judge(history: History): Judgement {
  const sessions = sessionsOf(history, SERVER);
  const requests = httpRequests(history, SERVER);
  const agreed = frames(history, { server: SERVER, direction: 'server-to-client' }).map(({ event }) => messageOf(event)['result']).find((result) => isObject(result) && 'protocolVersion' in result);
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
export const protocolHeaderChecks: readonly Check[] = [scripted({ id: 'WIRE-025/older-revision', invariant: 'WIRE-025', exercise, judge })];
