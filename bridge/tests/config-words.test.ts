import { describe, expect, it } from 'vitest';
import { describeConfig } from '../src/config-schema.ts';
import { resolveConfig } from '../src/config.ts';

const STDIO = { transport: 'stdio', serverName: 'a', command: 'x' };
const HTTP = { transport: 'streamable-http', serverName: 'a', url: 'http://localhost/' };

/** The lines in which a config is refused. */
function refusal(config: unknown): readonly string[] {
  try {
    resolveConfig(config);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

it('says what a config has to hold at least (S09)', () => {
  expect(refusal(null)).toEqual(['mcp-bridge config: must be a mapping, not null; write at least serverName, transport and command or url']);
});

it.each([
  [{ transport: 'http' }, 'is "http"', 'streamable-http for a url'],
  [{ transport: 'sse' }, 'is "sse"', 'streamable-http for a url'],
  [{ url: 'http://localhost/' }, 'is missing', 'streamable-http for a url'],
  [{ transport: 'pipe' }, 'is "pipe"', 'stdio for a command'],
  [{}, 'is missing', 'stdio for a command'],
])('names the transport that %j is likely to mean, and asks for nothing else before it is known (S09)', (config, what, hint) => {
  expect(refusal({ serverName: 'a', ...config })).toEqual([`mcp-bridge "a" config.transport: ${what}; write stdio or streamable-http (${hint})`]);
});

it('holds headers and the environment each to its own rules', () => {
  expect(refusal({ ...STDIO, env: { 'a b': '→' } })).toEqual([]);
  expect(refusal({ ...HTTP, headers: { 'a b': '→' } })).toHaveLength(1);
});

describe('reconnect', () => {
  it('is a mapping (S07)', () => {
    expect(refusal({ ...STDIO, reconnect: 'no' })).toEqual(['mcp-bridge "a" config.reconnect: must be a mapping, not text; write reconnect: { enabled: false } to switch it off']);
  });

  it('names a long key by its beginning', () => {
    expect(refusal({ ...STDIO, reconnect: { ['k'.repeat(200)]: 1 } })[0]).toMatch(/^mcp-bridge "a" config\.reconnect\.k{60}: is no option; the options are enabled, /);
  });

  it('may begin with its longest delay, and says what to do where it would begin with a longer one (S07)', () => {
    expect(refusal({ ...STDIO, reconnect: { initialDelayMs: 5, maxDelayMs: 5 } })).toEqual([]);
    expect(refusal({ ...STDIO, reconnect: { initialDelayMs: 6, maxDelayMs: 5 } })).toEqual(['mcp-bridge "a" config.reconnect.initialDelayMs: is 6, more than maxDelayMs, which is 5; lower it or raise maxDelayMs']);
  });
});

/** The options of each transport as an editor sees them. */
function variants(): readonly ReturnType<typeof describeConfig>[] {
  return describeConfig().list ?? [];
}

describe('describeConfig', () => {
  it('gives each transport its own options, of their kinds', () => {
    const keys = ['command', 'args', 'env', 'url', 'headers', 'fetch', 'failOnStartupError', 'toolCallTimeoutMs', 'missingStructuredContent'];
    expect(variants().map(({ dict }) => keys.map((key) => dict?.[key]?.type))).toEqual([
      ['string', 'array', 'dict', undefined, undefined, undefined, 'boolean', 'number', 'union'],
      [undefined, undefined, undefined, 'string', 'dict', 'any', 'boolean', 'number', 'union'],
    ]);
  });

  it('tells bounds and patterns to an editor', () => {
    const [stdio] = variants();
    expect(stdio?.dict?.['toolCallTimeoutMs']?.meta).toMatchObject({ min: 1, max: 2_147_483_647 });
    expect(stdio?.dict?.['serverName']?.meta.pattern).toMatchObject({ source: '^[A-Za-z0-9_-]{1,32}$' });
  });

  it('describes every option in words', () => {
    for (const variant of variants()) {
      expect(Object.entries(variant.dict ?? {}).filter(([, option]) => option?.meta.description === undefined || option.meta.description === '')).toEqual([]);
    }
  });
});
