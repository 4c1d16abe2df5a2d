/** Defects in what becomes of announcements. */
import { referenceStages, type BridgeStages, type Coalescer, type CoalescerOptions, type OpenedSession } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';

/** What a defect does with one notice. */
type OnNotice = (options: CoalescerOptions) => { notice(): void; idle(): Promise<unknown> };

/** A coalescer that waits for nothing, holds back as it is told, and leaves each notice to the defect. */
const noticing = (make: OnNotice): ReturnType<typeof withStages> =>
  withStages(() => ({
    createCoalescer: (options): Coalescer => {
      const inner = make(options);
      let held = true;
      let waiting = false;
      let stopped = false;
      return {
        notice() {
          if (stopped) return;
          if (held) waiting = true;
          else inner.notice();
        },
        release() {
          held = false;
          if (waiting && !stopped) inner.notice();
          waiting = false;
        },
        hold() {
          held = true;
        },
        async stop() {
          stopped = true;
          await inner.idle();
        },
      };
    },
  }));

/** A notice that comes during a listing is taken for that listing's own. */
const deaf: OnNotice = ({ refresh }) => {
  let running: Promise<unknown> | undefined;
  return {
    notice() {
      running ??= refresh().finally(() => (running = undefined));
    },
    idle: async () => running,
  };
};

/** One listing at a time, and the next at once when there was a notice meanwhile. */
const restless: OnNotice = ({ refresh }) => {
  let running: Promise<unknown> | undefined;
  let dirty = false;
  const run = async (): Promise<void> => {
    do {
      dirty = false;
      await refresh();
    } while (dirty);
    running = undefined;
  };
  return {
    notice() {
      dirty = true;
      running ??= run();
    },
    idle: async () => {
      dirty = false;
      await running;
    },
  };
};

/** Reads the list twice side by side, as two syncs do that do not know of each other. */
const twice: BridgeStages['drainTools'] = async (...args) => {
  const [first] = await Promise.all([referenceStages.drainTools(...args), referenceStages.drainTools(...args)]);
  return first;
};

/** Reads the list once more with each time that it was read before, as listeners do that are added again and again. */
const oftener = (): ReturnType<typeof withStages> =>
  withStages(() => {
    const read = new Map<string, number>();
    return {
      drainTools: async (server, session, limits) => {
        const before = read.get(server) ?? 0;
        read.set(server, before + 1);
        for (let extra = 0; extra < before; extra += 1) await referenceStages.drainTools(server, session, limits);
        return referenceStages.drainTools(server, session, limits);
      },
    };
  });

/** A notice that comes while three calls run or more is forgotten. */
const deafWhileCalled = (): ReturnType<typeof withStages> =>
  withStages(() => {
    let running = 0;
    return {
      createCoalescer: (options) => {
        const inner = referenceStages.createCoalescer(options);
        return { notice: () => (running < 3 ? inner.notice() : undefined), release: () => inner.release(), hold: () => inner.hold(), stop: () => inner.stop() };
      },
      async callTool(input, stages) {
        running += 1;
        try {
          return await referenceStages.callTool(input, stages);
        } finally {
          running -= 1;
        }
      },
    };
  });

/** Milliseconds for a listing that nobody waits for. */
const LISTING_MS = 10_000;

/** Asks for the list at each notice, beside what the reference does. */
const listingAtOnce: BridgeStages['openSession'] = async (options) => {
  let session: OpenedSession | undefined;
  const onToolListChanged = (): void => {
    void session?.listToolsPage(undefined, { timeoutMs: LISTING_MS }).catch(() => undefined);
    options.listeners.onToolListChanged();
  };
  session = await referenceStages.openSession({ ...options, listeners: { onToolListChanged, onDiagnostic: (level, message) => options.listeners.onDiagnostic(level, message) } });
  return session;
};

/** See the names. */
export const noticeMutants: readonly Mutant[] = [
  mutant('GENERATION-001', 'deaf-while-called', { kind: 'stage', create: () => deafWhileCalled() }),
  mutant('GENERATION-007', 'deaf-while-listing', { kind: 'stage', create: () => noticing(deaf) }),
  mutant('GENERATION-008', 'lists-twice-at-once', { kind: 'stage', create: () => withStages(() => ({ drainTools: twice })) }),
  mutant('GENERATION-009', 'a-listing-for-each-notice', { kind: 'stage', create: () => withStages(() => ({ openSession: listingAtOnce })) }),
  mutant('GENERATION-014', 'one-more-each-time', { kind: 'stage', create: oftener }),
  mutant('GENERATION-010', 'never-rests', { kind: 'stage', create: () => noticing(restless) }),
];
