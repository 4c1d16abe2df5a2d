/** No promise may be left rejected behind anybody's back. */
import { afterEach, beforeEach, expect } from 'vitest';

/** Fails each test of this file that leaves an unhandled rejection. To be called once, before other hooks. */
export function refuseUnhandledRejections(): void {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);

  beforeEach(() => {
    rejections.length = 0;
    process.on('unhandledRejection', note);
  });

  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });
}
