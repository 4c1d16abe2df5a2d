import { once } from 'node:events';
import type { BoundedTrace } from '../proxy/bounded-trace.ts';
import { recordHttp } from '../proxy/http/record-http.ts';
import type { RecorderIdentity } from '../trace/recorder.ts';
import { messageOf } from '../system-error.ts';
import { defaultPath } from './server-name.ts';
import { positive } from './number-option.ts';
import { UsageError } from './usage-error.ts';

const MAX_PORT = 65_535;

/** What `record --http` takes of the options of `record`. */
export interface RecordHttpFlags {
  readonly out?: string;
  readonly name?: string;
  readonly port?: string;
  readonly maxBytes: number;
}

/** Records a Streamable HTTP server until SIGINT or SIGTERM. Its own address goes to stdout. @throws UsageError */
export async function recordHttpUrl(url: string, flags: RecordHttpFlags, open: (path: string, identity: RecorderIdentity, maxBytes: number) => BoundedTrace): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) throw new UsageError(`--http ${url} is no http or https URL`, 'give the URL of the MCP endpoint');
  if (target.username !== '' || target.password !== '') throw new UsageError('--http takes no user and password in the URL', 'let the client send them in a header');
  const port = flags.port === undefined ? 0 : positive('--port', flags.port, MAX_PORT);
  const server = flags.name ?? (target.hostname.replaceAll(/[^\w.-]+/g, '-') || 'server');
  const path = flags.out ?? defaultPath(server);
  const trace = open(path, { server, carrier: 'streamable-http', pid: process.pid }, flags.maxBytes);
  try {
    const recorder = await recordHttp({ target, recorder: trace.recorder, port, warn });
    process.stdout.write(`${recorder.url}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await recorder.close();
  } catch (error) {
    throw new UsageError(`the proxy cannot listen: ${messageOf(error)}`, 'give --port a free port, or leave it out');
  } finally {
    trace.close();
  }
  process.exit(0);
}

function warn(message: string): void {
  process.stderr.write(`mcp-fixture-server: ${message}\n`);
}
