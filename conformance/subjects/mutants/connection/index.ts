import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';
import { attemptMutants } from './attempts.ts';
import { aside } from './environment-aside.ts';
import { outageMutants } from './outages.ts';

/** The mutants of `connection`. */
export const connectionMutants: readonly Mutant[] = [
  mutant('CONNECTION-001', 'waits-for-a-connection', {
    kind: 'adapter',
    create: () => around((inner) => ({
      async call(request) {
        const reply = await inner.call(request);
        return reply.outcome === 'failed' && reply.executed === 'no' ? new Promise(() => undefined) : reply;
      },
    })),
  }),
  mutant('CONNECTION-002', 'keeps-reasons-to-itself', {
    kind: 'adapter',
    create: () => around((inner) => ({
      open: async (request) => ({ servers: (await inner.open(request)).servers.map(({ name, status }) => ({ name, status, message: 'connection failed' })) }),
      onNotification: (listener) => inner.onNotification((told) => {
        if (told.type !== 'log') listener(told);
      }),
    })),
  }),
  mutant('CONNECTION-003', 'redacts-nothing', { kind: 'adapter', create: () => aside(() => true) }),
  mutant('CONNECTION-003', 'goes-by-the-names', { kind: 'adapter', create: () => aside((name) => !/token|secret|key|password/i.test(name)) }),
  mutant('CONNECTION-003', 'redacts-no-headers', { kind: 'adapter', create: () => aside((name) => name.startsWith('x-')) }),
  ...attemptMutants,
  ...outageMutants,
];
