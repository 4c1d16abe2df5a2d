/** Bytes over HTTP: how messages are cut and written. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import type { JudgeHistories } from '../builder.ts';
import { greetedOtherwise } from '../wire.ts';
import { webHealthy, WebStory } from './web.ts';

const framed = { text: '<a\u2028b>', answers: 'event-stream', frame: { everyByte: true, event: { comments: true } } };
const before = (): WebStory => webHealthy('chopped').with((builder) => builder.run(framed));
const text = (said: string): Partial<CallReply> => ({ outcome: 'ok', executed: 'yes', view: [{ type: 'text', text: said }] });

/** A call whose framed result ended so. */
const said = (reply: Partial<CallReply> | undefined, story = before(), answered = true): WebStory => story.with((builder) => {
  const id = builder.nextId();
  builder.asked({ callId: 'f', name: 'p_said', arguments: { probe: 'f' } }, { server: 'chopped', rawName: 'said' })
    .received('chopped', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'said', arguments: { probe: 'f' } } });
  if (answered) builder.sent('chopped', { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: framed.text }] } });
  if (reply !== undefined) builder.outcome('f', reply);
});

/** What the judges of bytes over HTTP must refuse and must let pass. */
export const byteHistories: readonly JudgeHistories[] = [
  {
    check: 'WIRE-044/framings',
    mustFail: [
      said(text('<a b>')).named('the separator became a space'), said({ outcome: 'failed', view: [], message: 'no answer' }).named('the result is lost'), said(undefined).named('the call never settles'),
      said(text('<a\ufffd\ufffd\ufffdb>')).named('a character broke'),
    ],
    mustPass: [said(text(framed.text)).named('as it was sent'), said(text(`result:\n${framed.text}\n(end)`)).named('the text stands between words of the bridge')],
    mustDoubt: [
      said(text(framed.text), new WebStory('chopped').with((builder) => builder.run(framed))).named('no healthy call before'), before().named('nothing framed was asked for'),
      said({ outcome: 'failed' }, before(), false).named('the server did not answer'), webHealthy('chopped').named('no input'),
    ],
  },
  greetedOtherwise('WIRE-044/handshake-event-stream'),
  greetedOtherwise('WIRE-044/handshake-json'),
];
