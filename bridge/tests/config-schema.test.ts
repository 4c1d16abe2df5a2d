import { describe, expect, it } from 'vitest';
import { configSchema, describeConfig } from '../src/config-schema.ts';
import { resolveConfig } from '../src/config.ts';

const STDIO = { transport: 'stdio', serverName: 'a', command: 'x' } as const;

/** What an expression of an unset variable leaves in a config. */
const WITHOUT_VALUE: Record<string, string> = JSON.parse('{"A":"a","B":null}');

describe('Config', () => {
  it('is callable, as Cordis 3 wants it: returns the config after defaults or throws', () => {
    expect(configSchema(STDIO)).toMatchObject({ ...STDIO, toolCallTimeoutMs: 60_000 });
    expect(() => configSchema(null)).toThrow('mcp-bridge config: must be a mapping, not null');
  });

  it('is a Standard Schema, as Cordis 4 wants it', () => {
    const { validate, version } = configSchema['~standard'];
    expect(version).toBe(1);
    expect(validate(STDIO)).toMatchObject({ value: STDIO });
    expect(() => validate({ ...STDIO, command: '' })).toThrow(expect.objectContaining({ code: 'config-invalid', message: expect.stringMatching(/^mcp-bridge "a" config\.command: /) as unknown }));
  });

  it('gives a config that apply judges the same way again, oddities included', () => {
    const odd = { ...STDIO, env: WITHOUT_VALUE, bogus: 1 };
    expect(resolveConfig(configSchema(odd)).warnings).toEqual(resolveConfig(odd).warnings);
    expect(resolveConfig(configSchema(odd)).config).toEqual(resolveConfig(odd).config);
  });

  it('leaves headers as they were written, so that apply can say which of them has no value', () => {
    const odd = { transport: 'streamable-http', serverName: 'a', url: 'http://localhost/mcp', headers: WITHOUT_VALUE } as const;
    expect(configSchema(odd)).toMatchObject({ headers: { A: 'a', B: null } });
    expect(resolveConfig(configSchema(odd)).warnings).toEqual(['config.headers["B"]: has no value and is left out']);
  });

  it('does not pass off as a fault of the config what a getter in it throws', () => {
    const { validate } = configSchema['~standard'];
    const broken = {
      ...STDIO,
      get cwd(): string {
        throw new RangeError('not today');
      },
    };
    expect(() => validate(broken)).toThrow(RangeError);
  });

  it('describes every option it judges, with the same defaults', () => {
    const described = describeConfig();
    const { reconnect, ...tuning } = resolveConfig(STDIO).config;
    const [stdio] = described.list ?? [];
    for (const [key, value] of Object.entries(tuning)) {
      expect(stdio?.dict, key).toHaveProperty(key);
      if (typeof value !== 'object' && value !== undefined && !(key in STDIO)) expect(stdio?.dict?.[key]?.meta.default, key).toBe(value);
    }
    for (const [key, value] of Object.entries(reconnect)) expect(stdio?.dict?.['reconnect']?.dict?.[key]?.meta.default).toBe(value);
    expect(JSON.stringify(configSchema.toJSON())).toContain('toolCallTimeoutMs');
  });
});
