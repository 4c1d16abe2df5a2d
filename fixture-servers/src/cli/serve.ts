import { prepareRunFolder } from '../carriers/incarnations.ts';
import { messageOf, systemErrorCode } from '../system-error.ts';
import { assertServable, readServers, type SourceServer } from './serve-sources.ts';
import { UsageError } from './usage-error.ts';

/** The options of `serve`. */
export interface ServeFlags {
  readonly server?: string;
  readonly http?: boolean;
  readonly port?: string;
  readonly host?: string;
  readonly control?: string;
  readonly secret?: string;
  readonly run?: string;
  readonly trace?: string;
  readonly toolsFrom?: string;
}

/** The largest port. */
const MAX_PORT = 65_535;

/**
 * Serves a file, or a case of the library, on stdio; or any number of them over HTTP, and then prints the URLs.
 * @throws UsageError, ScenarioError
 */
export async function serve(sources: readonly string[], flags: ServeFlags, write: (line: string) => void): Promise<void> {
  if (flags.secret !== undefined && flags.control === undefined) {
    throw new UsageError('--secret goes with --control', 'add --control <host:port>, or leave --secret out');
  }
  const servers = await readServers(sources, flags.server, flags.http === true, flags.toolsFrom);
  const [first] = servers;
  if (flags.http === true || (servers.length === 1 && first?.carrier === 'streamable-http')) await overHttp(servers, flags, write);
  else await onStdio(servers, flags);
}

async function onStdio(servers: readonly SourceServer[], flags: ServeFlags): Promise<void> {
  const [first, second] = servers;
  if (first === undefined || second !== undefined) throw new UsageError('stdio carries one server', 'give one source, or add --http');
  for (const option of ['port', 'host'] as const) {
    if (flags[option] !== undefined) throw new UsageError(`--${option} goes with --http`, `add --http, or leave --${option} out`);
  }
  assertServable(servers, 'stdio');
  if (flags.run !== undefined) prepareRun(flags.run);
  const { serveStdio } = await import('../carriers/serve-stdio.ts');
  const { name, scenario } = first;
  try {
    serveStdio({ server: name, scenario, control: flags.control, secret: flags.secret, run: flags.run, trace: flags.trace });
  } catch (error) {
    throw wrongTrace(error);
  }
}

async function overHttp(servers: readonly SourceServer[], flags: ServeFlags, write: (line: string) => void): Promise<void> {
  if (flags.control !== undefined && servers.length > 1) {
    throw new UsageError('a controller takes one server', 'choose one with --server <name>, or leave --control out');
  }
  const port = /^\d{1,5}$/.test(flags.port ?? '0') ? Number(flags.port ?? '0') : MAX_PORT + 1;
  if (port > MAX_PORT) throw new UsageError(`--port ${flags.port ?? ''} is no port`, `give a number from 0 to ${MAX_PORT}; 0 takes a free one`);
  assertServable(servers, 'streamable-http');
  if (flags.run !== undefined) prepareRun(flags.run);
  const { serveHttp } = await import('../carriers/serve-http.ts');
  try {
    const urls = await serveHttp({ servers, host: flags.host, port, control: flags.control, secret: flags.secret, run: flags.run, trace: flags.trace });
    for (const url of urls) write(url);
  } catch (error) {
    const code = systemErrorCode(error) ?? '';
    const isAddress = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN'].includes(code) && /listen|getaddrinfo/.test(messageOf(error));
    if (!isAddress) throw wrongTrace(error);
    throw new UsageError(`cannot listen: ${messageOf(error)}`, 'give another --port or --host, or leave them out');
  }
}

function wrongTrace(error: unknown): UsageError {
  return new UsageError(`the trace cannot be written: ${messageOf(error)}`, 'give --trace a file that can be created');
}

/** At the start, as with the trace: a client should not be the first to hear of a wrong folder. */
function prepareRun(folder: string): void {
  try {
    prepareRunFolder(folder);
  } catch (error) {
    throw new UsageError(`the run folder ${folder} cannot be used: ${messageOf(error)}`, 'give --run a folder that can be created and written');
  }
}
