import { schemeName } from '../../src/checks/naming/formula.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from './builder.ts';

const tools = (...names: readonly string[]): object[] => names.map((name) => ({ name, inputSchema: { type: 'object' } }));
const own = { names: { scheme: 'own', pattern: '[a-z.]+', maxLength: 20, qualified: false } } as const;

/** One server that lists these names, and a registry that holds those. */
function shown(rawNames: readonly string[], publicNames: readonly string[], subject: Parameters<typeof history>[0] = {}): HistoryBuilder {
  return history(subject).step('open', ['s']).run(rawNames).page('s', tools(...rawNames)).registry(publicNames.map((name) => offered(name)));
}

/** Each raw name is called by its public name; the server receives what the third says, or the raw name. */
function called(builder: HistoryBuilder, pairs: readonly (readonly [publicName: string, rawName: string, wireName?: string])[], server = 's'): HistoryBuilder {
  for (const [publicName, rawName, wireName] of pairs) builder.call(publicName, server, rawName, wireName ?? rawName);
  return builder;
}

const dotted = schemeName('s', 'a.b');
const refusal = 'server "alpha__beta": the name mcp__alpha__beta__gamma would stand for beta__gamma of alpha and gamma of alpha__beta; rename one';

/** Two servers whose tools meet in one name; the second is refused, or not. */
function meeting(): HistoryBuilder {
  return history().step('open', ['alpha', 'alpha__beta']).page('alpha', tools('beta__gamma', 'plain_one')).page('alpha__beta', tools('plain_two', 'gamma'));
}

/** The same, when the second list changes into the meeting. */
function meetingLater(): HistoryBuilder {
  const first = history().step('open', ['alpha', 'alpha__beta']).page('alpha', tools('beta__gamma')).page('alpha__beta', tools('plain_two', 'plain_three'));
  first.registry([offered('mcp__alpha__beta__gamma'), offered('mcp__alpha__beta__plain_two'), offered('mcp__alpha__beta__plain_three')]);
  called(first, [['mcp__alpha__beta__gamma', 'beta__gamma']], 'alpha');
  called(first, [['mcp__alpha__beta__plain_two', 'plain_two'], ['mcp__alpha__beta__plain_three', 'plain_three']], 'alpha__beta');
  return first.page('alpha__beta', tools('plain_two', 'gamma', 'plain_three')).barrier('the second list is read');
}

/** Names that no language writes within quotes as they are, or as another does. */
const FOREIGN = ['ünï', '\u0001"', '😀', '🚀'];

const unique: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    called(shown(['a.b', 'a_b'], ['mcp__s__a_b']), [['mcp__s__a_b', 'a_b']]).named('one of two twins vanished without a word'),
    called(shown(['a.b', 'a_b'], ['mcp__s__a_b', 'mcp__s__a_b']), [['mcp__s__a_b', 'a_b']]).named('a name is in the registry twice'),
    called(shown(['a.b', 'a_b'], ['x']), [['x', 'a_b'], ['x', 'a.b']]).named('one name reaches two tools in turn'),
    called(shown(['ünï', 'ok'], ['o']).log('warn', String.raw`refused: "\u00fcn\u00ee"`), [['o', 'ok']]).named('another name was refused'),
  ],
  mustPass: [
    called(shown(['a.b', 'a_b'], ['mcp__s__a_b', 'twin-2']), [['mcp__s__a_b', 'a_b'], ['twin-2', 'a.b']]).named('names of another scheme, each reaching one tool'),
    called(shown(['a.b', 'a_b'], ['mcp__s__a_b']).log('warn', 'tool "a.b" is not offered: its name is taken'), [['mcp__s__a_b', 'a_b']]).named('one of two twins was refused by name'),
    called(shown(['nul\0'], ['n']), [['n', 'nul\0']]).named('a name that JSON must escape'),
    called(shown([...FOREIGN, 'ok'], ['o']).log('warn', String.raw`refused: "\u00fcn\u00ef", '\x01"', "\U0001f600", \u{1F680}`), [['o', 'ok']]).named('refused by name, in the notations of several languages'),
  ],
  mustDoubt: [shown(['a.b'], []).unreached('x', 's', 'a.b').named('no call reached the server')],
};

const scheme = (good: readonly (readonly [string, string])[], bad: readonly [string, string], other: readonly [string, string]): Omit<JudgeHistories, 'check'> => ({
  mustFail: [called(shown([bad[1]], [bad[0]]), [bad]).named('a name that the formula does not make')],
  mustPass: [
    called(shown(good.map(([, raw]) => raw), good.map(([name]) => name)), good).named('names that the formula makes'),
    called(shown([good[0]?.[1] ?? ''], [good[0]?.[0] ?? '']), [[good[0]?.[0] ?? '', good[0]?.[1] ?? ''], other]).named('a name of the other kind is not judged here'),
  ],
  mustDoubt: [called(shown([other[1]], [other[0]]), [other]).named('no name of this kind was called')],
});

const verbatim = scheme([['mcp__s__a-b', 'a-b'], ['mcp__s__', '']], ['mcp__s__A-b', 'a-b'], ['anything', 'a.b']);
const derived = scheme([[dotted, 'a.b'], [schemeName('s', '\0'), '\0']], [`${dotted.slice(0, -1)}z`, 'a.b'], ['anything', 'a_b']);

const stable: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    called(called(history().step('open', ['s']), [['one', 'a']]).step('close').step('open', ['t', 's']), [['two', 'a']]).named('another order of servers renamed a tool'),
    called(called(history().step('open', ['s']), [['one', 'a'], ['b', 'b']]).step('add', ['t']), [['b', 'b'], ['two', 'a']]).named('a server that joined renamed a tool'),
  ],
  mustPass: [
    called(called(history().step('open', ['s']), [['one', 'a']]).step('close').step('open', ['s']), [['one', 'a']]).named('the same name after a restart, of a scheme of its own'),
    called(called(called(history().step('open', ['s', 't']), [['one', 'a']]), [['two', 'a']], 't').step('remove', ['t']), [['one', 'a']]).named('the same raw name on another server has another name'),
  ],
  mustDoubt: [called(history().step('open', ['s']), [['one', 'a'], ['one', 'a']]).named('nothing happened between two calls')],
};

const introduced = (builder: HistoryBuilder, name: string): HistoryBuilder => builder.sent('s', { jsonrpc: '2.0', id: builder.nextId(), result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name, version: '1' } } });

const coexisting: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    called(history().step('open', ['web', 'github']).page('web', tools('search')).page('github', tools('search')).registry([offered('search')]), [['search', 'search']], 'web').named('the tool of the second server is gone'),
    called(history().step('open', ['web'], { nativeTools: ['search'] }).page('web', tools('search')).registry([offered('search')]), [['search', 'search']], 'web').named('the native tool was overwritten'),
  ],
  mustPass: [
    called(called(history().step('open', ['web', 'github']).page('web', tools('search')).page('github', tools('search')).registry([offered('search@web'), offered('search')]), [['search@web', 'search']], 'web'), [['search', 'search']], 'github').named('both reached, by names of any kind'),
    called(history().step('open', ['web'], { nativeTools: ['search'] }).page('web', tools('search')).registry([offered('search'), offered('web-search')]), [['web-search', 'search']], 'web').named('the native tool beside the server’s'),
  ],
  mustDoubt: [history().step('open', ['web', 'github']).page('web', tools('search')).named('the second list was never read')],
};

/** What the judges of `naming` must refuse and must let pass. */
export const namingHistories: readonly JudgeHistories[] = [
  {
    check: 'NAMING-001/hostile-names',
    mustFail: [
      shown(['a.b'], ['mcp__s__a.b']).named('a dot is offered'),
      shown(['x'], ['x'.repeat(65)]).named('65 characters are offered'),
      shown(['x'], ['']).named('an empty name is offered'),
      shown(['x'], ['a.b\n'], own).named('an own pattern is not matched to the end'),
    ],
    mustPass: [
      shown(['a.b'], ['x'.repeat(64)]).named('64 characters'),
      shown(['a.b'], ['a.b'], own).named('a dot that an own scheme declares'),
    ],
    mustDoubt: [shown(['a.b'], []).named('nothing is offered'), history().step('open', ['s']).registry([offered('x')]).named('the list was never read')],
  },
  { check: 'NAMING-002/hostile-names', ...unique },
  { check: 'NAMING-002/two-servers', ...unique },
  {
    check: 'NAMING-003/from-the-start',
    mustFail: [
      called(called(meeting().registry([offered('mcp__alpha__beta__gamma')]), [['mcp__alpha__beta__gamma', 'beta__gamma'], ['mcp__alpha__plain_one', 'plain_one']], 'alpha').log('error', refusal), [['mcp__alpha__beta__plain_two', 'plain_two']], 'alpha__beta').named('a part of the refused list is offered'),
      called(meeting().registry([]), [['mcp__alpha__beta__gamma', 'beta__gamma']], 'alpha').named('refused in silence'),
      called(meeting().log('error', 'a name is taken: gamma').registry([]), [['mcp__alpha__beta__gamma', 'beta__gamma']], 'alpha').named('the error names one tool only'),
      called(called(meeting().registry([]), [['x', 'beta__gamma']], 'alpha'), [['x', 'gamma']], 'alpha__beta').named('one name reaches both'),
      called(meeting().log('error', refusal).registry([]), [['y', 'plain_one']], 'alpha').named('neither of the two is left'),
    ],
    mustPass: [
      called(meeting().log('error', refusal).registry([]), [['mcp__alpha__beta__gamma', 'gamma'], ['mcp__alpha__beta__plain_two', 'plain_two']], 'alpha__beta').named('the server listed second came first'),
      called(history().step('open', ['alpha', { name: 'alpha__beta', status: 'rejected', message: refusal }]).page('alpha', tools('beta__gamma')).page('alpha__beta', tools('gamma')).registry([]), [['mcp__alpha__beta__gamma', 'beta__gamma']], 'alpha').named('refused by a rejection instead of a log line'),
    ],
    mustDoubt: [called(history().step('open', ['alpha', 'alpha__beta']).page('alpha', tools('beta__gamma')).registry([]), [['m', 'beta__gamma']], 'alpha').named('the second list was never read')],
  },
  {
    check: 'NAMING-003/by-a-change',
    mustFail: [
      called(called(meetingLater().log('error', refusal).registry([]), [['mcp__alpha__beta__gamma', 'beta__gamma']], 'alpha'), [['mcp__alpha__beta__plain_two', 'plain_two']], 'alpha__beta').named('the refused sync cost a tool'),
      called(called(meetingLater().registry([]), [['mcp__alpha__beta__gamma', 'beta__gamma']], 'alpha'), [['mcp__alpha__beta__plain_two', 'plain_two'], ['mcp__alpha__beta__plain_three', 'plain_three']], 'alpha__beta').named('refused in silence'),
    ],
    mustPass: [
      called(called(meetingLater().log('error', refusal).registry([]), [['mcp__alpha__beta__gamma', 'beta__gamma']], 'alpha'), [['mcp__alpha__beta__plain_three', 'plain_three'], ['mcp__alpha__beta__plain_two', 'plain_two']], 'alpha__beta').named('the previous generation stayed, called in another order'),
    ],
    mustDoubt: [history().step('open', ['alpha', 'alpha__beta']).barrier('the second list is read', false).named('the second list was never read')],
  },
  { check: 'NAMING-004/hostile-names', ...verbatim },
  { check: 'NAMING-004/vectors', ...verbatim },
  { check: 'NAMING-005/hostile-names', ...derived },
  { check: 'NAMING-005/vectors', ...derived },
  { check: 'NAMING-006/order', ...stable },
  { check: 'NAMING-006/churn', ...stable },
  { check: 'NAMING-006/restart', ...stable },
  {
    check: 'NAMING-007/hostile-names',
    mustFail: [
      called(shown(['a.b'], [dotted]), [[dotted, 'a.b', 'a_b']]).named('the cleaned name is sent'),
      called(shown(['a.b'], [dotted]), [[dotted, 'a.b', dotted]]).named('the public name is sent'),
      called(shown(['caf\u00e9'], ['x']), [['x', 'caf\u00e9', 'cafe\u0301']]).named('another normal form is sent'),
      called(shown(['a', 'b'], ['x', 'y']), [['x', 'a', 'b'], ['y', 'b', 'a']]).named('two tools are mixed up'),
    ],
    mustPass: [
      called(shown(['a.b', '\ud800'], [dotted, 'y']), [[dotted, 'a.b'], ['y', '\ud800']]).named('odd names come back as they were listed'),
      called(shown(['mcp__s__x'], ['mcp__s__mcp__s__x']), [['mcp__s__mcp__s__x', 'mcp__s__x']]).named('a raw name that looks like a public one'),
    ],
    mustDoubt: [shown(['a.b'], [dotted]).unreached(dotted, 's', 'a.b').named('the call reached no server')],
  },
  { check: 'NAMING-008/two-servers', ...coexisting },
  { check: 'NAMING-008/native-tool', ...coexisting },
  {
    check: 'NAMING-009/server-info',
    mustFail: [
      called(introduced(called(introduced(history().step('open', ['s']), 'One'), [['One__a', 'a']]).step('close').step('open', ['s']), 'Two'), [['Two__a', 'a']]).named('the name follows serverInfo'),
    ],
    mustPass: [
      called(introduced(called(introduced(history().step('open', ['s']), 'One'), [['a', 'a']]).step('close').step('open', ['s']), '__proto__'), [['a', 'a']]).named('an odd serverInfo changes nothing'),
      called(introduced(called(called(introduced(history(own).step('open', ['s']), 'One'), [['one.a', 'a']]), [['one.b', 'b']], 't').step('close').step('open', ['s']), 'Two'), [['one.a', 'a']]).named('a name that happens to be like what the server called itself first, and stays'),
    ],
    mustDoubt: [
      called(introduced(called(introduced(history().step('open', ['s']), 'One'), [['a', 'a']]).step('close').step('open', ['s']), 'One'), [['a', 'a']]).named('the server called itself the same both times'),
    ],
  },
  {
    check: 'NAMING-010/prototype-names',
    mustFail: [
      called(shown(['__proto__', 'ordinary'], ['x']), [['x', 'ordinary']]).named('__proto__ is not to be reached'),
      called(shown(['constructor', 'ordinary'], ['c', 'x']), [['c', 'constructor', '[object Object]'], ['x', 'ordinary']]).named('something else than constructor was sent'),
    ],
    mustPass: [
      called(shown(['__proto__', '', 'ordinary'], ['p', 'e', 'x']), [['p', '__proto__'], ['e', ''], ['x', 'ordinary']]).named('all are reached, the empty name too'),
      called(called(history(own).step('open', ['__proto__', 'constructor']).page('__proto__', tools('toString', '__proto__')).page('constructor', tools('toString', 'valueOf')).log('warn', 'two servers have odd names'), [['constructor', 'toString'], ['a.a', '__proto__']], '__proto__'), [['toString', 'toString'], ['value.of', 'valueOf']], 'constructor').named('servers of such names, and public names that mean something too'),
    ],
    mustDoubt: [shown(['__proto__'], ['p']).unreached('p', 's', '__proto__').named('no call reached the server')],
  },
];
