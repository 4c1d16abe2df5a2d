/** A list that is larger than the entry allows (DISCOVERY-012). */
import type { Bench } from '../../bench/bench.ts';
import { mark } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { lastRegistry, listings, settledSteps, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { doubt, first, startMessages } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';

const SERVER = 'abundant';
const FITTING = 'fitting';
/** A number that occurs nowhere else in a message. */
const LIMIT = 37;

const manyOf = (server: string, count: number): ReturnType<typeof tool>[] => Array.from({ length: count }, (_, at) => tool(server, `${server}-${at}`));

async function exercise(bench: Bench): Promise<void> {
  const off = bench.subject.options.includes('reconnect') ? { reconnect: { enabled: false } } : {};
  const options = { maxTools: LIMIT, ...off };
  // The steady tool is one of them.
  const large = bench.serve(SERVER, script(SERVER, manyOf(SERVER, LIMIT), [], { pagination: { pageSize: 10 } }), { options });
  const fitting = bench.serve(FITTING, { scenario: 1, tools: manyOf(FITTING, LIMIT) }, { options });
  await bench.open(bench.subject.servers === 'one' ? [large] : [large, fitting]);
  await bench.look();
}

function judge(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  const registry = lastRegistry(history);
  const listed = listings(history, SERVER)[0]?.tools.length ?? 0;
  const doubted = doubt([settled !== undefined && registry !== undefined, 'an opening and a look at the registry'], [listed > 0, 'a list']);
  if (doubted !== undefined || settled === undefined || registry === undefined) return doubted ?? inconclusive('nothing was opened');
  const of = (server: string): number => registry.event.tools.filter(({ description }) => description.includes(mark(server, '').slice(0, mark(server, '').indexOf('|') + 1))).length;
  const statuses = new Map(settled.event.servers.map(({ name, status }) => [name, status]));
  return first(
    of(SERVER) === 0 ? undefined : fail(`${of(SERVER)} tools of a list are registered that is larger than maxTools (${LIMIT})`, [registry.index]),
    // Who lists first at a look is ready before that.
    statuses.get(SERVER) === 'ready' && subjectOf(history)?.registry !== 'pull' ? fail('a server whose list is too large is said to be ready', [settled.index]) : undefined,
    startMessages(history, SERVER).includes(String(LIMIT)) ? undefined : fail(`the limit ${LIMIT} cannot be read: ${startMessages(history, SERVER)}`, [settled.index]),
    !statuses.has(FITTING) || of(FITTING) === LIMIT ? undefined : fail(`${of(FITTING)} tools of a list of ${LIMIT}, which is as many as maxTools allows, are registered`, [registry.index]),
  ) ?? pass('the list that is too large was refused whole, with its limit');
}

/** DISCOVERY-012: a bound of a list is a bound of all of it. */
export const listSize = scripted({ id: 'DISCOVERY-012/too-many-tools', invariant: 'DISCOVERY-012', options: ['maxTools'], exercise, judge });
