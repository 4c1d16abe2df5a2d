/** A certification that finds one recommendation broken. */
import { subject, type CommandLine } from './command-line.ts';
import type { Ended } from './run-program.ts';

/** Breaks one recommendation. */
const MUTANT = 'CALL-002/omits-empty-arguments';

/** What is asked for: the recommendation, and an invariant that holds. */
export const ONLY = ['--only', 'CALL-002,NAMING-009'];

/** Certifies the mutant. */
export function certifyMutant(line: CommandLine, ...args: readonly string[]): Promise<Ended> {
  return line.run(['certify', '--subject', subject('mutant'), ...ONLY, ...args], { env: { MUTANT } });
}
