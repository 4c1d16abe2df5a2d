import { getEventListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { NameHolder, ServerDirectory } from '../src/server-directory.ts';
import { releaseServerName, reserveServerName } from '../src/server-names.ts';
import { defer } from './helpers-logic/scripted-session.ts';

/** Plenty: a test that waits for it has failed. */
const WAIT_MS = 60_000;

const readState = (): never => {
  throw new Error('nobody asked');
};

/** An instance, and what frees its name. */
function instance(closing = false): { readonly holder: NameHolder; readonly free: () => void } {
  const { promise: freed, resolve } = defer<void>();
  return { holder: { closing, freed, readState }, free: () => resolve() };
}

function directory(holder?: NameHolder): ServerDirectory {
  return { holders: new Map(holder === undefined ? [] : [['github', holder]]), claims: new Map() };
}

const never = new AbortController().signal;

describe('reserveServerName', () => {
  it('refuses a name that a live instance has, and proposes one of legal length (S08)', async () => {
    const { holder } = instance();
    const long = 'n'.repeat(32);
    const taken = directory(holder);
    taken.holders.set(long, holder);
    await expect(reserveServerName(taken, 'github', instance().holder, { waitMs: WAIT_MS, signal: never })).rejects.toMatchObject({
      code: 'server-name-taken',
      message: expect.stringContaining('such as "github-2"') as unknown,
    });
    await expect(reserveServerName(taken, long, instance().holder, { waitMs: WAIT_MS, signal: never })).rejects.toThrow(`such as "${'n'.repeat(30)}-2"`);
    expect(taken.holders.get('github')).toBe(holder);
  });

  it('waits for an instance that is being disposed (S08)', async () => {
    const old = instance(true);
    const names = directory(old.holder);
    const fresh = instance().holder;
    const reserved = reserveServerName(names, 'github', fresh, { waitMs: WAIT_MS, signal: never });
    expect(names.holders.get('github')).toBe(old.holder);
    releaseServerName(names, 'github', old.holder);
    old.free();
    await reserved;
    expect(names.holders.get('github')).toBe(fresh);
  });

  it('waits as long as it may, and leaves nothing on the signal of the new instance (S08)', async () => {
    const old = instance(true);
    const names = directory(old.holder);
    const own = new AbortController();
    const reserved = reserveServerName(names, 'github', instance().holder, { waitMs: WAIT_MS, signal: own.signal });
    expect(getEventListeners(own.signal, 'abort')).toHaveLength(1);
    // A wait without an end in sight would have ended by the time this timer does, which was set after it.
    await setTimeout(2);
    releaseServerName(names, 'github', old.holder);
    old.free();
    await reserved;
    expect(getEventListeners(own.signal, 'abort')).toEqual([]);
  });

  it('waits no longer than it may, however long the process has run (S08)', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000_000);
    try {
      const reserved = reserveServerName(directory(instance(true).holder), 'github', instance().holder, { waitMs: 5, signal: never });
      await expect(Promise.race([reserved, setTimeout(2_000, 'it still waits', { ref: false })])).rejects.toMatchObject({ code: 'server-name-taken' });
    } finally {
      clock.mockRestore();
    }
  });

  it('says that the name is stuck when the disposal takes longer than nameWaitMs (S08)', async () => {
    const names = directory(instance(true).holder);
    await expect(reserveServerName(names, 'github', instance().holder, { waitMs: 5, signal: never })).rejects.toMatchObject({
      code: 'server-name-taken',
      message: expect.stringContaining('still held by an instance that is being disposed, after 5 ms') as unknown,
    });
  });

  it.each(['while it waits', 'before it waits'])('gives up when it is itself disposed %s, and takes nothing (S60)', async (when) => {
    const old = instance(true);
    const names = directory(old.holder);
    const own = new AbortController();
    if (when === 'before it waits') own.abort();
    const reserved = reserveServerName(names, 'github', instance().holder, { waitMs: WAIT_MS, signal: own.signal });
    own.abort();
    await expect(reserved).rejects.toMatchObject({ code: 'disposed', message: expect.stringContaining('"github"') as unknown });
    expect(names.holders.get('github')).toBe(old.holder);
  });
});

describe('releaseServerName', () => {
  it('frees the name of its holder, and of nobody else', () => {
    const { holder } = instance();
    const names = directory(holder);
    releaseServerName(names, 'github', instance().holder);
    expect(names.holders.get('github')).toBe(holder);
    releaseServerName(names, 'github', holder);
    expect(names.holders.size).toBe(0);
  });
});
