import { expect, test } from 'vitest';
import { StaticModelRoutes } from '../../src/host/model-routes.ts';

test('a route says what its model accepts, and can change', async () => {
  const routes = new StaticModelRoutes([{ provider: 'p', model: 'm', inputModalities: ['text', 'image'] }]);
  expect(await routes.resolveModelInfo('p', 'm')).toEqual({ inputModalities: ['text', 'image'] });
  routes.set({ provider: 'p', model: 'm' });
  expect(await routes.resolveModelInfo('p', 'm')).toStrictEqual({});
  routes.delete('p', 'm');
  const unknown = { code: 'route-unknown', message: 'no route to the model "m" of "p"; add it to "models" in the config of the embedded host' };
  await expect(routes.resolveModelInfo('p', 'm')).rejects.toMatchObject(unknown);
  await expect(new StaticModelRoutes().resolveModelInfo('p', 'm')).rejects.toMatchObject(unknown);
});

test('provider and model are never mixed up', async () => {
  const routes = new StaticModelRoutes([{ provider: 'a/b', model: 'c' }]);
  await expect(routes.resolveModelInfo('a', 'b/c')).rejects.toMatchObject({ code: 'route-unknown' });
});

test('an aborted lookup rejects with the reason of the caller', async () => {
  const routes = new StaticModelRoutes([{ provider: 'p', model: 'm' }]);
  const reason = new Error('enough');
  await expect(routes.resolveModelInfo('p', 'm', AbortSignal.abort(reason))).rejects.toBe(reason);
});
