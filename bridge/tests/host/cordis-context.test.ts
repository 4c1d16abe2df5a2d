import { expect, test } from 'vitest';
import { isCordis3, mountService } from '../../src/host/cordis-context.ts';
import { mountedRegistry, servicePlugin, waitingError } from '../../src/host/embedded-host.ts';
import { contexts } from './cordis-versions.ts';

const REFUSAL = { code: 'plugin-invalid', message: 'the embedded host runs in Cordis 3 and 4, and this context is of neither' };

const set = (): void => undefined;

test.each([[{}], [{ scope: {} }], [{ fiber: {} }], [{ set }], [{ fiber: {}, scope: {}, set }], [{ scope: {}, provide: set }]])('a service is mounted in Cordis 3 and 4 only, and not in %j', (ctx) => {
  expect(() => mountService(ctx, 'tools', {})).toThrow(expect.objectContaining(REFUSAL));
});

test.each([undefined, null, 'text'])('a service plugin that is run with %j for a context says so', async (ctx) => {
  await expect(servicePlugin('tools', {}).apply(ctx, {})).rejects.toMatchObject(REFUSAL);
});

test('a Cordis that mounts no registry of this host is told apart from one that does', () => {
  const ctx = new contexts.cordis3();
  if (!isCordis3(ctx)) throw new TypeError('that is no Cordis 3');
  expect(() => mountedRegistry(ctx)).toThrow(expect.objectContaining({ code: 'plugin-invalid', message: expect.stringContaining('did not mount the tool registry') as unknown }));
});

test.each([
  [['database', 'cache'], 'database, cache'],
  [{ database: { required: true }, cache: {} }, 'database, cache'],
  [undefined, ''],
])('a plugin that injects %j waits for: %s', (inject, needs) => {
  expect(waitingError({ name: 'p', inject }).message).toBe(`the plugin "p" waits for a service that nobody provides; it needs: ${needs}`);
});
