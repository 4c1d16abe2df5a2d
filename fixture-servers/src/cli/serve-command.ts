import type { Command } from 'commander';
import type { Commands } from './program.ts';
import type { ServeFlags } from './serve.ts';

/** Adds `serve`. */
export function registerServe(program: Command, commands: Pick<Commands, 'serve'>): void {
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
}
