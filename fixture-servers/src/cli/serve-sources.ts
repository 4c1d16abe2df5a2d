import { basename, extname } from 'node:path';
import { parseFile } from '../case/parse-file.ts';
import type { CaseFile } from '../case/schema.ts';
import { assertCarrier, type Carrier, type Whereabouts } from '../scenario/carrier.ts';
import type { Scenario } from '../scenario/schema.ts';
import { resolveSource } from './source.ts';
import { UsageError } from './usage-error.ts';

/** A server that `serve` was asked for. */
export interface SourceServer {
  readonly name: string;
  readonly scenario: Scenario;
  /** The carrier that its case gives it; a scenario gives none. */
  readonly carrier: Carrier | undefined;
  /** Where its scenario stands, for errors. */
  readonly where: Whereabouts;
}

/**
 * The servers of the sources: of a case the one that is named, or all if `all` are wanted, or the only one.
 * `toolsFrom` is the trace whose tools stand where a source says `fromTrace`.
 * @throws UsageError, ScenarioError, TraceError
 */
export async function readServers(sources: readonly string[], named: string | undefined, all: boolean, toolsFrom?: string): Promise<SourceServer[]> {
  const tracedTools = toolsFrom === undefined ? undefined : await (await import('../trace/as-scenario/traced-tools.ts')).toolsOfTrace(toolsFrom);
  const found: SourceServer[] = [];
  for (const source of sources) {
    const path = await resolveSource(source);
    const file = await parseFile(path, tracedTools);
    if (file.kind === 'case') found.push(...serversOf(file.case, named, all, { from: source, locate: file.locate }));
    else {
      // Alone it needs no better name; beside others its file tells it apart.
      const fallback = sources.length === 1 ? 'server' : basename(path, extname(path));
      found.push({ name: (sources.length === 1 ? named : undefined) ?? file.scenario.name ?? fallback, scenario: file.scenario, carrier: undefined, where: { from: source, locate: file.locate } });
    }
  }
  const twice = found.find((each, index) => found.findIndex(({ name }) => name === each.name) !== index);
  if (twice !== undefined) throw new UsageError(`two servers are called ${twice.name}`, 'give the scenarios a `name`, or serve them apart');
  return found;
}

/** Refuses servers that the carrier cannot perform. @throws ScenarioError */
export function assertServable(servers: readonly SourceServer[], carrier: Carrier): void {
  for (const { scenario, where } of servers) assertCarrier(scenario, carrier, where);
}

function serversOf(file: CaseFile, wanted: string | undefined, all: boolean, where: Whereabouts): SourceServer[] {
  const whereIs = (name: string): Whereabouts => ({ ...where, at: ['servers', name, 'scenario'] });
  const names = Object.keys(file.servers);
  const listed = names.join(', ');
  if (wanted === undefined && (all || names.length === 1)) {
    return Object.entries(file.servers).map(([name, { carrier, scenario }]) => ({ name, scenario, carrier, where: whereIs(name) }));
  }
  if (wanted === undefined) {
    throw new UsageError(`the case ${file.id} has ${names.length} servers: ${listed}`, 'choose one with --server <name>');
  }
  const server = Object.hasOwn(file.servers, wanted) ? file.servers[wanted] : undefined;
  if (server === undefined) throw new UsageError(`the case ${file.id} has no server ${wanted}`, `choose one of: ${listed}`);
  return [{ name: wanted, scenario: server.scenario, carrier: server.carrier, where: whereIs(wanted) }];
}
