/** Hand-written histories of images: what the judges of PROJECTION-020 and on must refuse and must let pass. */
import { HOST_EVENTS } from '../../src/adapter/host-events.ts';
import type { CallReply, CallRequest, ViewBlock } from '../../src/adapter/messages.ts';
import { imagesSent, SEES, SERVER } from '../../src/checks/projection/image-facts.ts';
import { imageBlock } from '../../src/checks/projection/sample-images.ts';
import { history, type HistoryBuilder, type JudgeHistories } from './builder.ts';

const text = (words: string): ViewBlock => ({ type: 'text', text: words });
const note = (words: string): object => ({ type: 'text', text: words });

/** What a bridge that stores them shows of these blocks. */
function shown(...blocks: object[]): ViewBlock[] {
  return blocks.flatMap((block): ViewBlock[] => {
    const [image] = imagesSent([block]);
    return image === undefined ? [text('text' in block ? String(block.text) : '')] : [{ type: 'image', ...image }];
  });
}

const words: ViewBlock[] = [text('[an image]')];

/** How one call goes. */
interface Story {
  readonly view?: readonly ViewBlock[];
  readonly reply?: Partial<CallReply>;
  /** Batches that the store is given; default none. */
  readonly stores?: readonly (readonly object[])[];
  readonly looksUp?: boolean;
  readonly isError?: boolean;
  readonly request?: Partial<CallRequest>;
  readonly structured?: boolean;
  /** What happens between the store's call and the outcome. */
  readonly between?: (builder: HistoryBuilder, callId: string) => void;
  /** Batches that the store is given after that. */
  readonly storesLate?: readonly (readonly object[])[];
  /** It never settles. */
  readonly hangs?: boolean;
}

function told(builder: HistoryBuilder, event: string, detail: unknown): HistoryBuilder {
  return builder.event({ kind: 'host-event', event, detail });
}

function stored(builder: HistoryBuilder, batches: Story['stores'] = []): void {
  for (const batch of batches) told(builder, HOST_EVENTS.storeCall, { images: imagesSent(batch) });
}

/** One call of a tool that answers with these blocks. */
function draws(rawName: string, content: readonly object[], story: Story = {}, builder = history()): HistoryBuilder {
  const callId = `call-${builder.nextId()}`;
  const id = builder.nextId();
  builder.asked({ callId, name: `p_${rawName}`, arguments: { probe: callId }, agent: SEES, ...story.request }, { server: SERVER, rawName });
  builder.received(SERVER, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: { probe: callId } } });
  const result = { content, ...(story.isError === true ? { isError: true } : {}), ...(story.structured === true ? { structuredContent: { kept: true } } : {}) };
  builder.sent(SERVER, { jsonrpc: '2.0', id, result });
  if (story.looksUp !== false) told(builder, HOST_EVENTS.routeLookup, { route: SEES });
  stored(builder, story.stores);
  story.between?.(builder, callId);
  if (story.hangs !== true) builder.outcome(callId, { view: [...(story.view ?? shown(...content))], ...story.reply });
  stored(builder, story.storesLate);
  return builder;
}

/** A call that goes well. */
function well(rawName: string, builder?: HistoryBuilder): HistoryBuilder {
  const content = [imageBlock('image/png', `drawn by ${rawName}`)];
  return draws(rawName, content, { stores: [content] }, builder);
}

const [red, blue] = [imageBlock('image/png', 'red'), imageBlock('image/gif', 'blue')];
const batch = [note('one'), red, blue, note('two')];
const shows = (view: readonly ViewBlock[], story: Story = {}): HistoryBuilder => draws('draw', batch, { view, ...story });
const noCall = [history().named('no call')];
const noContent = history().asked({ callId: 'c', name: 'p_draw', arguments: { probe: 'c' } }, { server: SERVER, rawName: 'draw' }).outcome('c').named('the server did not answer');

/** Calls of tools that each draw something of their own, as `how` says, then one that goes well. */
function each(names: readonly string[], how: (name: string, content: readonly object[]) => Story, last = 'draw-healthy'): HistoryBuilder {
  const builder = history();
  for (const name of names) {
    const content = [imageBlock('image/png', `for ${name}`)];
    draws(name, content, how(name, content), builder);
  }
  return well(last, builder);
}

/** A check with one tool a fault. */
function faults(check: string, ...names: string[]): JudgeHistories {
  const [bad = ''] = names;
  return {
    check,
    mustFail: [
      each(names, (name) => (name === bad ? {} : { view: words })).named('one of them is shown'),
      each(names, (name, content) => ({ view: words, ...(name === bad ? { stores: [content] } : {}) })).named('one of them is stored, and not shown'),
      each(names, (name) => ({ view: words, ...(name === bad ? { reply: { outcome: 'failed', executed: 'yes' } } : {}) })).named('one of them fails the call'),
    ],
    mustPass: [each(names, () => ({ view: [text('?')], looksUp: false })).named('each is one mark')],
    mustDoubt: [...noCall, each(names, () => ({ view: words }), 'another').named('no healthy call')],
  };
}

const LACKS = ['draw-no-agent', 'draw-silent', 'draw-reads', 'draw-unknown', 'draw-no-store'];
const CHANGES = ['draw-first', 'draw-store-gone', 'draw-store-back', 'draw-route-changed', 'draw-route-back', 'draw-other-agent', 'draw-last'];
const HIDDEN = new Set([...LACKS, 'draw-store-gone', 'draw-route-changed', 'draw-other-agent']);

/** Calls of a scripted row, each between two texts; `wrong` is told otherwise. */
function row(names: readonly string[], wrong?: string, story: Story = {}): HistoryBuilder {
  const builder = history();
  for (const name of names) {
    const content = [note('words before'), imageBlock('image/png', `drawn by ${name}`), note('words after')];
    const usual: Story = HIDDEN.has(name) ? { view: [text('words before\n[no image]\nwords after')] } : { stores: [content] };
    draws(name, content, name === wrong ? { ...usual, ...story } : usual, builder);
  }
  return builder;
}

const picture = (name: string): object => imageBlock('image/png', `drawn by ${name}`);
const seenBy = (name: string): object[] => [note('seen'), picture(name)];

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

const bounds = ['draw-three', 'draw-large'];
const refusedBatch = [red, note('words behind image 0 end'), blue, note('words behind image 1 end')];
const inWords = [text('[image]\nwords behind image 0 end\n[image]\nwords behind image 1 end')];
const partly = (view: readonly ViewBlock[], story: Story = {}): HistoryBuilder => draws('draw', refusedBatch, { view, ...story }, well('draw-healthy'));
const refusing = (view: readonly ViewBlock[], stores: Story['stores']): HistoryBuilder =>
  well('draw-healthy', draws('draw', [red, note('between them'), blue], { view, ...(stores === undefined ? {} : { stores }) }));

/** What the judges of images must refuse and must let pass. */
export const imageHistories: readonly JudgeHistories[] = [
  {
    check: 'PROJECTION-020/any-batch',
    mustFail: [
      shows(shown(note('one'), red, note('two'))).named('an image is lost'),
      shows(shown(note('one'), blue, red, note('two'))).named('the images are turned'),
      shows(shown(red, blue, note('one\ntwo'))).named('the images come before a text that was sent before them'),
      shows(shown(note('one\ntwo'), red, blue)).named('the images come after a text that was sent after them'),
      shows(shown(note('one'), red, imageBlock('image/gif', 'green'), note('two'))).named('other bytes are shown'),
      shows([text('one\n[2 images]\ntwo')]).named('none is shown'),
      shows([text('{"kept":true}')], { structured: true }).named('structured content takes their place'),
    ],
    mustPass: [
      shows(shown(note('Result:\none'), red, blue, note('two')), { structured: true }).named('a heading before it, structured content beside it'),
      draws('draw', [red, red]).named('the same image twice'),
    ],
    mustDoubt: [...noCall, noContent],
  },
  {
    check: 'PROJECTION-021/any-batch',
    mustFail: [
      shows(shown(...batch), { stores: [[red], [blue]] }).named('one call an image'), shows(shown(...batch), { stores: [[blue, red]] }).named('in another order'),
      shows(shown(...batch), { stores: [[red]] }).named('one is not stored'),
    ],
    mustPass: [draws('draw', [red, red], { stores: [[red, red]] }).named('the same image twice, in one call')],
    mustDoubt: [...noCall, shows(shown(...batch)).named('the host tells of no store')],
  },
  faults('PROJECTION-022/not-canonical', 'draw-line-break', 'draw-url-alphabet', 'draw-no-padding', 'draw-stray-bits', 'draw-data-url'),
  faults('PROJECTION-023/other-bytes', 'draw-another-type', 'draw-no-image'),
  faults('PROJECTION-024/other-types', 'draw-svg', 'draw-bitmap'),
  {
    check: 'PROJECTION-025/one-bad-image',
    mustFail: [
      partly(shown(red, note('words behind image 0 end\n[image]\nwords behind image 1 end'))).named('the good one is shown'),
      partly(inWords, { stores: [[red]] }).named('the good one is stored'),
      partly([text('words behind image 0 end\n[image]\nwords behind image 1 end')]).named('one leaves no words'),
      partly([text('[image] [image]')]).named('the texts are lost'),
    ],
    mustPass: [partly([text('(1 of 2) words behind image 0 end (2 of 2) words behind image 1 end')]).named('in other words, on one line')],
    mustDoubt: [...noCall, draws('draw', refusedBatch, { view: inWords }).named('no healthy call')],
  },
  {
    check: 'PROJECTION-025/store-refuses',
    mustFail: [refusing(shown(red, note('between them'), blue), [[red, blue]]).named('shown all the same'), refusing(shown(red, note('between them')), [[red, blue]]).named('one of them is shown')],
    mustPass: [refusing(words, [[red], [blue]]).named('asked one by one, and refused each time')],
    mustDoubt: [...noCall, refusing(words, undefined).named('the store was never asked')],
  },
  {
    check: 'PROJECTION-026/each-lack',
    mustFail: [
      row([...LACKS, 'draw-sees'], 'draw-silent', { view: shown(picture('draw-silent')) }).named('shown without a declaration'),
      row([...LACKS, 'draw-sees'], 'draw-no-agent', { stores: [[picture('draw-no-agent')]] }).named('stored for no agent'),
      row([...LACKS, 'draw-sees'], 'draw-no-store', { view: [text('words before\nwords after')] }).named('it disappears without a store'),
      row([...LACKS, 'draw-sees'], 'draw-unknown', { reply: { outcome: 'failed', executed: 'yes' } }).named('a failed lookup fails the call'),
      row([...LACKS, 'draw-sees'], 'draw-reads', { view: words }).named('the texts around it are lost'),
    ],
    mustPass: [row([...LACKS, 'draw-sees'], 'draw-reads', { view: [text('words before (1 image) words after')], looksUp: false }).named('in other words, without a lookup')],
    mustDoubt: [...noCall, row([...LACKS, 'draw-sees'], 'draw-sees', { view: words }).named('nothing is shown in the healthy call either')],
  },
  {
    check: 'PROJECTION-027/host-changes',
    mustFail: [
      row(CHANGES, 'draw-store-gone', { view: shown(picture('draw-store-gone')) }).named('shown after the store went'),
      row(CHANGES, 'draw-route-changed', { view: shown(note('words before'), picture('draw-route-changed'), note('words after')) }).named('shown after the route changed'),
      row(CHANGES, 'draw-route-back', { view: [text('words before\n[no image]\nwords after')] }).named('not shown after the route came back'),
    ],
    mustPass: [row(CHANGES).named('each as it is then')],
    mustDoubt: [...noCall, row(CHANGES, 'draw-first', { view: words }).named('nothing is shown in the first call')],
  },
  {
    check: 'PROJECTION-028/tool-error',
    mustFail: [
      spoilt({ isError: true, looksUp: false, stores: batchOfSpoilt, reply: { outcome: 'tool-error', view: words } }).named('stored'),
      spoilt({ isError: true, reply: { outcome: 'tool-error', view: words } }).named('a route is looked up'),
      spoilt({ isError: true, looksUp: false, reply: { outcome: 'tool-error', view: shown(picture('draw-spoilt')) } }).named('shown'),
    ],
    mustPass: [spoilt({ isError: true, looksUp: false, reply: { outcome: 'failed', executed: 'unknown', view: [] } }).named('a bare failure')],
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
    mustPass: [program({ reply: asSent }).named('shown')],
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
  {
    check: 'PROJECTION-035/set-by-options',
    mustFail: [
      each(bounds, (name) => (name === 'draw-three' ? {} : { view: words })).named('too many are shown'), each(bounds, (name) => (name === 'draw-large' ? {} : { view: words })).named('a large one is shown'),
      each(bounds, (name, content) => ({ view: words, ...(name === 'draw-large' ? { stores: [content] } : {}) })).named('a large one is stored'),
    ],
    mustPass: [each(bounds, () => ({ view: [text('too much')] })).named('in other words')],
    mustDoubt: [...noCall, each(bounds, () => ({ view: words }), 'another').named('no healthy call')],
  },
];
