import { array, assert, asyncProperty, integer } from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { drainTools, type DrainLimits } from '../src/discovery.ts';
import { BridgeError } from '../src/errors.ts';
import { approximateJsonBytes } from '../src/json-shape.ts';
import type { RawToolPage, RequestLimits, Session } from '../src/session.ts';

const LIMITS: DrainLimits = {
  discoveryTimeoutMs: 60_000,
  syncTimeoutMs: 120_000,
  maxPages: 100,
  maxTools: 1_000,
  maxListBytes: 1_048_576,
  signal: new AbortController().signal,
};

type Page = (cursor: string | undefined, asked: number, limits: RequestLimits) => RawToolPage | Promise<RawToolPage>;

/** A session that only lists. */
function listing(page: Page): { readonly session: Session; readonly cursors: (string | undefined)[] } {
  const cursors: (string | undefined)[] = [];
  const session: Session = {
    isOpen: true,
    closed: new Promise(() => undefined),
    close: () => Promise.resolve(),
    callTool: () => Promise.reject(new Error('no calls here')),
    listToolsPage: async (cursor, limits) => {
      cursors.push(cursor);
      return page(cursor, cursors.length, limits);
    },
  };
  return { session, cursors };
}

const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

describe('drainTools', () => {
  it('returns every tool of every page in order, whatever the sizes of the pages (S24)', async () => {
    await assert(
      asyncProperty(array(integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 20 }), async (sizes) => {
        let next = 0;
        const pages = sizes.map((size) => Array.from({ length: size }, () => ({ name: `t${(next += 1)}` })));
        const { session, cursors } = listing((cursor) => {
          const index = cursor === undefined ? 0 : Number(cursor.slice(1));
          return { tools: pages[index] ?? [], nextCursor: index + 1 < pages.length ? `c${index + 1}` : undefined };
        });
        expect(await drainTools('s', session, LIMITS)).toEqual(pages.flat());
        expect(cursors).toHaveLength(pages.length);
      }),
    );
  });

  it('follows a cursor that repeats while its pages bring new tools (B01)', async () => {
    const { session } = listing((_cursor, asked) => ({ tools: named(`t${asked}`), nextCursor: asked < 5 ? 'same' : undefined }));
    expect(await drainTools('s', session, LIMITS)).toHaveLength(5);
  });

  it('fails when a repeated cursor brings nothing new (B01)', async () => {
    const { session, cursors } = listing(() => ({ tools: named('a'), nextCursor: 'same' }));
    await expect(drainTools('srv', session, LIMITS)).rejects.toMatchObject({ code: 'limit-exceeded', message: expect.stringContaining('"srv"') as unknown });
    expect(cursors.length).toBeLessThanOrEqual(3);
  });

  it('counts no entry without a text name as new (B01, B13)', async () => {
    const { session, cursors } = listing((_cursor, asked) => ({ tools: [{ name: asked }], nextCursor: 'same' }));
    await expect(drainTools('s', session, LIMITS)).rejects.toThrow('its tool list never ends');
    expect(cursors).toHaveLength(2);
  });

  it('fails when cursors go round in a circle without new tools (B01)', async () => {
    const { session, cursors } = listing((_cursor, asked) => ({ tools: [], nextCursor: `c${asked % 3}` }));
    await expect(drainTools('s', session, LIMITS)).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect(cursors.length).toBeLessThanOrEqual(5);
  });

  it('goes past an empty page under a new cursor', async () => {
    const { session } = listing((_cursor, asked) => ({ tools: asked === 3 ? named('last') : [], nextCursor: asked < 3 ? `c${asked}` : undefined }));
    expect(await drainTools('s', session, LIMITS)).toEqual(named('last'));
  });

  it('takes an empty cursor as the end (R10)', async () => {
    const { session, cursors } = listing(() => ({ tools: named('a'), nextCursor: '' }));
    expect(await drainTools('s', session, LIMITS)).toEqual(named('a'));
    expect(cursors).toHaveLength(1);
  });

  it.each([
    ['maxPages', 'has more than 3 pages', { maxPages: 3 }],
    ['maxTools', 'has more than 5 tools', { maxTools: 5 }],
    ['maxListBytes', 'is larger than 2000 bytes', { maxListBytes: 2_000 }],
  ])('fails whole at %s, says that the list %s, and names the option (B01)', async (option, what, limits) => {
    const { session } = listing((_cursor, asked) => ({
      tools: [{ name: `a${asked}`, description: 'x'.repeat(500) }, { name: `b${asked}` }],
      nextCursor: `c${asked}`,
    }));
    const drained = drainTools('s', session, { ...LIMITS, ...limits });
    await expect(drained).rejects.toMatchObject({
      code: 'limit-exceeded',
      message: `MCP server "s": the tool list ${what}; nothing of it is used. Raise ${option} if the list is meant to be so large`,
    });
  });

  it('takes a list exactly as large as each bound (B01)', async () => {
    const tools = named('a', 'b');
    const { session } = listing(() => ({ tools, nextCursor: undefined }));
    const exact = { ...LIMITS, maxPages: 1, maxTools: 2, maxListBytes: approximateJsonBytes(tools) };
    expect(await drainTools('s', session, exact)).toEqual(tools);
    await expect(drainTools('s', session, { ...exact, maxListBytes: exact.maxListBytes - 1 })).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it("counts cursors in the list's size, since it keeps them (B01)", async () => {
    const { session, cursors } = listing((_cursor, asked) => ({ tools: [], nextCursor: asked < 50 ? `${asked}${'c'.repeat(1_000)}` : undefined }));
    await expect(drainTools('s', session, { ...LIMITS, maxListBytes: 4_000 })).rejects.toMatchObject({
      code: 'limit-exceeded',
      message: expect.stringContaining('Raise maxListBytes') as unknown,
    });
    expect(cursors).toHaveLength(4);
  });

  it('looks at no entry of a page that has too many (B01)', async () => {
    const tools = Object.defineProperty<unknown[]>(Array.from({ length: 6 }), 0, { get: () => expect.unreachable() });
    const { session } = listing(() => ({ tools, nextCursor: undefined }));
    await expect(drainTools('s', session, { ...LIMITS, maxTools: 5 })).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('accepts a list that is exactly as long as allowed', async () => {
    const { session } = listing((_cursor, asked) => ({ tools: named(`t${asked}`), nextCursor: asked < 3 ? `c${asked}` : undefined }));
    expect(await drainTools('s', session, { ...LIMITS, maxPages: 3, maxTools: 3 })).toHaveLength(3);
  });

  it('gives each request its own limit, and never more than what is left of the whole (B03)', async () => {
    const given: number[] = [];
    const { session } = listing((_cursor, asked, { timeoutMs }) => {
      given.push(timeoutMs);
      return { tools: named(`t${asked}`), nextCursor: asked < 2 ? 'c' : undefined };
    });
    await drainTools('s', session, { ...LIMITS, discoveryTimeoutMs: 50, syncTimeoutMs: 1_000 });
    await drainTools('s', session, { ...LIMITS, discoveryTimeoutMs: 5_000, syncTimeoutMs: 1_000 });
    expect(given[0]).toBe(50);
    expect(given[2]).toBeLessThanOrEqual(1_000);
    expect(given[2]).toBeGreaterThan(0);
  });

  it('names the limit of the whole when a page is cut short by it, and not that of one page', async () => {
    const cause = new BridgeError('call-timeout', 'tools/list was not answered within 54 ms; raise `discoveryTimeoutMs`');
    const { session } = listing(() => Promise.reject(cause));
    const reading = drainTools('s', session, { ...LIMITS, discoveryTimeoutMs: 5_000, syncTimeoutMs: 300 });
    await expect(reading).rejects.toMatchObject({ code: 'discovery-timeout', message: expect.stringMatching(/300 ms.*syncTimeoutMs/), cause: { cause } });
    const other = drainTools('s', listing(() => Promise.reject(new BridgeError('rpc-error', 'no'))).session, { ...LIMITS, discoveryTimeoutMs: 5_000, syncTimeoutMs: 300 });
    await expect(other).rejects.toMatchObject({ code: 'discovery-failed' });
  });

  it('asks for no further page when the time of the whole is over, and says after how many pages (B03)', async () => {
    let now = 5_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const { session, cursors } = listing((_cursor, asked) => {
        now += 150;
        return { tools: named(`t${asked}`), nextCursor: `c${asked}` };
      });
      const reading = drainTools('srv', session, { ...LIMITS, syncTimeoutMs: 300 });
      await expect(reading).rejects.toMatchObject({
        code: 'discovery-timeout',
        message: 'MCP server "srv": its tool list was not complete within 300 ms, after 2 pages; raise syncTimeoutMs if the server is slow',
      });
      expect(cursors).toHaveLength(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('names the server where something other than the session failed', async () => {
    const { session } = listing(() => Promise.reject(new TypeError('no such thing')));
    await expect(drainTools('srv', session, LIMITS)).rejects.toMatchObject({ code: 'discovery-failed', message: 'MCP server "srv": no such thing (page 1 of the tool list)' });
  });

  it.each([
    ['call-timeout', 'discovery-timeout'],
    ['discovery-timeout', 'discovery-timeout'],
    ['rpc-error', 'discovery-failed'],
    ['connection-lost', 'connection-lost'],
    ['not-connected', 'connection-lost'],
    ['call-aborted', 'disposed'],
    ['disposed', 'disposed'],
    ['limit-exceeded', 'limit-exceeded'],
  ] as const)('turns %s into %s and says which page it was', async (code, expected) => {
    const cause = new BridgeError(code, 'what the session said');
    const { session } = listing((_cursor, asked) => {
      if (asked === 2) throw cause;
      return { tools: named('a'), nextCursor: 'c' };
    });
    await expect(drainTools('s', session, LIMITS)).rejects.toMatchObject({ code: expected, cause, message: 'what the session said (page 2 of the tool list)' });
  });
});
