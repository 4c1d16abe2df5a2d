/** Hand-written histories of images in calls that end in an uncommon way (PROJECTION-028 to 034). */
import { HOST_EVENTS } from '../../../src/adapter/host-events.ts';
import type { CallReply, ViewBlock } from '../../../src/adapter/messages.ts';
import { imageBlock } from '../../../src/checks/projection/sample-images.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { draws, noCall, note, picture, seenBy, shown, text, told, well, words, type Story } from './image-stories.ts';

/** A healthy call, one of `draw-spoilt`, a healthy call. */
function spoilt(story: Story): HistoryBuilder {
  const builder = draws('draw-first', seenBy('draw-first'), { stores: [[picture('draw-first')]] });
  draws('draw-spoilt', seenBy('draw-spoilt'), story, builder);
  return draws('draw-last', seenBy('draw-last'), { stores: [[picture('draw-last')]] }, builder);
}

const batchOfSpoilt = [[picture('draw-spoilt')]];
const heldAt = (gate: string) => (builder: HistoryBuilder, callId: string): void => {
  told(builder, HOST_EVENTS.gateHeld, { gate }).event({ kind: 'cancel', callId });
};
const aborted: Partial<CallReply> = { outcome: 'aborted', executed: 'yes', view: [] };

function cancelled(gate: string): JudgeHistories {
  const stores = gate === 'store' ? { stores: batchOfSpoilt } : {};
  const story = { between: heldAt(gate), reply: aborted, ...stores };
  return {
    check: `PROJECTION-029/at-the-${gate === 'store' ? 'store' : 'lookup'}`,
    mustFail: [
      spoilt({ ...story, storesLate: batchOfSpoilt }).named('stored after the call was cancelled'),
      spoilt({ ...story, reply: {} }).named('it ends well all the same'),
      spoilt({ ...story, reply: { ...aborted, view: shown(picture('draw-spoilt')) } }).named('it shows its image all the same'),
      spoilt({ ...story, hangs: true }).named('it never settles'),
    ],
    mustPass: [spoilt({ ...story, reply: { ...aborted, outcome: 'failed', view: [text('cancelled')] } }).named('called a failure')],
    mustDoubt: [
      ...noCall,
      spoilt({ reply: aborted, ...stores, between: (builder, callId) => builder.event({ kind: 'cancel', callId }) }).named('it was never held'),
      spoilt({ reply: aborted, ...stores, between: (builder) => told(builder, HOST_EVENTS.gateHeld, { gate }) }).named('it was never cancelled'),
    ],
  };
}

const PIECES = ['draw-replaced', 'draw-blocked', 'draw-revalued'] as const;
const SAID = { 'draw-replaced': 'words of the policy, one', 'draw-blocked': 'words of the policy, two', 'draw-revalued': 'words of the policy, three' } as const;

function policed(wrong: string, view: (name: string) => readonly ViewBlock[]): HistoryBuilder {
  const builder = history();
  for (const name of PIECES) draws(name, seenBy(name), { view: name === wrong ? view(name) : [text(SAID[name])] }, builder);
  return well('draw-healthy', builder);
}

const program = (story: Story): HistoryBuilder => draws('draw', seenBy('draw'), { request: { via: 'program' }, ...story }, well('draw-healthy'));
const asSent: Partial<CallReply> = { value: { content: seenBy('draw') } };

const READ = ['draw-unread', 'draw-shown', 'draw-failing', 'draw-broken', 'draw-refused'];
const unread = imageBlock('image/png', 'a picture for a model that only reads');

/** Every call of the check about payloads, of which one says something else. */
function endings(wrong = '', story: Story = {}): HistoryBuilder {
  const builder = well('draw-healthy');
  for (const name of READ) draws(name, [unread], { view: words, ...(name === wrong ? story : {}) }, builder);
  return builder;
}

const [elder, younger] = [imageBlock('image/png', 'of the first list'), imageBlock('image/png', 'of the second list')];
const held = (builder: HistoryBuilder): HistoryBuilder => told(builder, HOST_EVENTS.gateHeld, { gate: 'finalize' });

/** Two calls of one tool, each held before its end, the list changed between. */
function acrossChange(old: readonly ViewBlock[], young: readonly ViewBlock[], isHeld = true): HistoryBuilder {
  const wait = isHeld ? { between: held } : {};
  const builder = draws('draw', [elder], { view: old, ...wait });
  return draws('draw', [younger], { view: young, ...wait }, builder.registry([]));
}

/** What the judges of such calls must refuse and must let pass. */
export const imageEndingHistories: readonly JudgeHistories[] = [
  {
    check: 'PROJECTION-028/tool-error',
    mustFail: [
      spoilt({ isError: true, looksUp: false, stores: batchOfSpoilt, reply: { outcome: 'tool-error', view: words } }).named('stored'),
      spoilt({ isError: true, reply: { outcome: 'tool-error', view: words } }).named('a route is looked up'),
      spoilt({ isError: true, looksUp: false, reply: { outcome: 'tool-error', view: shown(picture('draw-spoilt')) } }).named('shown'),
    ],
    mustPass: [
      spoilt({ isError: true, looksUp: false, reply: { outcome: 'failed', executed: 'unknown', view: [] } }).named('a bare failure'),
      spoilt({ isError: true, looksUp: 'before it is sent', reply: { outcome: 'tool-error', view: words } }).named('the route is looked up before anybody knows of a failure'),
    ],
    mustDoubt: [...noCall, draws('draw-spoilt', seenBy('draw-spoilt'), { isError: true, looksUp: false }).named('no healthy calls')],
  },
  cancelled('route-lookup'),
  cancelled('store'),
  {
    check: 'PROJECTION-030/each-decision',
    mustFail: [
      policed('draw-replaced', (name) => shown(picture(name))).named('the image stays'),
      policed('draw-blocked', (name) => [text(SAID['draw-blocked']), ...shown(picture(name))]).named('the image beside the words of the policy'),
      policed('draw-revalued', () => [text('seen')]).named('the words of the policy are not shown'),
    ],
    mustPass: [policed('draw-blocked', () => [text(`Blocked: ${SAID['draw-blocked']}`)]).named('with a heading')],
    mustDoubt: [...noCall, history().named('nothing')],
  },
  {
    check: 'PROJECTION-031/with-a-store',
    mustFail: [
      program({ reply: { value: { content: [note('seen'), { type: 'image', sha256: 'x' }] } } }).named('a reference instead of the data'),
      program({ reply: { value: { content: [note('seen')] } } }).named('the image is lost'),
      program({}).named('no value at all'),
    ],
    mustPass: [program({ reply: { ...asSent, view: words } }).named('whatever the model sees')],
    mustDoubt: [...noCall, draws('draw', seenBy('draw'), { reply: asSent }).named('no healthy call')],
  },
  {
    check: 'PROJECTION-032/with-a-store',
    mustFail: [program({ reply: asSent, view: words }).named('words in its place')],
    mustPass: [
      program({ reply: asSent }).named('shown'),
      program({ reply: { executed: 'unknown', message: 'a remark' }, stores: [[picture('draw')], [picture('draw')]], view: [...shown(picture('draw')), text('seen'), text('as a program')] }).named('before its text, stored twice, and what the program got is another matter'),
    ],
    mustDoubt: noCall,
  },
  {
    check: 'PROJECTION-033/every-ending',
    mustFail: [
      endings('draw-unread', { view: [text(`data:image/png;base64,${unread.data}`)] }).named('a data URL'),
      endings('draw-failing', { reply: { outcome: 'tool-error', message: unread.data.slice(64, 192) } }).named('the middle of it in a message'),
      endings().log('debug', `cannot store ${unread.data}`).named('in a log'),
    ],
    mustPass: [endings('draw-unread', { view: [text(`[image ${unread.data.slice(0, 16)}…]`)], reply: { value: { content: [unread] } } }).named('sixteen letters of it, and whole in the value')],
    mustDoubt: [...noCall, well('draw-healthy').named('nothing but a healthy call')],
  },
  {
    check: 'PROJECTION-034/held-across-a-change',
    mustFail: [
      acrossChange(shown(younger), shown(younger)).named('the held call shows the image of the later one'),
      acrossChange(shown(elder), shown(elder)).named('the later call shows the image of the held one'),
      acrossChange(shown(elder, younger), shown(younger)).named('the held call shows both'),
    ],
    mustPass: [acrossChange(shown(elder), shown(younger)).named('each its own'), acrossChange(words, shown(younger)).named('the held one in words')],
    mustDoubt: [...noCall, acrossChange(words, words).named('no image is shown at all'), acrossChange(shown(elder), shown(younger), false).named('nothing was held')],
  },
];
