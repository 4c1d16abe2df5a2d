import { history, offered, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { callAll, listed, lookAndCall, offeredAll } from './lists.ts';

const SHOWN = 'the list is shown';

/** A server of two pages, then whatever the registry held. */
const twoPages = (): HistoryBuilder => history().step('open', ['library'])
  .page('library', listed('a', 'b'), { nextCursor: 'x' }).page('library', listed('c'), { cursor: 'x' }).barrier(SHOWN);

const pagesHistories: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    lookAndCall(history().step('open', ['library']).page('library', listed('a'), { nextCursor: 'x' }).barrier(SHOWN), 'library', 'a').named('the second page was never asked for'),
    lookAndCall(twoPages(), 'library', 'a', 'c').named('a tool of the first page is missing'),
    lookAndCall(twoPages(), 'library', 'c', 'a', 'b').named('the pages are in another order'),
    callAll(twoPages().registry(offeredAll('a', 'b', 'c')), 'library', 'a', 'b').unreached('p_c', 'library', 'c').named('one is offered and reaches nothing'),
  ],
  mustPass: [
    lookAndCall(twoPages(), 'library', 'a', 'b', 'c').named('all three in order'),
    callAll(twoPages().registry([offered('native'), ...offeredAll('a', 'b'), offered('other'), ...offeredAll('c')]), 'library', 'c', 'b', 'a').named('tools of others stand between'),
    lookAndCall(history().step('open', ['library']).page('library', listed('a'), { nextCursor: 'x' })
      .page('library', listed('a', 'b'), { nextCursor: 'x' }).page('library', listed('c'), { cursor: 'x' }).barrier(SHOWN), 'library', 'a', 'b', 'c').named('a first listing was broken off and begun again'),
    lookAndCall(history().step('open', ['library']).page('library', listed('a'), { nextCursor: 'x' }).page('library', listed('a'), { nextCursor: 'x' })
      .page('library', listed('b'), { cursor: 'x' }).page('library', listed('b'), { cursor: 'x' }).barrier(SHOWN), 'library', 'a', 'b').named('two listings went on side by side'),
  ],
  mustDoubt: [
    lookAndCall(history().step('open', ['library']).page('library', listed('a')).barrier(SHOWN), 'library', 'a').named('there was one page only'),
    history().step('open', ['library']).page('library', listed('a'), { nextCursor: 'x' }).registry(offeredAll('a')).named('nobody waited for the second page'),
  ],
};

/** What `end` shapes look like: a list scripted, read and looked at. */
const ending = (nextCursor: unknown): HistoryBuilder => history().step('open', ['library']).program('library', {}).page('library', listed('a'), { nextCursor });

const unending = (): HistoryBuilder => history().step('open', ['healthy', 'stuck']).page('healthy', listed('well'))
  .page('stuck', listed('part'), { nextCursor: 'again' }).page('stuck', [], { cursor: 'again', nextCursor: 'again' });

const unbounded = (): HistoryBuilder => history().page('stuck', listed('part'), { nextCursor: 'again' });

function flood(builder: HistoryBuilder, pages: number): HistoryBuilder {
  for (let page = 0; page < pages; page += 1) builder.page('stuck', [], { cursor: 'again', nextCursor: 'again' });
  return builder;
}

/** Two good tools, then a list that must be refused. */
const good = (server: string, ...names: readonly string[]): HistoryBuilder => lookAndCall(history().step('open', [server]).page(server, listed(...names)), server, ...names);
const stuckAfter = (): HistoryBuilder => good('stuck', 'good_one', 'good_two').announced('stuck')
  .page('stuck', listed('part'), { nextCursor: 'again' }).page('stuck', [], { cursor: 'again', nextCursor: 'again' }).barrier('the listing has ended');

const serial = (): HistoryBuilder => history().step('open', ['serial'])
  .page('serial', listed('a1', 'a2'), { nextCursor: 'next' }).page('serial', listed('b1', 'b2'), { cursor: 'next', nextCursor: 'next' });
const serialWhole = (): HistoryBuilder => serial().page('serial', listed('c1', 'c2'), { cursor: 'next', nextCursor: 'next' }).page('serial', listed('d1', 'd2'), { cursor: 'next' }).barrier('one cursor, new pages');
const ALL = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2'];

const voidList = (...names: readonly string[]): HistoryBuilder => good('twins', 'left', 'right').announced('twins').page('twins', listed(...names)).barrier('the list is read');
const doubled = (): HistoryBuilder => voidList('left', 'double', 'right', 'double');
const refused = (builder: HistoryBuilder, name = 'double'): HistoryBuilder => builder.log('error', `twins lists ${JSON.stringify(name)} twice; mend the server`);
const voidHistories: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    lookAndCall(refused(doubled()), 'twins', 'left', 'double', 'right').named('the doubled tool was taken once'),
    lookAndCall(refused(doubled()).registry([], 'told'), 'twins', 'left', 'right').named('the previous generation was gone for a moment'),
    lookAndCall(doubled(), 'twins', 'left', 'right').named('refused in silence'),
    lookAndCall(doubled().log('error', 'a list is void'), 'twins', 'left', 'right').named('the error does not say which tool'),
  ],
  mustPass: [
    lookAndCall(refused(doubled()), 'twins', 'left', 'right').named('the previous generation stayed'),
    lookAndCall(refused(voidList('left', 'odd\ud800', 'odd\udbff', 'right'), 'odd\udbff'), 'twins', 'left', 'right').named('two lone surrogates void a list'),
  ],
  mustDoubt: [lookAndCall(good('twins', 'left', 'right').announced('twins').barrier('the list is read', false), 'twins', 'left', 'right').named('the void list was never read')],
};

const about = (name: string, inputSchema: unknown, description?: string): object => ({ name, inputSchema, ...(description === undefined ? {} : { description }) });
const faithful = (tool: object, seen: { description?: string; parameters?: unknown }, subject: Parameters<typeof history>[0] = {}): HistoryBuilder =>
  history(subject).step('open', ['verbatim']).run([]).page('verbatim', [tool])
    .registry([offered('p', seen.description ?? '', seen.parameters ?? { type: 'object' })]).call('p', 'verbatim', 't');
const unordered = { fidelity: { keyOrder: false, bigNumbers: true } };

const market = (...entries: readonly unknown[]): HistoryBuilder => history().step('open', ['market']).run([]).page('market', [...listed('good_0'), ...entries, ...listed('good_1')]);

/** A tool with this schema, offered with that one and reached. */
const rootless = (inputSchema: unknown, parameters: unknown): HistoryBuilder => history().step('open', ['rootless'])
  .page('rootless', [about('either', inputSchema)]).registry([offered('p_either', '', parameters)]).call('p_either', 'rootless', 'either');
const EITHER = { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] };

/** What the judges of `discovery` must refuse and must let pass. */
export const discoveryHistories: readonly JudgeHistories[] = [
  { check: 'DISCOVERY-001/pages', ...pagesHistories },
  { check: 'DISCOVERY-001/hundred-and-one', ...pagesHistories },
  {
    check: 'DISCOVERY-002/opaque',
    mustFail: [
      history().page('library', [], { nextCursor: ' x ' }).page('library', [], { cursor: 'x' }).named('the cursor was trimmed'),
      history().page('library', [], { cursor: '' }).named('the first page was asked for with an empty cursor'),
      history().page('library', []).run([]).page('library', [], { cursor: 'b' }).page('library', [], { cursor: 'c' }).named('a listing that began earlier went on with a cursor that nobody gave'),
      history().page('library', [], { nextCursor: '1' }).page('library', [], { cursor: '2' }).named('the next number was guessed'),
      history().page('library', [], { nextCursor: 'a' }).page('library', [], { cursor: 'a', nextCursor: 'b' }).page('library', [], { cursor: 'a' }).named('an older cursor was sent again'),
    ],
    mustPass: [
      history().page('library', [], { nextCursor: '\0null' }).page('library', [], { cursor: '\0null' }).named('a cursor with NUL came back'),
      history().page('library', [], { nextCursor: 'a' }).page('library', [], { cursor: 'a', nextCursor: 'b' }).page('library', [], { nextCursor: 'a' }).named('a listing was broken off and begun again'),
      history().page('library', [], { nextCursor: 'a' }).page('library', [], { nextCursor: 'b' }).page('library', [], { cursor: 'a', nextCursor: 'c' })
        .page('library', [], { cursor: 'b' }).page('library', [], { cursor: 'c' }).named('two listings went on side by side, each by its own cursors'),
      history().page('library', []).run([]).page('library', [], { cursor: 'b', nextCursor: 'c' }).page('library', [], { cursor: 'c' }).named('a listing that began in the input before went on'),
    ],
    mustDoubt: [history().page('library', []).named('no cursor was given')],
  },
  {
    check: 'DISCOVERY-011/shapes',
    mustFail: [
      lookAndCall(ending(null).received('library', { jsonrpc: '2.0', id: 99, method: 'tools/list', params: { cursor: null } }).barrier(SHOWN), 'library', 'a').named('null was followed'),
      lookAndCall(history().step('open', ['library']).program('library', {}).page('library', listed('a'), { nextCursor: 'x' }).page('library', [], { cursor: 'x', nextCursor: 'y' }).barrier(SHOWN), 'library', 'a').named('an empty page ended the listing'),
      lookAndCall(history().step('open', ['library']).program('library', {}).page('library', []).barrier(SHOWN, false), 'library', 'before').call('p_before', 'library', 'before').named('an empty list left the old tools'),
    ],
    mustPass: [
      lookAndCall(ending(null).barrier(SHOWN), 'library', 'a').named('null ended the listing'),
      history().step('open', ['library']).program('library', {}).page('library', []).barrier(SHOWN).registry([]).named('an empty list, and nothing is offered'),
      lookAndCall(ending(undefined).barrier(SHOWN).page('library', listed('a')), 'library', 'a').named('the list was read twice'),
    ],
    mustDoubt: [history().step('open', ['library']).program('library', {}).registry([]).named('the list was never read')],
  },
  {
    check: 'DISCOVERY-003/first-listing',
    mustFail: [
      flood(history().step('open', ['stuck']), 10_000).named('ten thousand pages of nothing'),
      flood(flood(unbounded(), 20).step('open', ['stuck']), 3_000).barrier('the endless lists are left alone', false, 2_000).named('activation settled, and the loop went on'),
      flood(unbounded(), 10_000).barrier('open settles', false, 15_000).named('activation never settled, and the loop went on'),
    ],
    mustPass: [
      flood(flood(unbounded(), 5_100).page('stuck', [], { nextCursor: 'again' }), 5_100).step('open', ['stuck']).barrier('the endless lists are left alone').named('given up after five thousand pages, and tried once more'),
      unending().barrier('the endless lists are left alone').named('given up at the first repetition'),
      flood(unbounded(), 2_000).step('open', ['stuck']).barrier('the endless lists are left alone').named('given up after two thousand pages'),
      flood(flood(unbounded(), 40).step('open', ['stuck']).page('stuck', [], { nextCursor: 'again' }), 40).barrier('the endless lists are left alone').named('given up, and read once more from the start'),
    ],
    mustDoubt: [
      history().event({ kind: 'request', step: 'open', servers: [] }).page('stuck', [], { nextCursor: 'again' }).page('stuck', [], { cursor: 'again', nextCursor: 'again' }).barrier('open settles', false, 15_000).named('a bound of time that is longer'),
      unending().named('nobody looked on after opening had settled'),
      history().step('open', ['stuck']).page('stuck', listed('part'), { nextCursor: 'again' }).named('the endless list was not followed')],
  },
  {
    check: 'DISCOVERY-004/first-listing',
    mustFail: [callAll(callAll(unending().registry(offeredAll('well', 'part')), 'healthy', 'well'), 'stuck', 'part').named('the first page is offered')],
    mustPass: [callAll(unending().registry(offeredAll('well')), 'healthy', 'well').named('nothing of it is offered'), callAll(unending().step('add', [{ name: 'x', status: 'rejected' }]), 'healthy', 'well').named('another server was rejected meanwhile')],
    mustDoubt: [unending().registry([]).named('not even the healthy server was reached')],
  },
  {
    check: 'DISCOVERY-004/by-a-change',
    mustFail: [
      lookAndCall(stuckAfter(), 'stuck', 'part').named('the part replaced the previous generation'),
      lookAndCall(stuckAfter(), 'stuck').call('p_good_one', 'stuck', 'good_one').named('everything was dropped'),
    ],
    mustPass: [
      lookAndCall(stuckAfter(), 'stuck', 'good_one', 'good_two').named('the previous generation stayed'),
      lookAndCall(flood(stuckAfter().log('error', 'stuck lists without an end').page('stuck', listed('part'), { nextCursor: 'again' }), 500).registry(offeredAll('good_one', 'good_two'), 'told').step('add', ['other']), 'stuck', 'good_one', 'good_two')
        .named('read once more and given up again, told of although nothing changed'),
    ],
    mustDoubt: [lookAndCall(good('stuck', 'good_one'), 'stuck', 'good_one').named('the endless list was never read')],
  },
  {
    check: 'DISCOVERY-005/repeated-cursor',
    mustFail: [
      serial().barrier('one cursor, new pages', false).registry([]).named('the listing was given up at the repetition'),
      lookAndCall(serialWhole(), 'serial', ...ALL.slice(0, 4)).named('what came after the repetition is not offered'),
    ],
    mustPass: [lookAndCall(serialWhole(), 'serial', ...ALL).named('every page was taken'), callAll(serialWhole().registry(offeredAll(...ALL)), 'serial', ...ALL.toReversed()).named('called from the last to the first')],
    mustDoubt: [history().step('open', ['serial']).named('the list was never asked for')],
  },
  { check: 'DISCOVERY-006/one-page', ...voidHistories },
  { check: 'DISCOVERY-006/two-pages', ...voidHistories },
  { check: 'DISCOVERY-006/one-public-name', ...voidHistories },
  {
    check: 'DISCOVERY-007/listed-twice',
    mustFail: [
      doubled().registry(offeredAll('left', 'double', 'double')).named('a name is offered twice'),
      doubled().registry([offered('double'), offered('double_2')]).call('double', 'twins', 'double').call('double_2', 'twins', 'double').named('one tool under two names'),
    ],
    mustPass: [
      lookAndCall(doubled(), 'twins', 'left', 'double', 'right').named('the tool was taken once'),
      lookAndCall(doubled(), 'twins').named('the list was refused'),
    ],
    mustDoubt: [good('twins', 'left').named('no list had a tool twice')],
  },
  {
    check: 'DISCOVERY-008/schemas',
    mustFail: [
      faithful(about('t', { type: 'object', title: 'x' }), { parameters: { title: 'x', type: 'object' } }).named('the keys were sorted'),
      faithful(about('t', { type: 'object' }, 'what it does'), { description: '[mcp] what it does' }).named('a marker was added to the description'),
      faithful(about('t', { type: 'object', $defs: { a: true } }), { parameters: { type: 'object' } }).named('definitions were dropped'),
      faithful(about('t', { type: 'object' }), { parameters: { type: 'object', properties: {} } }).named('properties were added'),
    ],
    mustPass: [
      faithful(about('t', { type: 'object', title: 'x' }), { parameters: { title: 'x', type: 'object' } }, unordered).named('keys in another order, of a subject that does not keep it'),
      faithful(about('t', JSON.parse('{"type":"object","properties":{"__proto__":{"a":1}}}')), { parameters: JSON.parse('{"type":"object","properties":{"__proto__":{"a":1}}}') }).named('__proto__ is a key'),
      faithful(about('t', { type: 'object' }), { description: 'no description' }).named('no description was listed, so any will do'),
    ],
    mustDoubt: [history().step('open', ['verbatim']).run([]).page('verbatim', [about('t', {})]).registry([]).named('nothing is offered')],
  },
  {
    check: 'DISCOVERY-009/odd-entries',
    mustFail: [
      lookAndCall(market(null), 'market', 'good_0').named('a sibling is gone'),
      lookAndCall(market({ name: 'odd', inputSchema: null }).log('error', 'the list is no list: good_0, good_1, odd'), 'market').call('p_before', 'market', 'before').named('the whole list was refused, however loudly'),
    ],
    mustPass: [
      lookAndCall(market(null, 42), 'market', 'good_0', 'good_1').named('siblings of two entries that are nothing'),
      lookAndCall(market({ name: 'odd' }), 'market', 'odd', 'good_1', 'good_0').named('the odd one is offered too'),
    ],
    mustDoubt: [lookAndCall(market(), 'market', 'good_0', 'good_1').named('there was no odd entry')],
  },
  {
    check: 'DISCOVERY-010/odd-entries',
    mustFail: [
      lookAndCall(market({ name: 'odd', inputSchema: null }), 'market', 'good_0', 'good_1').named('lost in silence'),
      lookAndCall(market({ name: 'odd' }).log('debug', 'odd is left out'), 'market', 'good_0', 'good_1').named('said at debug only'),
      lookAndCall(market(null), 'market', 'good_0', 'good_1').named('an entry without a name is lost in silence'),
      lookAndCall(market({ name: 'odd' }).log('warn', 'a tool is left out'), 'market', 'good_0', 'good_1').named('the warning does not say which'),
    ],
    mustPass: [
      lookAndCall(market({ name: 'odd' }), 'market', 'good_0', 'odd', 'good_1').named('offered and callable'),
      lookAndCall(market({ name: 'odd' }, null).log('warn', 'market: "odd" has no schema; entry 2 is nothing'), 'market', 'good_0', 'good_1').named('left out with a warning'),
    ],
    mustDoubt: [market({ name: 'odd' }).registry([]).named('nothing could be called')],
  },
  {
    check: 'DISCOVERY-014/odd-roots',
    mustFail: [
      rootless(EITHER, { type: 'object' }).named('the root was replaced, and nobody was told'),
      rootless(EITHER, { type: 'object' }).log('info', 'either has an odd schema').named('said at info only'),
      rootless(EITHER, { type: 'object', properties: { a: {} } }).named('one of two parameters is gone'),
      rootless({ $ref: '#/$defs/Q', $defs: { Q: { properties: { a: {} } } } }, { $ref: '#/$defs/Q' }).named('the definitions were dropped'),
      rootless(EITHER, { type: 'object' }).log('warn', 'another tool of the list is odd').named('the warning does not say which'),
    ],
    mustPass: [
      rootless(EITHER, EITHER).named('handed on as it is'),
      rootless(EITHER, { type: 'object', properties: { b: {}, a: {} } }).named('flattened, every parameter kept'),
      rootless(EITHER, { type: 'object', ...EITHER }).named('given a root'),
      rootless(EITHER, { type: 'object' }).log('warn', 'rootless: "either" takes any object now').named('replaced, and said so'),
      rootless({ $ref: '#/$defs/Q', $defs: { Q: { properties: { a: {} } } } }, { type: 'object', properties: { a: {} } }).named('a reference was resolved'),
      lookAndCall(history().step('open', ['rootless']).page('rootless', [about('either', EITHER), ...listed('well')]).log('warn', 'either is left out'), 'rootless', 'well').named('left out, and said so'),
    ],
    mustDoubt: [
      rootless({ type: 'object', properties: { a: {} } }, { type: 'object' }).named('the root was no odd one'),
      rootless({ type: 'array', items: { properties: { a: {} } } }, { type: 'object' }).named('a list has no parameters'),
      history().step('open', ['rootless']).page('rootless', [about('either', EITHER)]).registry([offered('p_either', '', { type: 'object' })]).named('nothing was reached'),
    ],
  },
  {
    check: 'DISCOVERY-015/odd-roots',
    mustFail: [rootless(EITHER, EITHER).named('handed on in silence'), rootless({}, {}).log('warn', 'one of the tools has no object root').named('the warning does not say which')],
    mustPass: [
      rootless(EITHER, EITHER).log('error', 'either: its schema has no root, it is handed on').named('said at error'),
      history().step('open', [{ name: 'rootless', status: 'ready', message: 'ready, but the schema of "either" is odd' }])
        .page('rootless', [about('either', EITHER)]).registry(offeredAll('well')).call('p_well', 'rootless', 'well').named('said in the reply to opening, and left out'),
    ],
    mustDoubt: [history().step('open', ['rootless']).page('rootless', [about('either', EITHER)]).registry([]).named('nothing was called')],
  },
];
