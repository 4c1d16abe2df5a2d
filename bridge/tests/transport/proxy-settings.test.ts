import { expect, it } from 'vitest';
import { isLoopback, proxyFor, readProxySettings } from '../../src/transport/proxy-settings.ts';

it.each([
  [{}, { httpProxy: '', httpsProxy: '', noProxy: '' }],
  [{ HTTP_PROXY: 'http://a:1' }, { httpProxy: 'http://a:1', httpsProxy: 'http://a:1', noProxy: '' }],
  [{ HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2', NO_PROXY: 'x,y' }, { httpProxy: 'http://a:1', httpsProxy: 'http://b:2', noProxy: 'x,y' }],
  [{ HTTP_PROXY: 'http://a:1', http_proxy: 'http://c:3', https_proxy: '', no_proxy: '*' }, { httpProxy: 'http://c:3', httpsProxy: 'http://c:3', noProxy: '*' }],
  [{ HTTPS_PROXY: 'http://b:2', https_proxy: 'http://d:4' }, { httpProxy: '', httpsProxy: 'http://d:4', noProxy: '' }],
  [{ http_proxy: ' proxy.local:3128 ' }, { httpProxy: 'http://proxy.local:3128', httpsProxy: 'http://proxy.local:3128', noProxy: '' }],
])('reads %j (B29)', (env, settings) => {
  expect(readProxySettings(env)).toEqual(settings);
});

it('knows this machine', () => {
  expect(['localhost', 'LOCALHOST', 'a.localhost', 'long.name.localhost', '127.0.0.1', '127.10.200.3', '127.9.9.9', '[::1]'].filter((host) => !isLoopback(host))).toEqual([]);
  expect(['example.com', '10.0.0.1', '127.0.0.1.example', 'localhost.example', '1127.0.0.1'].filter(isLoopback)).toEqual([]);
});

const PROXIES = { httpProxy: 'http://me:canary@one:1', httpsProxy: 'https://two', noProxy: '' };

it('says which proxy a server is asked through, and where that is written', () => {
  expect(proxyFor(new URL('http://mcp.example/'), PROXIES)).toEqual({ address: 'http://me:canary@one:1', shown: 'http://one:1', variable: 'HTTP_PROXY' });
  expect(proxyFor(new URL('https://mcp.example/'), PROXIES)).toMatchObject({ shown: 'https://two', variable: 'HTTPS_PROXY' });
  expect(proxyFor(new URL('https://mcp.example/'), readProxySettings({ HTTP_PROXY: 'socks5://one:1' }))).toMatchObject({ shown: 'socks5://one:1', variable: 'HTTPS_PROXY or HTTP_PROXY' });
});

it('asks a server directly where no proxy is set, and this machine in any case', () => {
  expect(proxyFor(new URL('http://mcp.example/'), readProxySettings({}))).toBeUndefined();
  expect(proxyFor(new URL('http://127.0.0.1:8080/'), PROXIES)).toBeUndefined();
});

it.each([
  ['mcp.example', false], ['MCP.example', false], ['example', false], ['.example', false], ['*.example', false], ['other, mcp.example', false], ['a b\tmcp.example', false], ['*', false], ['a,*', false],
  ['mcp.example:80', false], ['mcp.example:443', true], ['cp.example', true], ['mcp.example.org', true], ['', true], [',, ', true], ['.', true],
])('with NO_PROXY %j asks http://mcp.example through one: %s', (noProxy, isAsked) => {
  expect(proxyFor(new URL('http://mcp.example/mcp'), { ...PROXIES, noProxy }) !== undefined).toBe(isAsked);
});

it('knows the ports of NO_PROXY', () => {
  expect(proxyFor(new URL('https://mcp.example/'), { ...PROXIES, noProxy: 'mcp.example:443' })).toBeUndefined();
  expect(proxyFor(new URL('http://mcp.example:8080/'), { ...PROXIES, noProxy: 'mcp.example:8080' })).toBeUndefined();
  expect(proxyFor(new URL('http://mcp.example:8080/'), { ...PROXIES, noProxy: 'mcp.example:80' })).toBeDefined();
  expect(proxyFor(new URL('http://[2001:db8::5]/'), { ...PROXIES, noProxy: '[2001:db8::5]' })).toBeUndefined();
});

it('takes nothing between two commas for no host, not even for one whose name ends with a dot', () => {
  expect(proxyFor(new URL('http://mcp.example./'), { ...PROXIES, noProxy: 'a,,b' })).toBeDefined();
});
