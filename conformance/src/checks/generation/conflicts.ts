/** A foreign tool in the way (GENERATION-011). */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, lastRegistry, logLines, pairings, wireRecords } from '../../history/views.ts';
import { NotApplicable } from '../../bench/endings.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { few } from '../identities.ts';
import { needListChanges, READ } from '../resync.ts';
import { announce, callEach, describes, listing, markedTool } from '../tool-lists.ts';
import { listingAnswered } from '../wire-waits.ts';

const SERVER = 'tenant';
const RESTORED = 'the tools are back';
const CLEAN = ['one', 'two.two', 'three'] as const;
const CROWDED = ['one', 'wanted', 'two.two', 'three'] as const;
const known = [{ server: SERVER, rawNames: [...CROWDED] }];

/** Finds out what the subject calls the wanted tool, by asking it for a list that holds it. */
async function publicNameOfWanted(bench: Bench, server: BenchServer): Promise<string> {
  await server.program(listing(SERVER, CROWDED));
  await bench.open([server]);
  const found = await bench.find('wanted', SERVER);
  await bench.close();
  if (found === undefined) throw new NotApplicable('the subject does not offer the tool that another plugin is to hold');
  return found.name;
}

async function restore(bench: Bench, server: BenchServer, foreign: string): Promise<void> {
  await callOwn(bench, foreign);
  await bench.change(server, listing(SERVER, CLEAN), RESTORED, describes(markedTool(SERVER, 'three').description ?? ''));
  await callOwn(bench, foreign);
}

/** Calls what is offered, but for the foreign tool, which belongs to nobody's server. */
async function callOwn(bench: Bench, foreign: string): Promise<void> {
  await callEach(bench, (await bench.look()).tools.filter(({ name }) => name !== foreign), known);
}

async function exerciseAtTheStart(bench: Bench): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, CROWDED));
  const foreign = await publicNameOfWanted(bench, server);
  await bench.open([server], { foreignTools: [foreign] });
  await restore(bench, server, foreign);
}

async function exerciseByAChange(bench: Bench): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, CROWDED));
  const foreign = await publicNameOfWanted(bench, server);
  await server.program(listing(SERVER, CLEAN));
  await bench.open([server], { foreignTools: [foreign] });
  await callOwn(bench, foreign);
  await server.program(listing(SERVER, CROWDED));
  const since = server.fixture.records.length;
  await announce(server);
  await bench.wire(server, READ, listingAnswered(1), { since });
  await bench.registry('the generation is rolled back', (tools) => tools.every(({ name }) => name === foreign));
  await restore(bench, server, foreign);
}

/** The judge of GENERATION-011. */
export function judgeConflict(history: History): Judgement {
  const open = eventsOf(history, 'request').findLast(({ event }) => event.step === 'open');
  const foreign = open?.event.host?.foreignTools?.[0];
  const programs = eventsOf(history, 'program');
  const restoring = programs.at(-1);
  if (open === undefined || foreign === undefined || restoring === undefined) return inconclusive('no foreign tool was in the way');
  const conflicted = programs.findLast(({ index }) => index < restoring.index);
  const read = wireRecords(history, 'frame', SERVER).some(({ index, event }) => index > open.index && index < restoring.index && event.raw.includes('"wanted"') && event.direction === 'server-to-client');
  if (conflicted === undefined || !read) return inconclusive('the list with the taken name was not read');
  const during = lastRegistry(history, restoring.index);
  if (during === undefined || during.index < conflicted.index) return inconclusive('the registry was not looked at during the conflict');
  const own = during.event.tools.filter(({ name }) => name !== foreign);
  if (own.length > 0) return fail(`the generation was not rolled back whole: ${few(own.map(({ name }) => name))} is left`, [during.index]);
  const after = lastRegistry(history);
  for (const snapshot of [during, ...(after === undefined ? [] : [after])]) {
    if (snapshot.event.tools.filter(({ name }) => name === foreign).length !== 1) return fail(`the foreign tool ${foreign} is not in the registry once`, [snapshot.index]);
  }
  const error = logLines(history, 'error').find(({ index }) => index > open.index && index < restoring.index);
  if (error === undefined) return fail('no error says that a foreign tool was in the way', [during.index]);
  const restored = barrierOf(history, RESTORED);
  const ended = wireRecords(history, 'process', SERVER).find(({ index, event }) => index > open.index && (event.event === 'exit' || event.event === 'input-end'));
  if (ended !== undefined && restored !== undefined && ended.index < restored.index) return fail('the connection was closed because of a conflict', [ended.index]);
  if (restored === undefined) return inconclusive('no clean list came after the conflict');
  if (!restored.event.reached) return fail('the next clean list did not bring the tools back', [restored.index]);
  const back = new Set(pairings(history).filter(({ call }) => call.call.index > restored.index).map(({ rawName }) => rawName));
  const missing = CLEAN.filter((name) => !back.has(name));
  return missing.length > 0 ? fail(`after the conflict these are not reached: ${few(missing)}`, [restored.index]) : pass('rolled back whole, reported, and restored by the next clean list');
}

/** Checks of conflicts. */
export const conflictChecks: readonly Check[] = [
  scripted({ id: 'GENERATION-011/at-the-start', invariant: 'GENERATION-011', judge: judgeConflict, exercise: exerciseAtTheStart }),
  scripted({ id: 'GENERATION-011/by-a-change', invariant: 'GENERATION-011', judge: judgeConflict, exercise: exerciseByAChange }),
];
