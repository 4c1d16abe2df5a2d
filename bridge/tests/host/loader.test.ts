import { expect, test, vi } from 'vitest';
import { loaderSettled, unloadEntries } from '../../src/host/loader.ts';
import type { CordisContext } from '../../src/host/cordis-context.ts';
import type { HostContext } from '../../src/host-services.ts';
import { embeddedHosts } from './cordis-versions.ts';
import { loaders } from './loaders.ts';

/** Lets so many turns of the event loop pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test.each(loaders)('the loader of %s has settled when every plugin that it began has, and it begins none that is switched off', async (_name, boot) => {
  const order: string[] = [];
  let settled: Promise<number> | undefined;
  const asks = {
    name: 'asks',
    async apply(ctx: CordisContext): Promise<void> {
      settled = loaderSettled(ctx).then(() => order.push('settled'));
    },
  };
  const slow = {
    name: 'slow',
    async apply(): Promise<void> {
      await turns(20);
      order.push('activated');
    },
  };
  const modules = {
    asks,
    slow,
    // An import that is slower than that of the one who asks.
    get late() {
      return turns(40).then(() => ({ name: 'late', apply: async () => void order.push('begun late') }));
    },
    get off() {
      order.push('imported what is switched off');
      return slow;
    },
  };
  const app = await boot(modules, [{ name: 'asks' }, { name: 'off', disabled: true }, { name: 'slow' }, { name: 'late' }]);
  await vi.waitFor(() => expect(settled).toBeDefined());
  await settled;
  expect(order).toEqual(['activated', 'begun late', 'settled']);
  await app.end();
});

test('the entries of Cordis 3 are unloaded last first, and those that never began are passed over', async () => {
  const order: string[] = [];
  const named = (name: string): object => ({ name, apply: (ctx: HostContext) => ctx.effect(() => () => void order.push(name)) });
  const [[, bootCordis3] = expect.unreachable('there are loaders')] = loaders;
  const app = await bootCordis3({ a: named('a'), b: named('b'), c: named('c') }, [{ name: 'a' }, { name: 'b', disabled: true }, { name: 'c' }]);
  await loaderSettled(app.ctx);
  unloadEntries(app.ctx);
  expect(order).toEqual(['c', 'a']);
  expect(app.writes).toEqual([]);
  await app.end();
});

test.each(embeddedHosts)('what is no loader of Cordis is left alone on %s', async (_name, start) => {
  const host = await start({ onLog: () => undefined });
  const asked: string[] = [];
  const entries = (): never[] => {
    asked.push('entries');
    return [];
  };
  for (const loader of [{}, { await: 'later' }, { entries: [] }, ...(host.cordis === 4 ? [{ entries }] : [])]) {
    const handle = await host.provide('loader', loader);
    await loaderSettled(host.ctx);
    unloadEntries(host.ctx);
    await host.unload(handle);
  }
  expect(asked).toEqual([]);
  await host.dispose();
});

test.each([null, undefined, 'text'])('there is nothing to wait for where the loader is %j', async (loader) => {
  const ctx: CordisContext = Object.create(null, { get: { value: () => loader }, root: { value: {} } });
  await loaderSettled(ctx);
  expect(() => unloadEntries(ctx)).not.toThrow();
});
