/**
 * What the command line hands to the suite files that vitest runs for it. Plain JSON: it crosses a process border.
 */
import type { Level } from '../adapter/messages.ts';
import type { Target } from '../checks/check.ts';
import type { RunStamp } from '../reporters/save-run.ts';

/** The settings of one certification. */
export interface SuiteSettings {
  /** URL of the module that exports `createAdapter`. */
  readonly subjectUrl: string;
  /** The subject as the command line named it. */
  readonly subject: string;
  readonly seed: number;
  readonly reportsDir: string;
  readonly levels?: readonly Level[];
  readonly only?: readonly string[];
  readonly targets?: readonly Target[];
  readonly path?: string;
  /** The certification for which whole runs are saved. */
  readonly saveRuns?: RunStamp;
}

declare module 'vitest' {
  interface ProvidedContext {
    bridgeConformance: SuiteSettings;
  }
}
