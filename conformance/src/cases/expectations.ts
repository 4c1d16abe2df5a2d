/** What a case says has to be so, judged on what was observed. Pure. */
import type { CallExpectation, CaseFile, Expectation, Often, Step } from 'mcp-fixture-server/case';
import { fail, inconclusive, pass, type Judgement } from '../checks/check.ts';
import { allReadable, jsonEqual, readOf } from '../checks/support/facts.ts';
import { linesAbout } from '../checks/connection/outage-facts.ts';
import type { History } from '../history/schema.ts';
import { eventsOf, faultsFired, lastRegistry, received, settledSteps, textOf, wireRecords } from '../history/views.ts';
import { rawNamesOf } from './marking.ts';
import { placeOf, stepSpan } from './step-marks.ts';

/** One expectation of a case, and what became of it. */
export interface JudgedExpectation {
  /** Invariants it speaks for; `undefined`: all that the case judges. */
  readonly speaksFor: readonly string[] | undefined;
  readonly judgement: Judgement;
}

/** Judges every expectation of a case, in the order of its steps. */
export function judgeExpectations(file: CaseFile, history: History): JudgedExpectation[] {
  return file.steps.flatMap((step, index): JudgedExpectation[] => {
    const expected = 'expect' in step ? step.expect : 'call' in step ? step.call.expect : undefined;
    if (expected === undefined) return [];
    const span = stepSpan(history, index);
    const judged = span === undefined ? inconclusive('the case did not come to it') : judgeStep(step, span, history);
    return [{ speaksFor: expected.for, judgement: { ...judged, message: `${placeOf(step, index)}: ${judged.message}` } }];
  });
}

function judgeStep(step: Step, { from, to }: { readonly from: number; readonly to: number }, history: History): Judgement {
  if ('expect' in step) return judgeNow(step.expect, history.slice(0, to));
  if (!('call' in step) || step.call.expect === undefined) return pass('nothing is expected');
  const { server, tool, expect } = step.call;
  const call = history.slice(from, to).findIndex((event) => event.kind === 'call' && event.server === server && event.rawName === tool);
  const made = history[from + call];
  if (call === -1 || made?.kind !== 'call') return notOffered(history, to, server, tool);
  const { callId } = made.request;
  const ending = eventsOf(history, 'outcome').find(({ event }) => event.callId === callId);
  if (ending === undefined) return fail('the call never settled', [from + call]);
  return judgeEnd(expect, ending.event.reply, [from + call, ending.index]);
}

/** A tool that its server listed and nobody offers is a failure; one that was never listed is a doubt. */
function notOffered(history: History, until: number, server: string, tool: string): Judgement {
  const listed = wireRecords(history, 'frame', server).some(
    ({ index, event }) => index < until && event.direction === 'server-to-client' && event.raw.includes('"tools"') && event.raw.includes(JSON.stringify(tool)),
  );
  const seen = lastRegistry(history, until);
  const message = `the tool ${JSON.stringify(tool)} of "${server}" is not offered`;
  const hello = wireRecords(history, 'frame', server).find(({ index, event }) => index < until && event.direction === 'server-to-client' && event.raw.includes('"protocolVersion"'));
  const asked = received(history, server, 'tools/list').some(({ index }) => index < until);
  if (hello !== undefined && !asked) return fail(`${message}: the handshake was answered and the list never asked for`, [hello.index]);
  return listed ? fail(message, seen === undefined ? [] : [seen.index]) : inconclusive(`${message}, and was never listed`);
}

type Reply = Extract<History[number], { kind: 'outcome' }>['reply'];

function judgeEnd(expect: CallExpectation, reply: Reply, evidence: readonly number[]): Judgement {
  const outcomes = expect.outcome === undefined ? undefined : [expect.outcome].flat();
  if (outcomes !== undefined && !outcomes.includes(reply.outcome)) {
    return fail(`the call ended as ${reply.outcome}, due was ${outcomes.join(' or ')}${reply.message === undefined ? '' : `: ${reply.message.slice(0, 200)}`}`, evidence);
  }
  if (expect.executed !== undefined && reply.executed !== expect.executed) return fail(`the call is reported as executed: ${reply.executed}, due was ${expect.executed}`, evidence);
  const text = readOf(reply);
  let at = 0;
  for (const due of expect.shows ?? []) {
    const found = text.indexOf(due, at);
    if (found === -1) return fail(text.includes(due) ? `${quoted(due)} is shown before what has to come first` : `${quoted(due)} is not shown: ${quoted(text)}`, evidence);
    at = found + due.length;
  }
  const shown = expect.hides?.find((one) => text.includes(one));
  if (shown !== undefined) return fail(`${quoted(shown)} is shown`, evidence);
  const images = reply.view.filter(({ type }) => type === 'image').length;
  if (expect.images !== undefined && images !== expect.images) return fail(`${images} images are shown, due were ${expect.images}`, evidence);
  const { length } = textOf(reply.view);
  if (expect.maxChars !== undefined && length > expect.maxChars) return fail(`${length} characters of text are shown, the most allowed is ${expect.maxChars}`, evidence);
  if (expect.value !== undefined && !jsonEqual(reply.value, expect.value)) return fail(`the value is ${quoted(JSON.stringify(reply.value) ?? 'absent')}`, evidence);
  return pass('the call came to what is due', evidence);
}

function judgeNow(expect: Expectation, history: History): Judgement {
  if ('received' in expect) return counted(received(history, expect.server, expect.received), expect.times, `"${expect.server}" received ${expect.received}`);
  if ('fired' in expect) return counted(faultsFired(history, expect.server, expect.fired).filter(({ event }) => event.index === 0), expect.times, `${expect.fired} of "${expect.server}" fired`);
  if ('started' in expect) {
    return counted(wireRecords(history, 'process', expect.server).filter(({ event }) => event.event === 'start'), expect.started, `processes of "${expect.server}" began:`);
  }
  if ('tools' in expect) {
    const seen = lastRegistry(history);
    if (seen === undefined) return inconclusive('nobody looked at the registry');
    const names = rawNamesOf(seen.event.tools, expect.server);
    return jsonEqual(names, expect.tools)
      ? pass('the registry holds what is due', [seen.index])
      : fail(`the registry holds ${JSON.stringify(names)} of "${expect.server}", due was ${JSON.stringify(expect.tools)}`, [seen.index]);
  }
  if ('status' in expect) {
    const settled = [...settledSteps(history, 'open'), ...settledSteps(history, 'add'), ...settledSteps(history, 'reload')].sort((a, b) => a.index - b.index)
      .flatMap(({ index, event }) => event.servers.filter(({ name }) => name === expect.server).map(({ status }) => ({ index, status }))).at(-1);
    if (settled === undefined) return inconclusive(`the start of "${expect.server}" did not settle`);
    return expect.status.includes(settled.status) ? pass(`"${expect.server}" is ${settled.status}`) : fail(`"${expect.server}" is ${settled.status}, due was ${expect.status.join(' or ')}`, [settled.index]);
  }
  if ('environment' in expect) return judgeEnvironment(expect, history);
  if ('told' in expect) {
    const found = toldTo(expect, history).find((text) => expect.told.every((word) => text.includes(word)));
    return found === undefined ? fail(`nothing that a person reads holds ${expect.told.map(quoted).join(' and ')}`) : pass(`a person reads ${quoted(found)}`);
  }
  const leak = allReadable(history).find(({ text }) => expect.untold.some((word) => text.includes(word)));
  return leak === undefined ? pass('none of it stands in what anybody reads') : fail('it stands in what a person or a model reads', [leak.index]);
}

function toldTo({ server, levels }: Extract<Expectation, { told: string[] }>, history: History): string[] {
  const lines = server === undefined ? eventsOf(history, 'log') : linesAbout(history, server);
  const logged = lines.flatMap(({ event }) => (levels === undefined || levels.includes(event.level) ? [event.message] : []));
  // A message of a start has no level.
  const replies = levels !== undefined ? [] : eventsOf(history, 'settled').flatMap(({ event }) =>
    event.servers.flatMap(({ name, message }) => (message !== undefined && (server === undefined || name === server) ? [message] : [])));
  return [...logged, ...replies];
}

function judgeEnvironment({ server, environment }: Extract<Expectation, { environment: unknown }>, history: History): Judgement {
  const seen = eventsOf(history, 'environment').findLast(({ event }) => event.server === server);
  if (seen === undefined) return inconclusive(`no process of "${server}" told its environment`);
  const wrong = Object.entries(environment).find(([name, value]) => (seen.event.values[name] ?? null) !== value);
  if (wrong === undefined) return pass('the environment is what is due', [seen.index]);
  const [name, due] = wrong;
  return fail(`${name} ${seen.event.names.includes(name) ? 'is there' : 'is not there'}${due === null ? ', and must not be' : ' or has another value than is due'}`, [seen.index]);
}

function counted(found: readonly { readonly index: number }[], times: Often, what: string): Judgement {
  const { from = 0, to = Infinity } = typeof times === 'number' ? { from: times, to: times } : times;
  const evidence = found.slice(-3).map(({ index }) => index);
  return found.length >= from && found.length <= to
    ? pass(`${what} ${found.length} times`, evidence)
    : fail(`${what} ${found.length} times, due was ${from === to ? from : `${from} to ${to === Infinity ? 'any number' : to}`}`, evidence);
}

/** A text in quotation marks, cut where it is long. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 159)}…` : text);
}
