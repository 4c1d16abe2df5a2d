import { spawn } from 'node:child_process';
import type { ServerReply } from 'mcp-bridge-conformance/adapter';
import { BridgeError, referenceStages, type OpenedSession } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { around, connecting, withStages, type Effects } from '../plant.ts';

/** The group of a child. */
const groupOf: NonNullable<Effects['control']>['treeOf'] = (_child, pid) => {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  };
  return { signal: send, isAlive: () => send(0) };
};

/** The group of a child, forgotten when its leader ends before it was asked to. */
const groupOfTheLiving: NonNullable<Effects['control']>['treeOf'] = (child, pid) => {
  const group = groupOf(child, pid);
  const known = (): boolean => (child.exitCode === null && child.signalCode === null) || child.stdin?.writableEnded === true;
  return { signal: (signal) => known() && group.signal(signal), isAlive: () => known() && group.isAlive() };
};

/** The reference that sends this signal to the group of a process at the moment when its input is to end, before it ends. */
const signalling = (signal: NodeJS.Signals): ReturnType<typeof connecting> =>
  connecting((options) => ({
    ...options,
    effects: {
      ...options.effects,
      spawn: (command, args, how) => {
        const child = spawn(command, args, how);
        const { pid, stdin } = child;
        if (pid === undefined || stdin === null) return child;
        const end = stdin.end.bind(stdin);
        const endAfterwards = (): unknown => {
          try {
            process.kill(-pid, signal);
          } catch {
            // It is gone already.
          }
          return end();
        };
        Object.defineProperty(stdin, 'end', { value: endAfterwards });
        return child;
      },
    },
  }));

/** The reference that sends SIGKILL, or nothing, where it should send SIGTERM. */
const terminatingBy = (instead: 'SIGKILL' | 'nothing'): ReturnType<typeof connecting> =>
  connecting((options) => ({
    ...options,
    effects: {
      ...options.effects,
      control: {
        spawnOptions: { detached: true },
        treeOf: (child, pid) => {
          const group = groupOf(child, pid);
          const signal: typeof group.signal = (asked) => (asked === 'SIGTERM' && instead === 'nothing' ? group.isAlive() : group.signal(asked === 'SIGTERM' ? 'SIGKILL' : asked));
          return { ...group, signal };
        },
      },
    },
  }));

/** Takes each signal for obeyed. */
const LEAVING: Effects['control'] = { spawnOptions: { detached: true }, treeOf: () => ({ signal: () => true, isAlive: () => false }) };

/** A server whose input never ends, so that it never hears of the end. */
const keepingTheInputOpen: NonNullable<Effects['spawn']> = (command, args, how) => {
  const child = spawn(command, args, how);
  const nothing = { value: () => child.stdin };
  if (child.stdin !== null) Object.defineProperties(child.stdin, { end: nothing, destroy: nothing });
  return child;
};

/** The mutants of `isolation`. */
export const isolationMutants: readonly Mutant[] = [
  mutant('ISOLATION-001', 'stops-at-the-first-bad-server', {
    kind: 'adapter',
    create: () => around((inner) => ({
      async open({ servers, ...rest }) {
        await inner.open({ ...rest, servers: [] });
        const replies = [];
        let stopped = false;
        for (const server of servers) {
          const reply: ServerReply = stopped ? { name: server.name, status: 'rejected', message: 'an earlier server failed' } : await inner.add(server);
          stopped ||= reply.status !== 'ready';
          replies.push(reply);
        }
        return { servers: replies };
      },
    })),
  }),
  mutant('ISOLATION-002', 'closes-all-when-one-dies', {
    kind: 'stage',
    create: () => withStages(() => {
      const sessions = new Set<OpenedSession>();
      return {
        async openSession(options) {
          const session = await referenceStages.openSession(options);
          sessions.add(session);
          return session;
        },
        async callTool(input, stages) {
          try {
            return await referenceStages.callTool(input, stages);
          } catch (error) {
            if (error instanceof BridgeError && error.code === 'connection-lost') for (const session of sessions) void session.close();
            throw error;
          }
        },
      };
    }),
  }),
  mutant('ISOLATION-003', 'kills-the-leader-only', {
    kind: 'wire',
    create: () => connecting((options) => ({
      ...options,
      effects: {
        ...options.effects,
        control: {
          spawnOptions: { detached: false },
          treeOf: (child) => ({ signal: (signal) => child.kill(signal), isAlive: () => child.exitCode === null && child.signalCode === null }),
        },
      },
    })),
  }),
  mutant('ISOLATION-003', 'asks-and-leaves', {
    kind: 'wire',
    create: () => connecting((options) => ({ ...options, effects: { ...options.effects, control: LEAVING } })),
  }),
  mutant('ISOLATION-003', 'says-nothing-and-leaves', {
    kind: 'wire',
    create: () => connecting((options) => ({ ...options, effects: { ...options.effects, control: LEAVING, spawn: keepingTheInputOpen } })),
  }),
  mutant('ISOLATION-003', 'forgets-the-helpers-of-the-dead', {
    kind: 'wire',
    create: () => connecting((options) => ({
      ...options,
      effects: { ...options.effects, control: { spawnOptions: { detached: true }, treeOf: groupOfTheLiving } },
    })),
  }),
  mutant('ISOLATION-004', 'kills-at-once', { kind: 'wire', create: () => signalling('SIGKILL') }),
  mutant('ISOLATION-004', 'terminates-at-once', { kind: 'wire', create: () => signalling('SIGTERM') }),
  mutant('ISOLATION-005', 'kills-what-stays', { kind: 'wire', create: () => terminatingBy('SIGKILL') }),
  mutant('ISOLATION-005', 'waits-and-kills', { kind: 'wire', create: () => terminatingBy('nothing') }),
];
