/** A server that only the platform's proxy can reach. */
import type { ServerReply } from '../../../src/adapter/messages.ts';
import type { JudgeHistories } from '../builder.ts';
import { WebStory } from './web.ts';

const SERVER = 'proxied';

/** Opened on a host with a proxy, or without one; reached or not. */
function opened(status: ServerReply['status'], { reached = true, proxied = true } = {}): WebStory {
  const story = new WebStory(SERVER);
  const servers = [{ name: SERVER, transport: 'streamable-http' as const, url: 'http://proxied.mcp.test:1/mcp' }];
  story.with((builder) => builder.event({ kind: 'request', step: 'open', servers, host: proxied ? { proxy: 'http://127.0.0.1:1' } : {} }));
  if (reached) story.began('one');
  return story.with((builder) => builder.event({ kind: 'settled', step: 'open', servers: [{ name: SERVER, status }] })).registry();
}

/** What the judge of proxies must refuse and must let pass. */
export const proxyHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-036/only-way',
    mustFail: [
      opened('degraded', { reached: false }).named('never reached'), opened('ready', { reached: false }).named('said to be ready, and never reached'), opened('degraded').named('reached, and not ready'),
      opened('ready').sent('one', [200], {}).named('its tool cannot be called'),
    ],
    mustPass: [opened('ready').echoed('one').named('reached and called'), opened('ready').echoed('one').echoed('one').named('called twice')],
    mustDoubt: [opened('ready', { proxied: false }).named('no proxy was asked for'), opened('ready').named('nobody called')],
  },
];
