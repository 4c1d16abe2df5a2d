import { Command } from 'commander';
import type { ServeFlags } from './serve.ts';

/** The width of the help, in characters: the same everywhere, so that it can be compared. */
const HELP_WIDTH = 100;

/** What the commands do; kept apart so that the help can be made without them. */
export interface Commands {
  serve(source: string, flags: ServeFlags): Promise<void>;
  lint(files: readonly string[]): Promise<void>;
  list(flags: { readonly area?: string }): Promise<void>;
  schema(name: string): Promise<void>;
}

/** The command line. */
export function createProgram(commands: Commands, version: string): Command {
  const program = new Command('mcp-fixture-server')
    .description('Scripted MCP servers that misbehave on purpose, from one file.')
    .configureOutput({ getOutHelpWidth: () => HELP_WIDTH, getErrHelpWidth: () => HELP_WIDTH, outputError: () => undefined })
    .version(version)
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .exitOverride();

  program
    .command('serve')
    .description('Serve a scenario, or one server of a case, on stdin and stdout.')
    .argument('<source>', 'a scenario or case file, or the name of a case of the library')
    .option('--server <name>', 'which server of a case')
    .option('--control <address>', 'dial this controller: host:port, or the path of a Unix socket')
    .option('--secret <text>', 'what the controller expects to hear first')
    .option('--run <folder>', 'count incarnations in this folder, across processes')
    .option('--trace <file>', 'append the trace to this file, as JSON lines')
    .action((source: string, flags: ServeFlags) => commands.serve(source, flags));

  program
    .command('lint')
    .description('Check scenarios and cases; say line, column, what is wrong and the fix.')
    .argument('<file...>', 'scenario or case files, or names of cases of the library')
    .action((files: string[]) => commands.lint(files));

  program
    .command('list')
    .description('List the cases of the library.')
    .option('--area <area>', 'only this area')
    .action((flags: { area?: string }) => commands.list(flags));

  program
    .command('schema')
    .description('Print the JSON Schema of a language.')
    .addArgument(program.createArgument('<language>', 'which one').choices(['scenario', 'case', 'trace']))
    .action((name: string) => commands.schema(name));

  for (const command of program.commands) command.copyInheritedSettings(program).exitOverride();
  return program;
}
