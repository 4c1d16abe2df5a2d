/**
 * The entry of the command line.
 */
import { CommanderError } from 'commander';
import { printable } from '../reporters/printable.ts';
import { EXIT } from '../reporters/report.ts';
import { buildProgram } from './program.ts';
import { UsageError } from './usage-error.ts';

/** A reader that goes away early, as `head` does, ends the command without a word. */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
}

/** Runs one command and sets the exit code; a person's mistake is one line on stderr, never a stack. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', leaveWithReader);
  try {
    if (argv.length <= 2) throw new UsageError('no command was given; see mcp-bridge-conformance --help');
    const program = buildProgram(process.stdout, (code) => (process.exitCode = code));
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are no mistakes; commander has printed everything else already.
      process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
    } else if (error instanceof UsageError) {
      // What others said, a parser or a module, may have lines of its own.
      process.stderr.write(`mcp-bridge-conformance: ${printable(error.message.replace(/\s*\n\s*/g, ' '))}\n`);
      process.exitCode = EXIT.usage;
    } else throw error;
  }
}
