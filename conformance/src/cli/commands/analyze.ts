import type { Command } from 'commander';
import { analyze } from '../analyze.ts';
import type { CommandContext } from './context.ts';

/** `analyze`. */
export function registerAnalyze(program: Command, { out, exit }: CommandContext): void {
  program.command('analyze')
    .argument('[reports]', 'the folder that certify wrote, or the report.json in it', 'reports')
    .description('judges a saved certification again with the judges of today, starting nothing, and says what differs')
    .exitOverride()
    .action(async (reports: string) => exit(await analyze(reports, out)));
}
