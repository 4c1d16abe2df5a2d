/** Names, on any case: pairs come from calls and from the marks that the suite puts into descriptions. */
import { fail, inconclusive, pass, type Judgement } from '../../checks/check.ts';
import { few, identity, reachedBy } from '../../checks/identities.ts';
import { isLegalName } from '../../checks/naming/legality.ts';
import { judgeRoundTrip } from '../../checks/naming/round-trip.ts';
import { judgeDerived, judgeVerbatim } from '../../checks/naming/scheme.ts';
import type { History } from '../../history/schema.ts';
import { registrySnapshots, subjectOf } from '../../history/views.ts';
import { recognise } from '../marking.ts';
import { isNamedAloud, listsBefore, namesIn, registryWhileOpen } from './facts.ts';
import type { CaseJudge } from './case-judge.ts';

/** Every name that was ever offered is legal. */
function judgeLegal(history: History): Judgement {
  const subject = subjectOf(history);
  if (subject === undefined) return inconclusive('the history names no subject');
  let seen = 0;
  for (const { index, event } of registrySnapshots(history)) {
    const illegal = event.tools.find(({ name }) => !isLegalName(name, subject.names));
    if (illegal !== undefined) return fail(`a name that the scheme does not allow is offered: ${JSON.stringify(illegal.name)}`, [index]);
    seen += event.tools.length;
  }
  return seen === 0 ? inconclusive('no tool was offered') : pass('every offered name is legal');
}

/** No name stands for two tools, no tool has two names, and what is listed has one or is refused aloud. */
export function judgeUnique(history: History): Judgement {
  for (const { index, event } of registrySnapshots(history)) {
    const names = event.tools.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) return fail(`the registry holds the name ${twice} twice`, [index]);
    const identities = event.tools.flatMap((tool) => {
      const known = recognise(tool);
      return known === undefined ? [] : [identity(known.server, known.rawName)];
    });
    const doubled = identities.find((one, at) => identities.indexOf(one) !== at);
    if (doubled !== undefined) return fail(`the registry holds the tool ${doubled} under two names`, [index]);
  }
  const shared = [...reachedBy(history)].find(([, reached]) => reached.size > 1);
  if (shared !== undefined) return fail(`${shared[0]} stands for several tools: ${few([...shared[1].keys()])}`, [...shared[1].values()]);
  return judgeNoneLost(history);
}

/** Every tool of the last lists is offered, or a warning or error names it. */
export function judgeNoneLost(history: History): Judgement {
  const seen = registryWhileOpen(history);
  if (seen === undefined) return inconclusive('nobody looked at the registry');
  const offered = new Set(seen.event.tools.flatMap((tool) => {
    const known = recognise(tool);
    return known === undefined ? [] : [identity(known.server, known.rawName)];
  }));
  let judged = 0;
  for (const [server, listing] of listsBefore(history, seen.index)) {
    const lost = namesIn(listing.tools).find((name) => !offered.has(identity(server, name)) && !isNamedAloud(history, name));
    if (lost !== undefined) return fail(`${JSON.stringify(lost)}, listed by "${server}", is neither offered nor refused by name`, [seen.index]);
    judged += listing.tools.length;
  }
  return judged === 0 ? inconclusive('no list was read to its end') : pass(`${judged} listed tools are offered, or refused by name`);
}

/** The same raw name on several servers has a name for each. */
function judgeShared(history: History): Judgement {
  const subject = subjectOf(history);
  if (subject?.names.scheme === 'own' && !subject.names.qualified) return { verdict: 'not-applicable', message: 'the subject declares names that do not carry the server' };
  const unique = judgeUnique(history);
  if (unique.verdict !== 'pass') return unique;
  const seen = registryWhileOpen(history);
  const lists = listsBefore(history, seen?.index ?? 0);
  const names = [...lists.values()].flatMap(({ tools }) => [...new Set(namesIn(tools))]);
  const shared = names.filter((name, at) => names.indexOf(name) !== at);
  if (shared.length === 0) return inconclusive('no raw name is listed by two servers');
  for (const name of shared) {
    for (const [server, { tools }] of lists) {
      if (!namesIn(tools).includes(name)) continue;
      if (seen?.event.tools.some((tool) => recognise(tool)?.server === server && recognise(tool)?.rawName === name) !== true) {
        return fail(`${JSON.stringify(name)} of "${server}" is not offered beside that of the others`, seen === undefined ? [] : [seen.index]);
      }
    }
  }
  return pass(`${few(shared)} of several servers coexist`);
}

/** A tool keeps its name for as long as it is seen. */
function judgeKept(history: History): Judgement {
  const names = new Map<string, string>();
  for (const { index, event } of registrySnapshots(history)) {
    for (const tool of event.tools) {
      const known = recognise(tool);
      if (known === undefined) continue;
      const key = identity(known.server, known.rawName);
      const before = names.get(key);
      if (before !== undefined && before !== tool.name) return fail(`${key} was called ${before} and is called ${tool.name}`, [index]);
      names.set(key, tool.name);
    }
  }
  return names.size === 0 ? inconclusive('no tool of a server was offered') : pass(`${names.size} tools kept their names`);
}

/** By invariant. */
export const namingJudges: Readonly<Record<string, CaseJudge>> = {
  'NAMING-001': judgeLegal, 'NAMING-002': judgeUnique, 'NAMING-004': judgeVerbatim, 'NAMING-005': judgeDerived, 'NAMING-006': judgeKept,
  'NAMING-007': judgeRoundTrip, 'NAMING-008': judgeShared, 'DISCOVERY-007': judgeUnique, 'DISCOVERY-010': judgeNoneLost,
};
