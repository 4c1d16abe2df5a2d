/** Output schemas by dialect, and lists that change what the model is not shown. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { DIALECTS } from '../../../src/checks/call/dialects.ts';
import { RENEWED } from '../../../src/checks/call/renewed.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';

/** A call of every tool of every dialect; `delivers` says which results are delivered. */
function judged(delivers: (dialect: string, word: string, fits: boolean) => boolean, why: (dialect: string, name: string) => Partial<CallReply> = () => ({})): HistoryBuilder {
  const builder = history();
  for (const [dialect, { contradicting, fitting }] of Object.entries(DIALECTS)) {
    for (const word of [...Object.keys(contradicting), ...Object.keys(fitting)]) {
      const name = `${dialect}-${word}`;
      builder.call(`p_${name}`, 'dialects', name, name, delivers(dialect, word, word in fitting) ? { outcome: 'ok' } : { outcome: 'failed', ...why(dialect, name) });
    }
  }
  return builder;
}

const unknown = (dialect: string): Partial<CallReply> => ({ message: `the JSON Schema dialect ${dialect} is not supported` });

const gave = (builder: HistoryBuilder, name: string, outcome: CallReply['outcome']): HistoryBuilder => builder.call(`p_${name}`, 'renewed', name, name, { outcome });

/** Both tools under both lists, with these outcomes. */
function counted(loosened: readonly [CallReply['outcome'], CallReply['outcome']], tightened: readonly [CallReply['outcome'], CallReply['outcome']], shown = true): HistoryBuilder {
  const builder = gave(gave(history(), 'loosened', loosened[0]), 'tightened', tightened[0]).barrier(RENEWED, shown);
  return gave(gave(builder, 'loosened', loosened[1]), 'tightened', tightened[1]);
}

const TASK = 'becomes-task-only';
const plain = (): HistoryBuilder => echo(history(), 'renewed', TASK);
const refused = (builder: HistoryBuilder, reply: Partial<CallReply> = {}): HistoryBuilder =>
  builder.unreached('p_task', 'renewed', TASK, { outcome: 'failed', executed: 'no', view: [], message: 'cannot run tasks', ...reply });
const steady = (builder: HistoryBuilder): HistoryBuilder => echo(builder, 'renewed', 'steady');

/** What these judges must refuse and must let pass. */
export const renewedHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-013/dialects',
    mustFail: [
      judged((dialect, word, fits) => fits || (dialect === '2019-09' && word === 'dependent')).named('2019-09 without its own keywords'),
      judged((dialect, word, fits) => fits || (dialect === 'draft-07' && word === 'tuple')).named('draft-07 without its tuples'),
      judged((dialect, _word, fits) => fits && dialect !== 'draft-07', (_dialect, name) => ({ message: `what ${name} says does not fit` })).named('draft-07 with keywords of a later dialect'),
      judged((dialect, _word, fits) => fits || dialect === '2020-12').named('2020-12 is ignored'),
      judged((dialect, _word, fits) => fits || dialect === 'unnamed').named('a schema without a dialect is ignored'),
      judged((dialect, _word, fits) => fits && dialect !== '2020-12', unknown).named('2020-12 is refused as unknown'),
    ],
    mustPass: [
      judged((_dialect, _word, fits) => fits).named('every dialect is known'),
      judged((dialect, _word, fits) => fits || dialect === '2019-09' || dialect === 'draft-07').named('older dialects are ignored whole'),
      judged((dialect, _word, fits) => fits && dialect !== '2019-09' && dialect !== 'draft-07', unknown).named('older dialects are refused by name'),
    ],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-013/renewed',
    mustFail: [
      counted(['failed', 'failed'], ['ok', 'failed']).named('the old schema refuses what fits the new one'),
      counted(['failed', 'ok'], ['ok', 'ok']).named('the old schema lets pass what contradicts the new one'),
    ],
    mustPass: [counted(['failed', 'ok'], ['ok', 'tool-error']).named('failures of either kind')],
    mustDoubt: [history().named('no call'), counted(['failed', 'failed'], ['ok', 'ok'], false).named('the new list never took effect')],
  },
  {
    check: 'CALL-016/renewed',
    mustFail: [
      steady(echo(plain().barrier(RENEWED), 'renewed', TASK)).named('it is called plainly as before'),
      steady(refused(plain().barrier(RENEWED), { outcome: 'ok' })).named('it succeeds without being sent'),
      steady(refused(plain().barrier(RENEWED), { message: '' })).named('it says nothing'),
    ],
    mustPass: [steady(refused(plain().barrier(RENEWED), { outcome: 'tool-error', message: '', view: [{ type: 'text', text: 'needs a task' }] })).named('the words stand in the view')],
    mustDoubt: [history().named('no call'), refused(plain().barrier(RENEWED)).named('no healthy call afterwards'), steady(refused(refused(history()).barrier(RENEWED))).named('it never was a plain tool')],
  },
];
