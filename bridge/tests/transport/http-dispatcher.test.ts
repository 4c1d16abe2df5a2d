/** The sockets of a connection have the limits that the bridge gives them, and go with it (S05, B29). */
import { Agent } from 'undici';
import { expect, it, vi } from 'vitest';
import { hasForeignDispatcher, openSockets } from '../../src/transport/http-dispatcher.ts';
import { readProxySettings } from '../../src/transport/proxy-settings.ts';

vi.mock('undici', { spy: true });

it('have none of the limits of fetch, but the time to connect, and are closed together', async () => {
  const { destroy } = await openSockets(new URL('http://mcp.example/'), readProxySettings({}), 1_234);
  expect(Agent).toHaveBeenCalledExactlyOnceWith({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 1_234 } });
  const [agent] = vi.mocked(Agent).mock.instances;
  expect(agent).toHaveProperty('destroyed', false);
  await destroy();
  expect(agent).toHaveProperty('destroyed', true);
});

it('say why a proxy cannot be used, with the cause', async () => {
  const opening = openSockets(new URL('http://mcp.example/'), readProxySettings({ HTTP_PROXY: 'http://[' }), 1_000);
  await expect(opening).rejects.toMatchObject({ code: 'connect-failed', cause: { name: 'TypeError' } });
});

it('are left to the process where it has chosen, and nothing is no choice', () => {
  const key = Symbol.for('undici.globalDispatcher.1');
  expect([null, undefined, 'Agent'].map((dispatcher) => hasForeignDispatcher({ [key]: dispatcher }))).toEqual([false, false, false]);
});
