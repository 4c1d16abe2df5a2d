import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../src/bridge-log.ts';
import type { HostContext, HostLogger } from '../src/host-services.ts';

const HOST: HostContext = {
  root: {},
  tools: { register: () => () => undefined },
  get: () => undefined,
  effect: () => undefined,
};

/** A host whose logger keeps its lines. */
function loggingHost(): { readonly ctx: HostContext; readonly lines: string[] } {
  const lines: string[] = [];
  const logger = (name: string): HostLogger => {
    const write = (level: string) => (message: string): void => void lines.push(`${level} ${name} ${message}`);
    return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
  };
  return { ctx: { ...HOST, logger }, lines };
}

const refuse = (): never => {
  throw new Error('disk full');
};

describe('createLog', () => {
  afterEach(() => vi.restoreAllMocks());

  it('names the server in each line, and the bridge as the logger (S59)', () => {
    const { ctx, lines } = loggingHost();
    const log = createLog(ctx, 'github');
    log('info', 'ready');
    log('error', 'gone');
    expect(lines).toEqual(['info mcp-bridge github: ready', 'error mcp-bridge github: gone']);
  });

  it.each([
    ['has no logger', HOST],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a host may have anything of that name
    ['has a logger of another kind', { ...HOST, logger: { error: 'x' } } as unknown as HostContext],
  ])('writes to the console where the host %s: a failed start is logged always (S06)', (_what, ctx) => {
    const printed = vi.spyOn(console, 'error').mockReturnValue();
    createLog(ctx, 'github')('error', 'not available');
    expect(printed.mock.calls).toEqual([['github: not available']]);
  });

  it('takes secrets out before it cuts a line (B18)', () => {
    const { ctx, lines } = loggingHost();
    createLog(ctx, 'a', (text) => text.replaceAll('hush', '[redacted]'))('warn', `${'x'.repeat(1_997)}hush and more`);
    expect(lines[0]).toMatch(/x\[r…$/);
  });

  it('writes one line of at most 2000 characters without control characters, whatever a server says', () => {
    const { ctx, lines } = loggingHost();
    createLog(ctx, 'a')('warn', `one\r\ntwo\u001B[31m\u2028${'x'.repeat(5_000)}`);
    expect(lines[0]).toMatch(/^warn mcp-bridge a: one two \[31m x+…$/);
    expect(lines[0]?.replace('warn mcp-bridge a: ', '')).toHaveLength(2_000);
  });

  it('leaves a line of 2000 characters whole, and blanks at its end away', () => {
    const { ctx, lines } = loggingHost();
    createLog(ctx, 'a')('warn', `${'x'.repeat(2_000)}\n`);
    expect(lines).toEqual([`warn mcp-bridge a: ${'x'.repeat(2_000)}`]);
  });

  it('cuts a long line between two characters, not through one', () => {
    const { ctx, lines } = loggingHost();
    createLog(ctx, 'a')('warn', '😀'.repeat(2_000));
    expect(lines[0]).toBe(`warn mcp-bridge a: ${'😀'.repeat(999)}…`);
  });

  it("keeps a server's text from being read as a format", () => {
    const { ctx, lines } = loggingHost();
    createLog(ctx, 'a')('warn', 'at 100% of %d, %%s and 5 % off');
    expect(lines).toEqual(['warn mcp-bridge a: at 100% of %%d, %%%%s and 5 % off']);
  });

  it('takes no harm from a logger that throws', () => {
    const ctx = { ...HOST, logger: () => ({ error: refuse, warn: refuse, info: refuse, debug: refuse }) };
    expect(() => createLog(ctx, 'a')('error', 'x')).not.toThrow();
  });
});
