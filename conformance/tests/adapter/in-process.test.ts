import { describe, expect, it } from 'vitest';
import { AdapterError, type BridgeAdapter } from '../../src/adapter/bridge-adapter.ts';
import { completeAdapter } from '../../src/adapter/complete-adapter.ts';
import { checkReply, inProcess } from '../../src/adapter/in-process.ts';
import { MAX_BOUNDS_MS, openReply, subjectDescription, type ServerSpec } from '../../src/adapter/messages.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
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

describe('what an adapter owes', () => {
  it('is the same in process: an answer to what each has, and about the servers that were asked for', async () => {
    const refusing = inProcess(fakeAdapter({ tools: () => Promise.reject(new AdapterError('unsupported', 'no list')) }));
    await expect(refusing.tools()).rejects.toMatchObject({ code: 'driver-error', message: expect.stringMatching(/^the adapter refused "tools" as unsupported/) });
    const lost = inProcess(fakeAdapter({ open: async () => ({ servers: [] }) }));
    const servers: ServerSpec[] = Array.from({ length: 7 }, (_, at) => ({ name: `s${at}`, transport: 'stdio', command: 'x', args: [] }));
    await expect(lost.open({ servers })).rejects.toMatchObject({ code: 'invalid-reply', message: expect.stringMatching(/names none, asked was "s0", "s1", "s2", "s3", "s4" and 2 more; missing: "s0"/) });
  });

  it('is no answer for each of two entries of one name: that is the bridge\'s to settle', async () => {
    const twin: ServerSpec = { name: 'twin', transport: 'stdio', command: 'x', args: [] };
    const one = inProcess(fakeAdapter({ open: async () => ({ servers: [{ name: 'twin', status: 'ready' }] }) }));
    await expect(one.open({ servers: [twin, twin] })).resolves.toEqual({ servers: [{ name: 'twin', status: 'ready' }] });
    await expect(inProcess(fakeAdapter()).open({ servers: [twin, twin] })).resolves.toMatchObject({ servers: [{ name: 'twin' }, { name: 'twin' }] });
  });

  it('is one description for all processes of a run, whatever the order of its keys', async () => {
    const { name: _name, ...rest } = fakeDescription;
    await expect(new SubjectWorker(() => fakeAdapter({ describe: async () => ({ ...rest, name: 'fake' }) }), {}, fakeDescription).live()).resolves.toBeDefined();
    const other = new SubjectWorker(() => fakeAdapter(), {}, { ...fakeDescription, features: ['abort'] });
    await expect(other.live()).rejects.toMatchObject({ code: 'invalid-reply', message: expect.stringMatching(/^the subject describes itself otherwise than before: features\.0 was "abort", is nothing; /) });
    let made = 0;
    const changing = new SubjectWorker(() => fakeAdapter({ describe: async () => ({ ...fakeDescription, version: String(made += 1) }) }));
    await changing.live();
    changing.discard();
    await expect(changing.live()).rejects.toMatchObject({ code: 'invalid-reply', message: expect.stringContaining('version was "1", is "2"') });
  });
});

function declared(change: object): () => unknown {
  return () => checkReply('describe', subjectDescription, { ...fakeDescription, ...change });
}

describe('what is declared', () => {
  const { bounds } = fakeDescription;

  it.each(Object.entries(MAX_BOUNDS_MS))('has bounds that somebody would wait for: %s is at most %d', (bound, maxMs) => {
    expect(declared({ bounds: { ...bounds, [bound]: maxMs } })).not.toThrow();
    expect(declared({ bounds: { ...bounds, [bound]: maxMs + 1 } })).toThrow(new RegExp(`bounds\\.${bound}: .*<=${maxMs}$`));
    expect(maxMs).toBeLessThan(2 ** 31 / 2);
  });

  it.each<[string, RegExp]>([
    ['([', /names\.pattern: "\(\[" is no regular expression that is taken here \(missing closing \]/],
    ['(?=a)b', /names\.pattern: .*without look-around, back references/],
    ['(a)\\1', /names\.pattern: .*without look-around, back references/],
    ['a'.repeat(1_001), /names\.pattern: .*<=1000/],
  ])('has a pattern that can be used: not %.20s', (pattern, told) => {
    expect(declared({ names: { scheme: 'own', pattern, maxLength: 64, qualified: true } })).toThrow(told);
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
