/** What is told of the state of a server. */
import type { StateReply } from '../../../src/adapter/messages.ts';
import { offered, type JudgeHistories } from '../builder.ts';
import { healthy, type Story } from '../connection/lives.ts';

const SERVER = 'moody-state';
const TWO = [offered('p_steady'), offered('p_other')];
const WHY = 'exited with code 3';

type State = StateReply['servers'][number];

const told = (story: Story, moment: string, state: Partial<State> | undefined, tools = TWO): Story => story.with((builder) => builder
  .event({ kind: 'state', moment, servers: state === undefined ? [] : [{ name: SERVER, state: 'ready', tools: 2, ...state }] }).registry(tools));

interface Course {
  readonly opened?: Partial<State>;
  readonly outage?: Partial<State> | 'none';
  readonly recovered?: boolean;
  readonly removed?: Partial<State>;
}

/** Opened, lost, recovered, removed. */
function course({ opened = {}, outage = { state: 'reconnecting', lastError: WHY }, recovered = true, removed }: Course = {}): Story {
  const story = told(healthy(SERVER), 'opened', opened).ended(1).refused();
  if (outage !== 'none') told(story, 'in the outage', outage);
  story.wait(700).began(2).listed(2).barrier('the server is ready again', recovered).echoed(2);
  return told(told(story, 'recovered', {}), 'removed', removed, []);
}

/** Opened, lost, tried twice and looked at between, given up. */
function given(state: Partial<State> = { state: 'failed', tools: 0, lastError: WHY }, tools = [] as typeof TWO, reached = true, between: Partial<State> | 'none' = { attempt: 2 }): Story {
  const story = told(healthy(SERVER), 'opened', {}).ended(1).began(2).ended(2).wait(60);
  if (between !== 'none') told(story, 'attempts fail', { state: 'reconnecting', lastError: WHY, ...between });
  story.wait(60).began(3).ended(3).barrier('the server is said to have failed', reached);
  return told(story, 'given up', state, tools);
}

const GONE: Partial<State> = { state: 'failed', tools: 0, lastError: WHY };

/** What the judges of states must refuse and must let pass. */
export const stateHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-040/through-an-outage',
    mustFail: [
      course({ outage: { state: 'ready', lastError: WHY } }).named('ready in an outage'), course({ outage: { state: 'failed', lastError: WHY } }).named('failed in an outage'), course({ outage: { state: 'reconnecting' } }).named('no reason'),
      course({ outage: { state: 'reconnecting', lastError: WHY, tools: 0 } }).named('no tools, though they are registered'), course({ opened: { state: 'connecting' } }).named('connecting when opened'),
      course({ recovered: false }).named('never ready again'), course({ removed: { state: 'failed', tools: 0 } }).named('told of when it is gone'),
    ],
    mustPass: [course().named('true all the time'), course({ outage: { state: 'connecting', lastError: WHY }, removed: { state: 'disposed', tools: 0 } }).named('in other words')],
    mustDoubt: [course({ outage: 'none' }).named('nobody looked'), told(healthy(SERVER), 'opened', {}).named('nothing was lost')],
  },
  {
    check: 'CONNECTION-040/given-up',
    mustFail: [
      given({ state: 'reconnecting', tools: 0, lastError: WHY }, [], false).named('never said to have failed'), given({ state: 'failed', tools: 0 }).named('no reason'), given({ state: 'failed', tools: 2, lastError: WHY }).named('tools that are gone are told of'),
      given(GONE, [], true, { attempt: 0 }).named('no attempt is counted'), given(GONE, [], true, {}).named('no attempt is told of'), given(GONE, [], true, { attempt: 9 }).named('more attempts than there are'),
    ],
    mustPass: [given().named('failed, without tools'), given({ state: 'failed', tools: 2, lastError: WHY }, TWO).named('failed, its tools kept'), given(GONE, [], true, { attempt: 1, state: 'connecting' }).named('attempts that have failed are counted')],
    mustDoubt: [told(healthy(SERVER), 'opened', {}).named('nothing was lost'), given(GONE, [], true, 'none').named('nobody looked between the attempts')],
  },
];
