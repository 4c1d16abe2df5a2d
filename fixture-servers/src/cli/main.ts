/**
 * The command line. Exit codes: 0 fine, 1 a scenario, case or trace is wrong, 2 the arguments are wrong; a served process ends
 * as its scenario says.
 */
import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { ScenarioError } from '../scenario/error.ts';
import { TraceError } from '../trace/error.ts';
import { createProgram } from './program.ts';
import { UsageError } from './usage-error.ts';

/** Exit code when a scenario, case or trace is wrong. */
const EXIT_WRONG_FILE = 1;
/** Exit code when the arguments are wrong. */
const EXIT_USAGE = 2;

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs the command line; sets the exit code. `argv` as in `process.argv`. */
export async function main(argv: readonly string[]): Promise<void> {
  // Commands load what they need themselves, so that `serve` starts fast.
  const program = createProgram({
    serve: async (sources, flags) => (await import('./serve.ts')).serve(sources, flags, write),
    lint: async (files, { toolsFrom }) => {
      const { wrong, unreadable } = await (await import('./lint.ts')).lint(files, write, toolsFrom);
      if (unreadable > 0) process.exitCode = EXIT_USAGE;
      else if (wrong > 0) process.exitCode = EXIT_WRONG_FILE;
    },
    list: async ({ area }) => (await import('./list.ts')).list(area, write),
    schema: async (name) => {
      const { jsonSchemaText, SCHEMA_NAMES } = await import('../schemas/json-schema.ts');
      const known = SCHEMA_NAMES.find((candidate) => candidate === name);
      if (known !== undefined) process.stdout.write(jsonSchemaText(known));
    },
    show: async (file, flags) => {
      if (await (await import('./show.ts')).show(file, flags) > 0) process.exitCode = EXIT_WRONG_FILE;
    },
    record: async (command, flags) => (await import('./record.ts')).record(command, flags),
    scrub: async (file, flags) => {
      if (await (await import('./scrub.ts')).scrub(file, flags, write) > 0) process.exitCode = EXIT_WRONG_FILE;
    },
    replay: async (file, flags) => (await import('./replay.ts')).replay(file, flags),
    fromTrace: async (file, flags) => (await import('./from-trace.ts')).fromTrace(file, flags),
  }, packageVersion());
  // A reader that has seen enough (`| head`) is no failure of ours.
  process.stdout.on('error', () => undefined);
  try {
    if (argv.length <= 2) throw new UsageError('no command was given', 'see `mcp-fixture-server --help`');
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}

/** Says what went wrong. @returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    return usage(error.message.replace(/^error: /, ''), 'see `mcp-fixture-server --help`');
  }
  if (error instanceof UsageError) return usage(error.message, error.hint);
  if (error instanceof ScenarioError) {
    const isUnreadable = error.code === 'unreadable';
    process.stderr.write(`${isUnreadable ? 'mcp-fixture-server: ' : ''}${error.message}\n`);
    return isUnreadable ? EXIT_USAGE : EXIT_WRONG_FILE;
  }
  if (error instanceof TraceError) {
    process.stderr.write(`${error.line === 0 ? 'mcp-fixture-server: ' : ''}${error.message}\n`);
    return error.line === 0 ? EXIT_USAGE : EXIT_WRONG_FILE;
  }
  throw error;
}

function usage(message: string, hint: string): number {
  process.stderr.write(`mcp-fixture-server: ${message.replaceAll('\n', ' ')} — ${hint}\n`);
  return EXIT_USAGE;
}
