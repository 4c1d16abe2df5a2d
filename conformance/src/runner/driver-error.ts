/**
 * Errors of the way to the subject, apart from verdicts: what they say, and which runs they cost.
 */
import type { AdapterErrorCode } from '../adapter/bridge-adapter.ts';
import type { RunName } from './suite-settings.ts';

/** What an error may be: those of an adapter that cost a verdict, and the suite's own. */
export const DRIVER_ERROR_CODES = [
  'unsupported', 'invalid-reply', 'driver-error', 'driver-exited', 'driver-hung', 'given-up', 'misuse', 'suite', 'not-tried',
] as const satisfies readonly (AdapterErrorCode | 'suite' | 'not-tried')[];

/** What is known of a run that an error cost while it was under way. */
export interface LostRun extends RunName {
  /** The last that was asked of the bridge, or sent to it by a server, in words. */
  readonly stimulus?: string;
  /** Saved histories, relative to the reports folder. */
  readonly histories?: readonly string[];
  /** One command that makes the run again. */
  readonly replay: string;
  /** All of that with a trace, ready to print. */
  readonly text: string;
}

/** One error. With one of them there is no certificate (exit code 2), and of the runs that it cost no verdict. */
export interface DriverError {
  /** `suite`: the suite's own process, or vitest; `not-tried`: what was left when the time was over or no more was tried. */
  readonly code: (typeof DRIVER_ERROR_CODES)[number];
  readonly message: string;
  /** The runs that it cost; none for an error that belongs to no run. */
  readonly runs: readonly RunName[];
  /** Of those runs, the ones that had begun. */
  readonly lost?: readonly LostRun[];
}

/** Collects errors; one that is the same in many runs is told once. */
export class DriverErrors {
  readonly #byText = new Map<string, { readonly code: DriverError['code']; readonly message: string; readonly runs: RunName[]; lost?: LostRun[] }>();

  /** Adds one, for these runs. */
  add(code: DriverError['code'], message: string, ...runs: readonly RunName[]): void {
    const key = `${code} ${message}`;
    const known = this.#byText.get(key);
    if (known === undefined) this.#byText.set(key, { code, message, runs: [...runs] });
    else known.runs.push(...runs);
  }

  /** Adds what is known of a run that an error cost, to that error. */
  addLost(code: DriverError['code'], message: string, { check, target, ...known }: LostRun): void {
    this.add(code, message, { check, target });
    const error = this.#byText.get(`${code} ${message}`);
    if (error !== undefined) (error.lost ??= []).push({ check, target, ...known });
  }

  /** All, in the order in which they came first. */
  get all(): readonly DriverError[] {
    return [...this.#byText.values()];
  }

  /** Every run that one of them cost. */
  get runs(): readonly RunName[] {
    return this.all.flatMap(({ runs }) => runs);
  }
}

/** One error in one line: the first run that it cost, how many more, and the message. */
export function driverErrorText({ message, runs }: DriverError): string {
  const [first, ...more] = runs;
  if (first === undefined) return message;
  const name = first.target === 'fixture' ? first.check : `${first.check} on ${first.target}`;
  return `${name}${more.length > 0 ? ` and ${more.length} more` : ''}: ${message}`;
}

/** Whether two names mean the same run. */
export function sameRun(one: RunName, other: RunName): boolean {
  return one.check === other.check && one.target === other.target;
}
