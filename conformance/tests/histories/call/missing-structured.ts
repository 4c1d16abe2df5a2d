import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';

const WORDS = 'there are three of them';

interface Ending {
  readonly reply?: Partial<CallReply>;
  readonly warns?: boolean;
  readonly structured?: boolean;
}

/** A call that the server answered without structured content. */
function bare({ reply = { view: [{ type: 'text', text: WORDS }] }, warns = true, structured = false }: Ending = {}): HistoryBuilder {
  const builder = history().step('open', ['untyped']).asked({ callId: 'one', name: 'p_bare', arguments: { probe: 'one' } }, { server: 'untyped', rawName: 'bare' });
  builder.wireCall('untyped', 'bare', { probe: 'one' }, { content: [{ type: 'text', text: WORDS }], ...(structured ? { structuredContent: { count: 3 } } : {}) });
  if (warns) builder.log('warn', 'no structured content', 'untyped');
  return builder.outcome('one', reply);
}

/** What the judges of missing structure must refuse and must let pass. */
export const missingHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-020/delivered',
    mustFail: [
      bare({ reply: { outcome: 'failed', view: [] } }).named('it fails'), bare({ reply: { view: [{ type: 'text', text: 'no structured content' }] } }).named('the words are lost'), bare({ warns: false }).named('no warning'),
    ],
    mustPass: [bare({ reply: { view: [{ type: 'text', text: `note: untyped\n${WORDS}` }] } }).named('delivered with a remark')],
    mustDoubt: [bare({ structured: true }).named('the structure was there'), history().named('no call')],
  },
  {
    check: 'CALL-020/fails-on-request',
    mustFail: [bare().named('it succeeds all the same')],
    mustPass: [
      bare({ reply: { outcome: 'tool-error', view: [] }, warns: false }).named('it fails'),
      bare({ reply: { outcome: 'failed', executed: 'unknown', view: [{ type: 'text', text: `what came: ${WORDS}` }], message: 'no structure' } }).named('it fails with what came, and a warning'),
    ],
    mustDoubt: [bare({ structured: true }).named('the structure was there')],
  },
];
