import { describe, expect, it } from 'vitest';
import { nextAddress, type StoppedRedirect, type Trail } from '../../src/transport/redirects.ts';

const AT = new URL('https://mcp.example/mcp');

/** What becomes of a redirect. */
function met(status: number, location: string | undefined, trail: Partial<Trail> = {}): URL | StoppedRedirect | undefined {
  return nextAddress({ status, headers: new Headers(location === undefined ? {} : { location }) }, { method: 'POST', isOnce: false, at: AT, been: new Set([AT.href]), ...trail });
}

/** Why it is not followed. */
function words(...args: Parameters<typeof met>): string {
  const next = met(...args);
  return next === undefined || next instanceof URL ? `it goes to ${next?.href}` : next.words;
}

describe('nextAddress', () => {
  it.each([200, 300, 304, 404])('takes status %i for no redirect', (status) => {
    expect(met(status, '/elsewhere')).toBeUndefined();
  });

  it.each([['POST', 307], ['POST', 308], ['DELETE', 307], ['GET', 301], ['GET', 302], ['GET', 303], ['GET', 307], ['GET', 308]] as const)('leads a %s on by status %i, within the origin', (method, status) => {
    expect(met(status, '/mcp/?a=1#part', { method })).toEqual(new URL('https://mcp.example/mcp/?a=1'));
  });

  it.each([301, 302, 303])('says where a POST is led by status %i, which would make a GET of it (B06)', (status) => {
    expect(words(status, '/mcp/')).toBe('it redirects to https://mcp.example/mcp/, which is not followed, since this status makes a GET of the request; write that address in `url`');
  });

  it('says where another origin is, and no secret of its query (B18)', () => {
    expect(words(307, 'http://me:canary@login.example:8080/in/mcp?token=canary&canary#canary')).toBe(
      'it redirects to http://login.example:8080/in/mcp?token=[redacted]&[redacted], another origin, which is not followed; if you trust that address, write it in `url`',
    );
  });

  it('shows a long address only as far as it helps', () => {
    expect(words(302, `/${'x'.repeat(5_000)}`)).toContain('x'.repeat(200));
    expect(words(302, `/${'x'.repeat(5_000)}`)).toMatch(/x…, which is not followed/);
    expect(words(302, `/${'x'.repeat(5_000)}`).length).toBeLessThan(450);
    expect(words(302, `/${'x'.repeat(280)}`)).toContain(`${'x'.repeat(280)}, which`);
    expect(words(302, `/${'x'.repeat(281)}`)).toContain(`${'x'.repeat(280)}…, which`);
  });

  it.each([undefined, ''])('says that the address is missing (%j)', (location) => {
    expect(words(307, location)).toMatch(/^it redirects and does not say where to \(there is no Location header\); correct `url`/);
  });

  it('says that the address is broken', () => {
    expect(words(307, 'http://[')).toMatch(/^it redirects to something that is no address \(its Location header cannot be read\)/);
  });

  it.each([['javascript:alert(1)', 'javascript:'], ['file:///etc/passwd', 'file:'], ['data:text/plain,x', 'data:']])('goes nowhere with %s, and names the scheme', (location, scheme) => {
    expect(words(308, location)).toMatch(new RegExp(`^it redirects to an address of the scheme "${scheme}", which is not followed`));
  });

  it('notices a circle at the first address that repeats', () => {
    expect(words(307, '/mcp')).toBe('it redirects in a circle, back to https://mcp.example/mcp; correct the server, or `url`');
    expect(words(307, '/mcp#again')).toContain('in a circle');
    expect(words(302, '/a', { method: 'GET', at: new URL('/b', AT), been: new Set(['https://mcp.example/a', 'https://mcp.example/b']) })).toContain('back to https://mcp.example/a;');
  });

  it('follows five in a row, and says where the sixth leads', () => {
    const been = ['/mcp', '/1', '/2', '/3', '/4'].map((path) => new URL(path, AT).href);
    expect(met(307, '/5', { been: new Set(been) })).toEqual(new URL('https://mcp.example/5'));
    expect(words(307, '/6', { been: new Set([...been, 'https://mcp.example/5']) })).toBe(
      'it redirects for the 6th time in a row, to https://mcp.example/6, and 5 are followed; write the address where that ends in `url`',
    );
  });

  it('leads no call anywhere, and tells a new address from none (B04)', () => {
    expect(met(308, '/v2', { isOnce: true })).toEqual({ words: 'it redirects to https://mcp.example/v2, which is not followed, since a call is sent once; try again, or write that address in `url`', hasMoved: true });
    expect(met(308, '/mcp', { isOnce: true })).toMatchObject({ hasMoved: false });
    expect(met(302, '/v2', { isOnce: true })).toMatchObject({ hasMoved: false });
  });
});
