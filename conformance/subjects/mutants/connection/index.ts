import { mutant, type Mutant } from '../mutant.ts';
import { around, connecting } from '../plant.ts';
import { attemptMutants } from './attempts.ts';
import { buildWith } from './environment-aside.ts';
import { outageMutants } from './outages.ts';

/** The mutants of `connection`. */
export const connectionMutants: readonly Mutant[] = [
  mutant('CONNECTION-001', 'waits-for-a-connection', {
    kind: 'adapter', neighbours: ['CONNECTION-013'],
    create: () => around((inner) => ({
      async call(request) {
        const reply = await inner.call(request);
        return reply.outcome === 'failed' && reply.executed === 'no' ? new Promise(() => undefined) : reply;
      },
    })),
  }),
  mutant('CONNECTION-002', 'keeps-reasons-to-itself', {
    kind: 'adapter', neighbours: ['CONNECTION-011', 'CONNECTION-016', 'CONNECTION-018', 'CONNECTION-020'],
    create: () => around((inner) => ({
      open: async (request) => ({ servers: (await inner.open(request)).servers.map(({ name, status }) => ({ name, status, message: 'connection failed' })) }),
      onNotification: (listener) => inner.onNotification((told) => {
        if (told.type !== 'log') listener(told);
      }),
    })),
  }),
  mutant('CONNECTION-003', 'redacts-nothing', { kind: 'wire', create: () => connecting(buildWith) }),
  ...attemptMutants,
  ...outageMutants,
];
