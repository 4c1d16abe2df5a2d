import type { RunSummary } from '../runner/result.ts';

/** The command that replays one run with the command line. */
export function replayCommand(run: RunSummary, subject: string): string {
  const path = run.path === undefined ? '' : ` --path ${run.path}`;
  const target = run.target === 'fixture' ? '' : ` --target ${run.target}`;
  return `npx mcp-bridge-conformance replay ${run.check} --subject ${subject} --seed ${run.seed}${path}${target}`;
}
