import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './paths.mjs';

const PROGRAMS = [
  { bin: 'fixture-servers/bin/mcp-fixture-server.js', commands: ['serve', 'lint', 'list', 'schema', 'record', 'scrub', 'show', 'replay', 'from-trace'] },
  { bin: 'conformance/bin/mcp-bridge-conformance.js', commands: ['certify', 'smoke', 'replay', 'list', 'analyze', 'report'] },
];

/** The help of both programs and of each of their commands. */
export function cliHelp() {
  return PROGRAMS.map(({ bin, commands }) =>
    [[], ...commands.map((command) => [command])]
      .map((words) => `$ ${[path.basename(bin, '.js'), ...words, '--help'].join(' ')}\n${help(bin, words)}`)
      .join('\n'),
  ).join('\n');
}

/**
 * @param {string} bin
 * @param {string[]} words
 */
function help(bin, words) {
  const env = { ...process.env, COLUMNS: '100', NO_COLOR: '1' };
  const result = spawnSync(process.execPath, [path.join(root, bin), ...words, '--help'], { encoding: 'utf8', env });
  if (result.status !== 0) throw new Error(`${bin} ${words.join(' ')} --help ended with ${result.status}: ${result.stderr}`);
  return result.stdout;
}
