import type { ConformanceMeta } from '../runner/describe.ts';
import type { SuiteSettings } from '../runner/suite-settings.ts';

/** What the process of a round is asked to run. */
export interface RoundTask {
  readonly settings: SuiteSettings;
  /** Suite files by area. */
  readonly areas: readonly string[];
  /** Processes at once. */
  readonly workers: number;
}

/** What it tells while it runs. Plain JSON: it crosses a process border. */
export type RoundNews =
  | { readonly kind: 'began'; readonly name: string }
  /** `message` is vitest's, of a test that ended without a result of its own. */
  | { readonly kind: 'ended'; readonly meta?: ConformanceMeta; readonly message?: string }
  | { readonly kind: 'area'; readonly area: string; readonly durationMs: number; readonly errors: readonly string[] }
  /** The last: the errors inside workers that nobody handled, in the order in which they came. */
  | { readonly kind: 'over'; readonly unhandled: readonly string[] };
