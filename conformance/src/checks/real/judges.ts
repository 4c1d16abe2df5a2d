/** Judges of what a subject makes of real servers. */
import type { History } from '../../history/schema.ts';
import { eventsOf, pairedCalls, paramsOf, settledSteps, subjectOf, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { few } from '../identities.ts';
import { isVerbatim, schemeName } from '../naming/formula.ts';
import { isLegalName } from '../naming/legality.ts';
import { jsonEqual, placesOf, readOf, replyOf } from '../support/facts.ts';
import { knownAnswers, type KnownAnswer } from './known-answers.ts';
import { offeredFor, openRegistry, truthTools, type TruthTool } from './truth-pairs.ts';
import type { OfferedTool } from '../../adapter/messages.ts';

/** What a subject offers beside the truth, or why nothing can be said. */
interface Pairs {
  readonly index: number;
  readonly offered: readonly OfferedTool[];
  readonly pairs: readonly { readonly truth: TruthTool; readonly tool: OfferedTool | undefined }[];
}

function pairsOf(history: History): Pairs | Judgement {
  const truth = truthTools(history);
  if (truth.length === 0) return inconclusive('what the server lists is not known');
  const registry = openRegistry(history);
  if (registry === undefined) return inconclusive('the registry was not looked at');
  const { index, event: offered } = registry;
  return { index, offered, pairs: truth.map((tool) => ({ truth: tool, tool: offeredFor(tool, offered) })) };
}

/** DISCOVERY-001: every tool of the truth is offered, in its order. */
export function judgeTruthOffered(history: History): Judgement {
  const found = pairsOf(history);
  if ('verdict' in found) return found;
  const missing = found.pairs.filter(({ tool }) => tool === undefined).map(({ truth }) => truth.name);
  const said = settledSteps(history, 'open').flatMap(({ event }) => event.servers.map(({ message }) => message ?? '')).join(' ');
  if (missing.length > 0) return fail(`${missing.length} of ${found.pairs.length} listed tools are not offered: ${few(missing)}. ${said}`, [found.index]);
  const places = found.pairs.map(({ tool }) => (tool === undefined ? -1 : found.offered.indexOf(tool)));
  const late = places.findIndex((place, at) => at > 0 && place <= (places[at - 1] ?? -1));
  if (late > 0) return fail(`${found.pairs[late]?.truth.name} is not offered after ${found.pairs[late - 1]?.truth.name}, as it is listed`, [found.index]);
  return pass(`all ${places.length} tools are offered in the order of the list`);
}

/** DISCOVERY-008: description and schema as listed. */
export function judgeTruthFaithful(history: History): Judgement {
  const found = pairsOf(history);
  if ('verdict' in found) return found;
  const changed = found.pairs.find(({ truth, tool }) => tool !== undefined && !(tool.description === truth.description && jsonEqual(tool.parameters, truth.inputSchema)));
  if (changed !== undefined) return fail(`${changed.truth.name} is offered with another description or schema than it is listed with`, [found.index]);
  if (found.pairs.every(({ tool }) => tool === undefined)) return inconclusive('none of the listed tools is offered');
  return pass(`${found.pairs.length} tools are offered as they are listed`);
}

/** NAMING-001: legal names. */
export function judgeNamesLegal(history: History): Judgement {
  const found = pairsOf(history);
  const subject = subjectOf(history);
  if ('verdict' in found) return found;
  if (subject === undefined || found.offered.length === 0) return inconclusive('no tool was offered by a subject that says how it makes names');
  const illegal = found.offered.filter(({ name }) => !isLegalName(name, subject.names)).map(({ name }) => JSON.stringify(name));
  if (illegal.length > 0) return fail(`names that the scheme does not allow: ${few(illegal)}`, [found.index]);
  return pass(`all ${found.offered.length} names are legal`);
}

/** NAMING-002: a name for each tool. */
export function judgeNamesDistinct(history: History): Judgement {
  const found = pairsOf(history);
  if ('verdict' in found) return found;
  if (found.offered.length === 0) return inconclusive('no tool was offered');
  const names = found.offered.map(({ name }) => name);
  const doubled = names.filter((name, at) => names.indexOf(name) !== at);
  if (doubled.length > 0) return fail(`names that stand for two tools: ${few(doubled)}`, [found.index]);
  return pass(`${names.length} tools have ${names.length} names`);
}

/** NAMING-004: clean names under the server's own prefix, each paired with the truth by its description. */
export function judgeNamespace(history: History): Judgement {
  const found = pairsOf(history);
  if ('verdict' in found) return found;
  const subject = subjectOf(history);
  if (subject?.names.scheme !== 'mcp-qualified-64-v1') return { verdict: 'not-applicable', message: 'the subject declares a naming scheme of its own' };
  const server = eventsOf(history, 'truth')[0]?.event.server ?? '';
  const clean = found.pairs.filter(({ truth, tool }) => tool !== undefined && isVerbatim(server, truth.name));
  const wrong = clean.find(({ truth, tool }) => tool?.name !== schemeName(server, truth.name));
  if (wrong !== undefined) return fail(`${JSON.stringify(wrong.truth.name)} of "${server}" is called ${wrong.tool?.name}, due was ${schemeName(server, wrong.truth.name)}`, [found.index]);
  if (clean.length === 0) return inconclusive('no tool with a clean name is offered');
  return pass(`${clean.length} names are mcp__${server}__ and the listed name`);
}

/** NAMING-007: the wire carries the listed name. The server witnesses what it received. */
export function judgeRawNames(history: History): Judgement {
  const calls = pairedCalls(history).filter(({ requests }) => requests.length > 0);
  for (const call of calls) {
    const wrong = call.requests.find(({ event }) => paramsOf(event)['name'] !== call.call.event.rawName);
    if (wrong !== undefined) return fail(`the tool listed as ${JSON.stringify(call.call.event.rawName)} was called as ${JSON.stringify(paramsOf(wrong.event)['name'])}`, placesOf(call));
  }
  if (!calls.some(({ call }) => /[^A-Za-z0-9_-]/.test(call.event.rawName ?? ''))) return inconclusive('no call of a tool with an odd name reached the server');
  return pass(`${calls.length} calls reached the server under the listed names`);
}

/** PROJECTION-001: the text of a known answer is shown. */
export function judgeKnownAnswers(history: History): Judgement {
  return judgeKnown(history, 'ok', (call, { expect }) => {
    const reply = replyOf(call);
    if (reply?.outcome !== 'ok') return `ended as ${reply?.outcome ?? 'nothing'}: ${reply?.message ?? ''}`;
    return readOf(reply).includes(expect) ? undefined : `does not show ${JSON.stringify(expect)}`;
  });
}

/** CALL-006: a failure that the tool reports is a failure, with its text. */
export function judgeKnownFailures(history: History): Judgement {
  return judgeKnown(history, 'error', (call, { expect }) => {
    const reply = replyOf(call);
    if (reply === undefined || reply.outcome === 'ok') return `ended as ${reply?.outcome ?? 'nothing'}, where the tool reports a failure`;
    return readOf(reply).includes(expect) ? undefined : `does not show the tool's own text with ${JSON.stringify(expect)}`;
  });
}

function judgeKnown(history: History, ends: KnownAnswer['ends'], problemOf: (call: PairedCall, known: KnownAnswer) => string | undefined): Judgement {
  const calls = knownAnswers(history, ends);
  for (const { call, known } of calls) {
    const problem = problemOf(call, known);
    if (problem !== undefined) return fail(`the call of ${JSON.stringify(call.call.event.rawName)} ${problem}`, placesOf(call));
  }
  if (calls.length === 0) return inconclusive('nothing with a known answer was called');
  return pass(`${calls.length} calls ended as the server answers them`);
}

/** CALL-016: a tool that requires task execution is refused. */
export function judgeTaskRefused(history: History): Judgement {
  const task = eventsOf(history, 'truth').flatMap(({ event }) => event.tools).find(requiresTask);
  if (task === undefined) return inconclusive('the server lists no tool that requires task execution');
  const call = pairedCalls(history).find(({ call: { event } }) => event.rawName === task.name);
  if (call === undefined) return inconclusive(`the tool ${JSON.stringify(task.name)} was not called`);
  const reply = replyOf(call);
  if (reply === undefined) return fail(`the call of ${JSON.stringify(task.name)} did not settle`, placesOf(call));
  if (reply.outcome !== 'failed' || reply.executed !== 'no') {
    return fail(`${JSON.stringify(task.name)} requires task execution and was called plainly: it ended as ${reply.outcome}, executed: ${reply.executed}`, placesOf(call));
  }
  if (readOf(reply).trim() === '') return fail(`${JSON.stringify(task.name)} was refused without a word`, placesOf(call));
  return pass(`${JSON.stringify(task.name)} was refused: ${reply.message ?? ''}`);
}

function requiresTask(tool: unknown): tool is { readonly name: string } {
  if (typeof tool !== 'object' || tool === null || !('name' in tool) || !('execution' in tool)) return false;
  const { execution } = tool;
  return typeof execution === 'object' && execution !== null && 'taskSupport' in execution && execution.taskSupport === 'required';
}

/** ISOLATION-003: no process is left. */
export function judgeNoProcessLeft(history: History): Judgement {
  const found = eventsOf(history, 'processes').findLast(({ event }) => event.started.length > 0);
  if (found === undefined) return inconclusive('no process of the server was seen while the subject was open');
  const last = eventsOf(history, 'processes').at(-1) ?? found;
  if (last.event.alive.length > 0) return fail(`${last.event.alive.length} processes of the server are alive after the subject was closed`, [last.index]);
  return pass(`none of ${found.event.started.length} processes is left`);
}
