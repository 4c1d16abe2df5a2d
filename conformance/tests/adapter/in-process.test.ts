import { describe, expect, it } from 'vitest';
import type { BridgeAdapter } from '../../src/adapter/bridge-adapter.ts';
import { completeAdapter } from '../../src/adapter/complete-adapter.ts';
import { checkReply, inProcess } from '../../src/adapter/in-process.ts';
import { openReply, subjectDescription } from '../../src/adapter/messages.ts';
import { fakeAdapter, fakeDescription } from '../support/fake-adapter.ts';

/** As a module in plain JavaScript gives it: typed as an adapter, whatever it is. */
function untyped(value: unknown): BridgeAdapter {
  return JSON.parse('{"value":null}', (key, old: unknown) => (key === 'value' ? value : old)).value;
}

describe('what createAdapter made', () => {
  it.each<[string, unknown, RegExp]>([
    ['null', null, /^createAdapter returned null; return an object with describe, open, close, tools, call$/],
    ['nothing', undefined, /^createAdapter returned undefined; /],
    ['a function', () => undefined, /^createAdapter returned function; /],
    ['an object without call', { ...fakeAdapter(), call: undefined }, /^the adapter has no method "call"; /],
    ['an object with cal', { ...fakeAdapter(), call: undefined, cal: () => undefined }, /^the adapter has no method "call" \(it has "cal"\); /],
    ['an empty object', {}, /no method "describe", "open", "close", "tools", "call"; /],
  ])('is refused when it is %s, before anything is asked of it', (_what, made, told) => {
    expect(() => inProcess(untyped(made))).toThrow(expect.objectContaining({ code: 'misuse', message: expect.stringMatching(told) }));
  });

  it('is refused by completeAdapter too, which would hide that the method is missing', () => {
    expect(() => completeAdapter(untyped({ ...fakeAdapter(), call: undefined }))).toThrow(/no method "call"/);
  });

  it('may lack what only some subjects can do', async () => {
    const adapter = inProcess(untyped({ ...fakeAdapter(), state: undefined, cancel: undefined }));
    await expect(adapter.state()).rejects.toMatchObject({ code: 'unsupported' });
    await expect(adapter.cancel('x')).resolves.toBeUndefined();
    await expect(adapter.describe()).resolves.toEqual(fakeDescription);
  });
});

describe('a reply that does not fit', () => {
  it.each<[unknown, RegExp]>([
    ['pus', /registry: .*, found "pus"$/],
    [undefined, /registry: .*, found nothing$/],
    [null, /registry: .*, found null$/],
    [7, /registry: .*, found 7$/],
    [['push'], /registry: .*, found a list$/],
    ['x'.repeat(1_000), /registry: .*, found "x{58}…$/],
  ])('is told with what was found where one of several words was due: %j', (registry, told) => {
    expect(() => checkReply('describe', subjectDescription, { ...fakeDescription, registry })).toThrow(told);
  });

  it('tells the same mistake in each entry of a list once', () => {
    const servers = ['a', 'b', 'c'].map((name) => ({ name, status: 'splendid' }));
    expect(() => checkReply('open', openReply, { servers })).toThrow(/contract: servers\.0\.status: [^;]*, found "splendid"$/);
  });
});
