/**
 * Reads the values of options; what is wrong is told in one line with the fix.
 */
import { InvalidArgumentError } from 'commander';
import { LEVELS, type Level } from '../adapter/messages.ts';
import type { Target } from '../checks/check.ts';

/** What a check may be run against. */
export const TARGETS: readonly Target[] = ['fixture', 'server-everything', 'server-filesystem', 'sdk-http'];
/** fast-check takes 32-bit seeds. */
const MAX_SEED = 0x7fffffff;

/** `--seed`. */
export function readSeed(text: string): number {
  const seed = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(seed) <= MAX_SEED) return seed;
  throw new InvalidArgumentError(`give a whole number between -${MAX_SEED} and ${MAX_SEED}.`);
}

/** `--level`: one or more, separated by commas. */
export function readLevels(text: string): Level[] {
  return text.split(',').map((word) => {
    const level = LEVELS.find((known) => known === word.trim());
    if (level === undefined) throw new InvalidArgumentError(`give one or more of ${LEVELS.join(', ')}, separated by commas.`);
    return level;
  });
}

/** `--target`. */
export function readTarget(text: string): Target {
  const target = TARGETS.find((known) => known === text);
  if (target === undefined) throw new InvalidArgumentError(`give one of ${TARGETS.join(', ')}.`);
  return target;
}

/** `--path`: fast-check's, numbers separated by colons. */
export function readPath(text: string): string {
  if (/^\d+(:\d+)*$/.test(text)) return text;
  throw new InvalidArgumentError('give the path as it was printed, numbers separated by colons, such as 12:0:3.');
}

/** `--timeout`, in seconds: up to a day. */
export function readTimeout(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('give a whole number of seconds, from 1 to 86400.');
}

/** `--workers`. */
export function readWorkers(text: string): number {
  const workers = Number(text);
  if (/^\d+$/.test(text) && workers >= 1 && workers <= 64) return workers;
  throw new InvalidArgumentError('give a whole number from 1 to 64.');
}

/** `--only`: may be given several times, each time one or several with commas between. */
export function collect(text: string, previous: readonly string[] = []): string[] {
  const words = text.split(',').map((word) => word.trim()).filter((word) => word !== '');
  if (words.length === 0) throw new InvalidArgumentError('--only is empty; name areas, invariants or checks, or leave it out.');
  return [...previous, ...words];
}
