import type { Command } from 'commander';
import type { FromTraceFlags } from './from-trace.ts';
import type { RecordFlags } from './record.ts';
import type { ReplayFlags } from './replay.ts';
import type { ScrubFlags } from './scrub.ts';
import type { ShowFlags } from './show.ts';

/** What the commands about traces do. */
export interface TraceCommands {
  show(file: string, flags: ShowFlags): Promise<void>;
  record(command: readonly string[], flags: RecordFlags): Promise<void>;
  scrub(file: string, flags: ScrubFlags): Promise<void>;
  replay(file: string, flags: ReplayFlags): Promise<void>;
  fromTrace(file: string, flags: FromTraceFlags): Promise<void>;
}

const each = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value];

/** Adds `record`, `scrub`, `show`, `replay` and `from-trace`. */
export function registerTraceCommands(program: Command, commands: TraceCommands): void {
  program
    .command('record')
    .description('Stand in for a server, pass every byte on, and write a trace.')
    .usage('[options] -- <command> [args...]\n       mcp-fixture-server record [options] --http <url>')
    .argument('[command...]', 'the server, as it stands in the configuration of its client')
    .option('--http <url>', 'instead of a command: stand in for this Streamable HTTP server, and print where')
    .option('--out <file>', 'where the trace goes, appended (default: <server>-<time>-<pid>.trace.jsonl here)')
    .option('--name <name>', 'what the server is called in the trace (default: made from the command)')
    .option('--run <folder>', 'count incarnations in this folder, across processes')
    .option('--max-bytes <n>', 'the largest trace; past it the traffic goes on, unrecorded', '268435456')
    .option('--port <n>', 'with --http: the port on 127.0.0.1 (default: any free one)')
    .passThroughOptions()
    .action((command: string[], flags: RecordFlags) => commands.record(command, flags));

  program
    .command('scrub')
    .description('Remove secrets from a trace; list what was removed, never the value.')
    .argument('<trace>', 'a trace file')
    .requiredOption('-o, --out <file>', 'where the scrubbed trace goes')
    .option('--key <name>', 'members, headers and variables of this name too; may be repeated', each)
    .option('--pattern <regex>', 'text that matches too (RE2 syntax); may be repeated', each)
    .action((file: string, flags: ScrubFlags) => commands.scrub(file, flags));

  program
    .command('show')
    .description('Draw a trace as a sequence diagram, and name what was never answered.')
    .argument('<trace>', 'a trace file')
    .option('--server <name>', 'only this server')
    .option('--width <columns>', 'how wide (default: the terminal, else 100)')
    .action((file: string, flags: ShowFlags) => commands.show(file, flags));

  program
    .command('replay')
    .description('Answer a client from a trace, on stdin and stdout.')
    .argument('<trace>', 'a trace file')
    .option('--server <name>', 'which server of the trace')
    .option('--run <folder>', 'count incarnations in this folder: the n-th process replays the n-th of the trace')
    .option('--http', 'over Streamable HTTP on 127.0.0.1, and print where')
    .option('--port <n>', 'with --http: the port (default: any free one)')
    .action((file: string, flags: ReplayFlags) => commands.replay(file, flags));

  program
    .command('from-trace')
    .description('Write the scenario that shows the traffic of a trace, to edit.')
    .argument('<trace>', 'a trace file')
    .option('--server <name>', 'which server of the trace')
    .option('-o, --out <file>', 'where the scenario goes (default: stdout)')
    .action((file: string, flags: FromTraceFlags) => commands.fromTrace(file, flags));
}
