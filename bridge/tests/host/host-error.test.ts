import { expect, test } from 'vitest';
import { HostError } from '../../src/host/host-error.ts';

test('an error of the host has its name, its code and its cause, and no cause where there is none', () => {
  const cause = new Error('disk full');
  expect(new HostError('store-failed', 'not written', { cause })).toMatchObject({ name: 'HostError', code: 'store-failed', message: 'not written', cause });
  expect(new HostError('route-unknown', 'no route')).not.toHaveProperty('cause');
});
