import { expect, it } from 'vitest';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';

it('passes a number of reports of each kind a second, and says how many it left out', () => {
  const seen: string[] = [];
  let now = 0;
  const limiter = new ReportLimiter((_level, message) => seen.push(message), 2, () => now);
  for (let n = 0; n < 5; n += 1) limiter.report('stderr', 'debug', `s${n}`);
  limiter.report('noise', 'warn', 'n0');
  expect(seen).toEqual(['s0', 's1', 'n0']);
  now = 1_000;
  limiter.report('stderr', 'debug', 's5');
  expect(seen.slice(3)).toEqual(['3 more stderr reports were left out', 's5']);
});

it('counts what nobody made a report of, and not what was only thought of', () => {
  const seen: string[] = [];
  let now = 0;
  const limiter = new ReportLimiter((_level, message) => seen.push(message), 1, () => now);
  expect(limiter.isOpen('stderr')).toBe(true);
  limiter.report('stderr', 'debug', 's0');
  expect([limiter.isOpen('stderr'), limiter.isOpen('stderr'), limiter.isOpen('noise')]).toEqual([false, false, true]);
  limiter.leaveOut('stderr', 7);
  now = 1_000;
  expect(limiter.isOpen('stderr')).toBe(true);
  expect(seen).toEqual(['s0', '7 more stderr reports were left out']);
});

it('counts a second from the first report, and says nothing where nothing was left out', () => {
  const seen: string[] = [];
  let now = 50_000;
  const limiter = new ReportLimiter((level, message) => seen.push(`${level} ${message}`), 1, () => now);
  limiter.report('noise', 'warn', 'a');
  now += 1_000;
  limiter.report('noise', 'warn', 'b');
  now += 999;
  limiter.report('noise', 'warn', 'c');
  now += 1;
  limiter.report('noise', 'warn', 'd');
  expect(seen).toEqual(['warn a', 'warn b', 'debug 1 more noise reports were left out', 'warn d']);
});
