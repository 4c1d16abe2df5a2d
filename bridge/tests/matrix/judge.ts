/** What has to hold in every cell (B04, B05, B07, B09, B19, S28, S55, S60): pure functions over its record. */
import type { CallRecord, CellRecord, View } from './cell-record.ts';

/** A few lists, calls and attempts of a cell need some dozens; a loop without a pause sends this many in a second. */
const MOST_MESSAGES = 1_000;

/** Each broken statement as one line; none when all hold. */
export function broken(record: CellRecord): string[] {
  const rules = [fires, settles, runsOnce, tellsTheTruth, failsAtOnce, comesBack, leavesNothing, sparesOthers, keepsCalm];
  return rules.flatMap((rule) => rule(record)).map((line) => `${record.id}: ${line}`);
}

/** How often a call was brought to its server beyond the first time. */
export function executedAgain({ onWire }: CellRecord): number {
  return [...onWire.values()].filter((times) => times > 1).length;
}

/** Whether the host says why it shows other tools than the server has. */
export function saysWhy({ state }: View): boolean {
  return state !== undefined && state.lastError !== undefined && state.lastError !== '';
}

/** Whether the host shows exactly what the server has. */
export function isTrue({ tools, state }: View, listed: readonly string[]): boolean {
  return state?.state === 'ready' && sameNames(tools, listed);
}

function fires({ faults, fired }: CellRecord): string[] {
  return fired === faults ? [] : [`${faults - fired} of ${faults} faults did not fire`];
}

function settles({ calls }: CellRecord): string[] {
  return calls.filter(({ end }) => end === undefined).map(({ token, boundMs }) => `the call ${token} did not settle within ${boundMs} ms`);
}

function runsOnce({ calls, onWire, carrier }: CellRecord): string[] {
  return calls.filter(({ to }) => to === 'faulty').flatMap(({ token, end }) => {
    const times = onWire.get(token) ?? 0;
    if (times > 1) return [`the call ${token} was sent ${times} times`];
    if (end?.ok === true && (times !== 1 || !end.text.includes(token))) return [`the call ${token} has an answer that is not its own`];
    // Over HTTP a server may have refused the request: then it came, and did not run.
    if (end?.ok === false && end.executed === 'no' && times === 1 && carrier === 'stdio') return [`the call ${token} was sent, and is said not to have run`];
    if (end?.ok === false && end.message === '') return [`the call ${token} failed without a word`];
    return [];
  });
}

/** The whole old list, the whole new one, or nothing; and what is not the server's list is explained. */
function tellsTheTruth({ steps }: CellRecord): string[] {
  return steps.flatMap(({ before, during, listed }) => {
    const isWhole = [[], before, listed].some((list) => sameNames(during.tools, list));
    return [
      ...(isWhole ? [] : [`the registry holds part of a list: ${during.tools.join()}`]),
      ...(isTrue(during, listed) || saysWhy(during) ? [] : [`the registry differs from the server, and nothing says why: ${shown(during)}`]),
    ];
  });
}

/** A loss that can be seen is not waited for until a timeout. */
function failsAtOnce({ steps }: CellRecord): string[] {
  return steps.flatMap(({ cutOff }) => {
    if (cutOff?.end === undefined) return [];
    if (cutOff.end.ok) return [`the call ${cutOff.token} was cut off, and has an answer`];
    return cutOff.end.code === 'call-timeout' ? [`the call ${cutOff.token} was cut off, and waited ${Math.round(cutOff.tookMs)} ms for its timeout`] : [];
  });
}

function comesBack({ steps }: CellRecord): string[] {
  return steps.flatMap(({ afterwards, healed, lastCall }) => {
    if (!isTrue(afterwards, healed)) return [`the server is well again, the registry is not: ${shown(afterwards)} in place of ${healed.join()}`];
    return lastCall.end?.ok === true ? [] : [`the server is well again, and a call to it fails: ${endOf(lastCall)}`];
  });
}

function leavesNothing({ remains }: CellRecord): string[] {
  const { view, processes, sockets, sessionDeleted, tookMs } = remains;
  return [
    ...(tookMs === undefined ? ['the disposal took longer than its bound'] : []),
    ...(view.tools.length === 0 ? [] : [`tools are left after disposal: ${view.tools.join()}`]),
    ...(view.state === undefined ? [] : [`a state is left after disposal: ${JSON.stringify(view.state)}`]),
    ...processes.map((process) => `a process is left after disposal: ${process}`),
    ...(sockets === 0 ? [] : [`${sockets} connections are left after disposal`]),
    ...(sessionDeleted === false ? ['its session was not deleted'] : []),
  ];
}

function sparesOthers({ calls }: CellRecord): string[] {
  return calls.filter(({ to, end, token }) => to === 'beside' && !(end?.ok === true && end.text.includes(token)))
    .map((call) => `a call to a server beside it was not answered: ${endOf(call)}`);
}

function keepsCalm({ requests }: CellRecord): string[] {
  return requests <= MOST_MESSAGES ? [] : [`the bridge sent ${requests} messages`];
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}

function shown({ tools, state }: View): string {
  return `${JSON.stringify(state)}, ${tools.join()}`;
}

function endOf(call: CallRecord): string {
  if (call.end === undefined) return 'no end';
  return call.end.ok ? `answered with ${call.end.text}` : call.end.message;
}
