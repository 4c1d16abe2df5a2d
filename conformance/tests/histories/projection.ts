import { reportLines } from '../../src/checks/projection/long-text.ts';
import { blockAt, linkAt, payloadAt, unknownTypeAt, wordsAt, type Sketches } from '../../src/checks/projection/blocks.ts';
import type { CallReply, ViewBlock } from '../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { boundedElsewhereHistories } from './projection/bounded-elsewhere.ts';
import { imageBatchHistories } from './projection/image-batches.ts';
import { imageEndingHistories } from './projection/image-endings.ts';
import { imageRouteHistories } from './projection/image-routes.ts';

const text = (words: string): ViewBlock => ({ type: 'text', text: words });
const image: ViewBlock = { type: 'image', mediaType: 'image/png', sha256: 'a'.repeat(64) };

/** A call whose server gave this, and how it ended. */
function given(server: string, rawName: string, answer: object, reply: Partial<CallReply>, builder = history()): HistoryBuilder {
  const callId = `given-${builder.nextId()}`;
  const id = builder.nextId();
  return builder.asked({ callId, name: `p_${rawName}`, arguments: { probe: callId } }, { server, rawName })
    .received(server, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: { probe: callId } } })
    .sent(server, { jsonrpc: '2.0', id, ...answer })
    .outcome(callId, reply);
}

const shown = (list: Sketches, view: readonly ViewBlock[], more: Partial<CallReply> = {}): HistoryBuilder =>
  given('shows', 'show', { result: { content: list.map(blockAt) } }, { view: [...view], ...more });
const report = (view: string): HistoryBuilder =>
  given('writer', 'report', { result: { content: [text(reportLines.join('\n'))] } }, { view: [text(view)] });
const kinds = (...list: Sketches[number]['kind'][]): Sketches => list.map((kind) => ({ kind, variant: 0 }));

const [first, second, third] = [wordsAt(0), wordsAt(1), wordsAt(2)];
const noCall = [history().named('no call')];
const refused = [given('shows', 'show', { error: { code: 1, message: 'no' } }, { outcome: 'failed' }).named('the answer was no content')];

const said = (answer: object, reply: Partial<CallReply>): HistoryBuilder => given('broken', 'say', answer, reply);
const LONG = `begins here ${'😀'.repeat(4096)}`;
const long = (view: string, reply: Partial<CallReply> = {}): HistoryBuilder => {
  const result = { content: [{ type: 'text', text: LONG }] };
  return given('broken', 'say', { result }, { view: [text(view)], ...reply }, history().program('broken', { scenario: 1, tools: [{ name: 'say', result }] }));
};

const contradicting = (reply: Partial<CallReply>): HistoryBuilder =>
  given('shows', 'show', { result: { content: [blockAt({ kind: 'audio', variant: 0 }, 0)], structuredContent: { copy: payloadAt(0) } } }, reply);

function empties(view: (name: string) => readonly ViewBlock[]): HistoryBuilder {
  const builder = history();
  for (const name of ['no-blocks', 'empty-text', 'empty-texts']) given('silent', name, { result: { content: [] } }, { view: [...view(name)] }, builder);
  return builder;
}

/** What the judges of `projection` must refuse and must let pass. */
export const projectionHistories: readonly JudgeHistories[] = [
  {
    check: 'PROJECTION-001/any-blocks',
    mustFail: [
      shown(kinds('text', 'text'), [text(`${second}\n${first}`)]).named('the order is turned'),
      shown(kinds('text', 'audio', 'text'), [text(first), text('[audio]')]).named('a text is lost'),
      shown(kinds('text'), [text(first.slice(0, 8))]).named('a text is cut'),
      shown(kinds('text'), [text(first)], { outcome: 'failed' }).named('a good result fails'),
    ],
    mustPass: [
      shown(kinds('text', 'image', 'text'), [text(first), image, text(third)]).named('text around an image'),
      shown(kinds('text', 'text'), [text(`1) ${first} 2) ${second}`)]).named('numbered on one line'),
    ],
    mustDoubt: [...noCall, ...refused],
  },
  {
    check: 'PROJECTION-001/long-text',
    mustFail: [
      report(reportLines.slice(0, 2_000).join('\n')).named('the second half is gone in silence'),
      report(reportLines.slice(2_000).join('\n')).named('the first half is gone'),
      report('').named('nothing is shown'),
    ],
    mustPass: [
      report(reportLines.join(' ')).named('whole, on one line'),
      report(`${reportLines.slice(0, 100).join('\n')}\n… 3900 lines are left out`).named('cut, and it says so'),
    ],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-002/any-blocks',
    mustFail: [
      shown(kinds('text', 'text'), [text(first), text(second)]).named('two text blocks'),
      shown(kinds('text', 'text'), [text(`${first} ${second}`)]).named('joined by a space'),
      shown(kinds('text'), []).named('no block at all'),
      shown(kinds('text', 'audio'), [text(`${first} [audio]`)]).named('a note after a space'),
      shown(kinds('link', 'text'), [text(`[${linkAt(0).name} ${linkAt(0).uri}] ${second}`)]).named('a text after a link and a space'),
      shown(kinds('link', 'unknown'), [text(`[${linkAt(0).name} ${linkAt(0).uri}] [${unknownTypeAt(1)}]`)]).named('a note after a link and a space'),
    ],
    mustPass: [
      shown(kinds('text', 'image', 'text'), [text(first), image, text(third)]).named('an image between two text blocks'),
      shown(kinds('text', 'link', 'unknown', 'audio', 'text'), [text(`${first}\n${linkAt(1).uri}\n(${linkAt(1).name})\n<${unknownTypeAt(2)}>\n<audio>\n${wordsAt(4)}`)]).named('notes of several lines'),
    ],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-003/any-blocks',
    mustFail: [
      shown(kinds('link'), [text(linkAt(0).name)]).named('the URI is lost'), shown(kinds('link'), [text(linkAt(0).uri)]).named('the name is lost'),
    ],
    mustPass: [shown(kinds('link'), [text(`see ${linkAt(0).uri} (${linkAt(0).name})`)]).named('in other words'), shown(kinds('text'), [text(first)]).named('no link at all')],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-004/between-texts',
    mustFail: [
      shown(kinds('text', 'audio', 'text'), [text(`${first}\n${third}`)]).named('the audio disappeared'),
      shown(kinds('text', 'malformed', 'text'), [text(`${first}\n---\n${third}`)]).named('only a line is drawn'),
    ],
    mustPass: [
      shown(kinds('text', 'image', 'text'), [text(first), image, text(third)]).named('an image stands for itself'),
      shown(kinds('text', 'unknown', 'text'), [text(`${first}\n1 block omitted\n${third}`)]).named('any words do'),
    ],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-005/any-blocks',
    mustFail: [shown(kinds('unknown'), [text('[unsupported block]')]).named('the type is not said')],
    mustPass: [shown(kinds('unknown'), [text(`<${unknownTypeAt(0)}/>`)]).named('in angle brackets')],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-006/any-blocks',
    mustFail: [
      shown(kinds('audio'), [text(`data:audio/wav;base64,${payloadAt(0)}`)]).named('a data URL'),
      shown(kinds('unknown'), [text(`… ${payloadAt(0).slice(0, 66)} …`)]).named('the first letters of it'),
      shown(kinds('audio'), [text('[audio]')]).log('debug', `result ${payloadAt(0)}`).named('in a log'),
    ],
    mustPass: [shown(kinds('audio'), [text(`[audio, ${payloadAt(0).slice(0, 8)}…]`)], { value: { content: [blockAt({ kind: 'audio', variant: 0 }, 0)] } }).named('in the canonical value, and eight letters shown')],
    mustDoubt: [...noCall, shown(kinds('text'), [text(first)]).named('no payload was sent')],
  },
  {
    check: 'PROJECTION-006/failures',
    mustFail: [
      given('shows', 'show', { result: { content: [blockAt({ kind: 'audio', variant: 0 }, 1)], isError: true } }, { outcome: 'tool-error', view: [], message: payloadAt(1) }).named('in the message'),
    ],
    mustPass: [given('shows', 'show', { result: { content: [blockAt({ kind: 'audio', variant: 0 }, 1)], isError: true } }, { outcome: 'failed', view: [], message: 'the tool failed' }).named('a bare failure')],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-006/contradiction',
    mustFail: [
      contradicting({ outcome: 'failed', view: [text(`output does not fit: "${payloadAt(0)}" is no integer`)] }).named('the words about the contradiction quote it'),
      contradicting({ outcome: 'failed', view: [], message: 'no' }).log('warn', `output does not fit: ${payloadAt(0)}`).named('the log quotes it'),
    ],
    mustPass: [
      contradicting({ outcome: 'failed', view: [text('/copy is no integer')] }).named('only its place is named'),
      contradicting({ view: [text('[audio]')] }).named('nobody looks at the schema'),
    ],
    mustDoubt: [...noCall, given('shows', 'show', { result: { content: [blockAt({ kind: 'audio', variant: 0 }, 0)] } }, {}).named('nothing was structured')],
  },
  {
    check: 'PROJECTION-007/empty-results',
    mustFail: [empties(() => [text('')]).named('empty text'), empties((name) => (name === 'no-blocks' ? [] : [text('nothing')])).named('no block for one of them')],
    mustPass: [empties(() => [text('(leer)')]).named('in another language')],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-008/surrogates',
    mustFail: [
      said({ result: { content: [] } }, { view: [text('half \ud83d')] }).named('in the view'),
      said({ error: { code: 1, message: '' } }, { outcome: 'failed', view: [], message: '\ude00' }).named('in a message'),
    ],
    mustPass: [said({ result: { content: [] } }, { view: [text('half \ufffd and whole 😀')] }).named('replaced, pairs kept')],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-009/three-megabytes',
    mustFail: [
      long(LONG).named('everything is shown'), long(LONG.slice(0, 100)).named('cut in silence'), long(`begins here ${'😀'.repeat(9)}\ud83d [cut]`).named('cut through a character'),
      long('[text too long]').named('nothing of it is shown'), long(' ', { outcome: 'failed' }).named('it fails without a word'),
    ],
    mustPass: [long(`${LONG.slice(0, 40)} […] ${LONG.slice(-10)}`).named('a mark in the middle')],
    mustDoubt: noCall,
    mustSkip: [long('the answer has 6 291 468 bytes, maxMessageBytes is 4 194 304', { outcome: 'failed' }).named('a bound on messages is below it')],
  },
  ...boundedElsewhereHistories,
  ...imageBatchHistories,
  ...imageRouteHistories,
  ...imageEndingHistories,
];
