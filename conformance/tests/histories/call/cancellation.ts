/** Calls that are cancelled, and calls whose time is up. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';
import { posted } from '../http/posted.ts';
import { tell } from './told.ts';

interface Cancelled {
  readonly notices: readonly unknown[];
  /** What was answered to each, over HTTP. */
  readonly statuses?: readonly (number | undefined)[];
  readonly settles?: 'before' | 'after' | 'never';
  readonly outcome?: CallReply['outcome'];
  /** What becomes of the call beside; in its turn: it is sent when the other is over. */
  readonly beside?: boolean | 'hung-up' | 'unanswered' | 'in its turn';
  /** Whether somebody takes the late answer. */
  readonly taken?: boolean;
  /** Whether somebody still waits for the call when it is cancelled. */
  readonly waited?: boolean;
}

/** A call cancelled, settled or not, answered late. */
function cancelled({ notices, statuses, settles = 'before', outcome = 'aborted', beside = true, taken = true, waited = true }: Cancelled): HistoryBuilder {
  const takesTurns = beside === 'in its turn';
  const builder = history();
  const [slow, other] = [builder.nextId(), builder.nextId()];
  builder.asked({ callId: 's', name: 'p_slow', arguments: { probe: 's' } }, { server: 'patient', rawName: 'slow' })
    .received('patient', { jsonrpc: '2.0', id: slow, method: 'tools/call', params: { name: 'slow', arguments: { probe: 's' } } })
    .asked({ callId: 'o', name: 'p_beside', arguments: { probe: 'o' } }, { server: 'patient', rawName: 'beside' });
  const receiveOther = (): unknown => builder.received('patient', { jsonrpc: '2.0', id: other, method: 'tools/call', params: { name: 'beside', arguments: { probe: 'o' } } });
  if (takesTurns) builder.barrier('beside held', false);
  else receiveOther();
  if (!waited) builder.barrier('s settles', false);
  builder.event({ kind: 'cancel', callId: 's' });
  for (const [at, requestId] of notices.entries()) {
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
    if (statuses === undefined) builder.received('patient', notice);
    else posted(builder, 'patient', at, notice, statuses[at]);
  }
  if (settles === 'before') builder.outcome('s', { outcome, executed: 'unknown', view: [] });
  if (takesTurns) receiveOther();
  if (beside === 'hung-up') builder.outcome('o', { outcome: 'failed', executed: 'unknown', view: [] });
  builder.event({ kind: 'control', server: 'patient', release: 'slow' });
  if (taken) builder.sent('patient', { jsonrpc: '2.0', id: slow, result: { content: [] } });
  if (settles === 'after') builder.outcome('s', { outcome, executed: 'unknown', view: [] });
  builder.event({ kind: 'control', server: 'patient', release: 'beside' });
  if (typeof beside === 'boolean' || takesTurns) builder.sent('patient', { jsonrpc: '2.0', id: other, result: { content: [] } });
  if (beside !== 'hung-up') builder.outcome('o', beside === true || takesTurns ? { view: [{ type: 'text', text: 'echo of o' }] } : { outcome: 'aborted', view: [] });
  return echo(builder, 'patient', 'steady');
}

/** A call that timed out, the notices that its server received, and where the next call went. */
function givenUp(notices: readonly unknown[], later: 'sent' | 'unsent' | 'before the notices' = 'sent'): HistoryBuilder {
  const builder = timedOut(700, 'timed-out');
  if (later === 'before the notices') echo(builder, 'endless', 'steady');
  for (const requestId of notices) builder.received('endless', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  if (later === 'sent') echo(builder, 'endless', 'steady');
  return builder;
}

function timedOut(afterMs: number, outcome: CallReply['outcome'], dropped: CallReply['outcome'] = 'aborted'): HistoryBuilder {
  const builder = history();
  tell(builder, { server: 'endless', rawName: 'dropped' });
  builder.event({ kind: 'cancel', callId: 'told-1' }).outcome('told-1', { outcome: dropped, view: [] });
  tell(builder, { server: 'endless', rawName: 'endless' });
  return builder.wait(afterMs).outcome('told-3', { outcome, executed: 'unknown', view: [] });
}

/** Of one notice, with the right id. */
const notices = (check: string, more: Pick<JudgeHistories, 'mustFail' | 'mustPass'> = { mustFail: [], mustPass: [] }): JudgeHistories => ({
  check,
  mustFail: [
    cancelled({ notices: [] }).named('no notice'), cancelled({ notices: [1, 1] }).named('two notices'),
    cancelled({ notices: [2] }).named('another request is named'), cancelled({ notices: ['1'] }).named('the id in another form'),
    cancelled({ notices: [], taken: false }).named('no notice, and nobody who takes the answer'), ...more.mustFail,
  ],
  mustPass: [cancelled({ notices: [1], settles: 'after' }).named('one notice; when the call settles is another matter'), ...more.mustPass],
  mustDoubt: [history().named('no call')],
});

/** Of a call that settles by itself. */
const settling = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    cancelled({ notices: [1], settles: 'never' }).named('it never settles'), cancelled({ notices: [1], settles: 'after' }).named('it waits for the server'),
    cancelled({ notices: [1], outcome: 'ok' }).named('it succeeds'), cancelled({ notices: [1], beside: false }).named('the call beside is aborted too'),
    cancelled({ notices: [1], beside: 'hung-up' }).named('nobody takes the answer of the call beside any more'),
    cancelled({ notices: [1], settles: 'after', taken: false }).named('it waits, and takes no answer'),
  ],
  mustPass: [
    cancelled({ notices: [], outcome: 'failed' }).named('a plain failure, and no notice: another matter'),
    cancelled({ notices: [1], taken: false }).named('its stream is ended with it, so nobody takes the late answer'),
    cancelled({ notices: [1], beside: 'in its turn' }).named('one call at a time: the call beside is sent when the other is over'),
  ],
  mustDoubt: [
    history().named('no call'), cancelled({ notices: [1], beside: 'unanswered' }).named('the server did not answer the call beside'),
    cancelled({ notices: [1], settles: 'never', waited: false }).named('nobody waited for it any more when it was cancelled'),
  ],
});

/** Of a call that outlives its timeout. */
const timing = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    timedOut(700, 'aborted').named('taken for an abort'), timedOut(100, 'timed-out').named('too soon'), timedOut(30_000, 'timed-out').named('far too late'),
    timedOut(700, 'timed-out', 'timed-out').named('an abort taken for a timeout'),
  ],
  mustPass: [timedOut(1_900, 'timed-out').named('late, within what was declared')],
  mustDoubt: [history().named('no call')],
});

/** Of a server that is told of it. */
const telling = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    givenUp([]).named('no notice'), givenUp([2]).named('a notice for the call that was cancelled before, none for this one'), givenUp(['4']).named('the id in another form'),
  ],
  mustPass: [
    givenUp([4], 'before the notices').named('the notice comes after the next call'), givenUp([2, 4, 4], 'unsent').named('told twice, and nothing called after it'),
  ],
  mustDoubt: [history().named('no call'), givenUp([], 'unsent').named('nothing reached the server after it')],
});

/** What these judges must refuse and must let pass. */
export const cancellationHistories: readonly JudgeHistories[] = [
  notices('CALL-010/one-notice'),
  notices('CALL-038/one-notice', {
    mustFail: [cancelled({ notices: [1], statuses: [400] }).named('the server refuses the notice'), cancelled({ notices: [1, 1], statuses: [202, 202] }).named('two notices, both taken')],
    mustPass: [
      cancelled({ notices: [1], statuses: [202] }).named('the notice is taken'), cancelled({ notices: [1, 1], statuses: [400, 202] }).named('refused once, and sent again as it should be'),
      cancelled({ notices: [1], statuses: [undefined] }).named('the response to the notice is not there yet'),
    ],
  }),
  settling('CALL-011/settles-alone'),
  settling('CALL-039/settles-alone'),
  timing('CALL-012/never-answered'),
  timing('CALL-012/over-http'),
  telling('CALL-040/never-answered'),
  telling('CALL-040/over-http'),
];
