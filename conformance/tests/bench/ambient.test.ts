import { expect, it, onTestFinished } from 'vitest';
import { AMBIENT_CANARIES, ambientOf, enterAmbient } from '../../src/bench/ambient.ts';

const AUTHORITIES = { NODE_EXTRA_CA_CERTS: '/nowhere/authorities.pem' };

it('gives a subject what was there, the canaries, and no certificates to read at each start of a server', () => {
  expect(ambientOf({ PATH: '/bin', ...AUTHORITIES })).toEqual({ PATH: '/bin', ...AMBIENT_CANARIES });
});

it('makes the process of a subject within it the same', () => {
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  Object.assign(process.env, AUTHORITIES);
  enterAmbient();
  expect(process.env).toMatchObject(AMBIENT_CANARIES);
  expect(process.env).not.toHaveProperty('NODE_EXTRA_CA_CERTS');
  expect(process.env['PATH']).toBe(before['PATH']);
});
