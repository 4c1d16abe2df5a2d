import { describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { fetchWithHeaders } from '../../src/transport/http-headers.ts';

const URL_OF_SERVER = new URL('https://api.example:8443/mcp');

/** The headers with which a request to `target` leaves. */
async function sent(target: string, headers: Record<string, string>, own: Record<string, string> = {}): Promise<Record<string, string>> {
  let seen = new Headers();
  const send = (_url: string | URL, init?: RequestInit): Promise<Response> => {
    seen = new Headers(init?.headers);
    return Promise.resolve(new Response());
  };
  await fetchWithHeaders(URL_OF_SERVER, headers, send, () => {})(target, { headers: own });
  return Object.fromEntries(seen);
}

describe('fetchWithHeaders', () => {
  it('adds the headers to every request within the origin', async () => {
    const own = { accept: 'text/event-stream' };
    expect(await sent('https://api.example:8443/other?x=1', { 'X-Api-Key': 'k' }, own)).toEqual({ 'x-api-key': 'k', ...own });
  });

  it.each([
    'http://api.example:8443/mcp',
    'https://api.example/mcp',
    'https://api.example:8444/mcp',
    'https://evil.example:8443/mcp',
    'https://api.example.evil:8443/mcp',
    'https://api.example:8443@evil.example/mcp',
  ])('adds none to %s', async (target) => {
    expect(await sent(target, { Authorization: 'Bearer canary' })).toEqual({});
  });

  it.each([['bad name', 'v'], ['', 'v'], ['X-A', 'a\r\nX-B: b'], ['X-A', 'snow ☃']])('refuses the header %j: %j by name, without its value (B18)', (name, value) => {
    const refused = (): unknown => fetchWithHeaders(URL_OF_SERVER, { [name]: value }, fetch, () => {});
    expect(refused).toThrow(BridgeError);
    expect(refused).toThrow(expect.objectContaining({ code: 'connect-failed', message: `the configured header ${JSON.stringify(name)} has a name or a value that HTTP does not allow; correct it in \`headers\`` }));
  });

  it('treats names as data', async () => {
    const headers: Record<string, string> = JSON.parse('{"__proto__":"a","constructor":"b"}');
    expect(Object.entries(await sent(URL_OF_SERVER.href, headers))).toEqual([['__proto__', 'a'], ['constructor', 'b']]);
  });
});
