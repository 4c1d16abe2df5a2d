/** A server that only the platform's proxy can reach (CONNECTION-036). */
import type { Bench } from '../../bench/bench.ts';
import { startProxy } from '../../cases/suite-proxy.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests } from './requests.ts';

const SERVER = 'proxied';

/** A subject whose host cannot have a proxy refuses to open, which makes this not applicable. */
async function exercise(bench: Bench): Promise<void> {
  const proxy = await startProxy();
  try {
    const server = await bench.serveHttp(SERVER, script(SERVER, []));
    const { entry } = server;
    if (entry.transport === 'stdio') return;
    const { ready } = await opened(bench, { ...entry, url: proxy.lead(SERVER, entry.url) }, proxy.url);
    if (ready) await ask(bench, SERVER, STEADY);
    await bench.close();
  } finally {
    // The last requests of a subject that still is open go through it too.
    await bench.close().catch(() => undefined);
    proxy.close();
  }
}

async function opened(bench: Bench, entry: Parameters<Bench['add']>[0], proxy: string): Promise<{ readonly ready: boolean }> {
  const { servers } = await bench.open([entry], { proxy });
  return { ready: servers.some(({ status }) => status === 'ready') };
}

function judge(history: History): Judgement {
  const asked = eventsOf(history, 'request').find(({ event }) => event.step === 'open' && event.host?.proxy !== undefined);
  const settled = settledSteps(history, 'open')[0];
  if (asked === undefined || settled === undefined) return inconclusive('not in the history: an opening on a host with a proxy, which settled');
  const reached = httpRequests(history, SERVER).some(({ rpc }) => rpc === 'initialize');
  if (!reached) return fail('the server, which only the proxy knows, was never reached', [asked.index, settled.index]);
  const ready = settled.event.servers.some(({ status }) => status === 'ready');
  const call = callFor(history, STEADY, SERVER);
  return first(
    ready ? undefined : fail(`the server behind the proxy is not ready: ${settled.event.servers[0]?.message ?? settled.event.error ?? ''}`, [settled.index]),
    call === undefined ? uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made') : undefined,
    echoed(call) ? undefined : fail('a call through the proxy failed', call === undefined ? [] : placesOf(call)),
  ) ?? pass('reached and called through the proxy');
}

/** Checks of proxies. */
export const proxyChecks: readonly Check[] = [scripted({ id: 'CONNECTION-036/only-way', invariant: 'CONNECTION-036', exercise, judge })];
