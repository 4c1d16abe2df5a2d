import { describe, expect, it } from 'vitest';
import { announceState, onEarlyDispose, STATE_EVENT } from '../src/host-events.ts';
import type { HostContext } from '../src/host-services.ts';
import type { ServerState } from '../src/server-directory.ts';

const STATE: ServerState = { serverName: 'a', state: 'ready', attempt: 0, nextDelayMs: undefined, toolCount: 1, lastError: undefined };

describe('announceState', () => {
  it('emits the state on the root (B20)', () => {
    const events: unknown[] = [];
    announceState({ emit: (...args: unknown[]) => void events.push(args) }, STATE, () => undefined);
    expect(events).toEqual([[STATE_EVENT, STATE]]);
  });

  it('keeps to itself what a listener throws, and tells it (B19)', () => {
    const faults: unknown[] = [];
    const fault = new Error('a listener is broken');
    const emit = (): never => {
      throw fault;
    };
    announceState({ emit }, STATE, (error) => faults.push(error));
    expect(faults).toEqual([fault]);
  });

  it('does without a root that emits nothing', () => {
    const faults: unknown[] = [];
    announceState({}, STATE, (error) => faults.push(error));
    expect(faults).toEqual([]);
  });
});

describe('onEarlyDispose', () => {
  const base: HostContext = { root: {}, tools: { register: () => () => undefined }, get: () => undefined, effect: () => undefined };

  it('calls back for the end of its own fiber only, and only for an end', () => {
    const listeners: ((fiber: unknown) => void)[] = [];
    const events: string[] = [];
    const fiber: { uid: number | null } = { uid: 1 };
    let calls = 0;
    const on = (event: string, listener: (fiber: unknown) => void): void => {
      events.push(event);
      listeners.push(listener);
    };
    const ctx = { ...base, fiber, on };
    onEarlyDispose(ctx, () => (calls += 1));
    const tell = (other: unknown): void => listeners.forEach((listener) => listener(other));
    tell(fiber);
    tell({ uid: null });
    tell(undefined);
    expect(calls).toBe(0);
    fiber.uid = null;
    tell(fiber);
    expect([calls, events]).toEqual([1, ['internal/plugin']]);
  });

  it('asks nothing of a host without fibers', () => {
    const ctx = { ...base, on: () => expect.unreachable('it was asked') };
    expect(() => onEarlyDispose(ctx, () => undefined)).not.toThrow();
    expect(() => onEarlyDispose({ ...base, ...({ fiber: {} } as object) }, () => undefined)).not.toThrow();
  });
});
