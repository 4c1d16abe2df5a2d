/** Hand-written histories of the images of one result: shown and stored together or not at all (PROJECTION-020 to 025, 035). */
import type { ViewBlock } from '../../../src/adapter/messages.ts';
import { SERVER } from '../../../src/checks/projection/image-facts.ts';
import { imageBlock } from '../../../src/checks/projection/sample-images.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { draws, each, noCall, note, shown, text, well, words, type Story } from './image-stories.ts';

const [red, blue] = [imageBlock('image/png', 'red'), imageBlock('image/gif', 'blue')];
const batch = [note('one'), red, blue, note('two')];
const shows = (view: readonly ViewBlock[], story: Story = {}): HistoryBuilder => draws('draw', batch, { view, ...story });

const noContent = history().asked({ callId: 'c', name: 'p_draw', arguments: { probe: 'c' } }, { server: SERVER, rawName: 'draw' }).outcome('c').named('the server did not answer');

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

const bounds = ['draw-three', 'draw-large'];
const refusedBatch = [red, note('words behind image 0 end'), blue, note('words behind image 1 end')];
const inWords = [text('[image]\nwords behind image 0 end\n[image]\nwords behind image 1 end')];
const partly = (view: readonly ViewBlock[], story: Story = {}, blocks: readonly object[] = refusedBatch): HistoryBuilder => draws('draw', blocks, { view, ...story }, well('draw-healthy'));
const [unlike, spoilt] = [{ ...blue, mimeType: 'image/png' }, { ...blue, data: `${blue.data}!` }];
const beside = (bad: object): readonly object[] => refusedBatch.map((block) => (block === blue ? bad : block));
const refusing = (view: readonly ViewBlock[], stores: Story['stores']): HistoryBuilder =>
  well('draw-healthy', draws('draw', [red, note('between them'), blue], { view, ...(stores === undefined ? {} : { stores }) }));

/** What the judges of batches of images must refuse and must let pass. */
export const imageBatchHistories: readonly JudgeHistories[] = [
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
      partly(shown(...beside(spoilt)), { stores: [[red, spoilt]] }, beside(spoilt)).named('one that is no base64 is shown with the good one'),
      partly(shown(red, note('words behind image 0 end\n[image]\nwords behind image 1 end')), {}, beside(unlike)).named('one is refused for its bytes, and the good one is shown'),
    ],
    mustPass: [
      partly([text('(1 of 2) words behind image 0 end (2 of 2) words behind image 1 end')]).named('in other words, on one line'),
      partly(shown(...beside(unlike)), { stores: [[red, unlike]] }, beside(unlike)).named('bytes are not looked into, and none is refused'),
    ],
    mustDoubt: [...noCall, draws('draw', refusedBatch, { view: inWords }).named('no healthy call')],
  },
  {
    check: 'PROJECTION-025/store-refuses',
    mustFail: [refusing(shown(red, note('between them'), blue), [[red, blue]]).named('shown all the same'), refusing(shown(red, note('between them')), [[red, blue]]).named('one of them is shown')],
    mustPass: [refusing(words, [[red], [blue]]).named('asked one by one, and refused each time')],
    mustDoubt: [...noCall, refusing(words, undefined).named('the store was never asked')],
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
