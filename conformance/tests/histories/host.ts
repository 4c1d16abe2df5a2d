import type { SubjectDescription } from '../../src/adapter/messages.ts';
import { offered, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { Story } from './connection/lives.ts';

const slow = (subject: Partial<SubjectDescription> = {}): Story => new Story('unhurried', subject).asked('open').began(1);
const pulls = { registry: 'pull' } as const;

const SERVERS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

interface Many {
  readonly rejected?: string;
  readonly deaf?: string;
  readonly shared?: boolean;
  /** A client of another era asks the third in a process of its own first, and calls it too early. */
  readonly probed?: boolean;
}

/** Six servers, each called once. */
function many({ rejected, deaf, shared = false, probed = false }: Many = {}): HistoryBuilder {
  const { builder } = new Story('first');
  if (probed) {
    builder.record('third', { kind: 'process', event: 'start' }, 90).received('third', { jsonrpc: '2.0', id: 'probe', method: 'server/discover' }, 90).record('third', { kind: 'process', event: 'exit', code: 0 }, 90);
    builder.unreached('p_third', 'third', 'tool_of_third');
  }
  SERVERS.forEach((name, at) => builder.record(name, { kind: 'process', event: 'start' }, shared ? 1 : at + 1));
  builder.step('open', SERVERS.map((name) => ({ name, status: name === rejected ? 'rejected' : 'ready' })));
  SERVERS.forEach((name, at) => {
    const [callId, id, incarnation] = [`call-${name}`, builder.nextId(), shared ? 1 : at + 1];
    builder.asked({ callId, name: `p_${name}`, arguments: { probe: callId } }, { server: name, rawName: `tool_of_${name}` });
    builder.received(name, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: `tool_of_${name}`, arguments: { probe: callId } } }, incarnation);
    builder.outcome(callId, name === deaf ? { outcome: 'failed' } : { view: [{ type: 'text', text: callId }] });
  });
  return builder.registry([...SERVERS.map((name) => offered(`p_${name}`)), ...(probed ? [offered('native')] : [])]);
}

const RAW_NAMES = ['steady', 'dotted.name', 'x'.repeat(70)];
const allCalled = (story: Story, n: number, name = (rawName: string): string => `p_${rawName}`): Story => {
  for (const rawName of RAW_NAMES) story.echoed(n, rawName, name(rawName));
  return story;
};
const inside = (configured: Record<string, string>, value: string | null) => (builder: HistoryBuilder): unknown =>
  builder.event({ kind: 'environment', server: 'edited', names: [], values: { MCPBC_EDITED: value }, ambient: {}, configured });
const old = (): Story => allCalled(new Story('edited').asked('open').began(1).listed(1).settled('open').registry(), 1).asked('reload').leaving(1).wait(200).sign(1);
const anew = (story: Story, name?: (rawName: string) => string): Story => allCalled(story.listed(2).settled('reload').registry(), 2, name);

const reloads = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    anew(old().began(2).sign(1).ended(1, 0)).with(inside({}, null)).named('the old one lives on'), anew(old().ended(1, 0).began(2), (rawName) => `q_${rawName}`).with(inside({}, null)).named('the names are others'),
    anew(old().ended(1, 0).began(2)).with(inside({ MCPBC_EDITED: 'yes' }, null)).named('the edit has no effect'), anew(old().ended(1, 0).began(2)).with(inside({}, 'yes')).named('an edit that nobody made'),
  ],
  mustPass: [anew(old().ended(1, 0).began(2)).with(inside({ MCPBC_EDITED: 'yes' }, 'yes')).named('edited'), anew(old().ended(1, 0).wait(400).began(2, 390)).with(inside({}, null)).named('as it was, slow to begin')],
  mustDoubt: [old().named('no process came after it'), anew(old().ended(1, 0).began(2)).named('nobody looked inside')],
});

/** What the judges of `host` must refuse and must let pass. */
export const hostHistories: readonly JudgeHistories[] = [
  {
    check: 'HOST-001/slow-server',
    mustFail: [
      slow().settled('open').registry([]).listed(1).registry().echoed(1).named('settled before the listing'), slow().listed(1).settled('open').registry([]).registry().echoed(1).named('registered a moment later'),
      slow(pulls).settled('open').registry([]).listed(1).registry().echoed(1).named('a registry that lists at looks, and not at the first'),
    ],
    mustPass: [slow(pulls).settled('open').listed(1).registry().echoed(1).named('a registry that lists at looks'), slow().wait(2_000).listed(1).settled('open').registry().echoed(1).named('slow, and there when it is said')],
    mustDoubt: [slow().listed(1).settled('open').registry().named('nobody called'), slow().listed(1).settled('open').echoed(1).named('nobody looked')],
  },
  {
    check: 'HOST-002/side-by-side',
    mustFail: [many({ rejected: 'fourth' }).named('one is refused'), many({ deaf: 'sixth' }).named('the last cannot be called'), many({ shared: true }).named('they share a process')],
    mustPass: [many().named('six side by side'), many({ probed: true }).named('one was probed by a process of its own, one call failed before, and the host has a tool too')],
    mustDoubt: [new Story('first').named('nothing was opened')],
  },
  reloads('HOST-003/reload'),
  reloads('HOST-003/edit'),
];
