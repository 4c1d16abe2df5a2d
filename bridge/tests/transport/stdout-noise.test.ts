import { expect, it } from 'vitest';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { StdoutNoise } from '../../src/transport/stdout-noise.ts';

it('remembers the last line, without secrets, also when nothing more is reported in this second (B06, B08, B18)', () => {
  const reported: string[] = [];
  const reports = new ReportLimiter((_level, text) => reported.push(text), 1, () => 0);
  const noise = new StdoutNoise({ maxLineBytes: 100, redact: createRedactor({ API_KEY: 'canary' }), reports });
  expect(noise.lastWords()).toBe('');
  noise.add(Buffer.from('first'));
  noise.add(Buffer.from('no canary here'));
  expect(reported).toEqual(['skipped a line on stdout that is no JSON-RPC message: "first"']);
  expect(noise.lastWords()).toBe('no [redacted] here');
  noise.forget();
  expect(noise.lastWords()).toBe('');
});

it('reports as a warning, from an allowance of its own, and marks a line that it cut (B01, B08)', () => {
  const reported: string[] = [];
  let now = 0;
  const reports = new ReportLimiter((level, text) => reported.push(`${level} ${text.replace(/^[^"]*: /, '')}`), 2, () => now);
  for (let n = 0; n < 3; n += 1) reports.report('stderr', 'debug', 'x');
  const noise = new StdoutNoise({ maxLineBytes: 8, redact: createRedactor(), reports });
  noise.add(Buffer.from('12345678'));
  noise.add(Buffer.from('123456789'));
  noise.add(Buffer.from('one too many'));
  now = 1_000;
  noise.add(Buffer.from('last'));
  expect(noise.count).toBe(4);
  expect(reported.slice(2)).toEqual(['warn "12345678"', 'warn "12345678…"', 'debug 1 more noise reports were left out', 'warn "last"']);
});
