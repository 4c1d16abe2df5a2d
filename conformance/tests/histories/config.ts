import type { ServerReply } from '../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { startupHistories } from './config/startup.ts';
import { echo } from './echo.ts';

const bad = (message: string, status: ServerReply['status'] = 'rejected'): ServerReply[] => [
  { name: 'timeout-negative', status, message },
  { name: 'delays-crossed', status: 'rejected', message: 'reconnect.initialDelayMs is above maxDelayMs' },
  { name: 'not a name!', status: 'rejected', message: 'serverName: letters and digits only' },
];
const NAMED = 'toolCallTimeoutMs must be positive';
const opened = (replies: readonly ServerReply[]): HistoryBuilder => history().step('open', [...replies, 'healthy']);
const twins = (first: ServerReply['status'], second: ServerReply['status'], message: string): HistoryBuilder =>
  history().step('open', [{ name: 'twin', status: first }]).step('add', [{ name: 'twin', status: second, message }]);

/** What the judges of `config` must refuse and must let pass. */
export const configHistories: readonly JudgeHistories[] = [
  {
    check: 'CONFIG-001/bad-entries',
    mustFail: [
      echo(opened(bad(NAMED, 'ready')), 'healthy', 'steady').named('a wrong entry is ready'), echo(opened(bad(NAMED, 'degraded')), 'healthy', 'steady').named('a wrong entry goes on without tools'),
      echo(opened(bad('invalid config')), 'healthy', 'steady').named('the member is not named'),
      opened(bad(NAMED)).call('p_steady', 'healthy', 'steady', 'steady', { outcome: 'failed' }).named('the right one suffers'),
    ],
    mustPass: [echo(opened(bad(`server "x": ${NAMED}; give a number`)), 'healthy', 'steady').named('in more words')],
    mustDoubt: [echo(opened([]), 'healthy', 'steady').named('no wrong entry was given'), history().named('nothing was opened')],
  },
  {
    check: 'CONFIG-002/twins',
    mustFail: [
      echo(twins('ready', 'ready', ''), 'twin', 'steady').named('both live'), echo(twins('degraded', 'rejected', 'twin is taken'), 'twin', 'steady').named('the earlier one lost'),
      echo(twins('ready', 'rejected', 'name taken'), 'twin', 'steady').named('the name is not said'),
      twins('ready', 'rejected', 'twin is taken').call('p_steady', 'twin', 'steady', 'steady', { outcome: 'failed' }).named('the earlier one cannot be called'),
    ],
    mustPass: [echo(history().step('open', [{ name: 'twin', status: 'ready' }, { name: 'twin', status: 'rejected', message: '"twin" is live; choose another' }]), 'twin', 'steady').named('both in one step')],
    mustDoubt: [echo(history().step('open', ['twin']), 'twin', 'steady').named('only one was opened')],
  },
  ...startupHistories,
];
