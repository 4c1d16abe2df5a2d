/** Hand-written histories of models and stores that take no images, or not any more (PROJECTION-026, 027). */
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { draws, noCall, note, picture, shown, text, words, type Story } from './image-stories.ts';

const LACKS = ['draw-no-agent', 'draw-silent', 'draw-reads', 'draw-unknown', 'draw-no-store'];
const CHANGES = ['draw-first', 'draw-store-gone', 'draw-store-back', 'draw-route-changed', 'draw-route-back', 'draw-other-agent', 'draw-last'];
const HIDDEN = new Set([...LACKS, 'draw-store-gone', 'draw-route-changed', 'draw-other-agent']);

/** Calls of a scripted row, each between two texts; `wrong` is told otherwise. */
function row(names: readonly string[], wrong?: string, story: Story = {}): HistoryBuilder {
  const builder = history();
  for (const name of names) {
    const content = [note('words before'), picture(name), note('words after')];
    const usual: Story = HIDDEN.has(name) ? { view: [text('words before\n[no image]\nwords after')] } : { stores: [content] };
    draws(name, content, name === wrong ? { ...usual, ...story } : usual, builder);
  }
  return builder;
}

/** What the judges of routes and stores must refuse and must let pass. */
export const imageRouteHistories: readonly JudgeHistories[] = [
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
    mustPass: [
      row(CHANGES).named('each as it is then'),
      row(CHANGES, 'draw-route-changed', { view: [text('words before'), text('(1 image) words after')], looksUp: false }).named('in other words, without a lookup, in two texts'),
      row(CHANGES.toReversed()).named('in another order'),
    ],
    mustDoubt: [...noCall, row(CHANGES, 'draw-first', { view: words }).named('nothing is shown in the first call')],
  },
];
