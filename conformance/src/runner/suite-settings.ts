/**
 * What the command line hands to the suite files that vitest runs for it. Plain JSON: it crosses a process border.
 */
import type { Level, SubjectDescription } from '../adapter/messages.ts';
import type { Target } from '../checks/check.ts';
import type { RunStamp } from '../reporters/save-run.ts';
import type { SubjectWay } from './subject-way.ts';

/** Names one run: a check against a target. */
export interface RunName {
  readonly check: string;
  readonly target: Target;
}

/** The settings of one certification. */
export interface SuiteSettings {
  /** How the subject is reached. */
  readonly way: SubjectWay;
  /** The subject as the command line named it. */
  readonly subject: string;
  /** Who it said to be when it was met: it says so in each process. */
  readonly described?: SubjectDescription;
  readonly seed: number;
  readonly reportsDir: string;
  readonly levels?: readonly Level[];
  readonly only?: readonly string[];
  readonly targets?: readonly Target[];
  readonly path?: string;
  /** Runs that are not to be made: an earlier round has made them. */
  readonly except?: readonly RunName[];
  /** Where workers note which run they are in, so that a worker that dies leaves word. */
  readonly notesDir: string;
  /** Milliseconds that a subject may keep its worker from coming back to the event loop; then the worker is killed. */
  readonly blockedMs: number;
  /** The certification for which whole runs are saved. */
  readonly saveRuns?: RunStamp;
}

declare module 'vitest' {
  interface ProvidedContext {
    bridgeConformance: SuiteSettings;
  }
}
