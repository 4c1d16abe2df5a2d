/** Configured headers over HTTP (CONFIG-015). */
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { settledSteps, messageOf, isObject, type At } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf } from '../support/facts.ts';
import { SESSION } from '../support/http-origin.ts';
import { acceptsBoth, isJsonType } from '../support/media-types.ts';
import { canary, STEADY } from '../support/scripts.ts';
import { requestsTo, visitTwoOrigins } from '../support/two-origins.ts';

const SERVER = 'remote';
/** Another origin, to which those who want an event stream are sent. */
const ELSEWHERE = 'elsewhere';

/** Headers of a user's own. */
const OWN: Readonly<Record<string, string>> = { authorization: `Bearer ${canary('Bearer')}`, 'x-tenant': canary('Tenant'), 'X-Mixed-Case': canary('Mixed') };
/** Headers that belong to the protocol. */
const FORGED: Readonly<Record<string, string>> = {
  accept: 'text/plain', 'Content-Type': 'text/plain', 'Mcp-Session-Id': 'forged', 'mcp-protocol-version': '1999-01-01',
};

const exercise = (bench: Bench, headers: Readonly<Record<string, string>>): Promise<void> => visitTwoOrigins(bench, { server: SERVER, elsewhere: ELSEWHERE, headers });

const header = ({ event }: At<FrameRecord>, name: string): string | undefined => event.http?.requestHeaders?.[name.toLowerCase()];

/** Doubt or a fail when the server was not reached as it should be. */
function reached(history: History): Judgement | undefined {
  const settled = settledSteps(history, 'open')[0];
  const late = callFor(history, STEADY, SERVER);
  return first(
    doubt([settled !== undefined && requestsTo(history, SERVER).length > 0, 'a request to the configured origin'], [late !== undefined, 'a call']),
    echoed(late) ? undefined : fail('the server cannot be called over HTTP', late === undefined ? [] : placesOf(late)),
  );
}

function judgeEverywhere(history: History): Judgement {
  const sent = requestsTo(history, SERVER);
  const methods = [...new Set(sent.map(({ event }) => event.http?.method ?? ''))];
  for (const request of sent) {
    const missing = Object.entries(OWN).find(([name, value]) => header(request, name) !== value);
    if (missing !== undefined) return fail(`a ${request.event.http?.method ?? ''} to the configured origin did not carry the header ${missing[0]}`, [request.index]);
  }
  const strayed = requestsTo(history, ELSEWHERE).find((request) => Object.values(OWN).some((value) => Object.values(request.event.http?.requestHeaders ?? {}).some((held) => held.includes(value))));
  if (strayed !== undefined) return fail('a configured header went to another origin', [strayed.index]);
  return reached(history) ?? pass(`${sent.length} requests (${methods.join(', ')}) carried every header, and no other origin saw one`);
}

function judgeProtocol(history: History): Judgement {
  const sent = requestsTo(history, SERVER);
  const refused = settledSteps(history, 'open')[0]?.event.servers.find(({ status }) => status === 'rejected');
  // Whoever refuses such an entry lets nothing be overridden either.
  if (refused !== undefined && sent.length === 0) return pass(`an entry with headers of the protocol is refused: ${refused.message ?? ''}`);
  for (const request of sent) {
    const method = request.event.http?.method ?? '';
    const forged = Object.entries(FORGED).find(([name, value]) => header(request, name) === value);
    if (forged !== undefined) return fail(`a ${method} carries the configured ${forged[0]}: ${forged[1]} in place of the protocol's own`, [request.index]);
    if (method !== 'POST') continue;
    const accept = header(request, 'accept') ?? '';
    if (!acceptsBoth(accept)) return fail(`a POST accepts ${accept}`, [request.index]);
    if (!isJsonType(header(request, 'content-type') ?? '')) return fail(`a POST has the content type ${header(request, 'content-type') ?? 'none'}`, [request.index]);
    const isFirst = isObject(request.event.message) && messageOf(request.event)['method'] === 'initialize';
    if (!isFirst && header(request, 'mcp-session-id') !== SESSION) return fail(`a POST after the handshake names the session ${header(request, 'mcp-session-id') ?? 'none'}`, [request.index]);
  }
  return reached(history) ?? (sent.length < 3 ? inconclusive('fewer than three requests') : pass(`${sent.length} requests kept the protocol's own headers`));
}

const base = { invariant: 'CONFIG-015' } as const;

/** Checks of headers. */
export const headerChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONFIG-015/every-request', exercise: (bench) => exercise(bench, OWN), judge: judgeEverywhere }),
  scripted({ ...base, id: 'CONFIG-015/protocol-headers', exercise: (bench) => exercise(bench, FORGED), judge: judgeProtocol }),
];
