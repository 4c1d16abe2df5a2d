import { basename, dirname } from 'node:path';

/** Programs that run another one: it gives the server its name. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  'npx', 'npm', 'node', 'bun', 'bunx', 'deno', 'pnpm', 'yarn', 'uv', 'uvx', 'pipx', 'python', 'python3', 'sh', 'bash', 'env', 'docker',
]);
const LAUNCHER_WORDS: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x', 'tool', 'start']);
/** Files and folders that say nothing: the folder above has the name. */
const NAMELESS: ReadonlySet<string> = new Set(['index', 'main', '__main__', 'dist', 'build', 'src', 'lib', 'bin', 'out']);

/** What a server is called: the last telling part of its program, or of what a launcher such as npx runs. */
export function nameOf(command: readonly string[]): string {
  const [program = 'server', ...args] = command;
  const run = LAUNCHERS.has(bare(program)) ? args.find((word) => !/^-|[\s=]/.test(word) && !LAUNCHER_WORDS.has(word)) : undefined;
  let path = run ?? program;
  while (NAMELESS.has(bare(path)) && dirname(path) !== path && dirname(path) !== '.') path = dirname(path);
  const name = bare(path).replace(/(?<=.)@[^@]*$/, '').replaceAll(/[^\w.-]+/g, '-').slice(0, 64);
  return name === '' ? 'server' : name;
}

function bare(word: string): string {
  return basename(word).replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/, '');
}

/** A file name that sorts by time and says what is in the file. */
export function defaultPath(server: string): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `${server}-${time}-${process.pid}.trace.jsonl`;
}
