#!/usr/bin/env node
/**
 * Boots a config file in this folder (default `cordis.yml`), prints the tools and ends:
 *
 *     node list-tools.mjs [--loader cordis3|deepseek] [file]
 *
 * Exit code: 0 with tools, 1 without, 2 for a wrong argument.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/** Arguments of Node for each loader; DeepSeek's reads `cordis.yml` in its working directory and no other. */
const loaders = {
  cordis3: (file) => [join(dirname(require.resolve('cordis/package.json')), 'lib/bin/cordis.mjs'), 'start', file],
  deepseek: () => [join(dirname(require.resolve('@deepseek-ai/cordis/package.json')), 'bin.js')],
};

function fail(message) {
  process.stderr.write(`list-tools: ${message}\n`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ options: { loader: { type: 'string', default: 'cordis3' } }, allowPositionals: true });
  } catch (error) {
    return fail(error.message);
  }
}

const { values, positionals } = readArguments();
if (!Object.hasOwn(loaders, values.loader)) fail(`--loader ${values.loader} is unknown; use cordis3 or deepseek`);
const file = resolve(here, positionals[0] ?? 'cordis.yml');
if (!existsSync(file)) fail(`there is no file ${file}`);
if (values.loader === 'deepseek' && !file.endsWith('cordis.yml')) fail('the DeepSeek loader reads a file named cordis.yml only');

const child = spawn(process.execPath, loaders[values.loader](file), {
  cwd: dirname(file),
  env: { ...process.env, LIST_TOOLS_ONCE: '1' },
  stdio: 'inherit',
});
// Ctrl+C reaches the whole foreground group; this process waits for the child to end in order.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 130);
});
