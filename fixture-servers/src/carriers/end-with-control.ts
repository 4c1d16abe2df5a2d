import type { TraceWriter } from '../trace/writer.ts';

/** The exit code of a fixture whose control channel ended or never opened. */
export const CONTROL_LOST_EXIT = 70;

/** The end of control is the end of the process and of what it started (DESIGN.md §5). */
export function endWithControl(grandchildren: readonly number[], writer: TraceWriter | undefined, reason: string | undefined): void {
  writer?.flush();
  for (const pid of grandchildren) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended before.
    }
  }
  if (reason !== undefined) process.stderr.write(`mcp-fixture-server: ${reason}\n`, () => process.exit(CONTROL_LOST_EXIT));
  setImmediate(() => process.exit(CONTROL_LOST_EXIT));
}
