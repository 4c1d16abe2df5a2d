import { offeredBarrier } from '../../src/checks/support/facts.ts';
import { history, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { conversationHistories } from './wire/conversation.ts';
import { limitHistories } from './wire/limits.ts';
import { notificationHistories } from './wire/notifications.ts';
import { echo, echoOf } from './echo.ts';
import { posted } from './http/posted.ts';

const boastful = (): HistoryBuilder => history()
  .received('boastful', { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} })
  .sent('boastful', { jsonrpc: '2.0', id: 0, result: { capabilities: { tools: {}, resources: {}, prompts: {} } } });

const asked = (server: string, capabilities: object = { roots: {} }): HistoryBuilder => {
  const builder = history()
    .received(server, { jsonrpc: '2.0', id: 0, method: 'initialize', params: { capabilities } })
    .asked({ callId: 'a', name: 'p_asking', arguments: { probe: 'a' } }, { server, rawName: 'asking' })
    .received(server, { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'asking', arguments: { probe: 'a' } } });
  for (const [id, method] of QUESTIONS) builder.sent(server, { jsonrpc: '2.0', id, method, params: {} });
  return builder;
};
const QUESTIONS = [['server-ping', 'ping'], [9001, 'roots/list'], ['server-sampling', 'sampling/createMessage'], [9002, 'elicitation/create'], ['server-unknown', 'no/such/method']] as const;
const refused = (builder: HistoryBuilder, ids: readonly (string | number)[]): HistoryBuilder => {
  for (const id of ids) builder.received('curious', { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  return builder;
};
const answered = (builder: HistoryBuilder): HistoryBuilder => builder.sent('curious', { jsonrpc: '2.0', id: 5, result: { content: [] } }).outcome('a');
const ping = (builder: HistoryBuilder): HistoryBuilder => builder.received('curious', { jsonrpc: '2.0', id: 'server-ping', result: {} });

const EVERYTHING = { roots: {}, sampling: {}, elicitation: {} };
const gives = (builder: HistoryBuilder, id: string | number, answer: object): HistoryBuilder => builder.received('curious', { jsonrpc: '2.0', id, ...answer });
/** Roots, declared, are served; the rest is refused. */
const rooted = (builder: HistoryBuilder): HistoryBuilder => gives(refused(builder, ['server-sampling', 9002, 'server-unknown']), 9001, { result: { roots: [] } });

const framed = { text: '<a\u2028b>', frame: { crlf: true } };
const framedName = `chopped_${Buffer.from(JSON.stringify(framed)).toString('base64url').slice(0, 24)}_${JSON.stringify(framed).length}`;
const beforeFraming = (): HistoryBuilder => echo(history(), 'chopped', 'steady').run(framed);
const framedCall = (builder: HistoryBuilder, seen: string): HistoryBuilder => {
  const id = builder.nextId();
  return builder.barrier('framed list').asked({ callId: 'f', name: 'p_f', arguments: { probe: 'f' } }, { server: 'chopped', rawName: framedName })
    .received('chopped', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: framedName, arguments: { probe: 'f' } } })
    .sent('chopped', { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: framed.text }] } })
    .outcome('f', { view: [{ type: 'text', text: seen }] });
};

const greeting = (outcome: 'ok' | 'failed'): HistoryBuilder => history().call('p_greet', 'chopped', 'greet', 'greet', { outcome });

const noisy = (): HistoryBuilder => history().fault('noisy', 'on-spawn', 'raw').fault('noisy', 'on-tools-list', 'raw');

/** A quiet server, then a noisy one, and what is logged meanwhile. */
const beside = (both: (builder: HistoryBuilder) => HistoryBuilder = (builder) => builder, noisyOnly: (builder: HistoryBuilder) => HistoryBuilder = (builder) => builder): HistoryBuilder => {
  const builder = both(echo(history().step('open', ['quiet']), 'quiet', 'talk')).step('close').step('open', ['talker']).fault('talker', 'on-spawn', 'raw').fault('talker', 'on-talk', 'raw');
  return both(noisyOnly(echo(builder, 'talker', 'talk'))).step('close');
};

const LANES = [0, 1, 2, 3] as const;
/** Four calls in flight; answered in this order, and what each ended with. */
const shuffled = (order: readonly number[], shows: (n: number) => number): HistoryBuilder => {
  const builder = history().run(order);
  for (const n of LANES) {
    builder.asked({ callId: `c${n}`, name: `p_${n}`, arguments: { probe: `c${n}` } }, { server: 'shuffled', rawName: `lane_${n}` });
    builder.received('shuffled', { jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: `lane_${n}`, arguments: { probe: `c${n}` } } });
  }
  for (const n of order) builder.sent('shuffled', { jsonrpc: '2.0', id: n, result: { content: [] } });
  for (const n of LANES) builder.outcome(`c${n}`, { view: [{ type: 'text', text: `echo of c${shows(n)}` }] });
  return builder;
};

/** Two calls in flight, answers to nobody, then their own; `id`: how the bridge names its requests. */
const strays = (shown: string, id: (n: number) => unknown = (n) => n, before: (builder: HistoryBuilder) => unknown = () => undefined): HistoryBuilder => {
  const builder = history();
  before(builder);
  for (const n of [0, 1]) {
    builder.asked({ callId: `c${n}`, name: `p_${n}`, arguments: { probe: `c${n}` } }, { server: 'shuffled', rawName: `lane_${n}` });
    builder.received('shuffled', { jsonrpc: '2.0', id: id(n), method: 'tools/call', params: { name: `lane_${n}`, arguments: { probe: `c${n}` } } });
  }
  for (const nobody of ['nobody', 987_654, null]) builder.sent('shuffled', { jsonrpc: '2.0', id: nobody, result: { content: [{ type: 'text', text: 'stray-answer-of-nobody' }] } });
  builder.sent('shuffled', { jsonrpc: '2.0', id: id(1), result: { content: [] } }).outcome('c1', { view: [echoOf('c1')] });
  builder.sent('shuffled', { jsonrpc: '2.0', id: id(0), result: { content: [] } }).outcome('c0', { view: [{ type: 'text', text: shown }] });
  return echo(builder, 'shuffled', 'steady');
};

/** Asked in the middle of a call, and all of it answered as it should be. */
export const questionsAnswered = (): HistoryBuilder => answered(rooted(ping(asked('curious'))));
/** The answer to the ping was POSTed, so many times, with these statuses; the rest is answered as it should be. */
export const pongPosted = (statuses: readonly (number | undefined)[]): HistoryBuilder =>
  answered(rooted(statuses.reduce((builder: HistoryBuilder, status, at) => posted(builder, 'curious', at, { jsonrpc: '2.0', id: 'server-ping', result: {} }, status), asked('curious'))));

/** What the server asks in the middle of a call, whatever carries it. */
export const questioned = (check: string, more: Partial<JudgeHistories> = {}): JudgeHistories => ({
  check,
  mustFail: [
    answered(refused(asked('curious'), [9001, 'server-sampling', 9002, 'server-unknown'])).named('ping is not answered'),
    answered(refused(ping(asked('curious')), [9001, 'server-sampling', 9002])).named('an unknown request is not answered'),
    refused(answered(refused(ping(asked('curious')), [9001, 'server-sampling', 9002])), ['server-unknown']).named('the answer comes after the call'),
    answered(refused(asked('curious'), ['server-ping', 9001, 'server-sampling', 9002, 'server-unknown'])).named('ping is refused'),
    answered(refused(ping(asked('curious')), [9001, 9002, 'server-unknown']).received('curious', { jsonrpc: '2.0', id: 'server-sampling', result: {} })).named('sampling, which is not declared, gets a result'),
    answered(refused(ping(asked('curious')), [9001, 'server-sampling', 9002, 'server-unknown'])).named('roots, which are declared, are refused'),
    answered(gives(refused(ping(asked('curious')), ['server-sampling', 9002, 'server-unknown']), 9001, { result: {} })).named('roots, which are declared, are not in the result'),
    answered(gives(rooted(asked('curious')), 'server-ping', {})).named('ping gets neither a result nor an error'), answered(gives(rooted(asked('curious')), 'server-ping', { result: { pong: true } })).named('ping gets more than an empty result'),
    answered(gives(rooted(asked('curious')), 'server-ping', { result: {}, error: { code: 1, message: 'no' } })).named('ping gets both'),
    answered(ping(refused(gives(asked('curious', { sampling: {} }), 'server-sampling', { error: { code: -32601, message: 'no' } }), [9001, 9002, 'server-unknown']))).named('sampling, which is declared, is unknown'),
    answered(gives(refused(ping(asked('curious', {})), [9001, 'server-sampling', 9002]), 'server-unknown', { error: { code: -32_603, message: 'internal error' } })).named('what no client knows is told as a fault of the client'),
    ...(more.mustFail ?? []),
  ],
  mustPass: [
    answered(refused(ping(asked('curious')), ['server-sampling', 9002, 'server-unknown']).received('curious', { jsonrpc: '2.0', id: 9001, result: { roots: [] } }))
      .named('roots, which the client declares, get a result'),
    answered(gives(rooted(asked('curious')), 'server-ping', { result: { _meta: { took: 1 } } })).named('a note beside the empty result of ping'),
    answered(gives(gives(gives(gives(ping(asked('curious', EVERYTHING)), 9001, { result: { roots: [] } }), 'server-sampling', { error: { code: -1, message: 'the user declined' } }), 9002, { result: { action: 'decline' } }), 'server-unknown', { error: { code: -32601, message: 'no' } }))
      .named('everything is declared, and a person declines'),
    gives(answered(refused(ping(asked('curious', { sampling: {}, elicitation: {} })), [9001, 'server-unknown'])), 9002, { result: { action: 'cancel' } }).named('a person who is asked takes longer than the call'),
    answered(gives(refused(ping(asked('curious', {})), [9001, 9002, 'server-unknown']), 'server-sampling', { error: { code: -32_600, message: 'sampling was not agreed' } })).named('what was not agreed is refused by another code'),
    ...(more.mustPass ?? []),
  ],
  mustDoubt: [history().named('no call was made'), ping(asked('curious')).named('the server did not answer the call')],
});

/** Answers in any order, whatever carries them. */
const ownAnswers: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    shuffled([3, 2, 1, 0], (n) => 3 - n).named('answers are taken in the order of the calls'),
    shuffled([1, 0, 2, 3], (n) => (n === 2 ? 9 : n)).named('one call ends with something else'),
  ],
  mustPass: [shuffled([2, 0, 3, 1], (n) => n).named('any order, each its own')],
  mustDoubt: [history().run([1, 0, 2, 3]).named('no call was made')],
};

/** A handshake that went out in another framing. */
export const greetedOtherwise = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    greeting('failed').named('the call fails'),
    history().received('chopped', { jsonrpc: '2.0', id: 0, method: 'initialize' }).sent('chopped', { jsonrpc: '2.0', id: 0, result: {} }).named('nothing follows the handshake'),
    history().page('chopped', [{ name: 'greet' }]).barrier(offeredBarrier('chopped', 'greet'), false).named('the tool is never offered'),
  ],
  mustPass: [
    greeting('ok').named('the call succeeds'),
    history().received('chopped', { jsonrpc: '2.0', id: 0, method: 'initialize' }).sent('chopped', { jsonrpc: '2.0', id: 0, result: {} }).page('chopped', [{ name: 'greet' }]).page('chopped', [{ name: 'greet' }])
      .call('p_greet', 'chopped', 'greet', 'greet', { view: [{ type: 'text', text: '[chopped] greeted' }] }).named('the list is asked for twice, and the result shown in other words'),
    history().received('chopped', { jsonrpc: '2.0', id: 'p', method: 'server/discover' }).page('chopped', [{ name: 'greet' }]).call('p_greet', 'chopped', 'greet').named('a word of another era first'),
    history().received('chopped', { jsonrpc: '2.0', id: 0, method: 'initialize' }).received('chopped', { jsonrpc: '2.0', id: 0, method: 'initialize' }, 2).call('p_greet', 'chopped', 'greet').named('the first process was given up before it could answer'),
  ],
  mustDoubt: [history().named('the server was never asked for its list')],
});

/** What the judges of `wire` must refuse and must let pass. */
export const wireHistories: readonly JudgeHistories[] = [
  {
    check: 'WIRE-001/boastful-server',
    mustFail: [
      boastful().received('boastful', { jsonrpc: '2.0', id: 1, method: 'resources/list' }).named('resources are listed'),
      echo(boastful(), 'boastful', 'steady').received('boastful', { jsonrpc: '2.0', id: 9, method: 'logging/setLevel', params: { level: 'debug' } }).named('a log level is set'),
    ],
    mustPass: [
      echo(boastful().received('boastful', { jsonrpc: '2.0', id: 1, method: 'server/discover' }).received('boastful', { jsonrpc: '2.0', id: 2, method: 'ping' }), 'boastful', 'steady')
        .named('a probe of another protocol era and a ping are no foreign requests'),
    ],
    mustDoubt: [echo(history(), 'boastful', 'steady').named('nothing was declared'), boastful().named('no call reached the server')],
  },
  {
    check: 'WIRE-007/boastful-server',
    mustFail: [
      boastful().step('open', [{ name: 'boastful', status: 'degraded' }]).named('the list is never asked for'),
      boastful().page('boastful', [{ name: 'steady' }]).barrier(offeredBarrier('boastful', 'steady'), false).named('the tool is never offered'),
      boastful().page('boastful', [{ name: 'steady' }]).call('p_steady', 'boastful', 'steady', 'steady', { outcome: 'failed' }).named('its call fails'),
    ],
    mustPass: [
      echo(boastful().received('boastful', { jsonrpc: '2.0', id: 1, method: 'prompts/list' }).sent('boastful', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }).page('boastful', [{ name: 'steady' }]), 'boastful', 'steady')
        .named('prompts are asked for and refused, and the tool works'),
    ],
    mustDoubt: [history().named('no server declared anything')],
  },
  questioned('WIRE-002/asked-in-a-call'),
  {
    check: 'WIRE-003/framings',
    mustFail: [
      framedCall(beforeFraming(), '<a b>').named('the separator became a space'),
      beforeFraming().barrier('framed list', false).named('the list was never offered'),
    ],
    mustPass: [framedCall(beforeFraming(), `result:\n${framed.text}\n(end)`).named('the text stands between words of the bridge')],
    mustDoubt: [framedCall(history().run(framed), framed.text).named('no healthy call before'), beforeFraming().named('nothing framed was asked for')],
  },
  greetedOtherwise('WIRE-003/handshake'),
  {
    check: 'WIRE-004/noise-everywhere',
    mustFail: [
      history().fault('noisy', 'on-spawn', 'raw').named('the banner ended the connection'),
      noisy().call('p_noisy', 'noisy', 'noisy', 'noisy', { outcome: 'failed' }).named('the noisy call failed'),
      echo(noisy(), 'noisy', 'noisy').call('p_steady', 'noisy', 'steady', 'steady', { outcome: 'failed' }).named('the call after it failed'),
    ],
    mustPass: [echo(echo(noisy().log('warn', 'noise on stdout'), 'noisy', 'noisy'), 'noisy', 'steady').named('the noise is reported and costs nothing')],
    mustDoubt: [echo(history(), 'noisy', 'noisy').named('there was no noise')],
  },
  {
    check: 'WIRE-057/beside-a-quiet-one',
    mustFail: [
      beside().named('nobody speaks of it'),
      beside((builder) => builder.log('info', 'connected')).named('no more is said than of a quiet one'),
    ],
    mustPass: [
      beside((builder) => builder, (builder) => builder.log('warn', 'talker: skipped "chatter-of-a-call"', 'talker')).named('the line is shown'),
      beside((builder) => builder.log('info', 'connected'), (builder) => builder.log('debug', '2 lines were no messages')).named('a count, in other words'),
      beside((builder) => builder, (builder) => builder.event({ kind: 'state', moment: 'after', servers: [{ name: 'talker', state: 'ready', tools: 2, lastError: 'stdout has banner-of-a-launcher' }] })).named('told with the state'),
    ],
    mustDoubt: [echo(echo(history().step('open', ['quiet']), 'quiet', 'talk').step('close').step('open', ['talker']), 'talker', 'talk').step('close').named('there was no noise')],
  },
  { check: 'WIRE-005/any-order', ...ownAnswers },
  { check: 'WIRE-005/any-order-over-http', ...ownAnswers },
  {
    check: 'WIRE-006/stray-and-duplicate',
    mustFail: [strays('stray-answer-of-nobody').named('a stray answer is delivered'), strays('done').named('a call ends without its own answer')],
    mustPass: [
      strays('c0, told in other words').named('the strays are ignored'), strays('c0', (n) => `request ${n}`).named('its ids are texts'), strays('c0', (n) => 2 ** 45 - n).named('its ids are large and go down'),
      strays('c0', (n) => n, (builder) => builder.log('warn', 'an answer to nobody: stray-answer-of-nobody', 'shuffled')).named('the strays are reported, word for word'),
      strays('c0', (n) => n, (builder) => echo(builder, 'shuffled', 'lane_0')).named('the first was called before, and a stray had its id'),
    ],
    mustDoubt: [history().named('no call was made')],
  },
  ...limitHistories,
  ...conversationHistories,
  ...notificationHistories,
];
