/** Stories of failures that are too long, and of values that are to stay whole. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';

const SERVER = 'brimming';
const SHORT = `begins here ${'😀'.repeat(3)}`;
const LONG = `begins here ${'😀'.repeat(4096)}`;
const BROKEN = 'one \ud83d half';

const text = (words: string): object => ({ content: [{ type: 'text', text: words }] });
const flagged = (words: string): object => ({ result: { ...text(words), isError: true } });
const refused = (words: string): object => ({ error: { code: -32_000, message: words } });
const giving = (words: string): object => ({ result: { ...text(words), structuredContent: { said: words } } });

/** What the server says in each call, and how each ends. */
function told(...calls: readonly (readonly [name: string, answer: object, reply: Partial<CallReply>])[]): HistoryBuilder {
  const builder = history().program(SERVER, { scenario: 1, tools: calls.map(([name, answer]) => ({ name, ...answer })) });
  for (const [name, answer, reply] of calls) {
    const callId = `told-${builder.nextId()}`;
    const id = builder.nextId();
    builder.asked({ callId, name: `p_${name}`, arguments: { probe: callId } }, { server: SERVER, rawName: name })
      .received(SERVER, { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { probe: callId } } })
      .sent(SERVER, { jsonrpc: '2.0', id, ...answer })
      .outcome(callId, reply);
  }
  return builder;
}

const read = (words: string): Partial<CallReply> => ({ outcome: 'tool-error', view: [{ type: 'text', text: words }] });

/** Both kinds of failure: the long flagged one as given, the others as they should be. */
const failures = (long: Partial<CallReply>, refusal: Partial<CallReply> = read(`Error: ${LONG.slice(0, 20)} […]`)): HistoryBuilder => told(
  ['flagged_short', flagged(SHORT), read(`The tool failed: ${SHORT}`)], ['flagged_long', flagged(LONG), long],
  ['refused_short', refused(SHORT), read(`Error: ${SHORT}`)], ['refused_long', refused(LONG), refusal],
);
const cut = `The tool failed: ${LONG.slice(0, 60)} [cut]`;

const values = (long: object, broken: object = { ...text(BROKEN), structuredContent: { said: BROKEN } }): HistoryBuilder =>
  told(['long', giving(LONG), { value: long }], ['broken', giving(BROKEN), { value: broken }]);

/** What the judges of PROJECTION-009 and PROJECTION-010 beside the first must refuse and must let pass. */
export const boundedElsewhereHistories: readonly JudgeHistories[] = [
  {
    check: 'PROJECTION-009/failures',
    mustFail: [
      failures(read(`The tool failed: ${LONG}`)).named('a failure is shown whole'),
      failures(read(`The tool failed: ${LONG.slice(0, 60)}`)).named('a failure is cut, and nothing says so'),
      failures(read(`The tool failed: ${LONG.slice(0, 61)} [cut]`.replace(/😀 \[/, '😀\ud83d ['))).named('a failure is cut through a character'),
      failures(read('The tool failed: [too long]')).named('nothing of a failure is shown'),
      failures(read(cut), read(`Error: ${LONG}`)).named("the message of a server's error is shown whole"),
      failures(read(cut), { outcome: 'failed', view: [], message: `Error: ${LONG}` }).named('it is shown whole in the message alone'),
    ],
    mustPass: [
      failures(read(cut)).named('both are cut, with a mark'),
      failures(read(`[the first 50 of 8204] The tool failed: ${LONG.slice(0, 50)}`)).named('the mark stands before the text'),
      failures(read(cut), { outcome: 'failed', view: [{ type: 'text', text: `Error: ${LONG.slice(0, 40)}…` }], message: LONG }).named('a person may read all of it'),
    ],
    mustDoubt: [history().named('no call'), told(['flagged_short', flagged(SHORT), read(SHORT)], ['flagged_long', flagged(LONG), { outcome: 'ok' }]).named('nothing was taken for a failure')],
  },
  {
    check: 'PROJECTION-010/long-and-broken',
    mustFail: [
      values({ ...text(`${LONG.slice(0, 100)} [cut]`), structuredContent: { said: LONG } }).named('the content was cut'),
      values({ ...text(LONG), structuredContent: { said: LONG.slice(0, 100) } }).named('the structured content was cut'),
      values({ ...text(LONG), structuredContent: { said: LONG } }, { ...text('one  half'), structuredContent: { said: 'one  half' } }).named('half a character was left out'),
      told(['long', giving(LONG), { outcome: 'failed' }]).named('a long result fails'),
    ],
    mustPass: [
      values({ structuredContent: { said: LONG }, ...text(LONG) }).named('whole, in another order'),
      values({ ...text(LONG), structuredContent: { said: LONG } }, { ...text('one \ufffd half'), structuredContent: { said: 'one \ufffd half' } }).named('a reader of JSON that knows no half characters'),
    ],
    mustDoubt: [history().named('no call')],
  },
];
