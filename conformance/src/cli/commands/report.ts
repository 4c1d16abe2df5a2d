import { Option, type Command } from 'commander';
import { FORMATS, printReport, type ReportFormat } from '../report.ts';
import type { CommandContext } from './context.ts';

interface ReportWords {
  readonly format: ReportFormat;
  readonly output?: string;
}

/** `report`. */
export function registerReport(program: Command, { out, exit }: CommandContext): void {
  program.command('report')
    .argument('[report]', 'the report.json that certify wrote, or its folder', 'reports')
    .description('prints a saved report: for an issue as Markdown, for a CI as JUnit XML')
    .addOption(new Option('--format <format>', 'how').choices(FORMATS).default('markdown'))
    .option('-o, --output <file>', 'writes it there')
    .exitOverride()
    .action(async (report: string, { format, output }: ReportWords) => {
      await printReport(report, format, output, out);
      exit(0);
    });
}
