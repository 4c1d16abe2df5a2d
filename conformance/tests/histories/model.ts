/** What the judges of the model must refuse and must let pass. */
import { barriers } from '../../src/checks/model/barriers.ts';
import { listed } from '../../src/checks/model/lists.ts';
import type { ModelPlan, ModelStep } from '../../src/checks/model/plan.ts';
import { CAPABLE } from '../../src/checks/model/rules.ts';
import { serversOf } from '../../src/checks/model/servers.ts';
import { firstState, type ModelList } from '../../src/checks/model/state.ts';
import type { WalkedStep } from '../../src/checks/model/walk.ts';
import { HistoryBuilder, type JudgeHistories } from './builder.ts';
import { OTHER, SERVER, shown, Story } from './model-story.ts';

const CHANGE: ModelStep = { do: 'change', edit: 'alter', pick: 1 };
const SHORTER: ModelStep = { do: 'change', edit: 'remove', pick: 0 };
const ANNOUNCE: ModelStep = { do: 'notify', times: 1 };
const HOLD: ModelStep = { do: 'hold', page: 'last', ends: 'answer' };
const HOLD_TO_FAIL: ModelStep = { do: 'hold', page: 'last', ends: 'error' };
const RELEASE: ModelStep = { do: 'release' };
const CRASH: ModelStep = { do: 'crash' };
const CALL: ModelStep = { do: 'call', pick: 0 };
const REMOVE: ModelStep = { do: 'remove' };
const ADD: ModelStep = { do: 'add' };
const RENAME: ModelStep = { do: 'change', edit: 'rename', pick: 0 };
const DISPOSE: ModelStep = { do: 'dispose' };
const OPEN: ModelStep = { do: 'open' };
const START: ModelStep = { do: 'start', pick: 0 };
const FINISH: ModelStep = { do: 'finish', pick: 0 };

/** The same step at the other server. The first two steps of a story are then one healthy call of each. */
const there = (step: ModelStep): ModelStep => (step.do === 'dispose' || step.do === 'open' ? step : { ...step, on: 1 });

/** What is due of the first server. */
const ofFirst = ({ parts }: WalkedStep): ModelList => parts[0]?.after.lists[parts[0].after.due] ?? [];

/** A call that its server has and does not answer. */
const held = (story: HistoryBuilder): HistoryBuilder => story.asked({ callId: 'one', name: 'x', arguments: { probe: 'one' } }, { server: SERVER, rawName: 'alpha' })
  .received(SERVER, { jsonrpc: '2.0', id: 900, method: 'tools/call', params: { name: 'alpha', arguments: { probe: 'one' } } });

/** A call that is made, not sent, and waited for in vain. */
const waiting = (story: HistoryBuilder): HistoryBuilder =>
  story.asked({ callId: 'two', name: 'x', arguments: { probe: 'two' } }, { server: SERVER, rawName: 'alpha' }).barrier(barriers.ends('two'), false, 3000);

/** The list of this number after a step, of the server that the step is about. */
const listOf = ({ after: { lists } }: WalkedStep, number: number): ModelList => lists[number] ?? [];

/** A run that never began: of the first list a page was read, and `shown` of its three tools are offered. */
function unbegun(offered: number, nextCursor?: string): HistoryBuilder {
  const plan: ModelPlan = { base: 100, size: 3, pageSize: 2, steps: [] };
  const [server] = serversOf(plan, CAPABLE);
  const first = server === undefined ? [] : (firstState(plan, server).lists[0] ?? []);
  return new HistoryBuilder().run(plan).page(SERVER, first.slice(0, 2).map((tool) => listed(tool)), nextCursor === undefined ? {} : { nextCursor })
    .registry(shown(first.slice(0, offered))).barrier(barriers.start, false);
}

const wholeGeneration: JudgeHistories = {
  check: 'GENERATION-050/model',
  mustFail: [
    unbegun(2, 'more').named('no more than the first page of the first list'),
    new Story([CHANGE, SHORTER, ANNOUNCE]).tell('an old version of a tool stays beside the new list', {
      3: (story, step) => void story.announced(SERVER).list([...listOf(step, 2), ...listOf(step, 0).slice(1, 2)]),
    }),
    new Story([CHANGE, ANNOUNCE]).tell('half of the new list', {
      2: (story, step) => void story.announced(SERVER).list(listOf(step, 1).slice(0, 2)).list(listOf(step, 1)),
    }),
    new Story([HOLD_TO_FAIL, RELEASE]).tell('a listing that failed empties the registry of a live server', {
      2: (story) => void story.list([]),
    }),
    new Story([CHANGE, ANNOUNCE]).tell('a tool is there twice', {
      2: (story, step) => void story.list([...listOf(step, 1), ...listOf(step, 1).slice(0, 1)]),
    }),
    new Story([CHANGE, ANNOUNCE]).tell('a new description over an old schema', {
      2: (story, step) => {
        const [old, now] = [shown(listOf(step, 0)), shown(listOf(step, 1))];
        story.registry(now.map((tool, index) => ({ ...tool, parameters: old[index]?.parameters })));
      },
    }),
    new Story([HOLD, there(REMOVE), RELEASE]).tell('a server loses its tools with another that is given up', {
      3: (story) => void story.list([], []),
    }),
    new Story([RENAME, ANNOUNCE]).tell('a renamed tool is there under both names', {
      2: (story, step) => void story.announced(SERVER).list([...listOf(step, 1), ...listOf(step, 0).slice(0, 1)]),
    }),
  ],
  mustPass: [
    new Story([HOLD, there(CRASH), RELEASE]).tell('a server that died has no tools, and the other all of them', {
      3: (story, step) => void story.list(ofFirst(step), []), 4: (story, step) => void story.list(ofFirst(step), []),
      5: (story, step) => void story.list(ofFirst(step), []), 6: (story, step) => void story.list(ofFirst(step), []),
    }),
    new Story([CHANGE, SHORTER, ANNOUNCE]).tell('a list between the announced ones is shown for a moment', {
      3: (story, step) => void story.announced(SERVER).list(listOf(step, 1)).list(listOf(step, 2)),
    }),
    new Story([CHANGE, HOLD, CHANGE, RELEASE]).tell('a list that was never announced is shown: somebody looked by itself', {
      3: (story, step) => void story.list(listOf(step, 2)),
    }),
    new Story([CRASH, REMOVE, ADD]).tell('a server that died has no tools', {
      1: (story) => void story.list([]), 2: (story) => void story.list([]),
    }),
    new Story([ANNOUNCE]).tell("the host's own tool is beside them", {
      1: (story, step) => void story.registry([{ name: 'native', description: 'A tool of the host.', parameters: {} }, ...shown(listOf(step, 0))]),
    }),
  ],
  mustDoubt: [new HistoryBuilder().run({ base: 1, size: 1, pageSize: 1, steps: [] }).barrier(barriers.start, false).named('the first list never came')],
};

const newestShown: JudgeHistories = {
  check: 'GENERATION-051/model',
  mustFail: [
    unbegun(2, 'more').named('the second page of the first list was never asked for'),
    new Story([HOLD, CHANGE, ANNOUNCE, RELEASE]).tell('what is announced during a listing is lost', {
      4: (story, step) => void story.list(listOf(step, 0)),
      5: (story, step) => void story.healthy(step).list(listOf(step, 0)),
    }),
    new Story([CHANGE, ANNOUNCE, SHORTER, ANNOUNCE]).tell('the second of two announcements is lost', {
      4: (story, step) => void story.announced(SERVER).barrier(barriers.settled(4), false).list(listOf(step, 1)),
    }),
    new Story([HOLD, there(CHANGE), there(ANNOUNCE)]).tell('what is announced while a listing of another server is held is lost', {
      4: (story, step) => void story.announced(OTHER).list(ofFirst(step), listOf(step, 0)),
    }),
    new Story([RENAME, ANNOUNCE]).tell('a tool keeps the name that it had', {
      2: (story, step) => void story.announced(SERVER).list(listOf(step, 0)),
    }),
    new Story([HOLD]).tell('no listing follows an announcement', {
      1: (story) => void story.announced(SERVER).barrier(barriers.held(1), false, 2000),
    }),
  ],
  mustPass: [
    new Story([CHANGE, ANNOUNCE, SHORTER]).tell('a change that nobody announced is shown all the same', {
      3: (story, step) => void story.list(listOf(step, 2)), 4: (story, step) => void story.healthy(step).list(listOf(step, 2)),
    }),
    new Story([HOLD, there(CHANGE), there(ANNOUNCE)], { registry: 'pull' }).tell('nobody looks while a listing is held', {
      4: (story) => void story.announced(OTHER),
    }),
    new Story([HOLD_TO_FAIL, CHANGE, RELEASE]).tell('a listing that failed is owed no second one', {
      3: (story, step) => void story.list(listOf(step, 0)),
    }),
    new Story([CHANGE, HOLD], { registry: 'pull', features: [] }).tell('a registry that lists afresh was looked at late'),
  ],
  mustDoubt: [
    new Story([HOLD]).tell('the announcement never left the server', { 1: (story) => void story.barrier(barriers.held(1), false) }),
  ],
};

const ownAnswers: JudgeHistories = {
  check: 'CALL-050/model',
  mustFail: [
    new Story([START, START, FINISH, FINISH]).tell('two calls end with the answer of one', {
      3: (story) => void story.answered('one', 'alpha', 'two'), 4: (story) => void story.answered('two', 'alpha', 'two'),
    }),
    new Story([START, FINISH]).tell('a call is sent twice', { 2: (story) => void story.answered('one', 'alpha', 'one', ['alpha', 'alpha']) }),
    new Story([START, FINISH]).tell('a call reaches another tool', { 2: (story) => void story.answered('one', 'alpha', 'one', ['Alpha']) }),
    new Story([START, there(CALL)]).tell('a call reaches the tool of the same name at another server', {
      3: (story) => void story.answered('one', 'alpha', 'one', ['alpha'], OTHER, SERVER),
    }),
    new Story([START, there(REMOVE), FINISH]).tell('a call fails when another server is given up', {
      4: (story) => void story.call('x', SERVER, 'alpha', 'alpha', { outcome: 'failed', executed: 'unknown', view: [] }),
    }),
    new Story([START, CRASH]).tell('a call never settles when the server ends', {
      2: (story) => void story.asked({ callId: 'one', name: 'x', arguments: { probe: 'one' } }, { server: SERVER, rawName: 'alpha' }).barrier(barriers.ends('one'), false, 3000),
    }),
    new Story([START, CALL, FINISH]).tell('a call is never sent, though the one before it has ended', {
      2: (story) => void waiting(story.answered('one', 'alpha', 'one')),
    }),
    new Story([START, FINISH]).tell('a call fails though the server answered', {
      2: (story) => void story.call('x', SERVER, 'alpha', 'alpha', { outcome: 'failed', executed: 'unknown', view: [] }),
    }),
  ],
  mustPass: [
    new Story([START, there(START), DISPOSE]).tell('calls of both servers fail when everything is closed', {
      4: (story) => void story.call('x', SERVER, 'alpha', 'alpha', { outcome: 'failed', executed: 'unknown', view: [] })
        .call('y', OTHER, 'alpha', 'alpha', { outcome: 'failed', executed: 'unknown', view: [] }),
    }),
    new Story([START, CRASH]).tell('a call fails with its server, and later ones at once', {
      2: (story) => void story.call('x', SERVER, 'alpha', 'alpha', { outcome: 'failed', executed: 'unknown', view: [] }),
    }),
    new Story([START, { do: 'cancel', pick: 0 }]).tell('a call that was given up ends as a success: its answer was on the way', {
      2: (story) => void story.event({ kind: 'cancel', callId: 'one' }).answered('one', 'alpha', 'one'),
    }),
    new Story([START, CALL, RENAME, ANNOUNCE, FINISH]).tell('a call waits for its turn, and its tool is gone when that comes', {
      2: (story) => void held(story).asked({ callId: 'two', name: 'model_616c706861', arguments: { probe: 'two' } }, { server: SERVER, rawName: 'alpha' }),
      5: (story) => void story.sent(SERVER, { jsonrpc: '2.0', id: 900, result: { content: [] } }).outcome('one', { view: [{ type: 'text', text: '"one"' }] })
        .outcome('two', { outcome: 'failed', executed: 'no', view: [], message: 'there is no such tool' }),
    }),
    new Story([START, CALL, FINISH]).tell('a call waits while another is held: its server gets one at a time', {
      2: (story) => void waiting(held(story)),
    }),
  ],
  mustDoubt: [
    new Story([CRASH]).tell('nothing ever worked', { 0: () => undefined }),
  ],
};

const nothingLeft: JudgeHistories = {
  check: 'ISOLATION-050/model',
  mustFail: [
    new Story([HOLD, REMOVE]).tell('a process outlives its server', { 2: (story) => void story.processes([101], [101]).list([]) }),
    new Story([REMOVE]).tell('tools outlive their server', { 1: (story, step) => void story.processes([101], []).list(listOf(step, 0).slice(0, 1)) }),
    new Story([DISPOSE, SHORTER, OPEN]).tell('a tool of the former life comes back with the new one', {
      1: (story) => void story.processes([101], []),
      3: (story, { before, after }) => void story.list([...after.lists[1] ?? [], ...before.lists[0]?.slice(0, 1) ?? []]),
    }),
    new Story([REMOVE, SHORTER, ADD]).tell('the list of the former life comes back with the new one', {
      1: (story) => void story.processes([101], []).list([]),
      3: (story, { before }) => void story.list(before.lists[0] ?? []),
    }),
    new Story([START, { do: 'reload' }]).tell('the old process runs beside the new one', {
      2: (story, step) => void story.processes([101], [101]).list(listOf(step, 0)),
    }),
    new Story([START, there(START), DISPOSE]).tell('one of two processes outlives the end of everything', {
      4: (story) => void story.processes([101, 201], [201]),
    }),
    new Story([START, DISPOSE]).tell('the end of everything never comes', { 2: (story) => void story.barrier('close settles', false, 2_000) }),
    new Story([START, REMOVE]).tell('giving up never ends', { 2: (story) => void story.barrier('remove settles', false, 15_000) }),
  ],
  mustPass: [
    new Story([CRASH, REMOVE, ADD]).tell('a server that was dead already leaves nothing', {
      2: (story) => void story.processes([], []).list([]),
    }),
    new Story([START, there(REMOVE)]).tell('the tools of the other server stay', {
      3: (story, step) => void story.processes([201], []).list(ofFirst(step)),
    }),
    new Story([DISPOSE, SHORTER, OPEN]).tell('what is still listed is offered again', { 1: (story) => void story.processes([101], []) }),
    new Story([REMOVE, SHORTER, ADD]).tell('nothing of what is taken again is offered', {
      1: (story) => void story.processes([101], []).list([]),
      3: (story) => void story.list([]),
    }),
    new Story([REMOVE]).tell("the host's own tool stays", {
      1: (story) => void story.processes([101], []).registry([{ name: 'native', description: 'A tool of the host.', parameters: {} }]),
    }),
    new Story([HOLD, there(REMOVE), RELEASE], { registry: 'pull' }).tell('nobody looks while a listing is held', {
      2: (story) => void story.announced(SERVER), 3: (story) => void story.processes([201], []),
    }),
    new Story([REMOVE], { servers: 'one' }).tell('the whole subject was closed, and there is no registry to look at', {
      1: (story) => void story.processes([101], []),
    }),
  ],
  mustDoubt: [
    new Story([START, there(START), DISPOSE]).tell('only one of two processes was known', { 4: (story) => void story.processes([101], []) }),
    new Story([REMOVE]).tell('no process was ever known', { 1: (story) => void story.processes([], []).list([]) }),
    new Story([REMOVE]).tell('nobody looked for processes', { 1: (story) => void story.list([]) }),
    new Story([START, there(REMOVE)]).tell('nobody looked at the registry', { 3: (story) => void story.processes([201], []) }),
    new Story([REMOVE, ADD]).tell('nobody looked at what was taken again', { 1: (story) => void story.processes([101], []).list([]), 2: () => undefined }),
    new Story([REMOVE]).both([]).named('the run ended before it gave anything up'),
    new Story([START, FINISH]).event({ kind: 'trouble', message: 'the fixture is gone' }).named('the exercise could not go on'),
  ],
};


/** What the judges of `model` must refuse and must let pass. */
export const modelHistories: readonly JudgeHistories[] = [wholeGeneration, newestShown, ownAnswers, nothingLeft];
