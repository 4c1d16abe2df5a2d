import type { RunSummary } from '../runner/result.ts';
import { subjectArguments } from './subject.ts';

/** The command that replays one run with the command line. */
export function replayCommand(run: Pick<RunSummary, 'check' | 'target' | 'seed' | 'path'>, subject: string): string {
  const path = run.path === undefined ? '' : ` --path ${run.path}`;
  const target = run.target === 'fixture' ? '' : ` --target ${run.target}`;
  return `npx mcp-bridge-conformance replay ${run.check} ${subjectArguments(subject)} --seed ${run.seed}${path}${target}`;
}

/** The command that runs a case file. */
export function caseCommand(file: string, subject: string): string {
  return `npx mcp-bridge-conformance replay ${file} ${subjectArguments(subject)}`;
}
