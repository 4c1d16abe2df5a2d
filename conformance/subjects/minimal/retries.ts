/** How often and how soon a lost server is started again: the option `reconnect` of an entry. */
import { isObject } from './json.ts';

/** Milliseconds, and how many attempts one outage has. */
export interface Retries {
  readonly enabled: boolean;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxAttempts: number;
}

/** Reads the option; what is missing or no positive number has its default. */
export function retriesOf(options: Readonly<Record<string, unknown>> | undefined): Retries {
  const given = isObject(options?.['reconnect']) ? options['reconnect'] : {};
  const positive = (name: string, otherwise: number): number => {
    const value = given[name];
    return typeof value === 'number' && value > 0 && value < 2 ** 31 ? value : otherwise;
  };
  return {
    enabled: given['enabled'] !== false,
    initialDelayMs: positive('initialDelayMs', 100), maxDelayMs: positive('maxDelayMs', 2_000), maxAttempts: positive('maxAttempts', 8),
  };
}
