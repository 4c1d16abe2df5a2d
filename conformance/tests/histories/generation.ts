import { REPORTED } from '../../src/checks/generation/failing.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { callAll, listed, lookAndCall, offeredAll } from './lists.ts';

const SHOWN = 'the second list is shown';

/** A list that changed: scripted, shown, scripted again, announced. */
const changed = (): HistoryBuilder => lookAndCall(history().step('open', ['ledger']).run([]).program('ledger', {}).page('ledger', listed('a', 'b')), 'ledger', 'a', 'b').program('ledger', {}).announced('ledger');
const reread = (...names: readonly string[]): HistoryBuilder => changed().page('ledger', listed(...names)).barrier(SHOWN);

/** A registry that lists afresh, it says, when it is looked at; the second list is there. */
const pulled = (): HistoryBuilder => lookAndCall(history({ registry: 'pull', features: [] }).step('open', ['ledger']).run([]).program('ledger', {}), 'ledger', 'a').program('ledger', {});

const version = (name: string, text: string): ReturnType<typeof offered> => offered(`p_${name}`, `version 1${text}`, { type: 'object', properties: { only_in_1: {} } });

const unchanged = (): HistoryBuilder => history().step('open', ['earlier', 'later']).page('earlier', listed('a', 'b')).page('later', listed('a'))
  .registry(offeredAll('a', 'b', 'c')).announced('earlier').page('earlier', listed('a', 'b')).barrier('the unchanged list is read again');

const failed = (): HistoryBuilder => lookAndCall(history().step('open', ['archive']).program('archive', {}).page('archive', listed('first', 'third')), 'archive', 'first', 'third')
  .program('archive', {}).announced('archive').fault('archive', 'bad', 'error');
/** The good list afterwards. */
const recovered = (builder: HistoryBuilder): HistoryBuilder =>
  lookAndCall(builder.program('archive', {}).announced('archive').page('archive', listed('first', 'third', 'fresh')).barrier('the good list is shown'), 'archive', 'first', 'third', 'fresh');

/** A list that changes while a call is in flight; the call has ended since. */
const busy = (): HistoryBuilder => {
  const request = { jsonrpc: '2.0', id: 'held', method: 'tools/call', params: { name: 'held', arguments: { probe: 'h' } } };
  return history().step('open', ['ledger']).page('ledger', listed('held', 'before')).program('ledger', {})
    .asked({ callId: 'h', name: 'p_held', arguments: { probe: 'h' } }, { server: 'ledger', rawName: 'held' }).received('ledger', request)
    .program('ledger', {}).announced('ledger').sent('ledger', { jsonrpc: '2.0', id: 'held', result: { content: [] } }).outcome('h');
};

const failedSync: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    recovered(lookAndCall(failed(), 'archive')).named('the tools were dropped'),
    recovered(lookAndCall(failed().registry(offeredAll('first'), 'told'), 'archive', 'first', 'third')).named('a tool was gone for a moment'),
    recovered(lookAndCall(failed(), 'archive', 'first', 'third', 'unseen')).named('a part of the failed list is offered'),
    recovered(failed().registry(offeredAll('first', 'third')).call('p_first', 'archive', 'first').unreached('p_third', 'archive', 'third')).named('a kept tool cannot be called any more'),
    lookAndCall(failed(), 'archive', 'first', 'third').program('archive', {}).announced('archive').barrier('the good list is shown', false).named('the next good list was not followed'),
  ],
  mustPass: [
    recovered(lookAndCall(failed(), 'archive', 'first', 'third')).named('kept, and the next list was followed'),
    recovered(lookAndCall(failed().registry(offeredAll('first', 'third'), 'told'), 'archive', 'first', 'third')).named('the registry told once more of what it holds'),
  ],
  mustDoubt: [
    recovered(lookAndCall(history().step('open', ['archive']).program('archive', {}), 'archive', 'first')).named('the listing that fails was never asked for'),
    lookAndCall(failed(), 'archive', 'first', 'third').program('archive', {}).named('nobody waited for the good list'),
  ],
};

const reported: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    failed().barrier(REPORTED, false).program('archive', {}).log('warn', 'the list could not be read').named('said only after the list was good again'),
    failed().log('debug', 'tools/list failed').barrier(REPORTED, false).named('said at debug only'),
  ],
  mustPass: [failed().log('warn', 'the old tools stay').program('archive', {}).named('a warning'), failed().log('error', 'tools/list: -32603', 'archive').named('an error')],
  mustDoubt: [
    history().step('open', ['archive']).log('warn', 'something').named('no listing failed'),
    failed().program('archive', {}).page('archive', listed('first')).named('the list was good again before anybody had waited'),
  ],
};

const before = (): HistoryBuilder => history().step('open', ['stage']).registry(offeredAll('old_0', 'old_1'));
const held = (event: 'held' | 'released', builder: HistoryBuilder): HistoryBuilder => builder.record('stage', { kind: 'hold', hold: 'the listing is held', event });

/** A listing is held while a change is announced; `meanwhile` is what the subject does until it is released. */
function heldListing(meanwhile: (builder: HistoryBuilder) => HistoryBuilder = (builder) => builder): HistoryBuilder {
  const builder = history().step('open', ['stage']).page('stage', listed('before')).announced('stage');
  builder.received('stage', { jsonrpc: '2.0', id: 'l2', method: 'tools/list' });
  held('held', builder).announced('stage');
  held('released', meanwhile(builder));
  return builder.sent('stage', { jsonrpc: '2.0', id: 'l2', result: { tools: listed('early') } });
}
const listedAgain = (): HistoryBuilder => heldListing().page('stage', listed('early', 'late'));

function burst(listings: number, notices = 2_001): HistoryBuilder {
  const builder = history().step('open', ['gusty']).page('gusty', listed('calm'));
  for (let notice = 0; notice < notices; notice += 1) builder.announced('gusty');
  for (let listing = 0; listing < listings; listing += 1) builder.page('gusty', listed('calm', 'after_the_storm'));
  return builder;
}
const lastShown = (builder: HistoryBuilder): HistoryBuilder => lookAndCall(builder.barrier('the last change of the burst is shown'), 'gusty', 'calm', 'after_the_storm');

/** Two calls, a second apart, and so many echoed listings in between. */
function echo(listings: number, lastOutcome: 'ok' | 'failed' = 'ok'): HistoryBuilder {
  const builder = history().step('open', ['gusty']).call('p_calm', 'gusty', 'calm').wait(1000);
  for (let listing = 0; listing < listings; listing += 1) builder.page('gusty', listed('calm')).announced('gusty');
  return builder.call('p_calm', 'gusty', 'calm', 'calm', { outcome: lastOutcome });
}

const FOREIGN = 'p_wanted';
const conflict = (): HistoryBuilder => history().step('open', ['tenant'], { foreignTools: [FOREIGN] }).program('tenant', {}).page('tenant', listed('one', 'wanted', 'three'));
const rolledBack = (): HistoryBuilder => conflict().log('error', `${FOREIGN} is taken`).registry(offeredAll('wanted'));
const restored = (builder: HistoryBuilder, reached = true): HistoryBuilder =>
  builder.program('tenant', {}).announced('tenant').page('tenant', listed('one', 'two.two', 'three')).barrier('the tools are back', reached);
const backAgain = (builder: HistoryBuilder): HistoryBuilder => callAll(restored(builder).registry(offeredAll('wanted', 'one', 'two.two', 'three')), 'tenant', 'one', 'two.two', 'three');

const conflictHistories: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    backAgain(conflict().log('error', 'taken').registry(offeredAll('wanted', 'one', 'three'))).named('the siblings stayed'),
    backAgain(conflict().log('error', 'taken').registry([])).named('the foreign tool is gone'),
    backAgain(conflict().registry(offeredAll('wanted'))).named('nothing says so'),
    backAgain(rolledBack().record('tenant', { kind: 'process', event: 'exit', code: 0 })).named('the connection was closed'),
    restored(rolledBack(), false).registry(offeredAll('wanted')).named('the clean list did not bring the tools back'),
    callAll(restored(rolledBack()).registry(offeredAll('wanted', 'one', 'three')), 'tenant', 'one', 'three').named('one tool did not come back'),
  ],
  mustPass: [
    backAgain(rolledBack()).named('rolled back whole and restored'),
    backAgain(conflict().log('warn', 'looking again').log('error', 'taken').registry([], 'told').registry(offeredAll('wanted'))).named('the registry was told empty for a moment, then looked at'),
  ],
  mustDoubt: [
    history().step('open', ['tenant'], { foreignTools: [FOREIGN] }).program('tenant', {}).registry(offeredAll('wanted')).named('the list was never read'),
    history().step('open', ['tenant']).program('tenant', {}).page('tenant', listed('wanted')).named('no foreign tool was there'),
  ],
};

/** A listing that is not answered; `meanwhile` is what happens until the good list is scripted. */
const unanswered = (meanwhile: (builder: HistoryBuilder) => HistoryBuilder): HistoryBuilder => {
  const builder = lookAndCall(history().step('open', ['mute']).program('mute', {}).page('mute', listed('first', 'second.part')), 'mute', 'first', 'second.part');
  builder.program('mute', {}).announced('mute').received('mute', { jsonrpc: '2.0', id: 'mute-1', method: 'tools/list' }).fault('mute', 'silent', 'drop');
  return meanwhile(lookAndCall(builder, 'mute', 'first', 'second.part')).program('mute', {}).announced('mute');
};
const heardAgain = (builder: HistoryBuilder): HistoryBuilder =>
  lookAndCall(builder.page('mute', listed('first', 'second.part', 'fresh')).barrier('the list after the unanswered one is shown'), 'mute', 'first', 'second.part', 'fresh');
const saidSo = (builder: HistoryBuilder): HistoryBuilder => builder.wait(310).log('warn', 'no list within 300 ms');
const cancelledIt = (builder: HistoryBuilder, requestId: unknown = 'mute-1'): HistoryBuilder =>
  builder.received('mute', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

/** Six changes, each with so many listings. */
const seasons = (...listings: readonly number[]): HistoryBuilder => {
  const builder = history().step('open', ['seasons']).page('seasons', listed('season-0'));
  for (const [at, times] of listings.entries()) {
    builder.program('seasons', {}).announced('seasons');
    for (let each = 0; each < times; each += 1) builder.page('seasons', listed(`season-${at + 1}`));
  }
  return builder;
};

/** What the judges of `generation` must refuse and must let pass. */
export const generationHistories: readonly JudgeHistories[] = [
  {
    check: 'GENERATION-001/changes',
    mustFail: [
      changed().barrier(SHOWN, false).registry(offeredAll('a', 'b')).named('the announcement was ignored'),
      lookAndCall(reread('b', 'c'), 'ledger', 'a', 'b', 'c').named('what was removed is still offered'),
      lookAndCall(reread('b', 'c'), 'ledger', 'b').named('what was added is not offered'),
      lookAndCall(reread('b', 'a'), 'ledger', 'a', 'b').named('the old order stayed'),
      lookAndCall(pulled().registry(offeredAll('a')).barrier(SHOWN, false), 'ledger', 'a').named('a look that lists afresh, it says, did not ask for the list'),
    ],
    mustPass: [
      lookAndCall(pulled().page('ledger', listed('b')).registry(offeredAll('b')).barrier(SHOWN), 'ledger', 'b').named('listed at the look, unannounced'),
      lookAndCall(reread('c', 'b'), 'ledger', 'c', 'b').named('the new list, in its order'),
      callAll(reread('a').registry(offeredAll('a', 'b'), 'told').registry([offered('native'), ...offeredAll('a')]), 'ledger', 'a').named('the old set was told once more, and others have tools too'),
    ],
    mustDoubt: [history().step('open', ['ledger']).run([]).program('ledger', {}).page('ledger', listed('a')).named('the list did not change'),
      pulled().registry(offeredAll('a')).barrier(SHOWN, false).unreached('p_a', 'ledger', 'a').named('the server of a look that did not list was out of reach'),
      pulled().registry(offeredAll('a')).call('p_a', 'ledger', 'a').named('nobody waited for the second list'),
    ],
  },
  {
    check: 'GENERATION-001/while-called',
    mustFail: [
      busy().barrier(SHOWN, false).registry(offeredAll('held', 'before')).named('the announcement was ignored'),
      lookAndCall(busy().page('ledger', listed('held', 'after')).barrier(SHOWN, false), 'ledger', 'held', 'before').named('it was read and is not shown'),
    ],
    mustPass: [lookAndCall(busy().page('ledger', listed('held', 'after')).barrier(SHOWN), 'ledger', 'held', 'after').named('read only when the call had ended')],
    mustDoubt: [lookAndCall(changed().page('ledger', listed('b')).barrier(SHOWN), 'ledger', 'b').named('no call was in flight')],
  },
  {
    check: 'GENERATION-002/changes',
    mustFail: [
      history().run([]).registry([version('a', '')]).call('p_a', 'ledger', 'a').registry([version('a', ' (again)')]).named('the description changed'),
      history().run([]).registry([version('a', '')]).call('p_a', 'ledger', 'a').registry([{ ...version('a', ''), parameters: { properties: { only_in_1: {} }, type: 'object' } }]).named('the keys of the schema were sorted'),
    ],
    mustPass: [
      history().run([]).registry([version('a', ''), version('b', '')]).call('p_a', 'ledger', 'a').registry([version('b', ''), version('a', '')]).named('the same in another place'),
      history().run([]).registry([version('a', '')]).call('p_a', 'ledger', 'a').registry([version('a', '')]).registry([offered('p_a', 'version 2')]).named('another version may look different'),
    ],
    mustDoubt: [history().run([]).registry([version('a', '')]).call('p_a', 'ledger', 'a').named('it was seen once')],
  },
  {
    check: 'GENERATION-003/unchanged',
    mustFail: [
      unchanged().registry(offeredAll('c', 'a', 'b')).named('the tools moved behind those of the other server'),
      unchanged().registry([], 'told').registry(offeredAll('a', 'b', 'c'), 'told').registry(offeredAll('a', 'b', 'c')).named('everything was taken out and put back'),
      unchanged().registry(offeredAll('a', 'b', 'c'), 'told').registry(offeredAll('a', 'b', 'c')).named('the registry told of a change that is none'),
    ],
    mustPass: [
      unchanged().registry(offeredAll('a', 'b', 'c')).named('nothing changed'),
      unchanged().log('info', 'the list is the same').announced('later').page('later', listed('a')).barrier('the unchanged list is read again').registry(offeredAll('a', 'b', 'c')).named('nothing changed after either server’s announcement'),
    ],
    mustDoubt: [history().step('open', ['earlier']).registry(offeredAll('a', 'b')).barrier('the unchanged list is read again', false).registry(offeredAll('a', 'b')).named('the list was not read again')],
  },
  ...['error', 'later-page', 'no-list', 'no-result'].flatMap((kind): JudgeHistories[] => [
    { check: `GENERATION-004/${kind}`, ...failedSync },
    { check: `GENERATION-005/${kind}`, ...reported },
  ]),
  {
    check: 'GENERATION-006/large-swap',
    mustFail: [
      before().registry(offeredAll('new_0'), 'told').barrier('the new set is shown').registry(offeredAll('new_0', 'new_1')).named('half of the new set was told'),
      before().registry(offeredAll('old_0', 'old_1', 'new_0', 'new_1')).barrier('the new set is shown').registry(offeredAll('new_0', 'new_1')).named('both sets at once'),
      before().registry([], 'told').barrier('the new set is shown').registry(offeredAll('new_0', 'new_1')).named('nothing in between'),
    ],
    mustPass: [
      before().registry(offeredAll('old_1', 'old_0')).registry(offeredAll('new_0', 'new_1'), 'told').barrier('the new set is shown').registry(offeredAll('new_0', 'new_1')).named('old, then new'),
      before().barrier('the new set is shown').registry(offeredAll('new_0', 'new_1')).named('a registry that tells nothing'),
    ],
    mustDoubt: [before().barrier('the new set is shown', false).registry(offeredAll('old_0', 'old_1')).named('the list never changed')],
  },
  {
    check: 'GENERATION-007/held-listing',
    mustFail: [heldListing().barrier('the change in the middle is shown', false).registry(offeredAll('early')).named('the change in the middle was lost')],
    mustPass: [
      lookAndCall(listedAgain().barrier('the change in the middle is shown'), 'stage', 'early', 'late').named('listed once more'),
      lookAndCall(heldListing((builder) => builder.page('stage', listed('early', 'late'))).barrier('the change in the middle is shown'), 'stage', 'early', 'late').named('listed beside the held listing'),
    ],
    mustDoubt: [lookAndCall(history().page('stage', listed('late')).barrier('the change in the middle is shown'), 'stage', 'late').named('no listing was held')],
  },
  {
    check: 'GENERATION-008/held-listing',
    mustFail: [heldListing((builder) => builder.page('stage', listed('early', 'late'))).page('stage', listed('early', 'late')).named('a second listing beside the first')],
    mustPass: [listedAgain().named('one after the other'), listedAgain().page('stage', listed('early', 'late')).named('and one more')],
    mustDoubt: [heldListing().named('nothing was listed afterwards')],
  },
  {
    check: 'GENERATION-009/burst',
    mustFail: [
      lastShown(burst(200)).named('a listing for every tenth announcement'),
      burst(1).barrier('the last change of the burst is shown', false).registry(offeredAll('calm')).named('the last change was lost'),
    ],
    mustPass: [lastShown(burst(1)).named('one listing'), lastShown(burst(12)).named('a dozen listings')],
    mustDoubt: [lastShown(burst(1, 3)).named('there was no burst')],
  },
  {
    check: 'GENERATION-010/echo',
    mustFail: [echo(500).named('it spins'), echo(3, 'failed').named('a call did not go through')],
    mustPass: [echo(10).named('ten listings in a second'), echo(1).named('one listing')],
    mustDoubt: [echo(0).named('no listing was answered with an announcement')],
  },
  { check: 'GENERATION-011/at-the-start', ...conflictHistories },
  { check: 'GENERATION-011/by-a-change', ...conflictHistories },
  {
    check: 'GENERATION-012/unanswered',
    mustFail: [
      unanswered((builder) => builder.wait(1400)).barrier('the list after the unanswered one is shown', false).registry(offeredAll('first', 'second.part')).named('deaf for ever'),
      heardAgain(unanswered((builder) => builder.wait(1400))).named('given up in silence'),
      heardAgain(unanswered((builder) => builder.wait(1400).log('error', 'no list'))).named('said long after the limit'),
      heardAgain(unanswered((builder) => saidSo(builder).registry([]))).named('the tools were dropped'),
      heardAgain(unanswered((builder) => saidSo(builder).call('p_first', 'mute', 'first', 'first', { outcome: 'failed' }))).named('a call failed meanwhile'),
    ],
    mustPass: [
      heardAgain(unanswered(saidSo)).named('given up at the limit'),
      heardAgain(unanswered((builder) => saidSo(builder).received('mute', { jsonrpc: '2.0', id: 'mute-2', method: 'tools/list' }).fault('mute', 'silent', 'drop'))).named('tried once more by itself'),
    ],
    mustDoubt: [
      heardAgain(lookAndCall(history().step('open', ['mute']).program('mute', {}), 'mute', 'first')).named('the list was not asked for again'),
      unanswered(saidSo).named('nobody waited for the good list'),
    ],
  },
  {
    check: 'GENERATION-013/unanswered',
    mustFail: [
      heardAgain(unanswered(saidSo)).named('not a word to the server'),
      heardAgain(unanswered((builder) => cancelledIt(saidSo(builder), 1))).named('another request was cancelled'),
    ],
    mustPass: [
      heardAgain(unanswered((builder) => saidSo(cancelledIt(builder)))).named('cancelled, then reported'),
      heardAgain(cancelledIt(unanswered(saidSo))).named('cancelled only when the next list was announced'),
    ],
    mustDoubt: [
      unanswered(saidSo).barrier('the list after the unanswered one is shown', false).named('nothing shows that it was given up'),
      history().step('open', ['mute']).named('nothing was listed'),
    ],
  },
  {
    check: 'GENERATION-014/one-after-the-other',
    mustFail: [lookAndCall(seasons(1, 2, 3, 4, 5, 6), 'seasons', 'season-6').named('one more each time'), seasons(1, 1, 1, 1, 1, 30).named('the last alone is dear')],
    mustPass: [
      lookAndCall(seasons(1, 1, 1, 1, 1, 1), 'seasons', 'season-6').named('one each'), lookAndCall(seasons(1, 0, 1, 2, 2, 2), 'seasons', 'season-6').named('some are read twice'),
      lookAndCall(seasons(5, 5, 5, 5, 5, 5), 'seasons', 'season-6').named('dear, and evenly so'),
    ],
    mustDoubt: [
      lookAndCall(seasons(1, 1), 'seasons', 'season-2').named('two changes alone'), seasons(1, 1, 1, 0, 0, 0).named('the later ones were not read'), seasons(1, 1, 1, 1, 1, 1).registry(offeredAll('season-5')).named('the last was not shown'),
    ],
  },
];
