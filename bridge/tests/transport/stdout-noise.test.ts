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
