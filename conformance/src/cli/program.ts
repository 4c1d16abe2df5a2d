/**
 * The command line: its commands, each in a file of its own in `commands/`.
 */
import { Command } from 'commander';
import { registerAnalyze } from './commands/analyze.ts';
import { registerCertify } from './commands/certify.ts';
import { registerList } from './commands/list.ts';
import { registerReplay } from './commands/replay.ts';
import { registerReport } from './commands/report.ts';
import { registerSmoke } from './commands/smoke.ts';
import { suitePackage } from './package-paths.ts';
import type { Output } from './progress.ts';

/** Builds the program; `exit` is told the exit code of the command that ran. */
export function buildProgram(out: Output, exit: (code: number) => void): Command {
  const program = new Command('mcp-bridge-conformance')
    .description('Certifies a bridge between MCP servers and a model, and replays each failure.')
    .version(suitePackage().version)
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) })
    .exitOverride();
  for (const register of [registerCertify, registerSmoke, registerReplay, registerList, registerAnalyze, registerReport]) register(program, { out, exit });
  return program;
}

/** What commander says in several lines, a suggestion among them, as one. */
function oneLine(text: string): string {
  return `mcp-bridge-conformance: ${text.replace(/^error: /, '').trim().replace(/\s*\n\s*/g, ' ')} (see --help)`;
}
