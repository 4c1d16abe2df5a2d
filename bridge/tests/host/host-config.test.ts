import { expect, test } from 'vitest';
import { hostConfigSchema, resolveHostConfig } from '../../src/host/host-config.ts';

test('the host needs no config', () => {
  const defaults = { validateOutput: true, maxValueDepth: 1000, maxValues: 1_000_000, printLogs: true };
  for (const none of [undefined, null, {}]) expect(resolveHostConfig(none)).toEqual(defaults);
});

test('the given config object is not written to', () => {
  const given = Object.freeze({ models: [{ provider: 'p', model: 'm' }] });
  expect(resolveHostConfig(given).models).toEqual(given.models);
});

test.each([
  [{ colour: 1 }, 'config.colour: is no option; remove it, or write one of validateOutput, maxValueDepth, maxValues, printLogs, attachments, models'],
  [{ attachments: {} }, "config.attachments: must have required property 'directory'"],
  [{ attachments: { directory: 'd', maxImages: 0 } }, 'config.attachments.maxImages: must be >= 1'],
  [{ models: [{ provider: 'p', model: 'm' }, { provider: 'p' }] }, "config.models[1]: must have required property 'model'"],
  [{ models: [...Array.from({ length: 10 }, () => ({ provider: 'p', model: 'm' })), {}] }, "config.models[10]: must have required property 'provider'"],
  [{ models: [{ provider: 'p', model: 'm', modalities: [] }] }, 'config.models[0].modalities: is no option; remove it, or write one of provider, model, inputModalities'],
  ['text', 'config: must be object'],
  [[], 'config: must be object'],
  [{ models: { provider: 'p' } }, 'config.models: must be array'],
  [{ attachments: { directory: Symbol('d') } }, 'config: holds something that is no data; write plain values only (Symbol(d) could not be cloned.)'],
])('a wrong config %j is refused with place and problem', (config, message) => {
  const refusal = expect.objectContaining({ code: 'host-config-invalid', message: `mcp-bridge-host ${message}` });
  expect(() => resolveHostConfig(config)).toThrow(refusal);
  expect(() => hostConfigSchema(config)).toThrow(refusal);
  expect(hostConfigSchema['~standard'].validate(config)).toEqual({ issues: [{ message: `mcp-bridge-host ${message}` }] });
});
