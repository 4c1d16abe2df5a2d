/** When a change is followed, told and shown. */
import { setTimeout as wait } from 'node:timers/promises';
import type { SubjectNotification } from '../../../src/adapter/bridge-adapter.ts';
import type { MinimalAdapter } from '../../../subjects/minimal/index.ts';
import { liberty, type Liberty } from './vary.ts';

const CHANGES = ['NAMING-006', 'GENERATION-001', 'GENERATION-006', 'GENERATION-007', 'GENERATION-009', 'GENERATION-051'] as const;
const bounds = (settleMs: number): { readonly bounds: { settleMs: number; closeMs: number; reconnectMs: number } } => ({ bounds: { settleMs, closeMs: 1_500, reconnectMs: 3_000 } });

/** How late what went wrong is told, in milliseconds: as if it had been tried once more first. */
const LATE_LOG_MS = 330;

/** Tells and shows its registry only so many milliseconds after it changed. */
const behind = (delayMs: number) => (inner: MinimalAdapter) => {
  let shown = { revision: 0, tools: [] as Awaited<ReturnType<MinimalAdapter['tools']>>['tools'] };
  const listeners = new Set<(told: SubjectNotification) => void>();
  const tell = (told: SubjectNotification): void => listeners.forEach((listener) => listener(told));
  const show = async (): Promise<void> => {
    const latest = await inner.tools();
    if (latest.revision === shown.revision) return;
    shown = latest;
    tell({ type: 'registry', ...shown });
  };
  inner.onNotification((told) => {
    if (told.type !== 'registry') tell(told);
    else void wait(delayMs).then(show);
  });
  /** What is asked for by the caller is shown at once. */
  const thenShow = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await show();
    return result;
  };
  return {
    open: (...args: Parameters<MinimalAdapter['open']>) => thenShow(inner.open(...args)),
    add: (...args: Parameters<MinimalAdapter['add']>) => thenShow(inner.add(...args)),
    remove: (name: string) => thenShow(inner.remove(name)),
    reload: (name: string) => thenShow(inner.reload(name)),
    close: () => thenShow(inner.close()),
    tools: async () => shown,
    onNotification: (listener: (told: SubjectNotification) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Liberties of time. */
export const timingLiberties: readonly Liberty[] = [
  liberty('lists at once when something is announced', CHANGES, { quietMs: 0 }),
  liberty('waits two thirds of a second after an announcement', CHANGES, { quietMs: 650, declares: bounds(2_500) }),
  liberty('shows a change a while after it was read', CHANGES, { declares: bounds(2_000) }, behind(150)),
  liberty('tells what went wrong a third of a second later', ['GENERATION-005'], {}, (inner) => ({
    onNotification: (listener) => inner.onNotification((told) => {
      if (told.type !== 'log') listener(told);
      else void wait(LATE_LOG_MS).then(() => listener(told));
    }),
  })),
  liberty('tells its registry again and again', CHANGES, {}, (inner) => ({
    onNotification: (listener) => inner.onNotification((told) => {
      listener(told);
      if (told.type === 'registry') listener(told);
    }),
  })),
];
