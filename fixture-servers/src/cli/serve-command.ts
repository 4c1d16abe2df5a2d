import type { Command } from 'commander';
import type { Commands } from './program.ts';
import type { ServeFlags } from './serve.ts';

/** Adds `serve`. */
export function registerServe(program: Command, commands: Pick<Commands, 'serve'>): void {
  program
    .command('serve')
    .description(
      'Serve a scenario, or one server of a case, on stdin and stdout; with --http all servers of all sources over ' +
      'Streamable HTTP, in one process, whose URLs are printed. A server that its case has over HTTP needs no --http.',
    )
    .argument('<source...>', 'scenario or case files, or names of cases of the library; one of them on stdio')
    .option('--server <name>', 'which server of a case')
    .option('--http', 'over Streamable HTTP')
    .option('--port <n>', 'with --http: the port (default: any free one)')
    .option('--host <address>', 'with --http: the address to listen on (default: 127.0.0.1)')
    .option('--control <address>', 'dial this controller: host:port, or the path of a Unix socket')
    .option('--secret <text>', 'what the controller expects to hear first')
    .option('--run <folder>', 'count incarnations in this folder, across processes')
    .option('--trace <file>', 'append the trace to this file, as JSON lines')
    .option('--tools-from <trace>', 'the trace whose tools stand where a scenario says `fromTrace`')
    .action((sources: string[], flags: ServeFlags) => commands.serve(sources, flags));
}
