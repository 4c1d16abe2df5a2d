import { UsageError } from './usage-error.ts';

/** A whole number from 1 given as an option. @throws UsageError */
export function positive(option: string, text: string, max: number = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new UsageError(`${option} ${text} is no whole number from 1${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`, `give ${option} such a number`);
}
