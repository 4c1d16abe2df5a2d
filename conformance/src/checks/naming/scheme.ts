/** The seed's scheme to the letter (NAMING-004, NAMING-005). The one place where names are judged by a formula. */
import type { Bench } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { pairings, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Check, type Judgement } from '../check.ts';
import { callEach, listing } from '../tool-lists.ts';
import { nameVectors } from '../vectors/public-names.ts';
import { isVerbatim, schemeName } from './formula.ts';
import { nameListProperty } from './name-lists.ts';

/** Judges the names of one kind, each paired by a call with the identity that it reached. */
function judgeScheme(history: History, verbatim: boolean): Judgement {
  const subject = subjectOf(history);
  if (subject !== undefined && subject.names.scheme !== 'mcp-qualified-64-v1') {
    return { verdict: 'not-applicable', message: 'the subject declares a naming scheme of its own' };
  }
  let judged = 0;
  for (const { publicName, server, rawName, call } of pairings(history)) {
    if (typeof rawName !== 'string' || isVerbatim(server, rawName) !== verbatim) continue;
    const due = schemeName(server, rawName);
    if (publicName !== due) return fail(`${JSON.stringify(rawName)} of "${server}" is called ${publicName}, due was ${due}`, [call.call.index]);
    judged += 1;
  }
  if (judged === 0) return inconclusive(`no call reached a tool whose name is ${verbatim ? 'clean and short' : 'odd or long'}`);
  return pass(`${judged} names are as the scheme makes them`);
}

/** The judge of NAMING-004. */
export const judgeVerbatim = (history: History): Judgement => judgeScheme(history, true);
/** The judge of NAMING-005. */
export const judgeDerived = (history: History): Judgement => judgeScheme(history, false);

/** Calls every vector once. Servers are opened one after the other where the subject takes one at a time. */
async function exerciseVectors(bench: Bench): Promise<void> {
  const names = [...new Set(nameVectors.map(({ serverName }) => serverName))];
  const known = names.map((server) => ({
    server, rawNames: nameVectors.filter(({ serverName }) => serverName === server).map(({ rawName }) => rawName),
  }));
  const servers = known.map(({ server, rawNames }) => bench.serve(server, listing(server, rawNames)));
  const groups = bench.subject.servers === 'one' ? servers.map((server) => [server]) : [servers];
  for (const group of groups) {
    await bench.open(group);
    await callEach(bench, (await bench.look()).tools, known);
    await bench.close();
  }
}

/** The same exercise, for subjects that declare this scheme. */
const schemeProperty: typeof nameListProperty = {
  ...nameListProperty,
  async prepare(bench) {
    if (bench.subject.names.scheme !== 'mcp-qualified-64-v1') throw new NotApplicable('the subject declares a naming scheme of its own');
    await nameListProperty.prepare?.(bench);
  },
};

/** Checks of the scheme. */
export const schemeChecks: readonly Check[] = [
  property({ ...schemeProperty, id: 'NAMING-004/hostile-names', invariant: 'NAMING-004', judge: judgeVerbatim }),
  scripted({ id: 'NAMING-004/vectors', invariant: 'NAMING-004', judge: judgeVerbatim, exercise: exerciseVectors }),
  property({ ...schemeProperty, id: 'NAMING-005/hostile-names', invariant: 'NAMING-005', judge: judgeDerived }),
  scripted({ id: 'NAMING-005/vectors', invariant: 'NAMING-005', judge: judgeDerived, exercise: exerciseVectors }),
];
