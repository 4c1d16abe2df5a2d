/**
 * What exercises of names, discovery and generations share: scripted lists whose tools can be found again, and calling
 * every tool that is offered.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { OfferedTool } from '../adapter/messages.ts';
import { mark, type Bench, type BenchServer } from '../bench/bench.ts';
import { nowMs } from '../history/clock.ts';

/** One written tool of a scenario. */
export type WrittenTool = Extract<NonNullable<ScenarioInput['tools']>[number], { readonly name: string }>;

/** Calls that are under way at once: enough to be quick, few enough for any bridge's limits. */
const CALLS_AT_ONCE = 16;

/** A tool that carries its mark, and a word by which two versions of it are told apart. */
export function markedTool(server: string, rawName: string, word = ''): WrittenTool {
  const text = word === '' ? mark(server, rawName) : `${mark(server, rawName)} ${word}`;
  return { name: rawName, description: text };
}

let given = 0;

/**
 * A word that no description held before. A list that carries it is known to be the new one, even when its tools are
 * those of an earlier list.
 */
export function freshWord(): string {
  given += 1;
  return `<shown ${given}>`;
}

/** A scenario that lists these names. */
export function listing(server: string, rawNames: readonly string[], rest: Omit<ScenarioInput, 'scenario' | 'tools'> = {}): ScenarioInput {
  return { scenario: 1, tools: rawNames.map((name) => markedTool(server, name)), ...rest };
}

/** Whether one of the tools has all of this in its description. */
export function describes(...words: readonly string[]): (tools: readonly OfferedTool[]) => boolean {
  return (tools) => tools.some((tool) => words.every((word) => tool.description.includes(word)));
}

/** Which raw names a server was scripted to list, for the exercise's own belief of what it calls. */
export interface Known {
  readonly server: string;
  readonly rawNames: readonly string[];
}

/** Calls every offered tool once, so that a judge can pair names, and waits until servers told what they received. */
export async function callEach(bench: Bench, tools: readonly OfferedTool[], known: readonly Known[] = []): Promise<void> {
  const told = (each: 'begins' | 'ends'): void =>
    bench.record({ atMs: nowMs(), kind: 'barrier', what: `calling every offered tool ${each}`, reached: true, boundMs: 0, until: { each } });
  told('begins');
  const byMark = new Map(known.flatMap(({ server, rawNames }) => rawNames.map((rawName) => [mark(server, rawName), { server, rawName }])));
  const left = tools.map((tool) => ({ tool, ...believed(tool, byMark) }));
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await bench.call(next);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, lane));
  await bench.flush();
  told('ends');
}

/** Looks at the registry, then calls everything in it. */
export async function lookAndCallEach(bench: Bench, known: readonly Known[] = []): Promise<void> {
  await callEach(bench, (await bench.look()).tools, known);
}

/** Tells the subject that this server's list changed, over the live connection. */
export async function announce(server: BenchServer, times = 1): Promise<void> {
  await server.fixture.do([{ notify: { method: 'notifications/tools/list_changed', frame: { times } } }]);
}

function believed(tool: OfferedTool, byMark: ReadonlyMap<string, { readonly server: string; readonly rawName: string }>): { server?: string; rawName?: string } {
  const found = /\[\[[^\]]*\]\]/.exec(tool.description)?.[0];
  return (found === undefined ? undefined : byMark.get(found)) ?? {};
}
