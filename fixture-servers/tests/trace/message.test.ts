import { expect, it } from 'vitest';
import { withMessage } from '../../src/trace/message.ts';
import type { TraceRecord } from '../../src/trace/schema.ts';

const frame = (raw: string): TraceRecord => ({
  trace: 1, seq: 1, atMs: 1, server: 's', carrier: 'stdio', incarnation: 1, pid: 1, kind: 'frame', direction: 'server-to-client', raw, bytes: raw.length,
});

it.each([
  [1_000, true],
  [1_001, false],
  [100_000, false],
])('keeps a message of %i levels as value: %s, so that a record can always be written down', (levels, isKept) => {
  const lists = frame('['.repeat(levels) + ']'.repeat(levels));
  const objects = frame(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);
  for (const record of [lists, objects]) {
    expect('message' in withMessage(record)).toBe(isKept);
    expect(() => JSON.stringify(withMessage(record))).not.toThrow();
  }
});

it('keeps a long message that is not deep', () => {
  expect(withMessage(frame(`[${'[],'.repeat(5_000)}{"a":"${'['.repeat(5_000)}"}]`))).toHaveProperty('message.5000.a');
});
