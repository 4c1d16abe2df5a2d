/** A tool whose schema is too deep to be written down (DISCOVERY-013). */
import { isWritable } from '../../adapter/writable.ts';
import { mark, type Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, frames, lastRegistry, settledSteps, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, startMessages } from '../support/facts.ts';
import { ownScript, STEADY, tool } from '../support/scripts.ts';
import { ask, shortConnect } from '../support/steps.ts';

const SERVER = 'bottomless';
const DEEP = 'abyss';
/** Listed behind the deep one. */
const LAST = 'shore';
const OTHER = 'shallow';
const OTHER_TOOL = 'puddle';

/** Any parser of JSON reads it, and no writer of it has so much stack: on Node it ends between 3 000 and 5 000 levels. */
const LEVELS = 20_000;

/** The beginning of such a schema on the wire. */
const ON_THE_WIRE = '{"a":{"a":{"a":{"a":{"a":{"a":';

async function exercise(bench: Bench): Promise<void> {
  const options = shortConnect(bench);
  const extras = options === undefined ? {} : { options };
  const deep = { generate: { count: 1, start: 0, name: DEEP, description: `A scripted tool. ${mark(SERVER, DEEP)}`, levels: LEVELS } };
  const server = bench.serve(SERVER, { scenario: 1, tools: [tool(SERVER, STEADY), deep, tool(SERVER, LAST)] }, extras);
  const other = bench.serve(OTHER, ownScript(OTHER, [OTHER_TOOL]), extras);
  const isAlone = bench.subject.servers === 'one';
  const { servers } = await bench.open(isAlone ? [server] : [other, server]);
  await bench.look();
  // A server whose list is refused has no tools to wait for.
  const isUsed = servers.some(({ name, status }) => name === SERVER && status === 'ready');
  if (isUsed) for (const name of [STEADY, LAST]) await ask(bench, SERVER, name);
  if (!isAlone) await ask(bench, OTHER, OTHER_TOOL);
  await bench.flush();
}

function judge(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  const isListed = frames(history, { server: SERVER, direction: 'server-to-client' }).some(({ event }) => event.raw.includes(ON_THE_WIRE));
  const doubted = doubt([settled !== undefined && lastRegistry(history) !== undefined, 'an opening and a look at the registry'], [isListed, 'the list with the deep schema']);
  if (doubted !== undefined || settled === undefined) return doubted ?? inconclusive('nothing was opened');
  const unwritable = eventsOf(history, 'registry').find(({ event }) => event.tools.some(({ parameters }) => !isWritable(parameters)));
  if (unwritable !== undefined) return fail('a tool is offered whose schema cannot be written as JSON: no request with it can be made, nor with any other tool beside it', [unwritable.index]);
  const statuses = new Map(settled.event.servers.map(({ name, status }) => [name, status]));
  const others = callFor(history, OTHER_TOOL, OTHER);
  if (statuses.has(OTHER) && !echoed(others)) return fail('a schema that is too deep cost another server its tool', others === undefined ? [settled.index] : placesOf(others));
  const lost = [STEADY, LAST].filter((name) => !echoed(callFor(history, name, SERVER)));
  if (lost.length === 0) return pass('the siblings of the tool and every other can be called, and all that is offered can be written');
  // A bound on what is parsed at all refuses the list whole (B01), and says so.
  const isTold = statuses.get(SERVER) !== 'ready' || subjectOf(history)?.registry === 'pull';
  const isRefused = lost.length === 2 && isTold && startMessages(history, SERVER).trim() !== '';
  return first(isRefused ? undefined : fail(`a schema that is too deep cost ${lost.join(' and ')} of its own server`, [settled.index])) ?? pass('the list was refused whole, with a reason, and cost no other server anything');
}

/** DISCOVERY-013: one schema that nobody can write down costs no other tool. */
export const bottomless = scripted({ id: 'DISCOVERY-013/too-deep', invariant: 'DISCOVERY-013', exercise, judge });
