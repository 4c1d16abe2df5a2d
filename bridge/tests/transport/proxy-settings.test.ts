import { expect, it } from 'vitest';
import { isLoopback, readProxySettings } from '../../src/transport/proxy-settings.ts';

it.each([
  [{}, { httpProxy: '', httpsProxy: '', noProxy: '' }],
  [{ HTTP_PROXY: 'http://a:1' }, { httpProxy: 'http://a:1', httpsProxy: 'http://a:1', noProxy: '' }],
  [{ HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2', NO_PROXY: 'x,y' }, { httpProxy: 'http://a:1', httpsProxy: 'http://b:2', noProxy: 'x,y' }],
  [{ HTTP_PROXY: 'http://a:1', http_proxy: 'http://c:3', https_proxy: '', no_proxy: '*' }, { httpProxy: 'http://c:3', httpsProxy: 'http://c:3', noProxy: '*' }],
  [{ http_proxy: ' proxy.local:3128 ' }, { httpProxy: 'http://proxy.local:3128', httpsProxy: 'http://proxy.local:3128', noProxy: '' }],
])('reads %j (B29)', (env, settings) => {
  expect(readProxySettings(env)).toEqual(settings);
});

it('knows this machine', () => {
  expect(['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'].filter((host) => !isLoopback(host))).toEqual([]);
  expect(['example.com', '10.0.0.1', '127.0.0.1.example', 'localhost.example', '1127.0.0.1'].filter(isLoopback)).toEqual([]);
});
