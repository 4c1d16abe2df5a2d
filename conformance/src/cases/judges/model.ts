/** What the stateful model holds a bridge to, on any case: whole lists, announcements that are followed, calls, what is left. */
import { fail, inconclusive, pass, type Judgement } from '../../checks/check.ts';
import { openedServers } from '../../checks/identities.ts';
import { placesOf } from '../../checks/support/facts.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, isObject, listings, paramsOf, received, registrySnapshots, sent, subjectOf, wireRecords } from '../../history/views.ts';
import { recognise } from '../marking.ts';
import { callJudges } from './calls.ts';
import type { CaseJudge } from './case-judge.ts';
import { casePairs } from './facts.ts';
import { judgeWhole } from './lists.ts';
import { judgeNothingLeft } from './processes.ts';

/** A tool as a server lists it or a registry offers it, by what the model reads of it. */
function reading(name: unknown, description: unknown): string {
  return JSON.stringify([name, description ?? '']);
}

/** Each registry holds one list of each server, whole, or nothing of it where it may hold nothing. */
function judgeMoments(history: History): Judgement {
  let judged = 0;
  for (const server of openedServers(history)) {
    const lists = listings(history, server).filter(({ pages }) => pages.every(({ tools }) => tools !== undefined));
    const known = lists.map(({ tools }) => tools.flatMap((tool) => (isObject(tool) ? [reading(tool['name'], tool['description'])] : [])).sort().join());
    for (const { index, event } of registrySnapshots(history)) {
      const there = event.tools.flatMap((tool) => (recognise(tool)?.server === server ? [reading(recognise(tool)?.rawName, tool.description)] : []));
      if (there.length === 0) continue;
      judged += 1;
      if (!known.includes(there.sort().join())) return fail(`the registry holds ${there.length} tools of "${server}" that are no list of it, whole: ${there.join(', ').slice(0, 300)}`, [index]);
    }
  }
  return judged === 0 ? inconclusive('no registry held a tool') : pass(`${judged} registries each held one whole list`);
}

/** After the last announcement of a process that lives on the list is read again, and what was read is held. */
function judgeAnnounced(history: History): Judgement {
  let announced = 0;
  for (const server of openedServers(history)) {
    const last = sent(history, server, 'notifications/tools/list_changed').at(-1);
    if (last === undefined) continue;
    announced += 1;
    const given = [...wireRecords(history, 'process', server)].some(({ index, event }) => index > last.index && event.event === 'exit');
    const asked = eventsOf(history, 'request').some(({ index, event }) => index > last.index && event.step !== 'open' && event.step !== 'close' && event.servers.some(({ name }) => name === server));
    const later = received(history, server, 'tools/call').find(({ index }) => index > last.index);
    const read = received(history, server, 'tools/list').some(({ index }) => index > last.index);
    if (!given && !asked && !read) return later === undefined ? inconclusive(`nothing reached "${server}" after its last announcement`) : fail(`"${server}" announced a change, and its list was not read again`, [last.index, later.index]);
    const vain = asked ? undefined : vainlyAwaited(history, server, last.index);
    if (vain !== undefined) return fail(`"${server}" announced a change, and its list was not read from the beginning within ${vain.boundMs} ms`, [last.index, vain.index]);
  }
  const whole = judgeWhole(history);
  return whole.verdict === 'pass' && announced === 0 ? inconclusive('no server announced a change') : whole;
}

/** A wait in vain after an announcement, of a server that lived and was called afterwards, whose list was not begun anew meanwhile. */
function vainlyAwaited(history: History, server: string, announced: number): { readonly index: number; readonly boundMs: number } | undefined {
  const vain = inVain(history, announced);
  if (vain === undefined || !received(history, server, 'tools/call').some(({ index }) => index > vain.index)) return undefined;
  const isMeanwhile = ({ index }: { readonly index: number }): boolean => index > announced && index < vain.index;
  // Further pages of a listing that had begun are no look at the change.
  const begun = received(history, server, 'tools/list').some((page) => isMeanwhile(page) && paramsOf(page.event)['cursor'] === undefined);
  const ended = [...wireRecords(history, 'process', server)].some((record) => isMeanwhile(record) && record.event.event === 'exit');
  return begun || ended ? undefined : vain;
}

/** The first wait in vain after a position in which what is announced had the time that the subject declares. */
function inVain(history: History, since: number): { readonly index: number; readonly boundMs: number } | undefined {
  const dueMs = subjectOf(history)?.bounds.settleMs ?? Infinity;
  const vain = eventsOf(history, 'barrier').find(({ index, event }) => index > since && !event.reached && event.boundMs >= dueMs);
  return vain === undefined ? undefined : { index: vain.index, boundMs: vain.event.boundMs };
}

/** Every call is sent once at most and settles, and what was answered ends with its own answer. */
function judgeCalls(history: History): Judgement {
  const open = casePairs(history).find(({ outcome }) => outcome === undefined);
  if (open !== undefined) return fail(`${open.callId} never settled`, placesOf(open));
  const judged = ['CALL-003', 'WIRE-005'].flatMap((id) => callJudges[id]?.(history) ?? []);
  return judged.find(({ verdict }) => verdict === 'fail') ?? judged.find(({ verdict }) => verdict === 'inconclusive') ?? judged[0] ?? inconclusive('nothing was called');
}

/** Who is given up leaves no tool and no process. */
function judgeGivenUp(history: History): Judgement {
  for (const { index, event } of eventsOf(history, 'settled').filter(({ event: { step } }) => step === 'remove' || step === 'reload')) {
    const request = eventsOf(history, 'request').findLast((asked) => asked.index < index && asked.event.step === event.step);
    const server = request?.event.servers[0]?.name;
    if (request === undefined || server === undefined) continue;
    const looked = eventsOf(history, 'processes').find((seen) => seen.index > index);
    if (looked !== undefined && looked.event.alive.length > 0) return fail(`a process of "${server}" outlived its ${event.step}`, [request.index, index, looked.index]);
    const next = history.findIndex((later, at) => at > index && later.kind === 'request');
    const shown = event.step === 'remove' ? registrySnapshots(history).find((seen) => seen.index > index && (next === -1 || seen.index < next) && seen.event.tools.some((tool) => recognise(tool)?.server === server)) : undefined;
    if (shown !== undefined) return fail(`a tool of "${server}" is offered after its removal`, [index, shown.index]);
  }
  return judgeFormer(history) ?? judgeNothingLeft(history);
}

/** What was opened again offers nothing that its servers do not list any more, where something was waited for in vain meanwhile. */
function judgeFormer(history: History): Judgement | undefined {
  for (const opened of eventsOf(history, 'settled').filter(({ event: { step } }) => step === 'open').slice(1)) {
    const until = history.findIndex((later, at) => at > opened.index && later.kind === 'request');
    const span = history.slice(0, until === -1 ? history.length : until);
    const begun = eventsOf(history, 'request').findLast((asked) => asked.index < opened.index)?.index ?? 0;
    const vain = inVain(span, opened.index);
    const last = registrySnapshots(span).at(-1);
    if (vain === undefined || last === undefined || last.index < vain.index) continue;
    for (const server of openedServers(span)) {
      const list = listings(span, server).findLast(({ pages }) => (pages[0]?.request.index ?? -1) > begun && pages.every(({ tools }) => tools !== undefined));
      const names = list?.tools.map((tool) => (isObject(tool) ? tool['name'] : undefined));
      const left = last.event.tools.flatMap((tool) => recognise(tool) ?? []).find((tool) => tool.server === server && names?.includes(tool.rawName) === false);
      if (left !== undefined) return fail(`after all was closed and opened again, ${JSON.stringify(left.rawName)} of "${server}" is offered, which is listed no more`, [opened.index, last.index]);
    }
  }
  return undefined;
}

/** By invariant. */
export const modelJudges: Readonly<Record<string, CaseJudge>> = {
  'GENERATION-050': judgeMoments, 'GENERATION-051': judgeAnnounced, 'CALL-050': judgeCalls, 'ISOLATION-050': judgeGivenUp,
};
