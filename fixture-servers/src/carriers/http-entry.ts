/**
 * The program that a controller starts for a server over HTTP. It takes `--server --control --secret --run --trace --host
 * --port`, each with a value.
 */
import { messageOf } from '../system-error.ts';
import { SETUP_EXIT } from './bounds.ts';
import { serveHttp } from './serve-http.ts';

const options = new Map<string, string>();
for (let at = 2; at < process.argv.length; at += 2) options.set(process.argv[at] ?? '', process.argv[at + 1] ?? '');

const serving = serveHttp({
  servers: [{ name: options.get('--server') ?? 'server' }],
  control: options.get('--control'),
  secret: options.get('--secret'),
  run: options.get('--run'),
  trace: options.get('--trace'),
  host: options.get('--host'),
  port: Number(options.get('--port') ?? 0),
});
// The build makes one CommonJS file of this program, which cannot await at its top.
serving.catch((error: unknown) => {
  process.stderr.write(`mcp-fixture-server: cannot serve: ${messageOf(error)}\n`);
  process.exitCode = SETUP_EXIT;
});
