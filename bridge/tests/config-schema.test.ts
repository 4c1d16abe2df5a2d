import { describe, expect, it } from 'vitest';
import { configSchema, describeConfig } from '../src/config-schema.ts';
import { resolveConfig } from '../src/config.ts';

const STDIO = { transport: 'stdio', serverName: 'a', command: 'x' } as const;

describe('Config', () => {
  it('is callable, as Cordis 3 wants it: returns the config after defaults or throws', () => {
    expect(configSchema(STDIO)).toMatchObject({ ...STDIO, toolCallTimeoutMs: 60_000 });
    expect(() => configSchema(null)).toThrow('mcp-bridge config: must be a mapping, not null');
  });

  it('is a Standard Schema, as Cordis 4 wants it', () => {
    const { validate, version } = configSchema['~standard'];
    expect(version).toBe(1);
    expect(validate(STDIO)).toMatchObject({ value: STDIO });
    expect(validate({ ...STDIO, serverName: '' })).toEqual({ issues: [{ message: expect.stringContaining('mcp-bridge config.serverName') as unknown }] });
  });

  it('gives a config that apply judges the same way again, oddities included', () => {
    const odd = { ...STDIO, env: { A: undefined as unknown as string }, bogus: 1 };
    expect(resolveConfig(configSchema(odd)).warnings).toEqual(resolveConfig(odd).warnings);
    expect(resolveConfig(configSchema(odd)).config).toEqual(resolveConfig(odd).config);
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
