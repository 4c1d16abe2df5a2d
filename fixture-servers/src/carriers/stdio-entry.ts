/**
 * The program that a controller names in its servers' arguments. It takes `--server --control --secret --run --trace`,
 * each with a value; everything after `--` is left to the test, which may look for it in `hello`.
 */
import { serveStdio } from './serve-stdio.ts';

const options = new Map<string, string>();
for (let at = 2; at < process.argv.length && process.argv[at] !== '--'; at += 2) {
  options.set(process.argv[at] ?? '', process.argv[at + 1] ?? '');
}
serveStdio({
  server: options.get('--server') ?? 'server',
  control: options.get('--control'),
  secret: options.get('--secret'),
  run: options.get('--run'),
  trace: options.get('--trace'),
});
