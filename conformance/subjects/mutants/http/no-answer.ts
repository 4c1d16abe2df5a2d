/** Defects with calls that get a response over HTTP and no answer in it. */
import { setTimeout as wait } from 'node:timers/promises';
import { BridgeError } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { messageIn, onFetch, withStages } from '../plant.ts';
import { onDoubt } from './streams.ts';

/** How often a stubborn bridge sends what it was refused. */
const TRIES = 3;
/** Longer than any prompt end, in milliseconds. */
const LATE_MS = 6_000;

const isCall = (init: RequestInit): boolean => messageIn(init)['method'] === 'tools/call';

/** Sends calls again that were answered with one of these statuses. */
const insisting = (statuses: readonly number[]): ReturnType<typeof onFetch> => onFetch(() => async (send, url, init) => {
  let response = await send(url, init);
  for (let tries = 1; isCall(init) && statuses.includes(response.status) && tries < TRIES; tries += 1) response = await send(url, init);
  return response;
});

/** Does something else with responses to calls. */
const instead = (change: (response: Response, id: unknown) => Response | Promise<Response>): ReturnType<typeof onFetch> => onFetch(() => async (send, url, init) => {
  const response = await send(url, init);
  return isCall(init) ? change(response, messageIn(init)['id']) : response;
});

/** Whatever is no JSON and no stream becomes the text of a result. */
async function anyText(response: Response, id: unknown): Promise<Response> {
  if (!response.ok || response.headers.get('content-type') !== 'text/html') return response;
  return Response.json({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: await response.text() }] } });
}

/** See the names. */
export const noAnswerMutants: readonly Mutant[] = [
  mutant('CALL-041', 'insists-where-a-gateway-failed', { kind: 'wire', create: () => insisting([502, 503, 504]) }),
  mutant('CALL-041', 'insists-on-an-answer', { kind: 'wire', create: () => insisting([202, 204]) }),
  mutant('CALL-042', 'comes-back-where-there-are-too-many', { kind: 'wire', create: () => insisting([429]) }),
  mutant('CALL-042', 'waits-for-what-was-accepted', { kind: 'wire', create: () => instead((response) => (response.status === 202 ? wait(LATE_MS, response) : response)) }),
  mutant('CALL-042', 'takes-a-page-for-an-answer', { kind: 'wire', create: () => instead(anyText) }),
  mutant('CALL-043', 'says-that-it-failed', {
    kind: 'stage', create: () => withStages(onDoubt(({ code }) => Promise.reject(new BridgeError(code, 'the server failed', { executed: 'unknown' })))),
  }),
];
