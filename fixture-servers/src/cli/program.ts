import { Command } from 'commander';
import { registerFileCommands } from './file-commands.ts';
import { registerServe } from './serve-command.ts';
import type { ServeFlags } from './serve.ts';
import { registerTraceCommands, type TraceCommands } from './trace-commands.ts';

/** The width of the help, in characters: the same everywhere, so that it can be compared. */
const HELP_WIDTH = 100;

/** What the commands do; kept apart so that the help can be made without them. */
export interface Commands extends TraceCommands {
  serve(sources: readonly string[], flags: ServeFlags): Promise<void>;
  lint(files: readonly string[], flags: { readonly toolsFrom?: string }): Promise<void>;
  list(flags: { readonly area?: string }): Promise<void>;
  schema(name: string): Promise<void>;
}

/** The command line. Each command registers itself in a file of its own. */
export function createProgram(commands: Commands, version: string): Command {
  const program = new Command('mcp-fixture-server')
    .description('Scripted MCP servers that misbehave on purpose, from one file.')
    .configureOutput({ getOutHelpWidth: () => HELP_WIDTH, getErrHelpWidth: () => HELP_WIDTH, outputError: () => undefined })
    .version(version)
    .showSuggestionAfterError(true)
    .helpCommand(false)
    // What follows the command line of a recorded server is that server's.
    .enablePositionalOptions()
    .exitOverride();

  registerServe(program, commands);
  registerFileCommands(program, commands);
  registerTraceCommands(program, commands);

  for (const command of program.commands) command.copyInheritedSettings(program).exitOverride();
  return program;
}
