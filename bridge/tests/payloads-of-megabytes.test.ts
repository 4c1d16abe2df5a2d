/** What only size shows. Mutation testing leaves this file out: it counts each step, and these are many millions. */
import { expect, it } from 'vitest';
import { collectPayloads, structuredText, withoutPayloads } from '../src/payloads.ts';

const data = Buffer.from(Array.from({ length: 301 }, (_, index) => (index * 37 + 251) % 256)).toString('base64');

/** Coverage counts each step too. */
const PATIENT = { timeout: 180_000 };

it.each([1, 12])('frees text of %i MB in one unbroken run, in structured content too, without an overflow (S46, B27)', PATIENT, (megabytes) => {
  const run = 'QUJD'.repeat((megabytes * 1024 * 1024) / 4);
  expect(structuredText({ note: `x ${run} y`, [run]: 1 }) === '{"note":"x [payload left out] y","[payload left out] 2":1}').toBe(true);
  expect(withoutPayloads(`x ${run} y`, collectPayloads([{ type: 'image', data: run }]))).toBe('x [payload left out] y');
});

it('looks for a payload in texts of any length', PATIENT, () => {
  const long = '\n'.repeat(16_000_000);
  expect(withoutPayloads(`${long}${data.replaceAll('/', '\\/')}`, collectPayloads([{ type: 'image', data }])) === `${long}[payload left out]`).toBe(true);
});

it('costs no more than its length, whatever it is made of (B01)', PATIENT, () => {
  const hostile = ['\\', '\n', 'A'.repeat(59), 'A', '\\n', '_'].map((part) => part.repeat(1_000_000 / part.length)).join(' ');
  const begun = performance.now();
  withoutPayloads(hostile, collectPayloads([{ type: 'image', data }]));
  structuredText({ hostile });
  // What grows with the square of the length takes hours.
  expect(performance.now() - begun).toBeLessThan(120_000);
});
