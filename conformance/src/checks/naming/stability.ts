/** Names stay what they are (NAMING-006, NAMING-009). */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, frames, isObject, messageOf, pairings } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { few, identity } from '../identities.ts';
import { announce, callEach, listing, type Known } from '../tool-lists.ts';
import { listingAnswered } from '../wire-waits.ts';

/** Names that a scheme keeps, cleans and cuts. No two servers share one: that is another invariant's matter. */
const RAW_NAMES = ['plain', 'dotted.name', 'x'.repeat(80), 'ünïcode'] as const;

function rawNames(server: string): string[] {
  return RAW_NAMES.map((name) => `${name}${server}`);
}

const known = (servers: readonly string[]): Known[] => servers.map((server) => ({ server, rawNames: rawNames(server) }));

/** Every identity that was called in several situations had one name in all of them. */
export function judgeStability(history: History): Judgement {
  const situations = eventsOf(history, 'request').map(({ index }) => index);
  const seen = new Map<string, { readonly name: string; readonly index: number; readonly situations: Set<number> }>();
  for (const { publicName, server, rawName, call } of pairings(history)) {
    const one = identity(server, rawName);
    const first = seen.get(one) ?? { name: publicName, index: call.call.index, situations: new Set<number>() };
    if (first.name !== publicName) return fail(`${one} was called ${first.name} and then ${publicName}`, [first.index, call.call.index]);
    first.situations.add(situations.findLastIndex((index) => index < call.call.index));
    seen.set(one, first);
  }
  const compared = [...seen.values()].filter((one) => one.situations.size > 1).length;
  if (compared === 0) return inconclusive('no tool was called in two situations');
  return pass(`${compared} tools kept their names`);
}

/** The judge of NAMING-009. */
export function judgeServerInfo(history: History): Judgement {
  const calledThemselves = new Set(
    frames(history, { direction: 'server-to-client' }).flatMap(({ event }) => {
      const { result } = messageOf(event) as { result?: unknown };
      const info = isObject(result) ? result['serverInfo'] : undefined;
      return isObject(info) ? [`${event.server} ${JSON.stringify(info['name'])}`] : [];
    }),
  );
  const servers = new Set([...calledThemselves].map((text) => text.split(' ')[0]));
  if (calledThemselves.size <= servers.size) return inconclusive('no server called itself two different things');
  const judgement = judgeStability(history);
  return judgement.verdict === 'pass' ? pass(`${judgement.message} while servers called themselves ${few([...calledThemselves])}`) : judgement;
}

async function visit(bench: Bench, servers: readonly string[]): Promise<void> {
  await callEach(bench, (await bench.look()).tools, known(servers));
}

function serveAll(bench: Bench, names: readonly string[]): BenchServer[] {
  return names.map((name) => bench.serve(name, listing(name, rawNames(name))));
}

async function exerciseOrder(bench: Bench): Promise<void> {
  if (bench.subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
  const names = ['one', 'two', 'three'];
  const servers = serveAll(bench, names);
  for (const order of [servers, servers.toReversed(), servers.slice(1, 2)]) {
    await bench.open(order);
    await visit(bench, names);
    await bench.close();
  }
}

async function exerciseChurn(bench: Bench): Promise<void> {
  const names = ['stays', 'comes'];
  const [stays, comes] = serveAll(bench, names);
  if (stays === undefined || comes === undefined) return;
  await bench.open([stays]);
  await visit(bench, names);
  await bench.add(comes);
  await visit(bench, names);
  await announce(comes);
  if (bench.subject.features.includes('list-changes')) await bench.wire(comes, 'the list is read again', listingAnswered(2));
  await visit(bench, names);
  await bench.remove('comes');
  await visit(bench, names);
  await bench.add(comes);
  await visit(bench, names);
}

async function exerciseRestart(bench: Bench): Promise<void> {
  const [server] = serveAll(bench, ['again']);
  if (server === undefined) return;
  await bench.open([server]);
  await visit(bench, ['again']);
  if (bench.subject.features.includes('reload')) {
    await bench.reload('again');
    await visit(bench, ['again']);
  }
  await bench.close();
  await bench.open([server]);
  await visit(bench, ['again']);
}

async function exerciseServerInfo(bench: Bench): Promise<void> {
  const server = bench.serve('inventory', listing('inventory', rawNames('inventory')));
  for (const name of ['inventory', 'Another Name', 'mcp__other__', '__proto__', '']) {
    await server.program(listing('inventory', rawNames('inventory'), { serverInfo: { name, title: `Title of ${name}`, version: '1' } }));
    await bench.open([server]);
    await visit(bench, ['inventory']);
    await bench.close();
  }
}

/** Checks of stability. */
export const stabilityChecks: readonly Check[] = [
  scripted({ id: 'NAMING-006/order', invariant: 'NAMING-006', judge: judgeStability, exercise: exerciseOrder }),
  scripted({ id: 'NAMING-006/churn', invariant: 'NAMING-006', judge: judgeStability, exercise: exerciseChurn }),
  scripted({ id: 'NAMING-006/restart', invariant: 'NAMING-006', judge: judgeStability, exercise: exerciseRestart }),
  scripted({ id: 'NAMING-009/server-info', invariant: 'NAMING-009', judge: judgeServerInfo, exercise: exerciseServerInfo }),
];
