/** What is said of a loss, and what of it and of the errors of calls nobody may read. */
import { canary } from '../../../src/checks/support/scripts.ts';
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';
import { healthy, type Story } from './lives.ts';

const SERVER = 'confiding';
const SAID = 'the last words of the server can be read';
const WORDS = 'the weather vane came off in the gale';
const LATER = canary('Later');

/** It worked, spoke and ended. */
const lost = (): Story => healthy(SERVER).with((builder) => builder.fault(SERVER, 'dies', 'stderr')).ended(1, 73);
/** The state is looked at, and says this. */
const stated = (story: Story, lastError?: string): Story =>
  story.with((builder) => builder.event({ kind: 'state', moment: 'it was lost', servers: [{ name: SERVER, state: 'reconnecting', tools: 1, ...(lastError === undefined ? {} : { lastError }) }] }));
const told = (text: string): Story => stated(lost().log('warn', text)).barrier(SAID, text.includes(WORDS));

const why = (check: string, how: string, others: readonly string[]): JudgeHistories => ({
  check,
  mustFail: [
    told('connection closed').named('nothing of why'), told(`${how}, without a word`).named('the last words are lost'), told(`it ended: ${WORDS}`).named('how it ended is lost'),
    stated(lost()).barrier(SAID, false).named('nothing is said'),
    stated(healthy(SERVER).log('warn', `${how}: ${WORDS}`).with((builder) => builder.fault(SERVER, 'dies', 'stderr')).ended(1, 73).log('warn', 'connection closed')).barrier(SAID, false).named('it was said of another loss, before'),
  ],
  mustPass: [
    told(`lost, ${how}: ${WORDS}`).named('in a log'), stated(lost(), `${how}; ${WORDS}`).barrier(SAID).named('in the state alone'),
    stated(lost().log('info', `stderr: ${WORDS}`), how).barrier(SAID).named('in two places'), ...others.map((other) => told(`${WORDS} (${other})`).named(other)),
  ],
  mustDoubt: [healthy(SERVER).named('nothing was lost'), stated(lost().log('warn', `${how}: ${WORDS}`)).named('nobody waited')],
});

const kept = (more: (story: Story) => Story): Story => stated(more(lost()), 'it exited').barrier(SAID);

const INDISCREET = 'indiscreet';
const REPEATED = canary('Repeated');
const repeated = (reply: Partial<CallReply>, fires = true): HistoryBuilder => {
  const builder = echo(history().step('open', [INDISCREET]).registry([offered('p_steady'), offered('p_repeats')]), INDISCREET, 'steady');
  if (fires) builder.fault(INDISCREET, 'on-repeats', 'error');
  return builder.call('p_repeats', INDISCREET, 'repeats', 'repeats', { outcome: 'failed', executed: 'unknown', view: [], ...reply });
};

const discreet = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    repeated({ message: `nobody knows ${REPEATED} here` }).named('in the message'), repeated({ view: [{ type: 'text', text: `nobody knows ${REPEATED} here` }] }).named('in what the model reads'),
    repeated({ message: 'refused' }).log('debug', `-32000 ${REPEATED}`, INDISCREET).named('in a log'),
  ],
  mustPass: [repeated({ message: 'nobody knows [redacted] here' }).named('redacted'), repeated({ outcome: 'tool-error', message: `nobody knows ${REPEATED.slice(0, 5)}*** here` }).named('a few letters of it')],
  mustDoubt: [repeated({ outcome: 'ok' }).named('the call succeeded'), repeated({ message: 'gone' }, false).named('no error was sent'), history().step('open', [INDISCREET]).named('nobody called')],
});

/** What the judges of such words must refuse and must let pass. */
export const wordHistories: readonly JudgeHistories[] = [
  why('CONNECTION-044/exit-code', 'exited with code 73', ['exit status 73', 'code=73']),
  why('CONNECTION-044/signal', 'ended by SIGKILL', ['signal: killed', 'exit code -9', 'status 137']),
  {
    check: 'CONNECTION-003/lost-later',
    mustFail: [
      kept((story) => story.log('warn', `cannot log in with ${LATER}`)).named('in a log'), kept((story) => story.refused({ message: `lost: ${LATER}` })).named('in the message of a call'),
      stated(lost(), `cannot log in with ${LATER}`).barrier(SAID).named('in the state'),
    ],
    mustPass: [kept((story) => story.log('warn', `cannot log in with [redacted]; ${WORDS}`)).named('redacted'), kept((story) => story).named('nothing of it')],
    mustDoubt: [healthy(SERVER).named('nothing was lost'), lost().named('nobody asked for the state')],
  },
  discreet('CONNECTION-003/error-of-a-call'),
  discreet('CONNECTION-045/error-of-a-call'),
];
