import type { Command } from 'commander';
import type { Commands } from './program.ts';

/** Adds `lint`, `list` and `schema`: what reads files and the library, and serves nothing. */
export function registerFileCommands(program: Command, commands: Pick<Commands, 'lint' | 'list' | 'schema'>): void {
  program
    .command('lint')
    .description('Check scenarios and cases; say line, column, what is wrong and the fix.')
    .argument('<file...>', 'scenario or case files, or names of cases of the library')
    .option('--tools-from <trace>', 'the trace whose tools stand where a file says `fromTrace`')
    .action((files: string[], flags: { toolsFrom?: string }) => commands.lint(files, flags));

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
}
