/** The first difference of two plain values, for messages. */
import { quoted } from './problems.ts';

/** Where two values of JSON differ, what was there and what is; `undefined` when they do not. The order of keys is no difference. */
export function differenceOf(before: unknown, now: unknown, path = ''): string | undefined {
  if (Object.is(before, now)) return undefined;
  if (!isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) {
    return `${path === '' ? '(the whole)' : path} was ${quoted(before)}, is ${quoted(now)}`;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const found = differenceOf(before[key], now[key], path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
