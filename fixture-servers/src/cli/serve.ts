import { prepareRunFolder } from '../carriers/incarnations.ts';
import { serveStdio } from '../carriers/serve-stdio.ts';
import { parseFile } from '../case/parse-file.ts';
import type { CaseFile } from '../case/schema.ts';
import { assertCarrier } from '../scenario/carrier.ts';
import type { Scenario } from '../scenario/schema.ts';
import { messageOf } from '../system-error.ts';
import { resolveSource } from './source.ts';
import { UsageError } from './usage-error.ts';

/** The options of `serve`. */
export interface ServeFlags {
  readonly server?: string;
  readonly control?: string;
  readonly secret?: string;
  readonly run?: string;
  readonly trace?: string;
}

/** Serves a file, or a case of the library, on stdio. @throws UsageError, ScenarioError */
export async function serve(source: string, flags: ServeFlags): Promise<void> {
  if (flags.secret !== undefined && flags.control === undefined) {
    throw new UsageError('--secret goes with --control', 'add --control <host:port>, or leave --secret out');
  }
  const file = await parseFile(await resolveSource(source));
  const { name, scenario } = file.kind === 'case' ? serverOf(file.case, flags.server) : named(file.scenario, flags.server);
  assertCarrier(scenario, 'stdio', source);
  if (flags.run !== undefined) prepareRun(flags.run);
  try {
    serveStdio({ server: name, scenario, control: flags.control, secret: flags.secret, run: flags.run, trace: flags.trace });
  } catch (error) {
    throw new UsageError(`the trace cannot be written: ${messageOf(error)}`, 'give --trace a file that can be created');
  }
}

/** At the start, as with the trace: a client should not be the first to hear of a wrong folder. */
function prepareRun(folder: string): void {
  try {
    prepareRunFolder(folder);
  } catch (error) {
    throw new UsageError(`the run folder ${folder} cannot be used: ${messageOf(error)}`, 'give --run a folder that can be created and written');
  }
}

function named(scenario: Scenario, server: string | undefined): { name: string; scenario: Scenario } {
  return { name: server ?? scenario.name ?? 'server', scenario };
}

function serverOf(file: CaseFile, wanted: string | undefined): { name: string; scenario: Scenario } {
  const names = Object.keys(file.servers);
  const listed = names.join(', ');
  const name = wanted ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) {
    throw new UsageError(`the case ${file.id} has ${names.length} servers: ${listed}`, 'choose one with --server <name>');
  }
  const server = Object.hasOwn(file.servers, name) ? file.servers[name] : undefined;
  if (server === undefined) throw new UsageError(`the case ${file.id} has no server ${name}`, `choose one of: ${listed}`);
  return { name, scenario: server.scenario };
}
