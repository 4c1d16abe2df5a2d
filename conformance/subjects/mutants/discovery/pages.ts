/** Defects in reading pages. */
import { referenceStages, type BridgeStages, type Session } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';

type Drain = BridgeStages['drainTools'];

/** One page at a time, and what a defect makes of it. */
interface Step {
  readonly page: readonly unknown[];
  readonly next: string | undefined;
  readonly followed: ReadonlySet<string>;
  /** Whether the page brought a tool that no earlier page had. */
  readonly isNew: boolean;
}

/** Reads pages without any guard of the reference's; `ends` says where the listing is over, or throws. */
const unguarded = (ends: (step: Step) => boolean): Drain => async (_server, session, limits) => {
  const tools: unknown[] = [];
  const followed = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await session.listToolsPage(cursor, { timeoutMs: limits.discoveryTimeoutMs, signal: limits.signal });
    const isNew = page.tools.some((tool) => !tools.some((other) => nameOf(other) === nameOf(tool)));
    tools.push(...page.tools);
    if (page.nextCursor === undefined || ends({ page: page.tools, next: page.nextCursor, followed, isNew })) return tools;
    followed.add(page.nextCursor);
    cursor = page.nextCursor;
  }
};

/** The reference that reads so. */
const reading = (ends: (step: Step) => boolean): ReturnType<typeof withStages> => withStages(() => ({ drainTools: unguarded(ends) }));

/** Who waits is told that there are no tools when nothing new comes; what is waited for goes on. */
const unstopped: Drain = (server, session, limits) =>
  new Promise((resolve, reject) => {
    const goesOn = ({ next, followed, isNew }: Step): boolean => {
      if (next !== undefined && followed.has(next) && !isNew) resolve([]);
      return false;
    };
    unguarded(goesOn)(server, session, limits).then(resolve, reject);
  });

/** The reference's reading, with another result. */
const afterwards = (change: (tools: readonly unknown[]) => readonly unknown[]): ReturnType<typeof withStages> =>
  withStages(() => ({ drainTools: async (...args: Parameters<Drain>) => change(await referenceStages.drainTools(...args)) }));

/** Remembers what came when the reference gives up. */
const keepingParts: Drain = async (server, session, limits) => {
  const seen: unknown[] = [];
  const watched: Session = {
    get isOpen() {
      return session.isOpen;
    },
    closed: session.closed,
    callTool: (rawName, args, callLimits) => session.callTool(rawName, args, callLimits),
    close: () => session.close(),
    listToolsPage: async (cursor, pageLimits) => {
      const page = await session.listToolsPage(cursor, pageLimits);
      seen.push(...page.tools);
      return page;
    },
  };
  try {
    return await referenceStages.drainTools(server, watched, limits);
  } catch {
    // Once each, or the list would be void for another reason.
    return seen.filter((tool, at) => seen.findIndex((other) => JSON.stringify(other) === JSON.stringify(tool)) === at);
  }
};

function nameOf(tool: unknown): string {
  return typeof tool === 'object' && tool !== null && 'name' in tool ? String(tool.name) : '';
}

/** See the names. */
export const pageMutants: readonly Mutant[] = [
  mutant('DISCOVERY-001', 'reads-one-page', { kind: 'stage', create: () => reading(() => true) }),
  mutant('DISCOVERY-001', 'sorts-by-name', {
    kind: 'stage',
    create: () => afterwards((tools) => [...tools].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))),
  }),
  mutant('DISCOVERY-002', 'trims-cursors', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        drainTools: (server, session, limits) =>
          referenceStages.drainTools(server, {
            get isOpen() {
              return session.isOpen;
            },
            closed: session.closed,
            callTool: (rawName, args, callLimits) => session.callTool(rawName, args, callLimits),
            close: () => session.close(),
            listToolsPage: (cursor, pageLimits) => session.listToolsPage(cursor?.trim(), pageLimits),
          }, limits),
      })),
  }),
  mutant('DISCOVERY-003', 'follows-for-ever', { kind: 'stage', create: () => reading(() => false) }),
  mutant('DISCOVERY-003', 'gives-up-the-wait-alone', { kind: 'stage', create: () => withStages(() => ({ drainTools: unstopped })) }),
  mutant('DISCOVERY-004', 'takes-what-came', { kind: 'stage', create: () => withStages(() => ({ drainTools: keepingParts })) }),
  mutant('DISCOVERY-005', 'gives-up-at-a-repetition', {
    kind: 'stage',
    create: () => reading(({ next, followed }) => {
      if (next !== undefined && followed.has(next)) throw new Error('the cursor repeats');
      return false;
    }),
  }),
  mutant('DISCOVERY-011', 'stops-at-an-empty-page', { kind: 'stage', create: () => reading(({ page, isNew }) => page.length === 0 || !isNew) }),
];
