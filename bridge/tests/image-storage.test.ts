import { beforeEach, describe, expect, it } from 'vitest';
import type { AttachmentStore, ImageInput } from '../src/host-services.ts';
import { storeImages, type Storage } from '../src/image-storage.ts';
import { FakeServices } from './images/fake-services.ts';
import { imageBytes } from './images/samples.ts';

const IMAGES: readonly ImageInput[] = ['image/png', 'image/gif'].map((mediaType) => ({ mediaType, data: imageBytes('image/png') }));

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe('storeImages', () => {
  let services: FakeServices;
  beforeEach(() => {
    services = new FakeServices();
  });

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made above
  const run = (more: object = {}): Promise<Storage> => storeImages({ store: services.get('attachments') as AttachmentStore, images: IMAGES, imageStoreTimeoutMs: 5_000, signal: new AbortController().signal, ...more });

  it('stores all images in one call, in order, and gives the references in that order (S43)', async () => {
    expect(await run()).toEqual({ kind: 'stored', references: [{ mediaType: 'image/png', sha256: 'digest-0' }, { mediaType: 'image/gif', sha256: 'digest-1' }] });
    expect(services.batches).toEqual([IMAGES]);
  });

  it('keeps references of its own, which are JSON whatever the store gave', async () => {
    const given = { sha256: 'a', name: undefined };
    services.save = () => [given, { sha256: 'b' }];
    const stored = await run();
    given.sha256 = 'changed later';
    expect(stored).toEqual({ kind: 'stored', references: [{ sha256: 'a' }, { sha256: 'b' }] });
    expect(stored.kind === 'stored' && 'name' in (stored.references[0] ?? {})).toBe(false);
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  it.each<[string, unknown]>([
    ['too few references', [{}]],
    ['too many references', [{}, {}, {}]],
    ['an undefined member', [{}, undefined]],
    ['a hole', Object.assign([{}], { length: 2 })],
    ['a text', [{}, 'sha256:b']],
    ['a list', [{}, []]],
    ['a function', [{}, () => undefined]],
    ['a cycle', [{}, cycle]],
    ['a big integer', [{}, { size: 1n }]],
    ['no list', { length: 2 }],
    ['nothing', undefined],
  ])('refuses all images when the store answers with %s (S45)', async (_what, answer) => {
    services.save = () => answer;
    expect(await run()).toEqual({ kind: 'refused', reason: 'the attachment store failed', fault: 'it answered 2 images with something other than 2 references' });
  });

  it('tells the model nothing of a failing store\'s own words, but a person (S45, S46)', async () => {
    const fault = coded('store-failed', 'cannot write /home/user/images');
    services.save = () => Promise.reject(fault);
    expect(await run()).toEqual({ kind: 'refused', reason: 'the attachment store failed', fault });
    services.save = () => Promise.reject('a bare text');
    expect(await run()).toMatchObject({ fault: 'a bare text' });
    for (const odd of [undefined, { code: 'image-invalid', message: '/home/user' }]) {
      services.save = () => Promise.reject(odd);
      expect(await run()).toEqual({ kind: 'refused', reason: 'the attachment store failed', fault: odd });
    }
  });

  it.each([
    ['image-invalid', 'image 2 has 30 bytes, more than 20'],
    ['IMAGE_DIMENSION_TOO_LARGE', 'Image exceeds the configured per-side pixel limit.'],
  ])('says why a store with code %s refused the images', async (code, message) => {
    services.save = () => Promise.reject(coded(code, message));
    expect(await run()).toEqual({ kind: 'refused', reason: `the attachment store refused the images: ${message}` });
  });

  it('refuses when the store takes too long (B05)', async () => {
    services.save = () => new Promise(() => undefined);
    expect(await run({ imageStoreTimeoutMs: 1 })).toMatchObject({ kind: 'refused', fault: 'no answer within the 1 ms of imageStoreTimeoutMs' });
  });

  it('calls no store after an abort, and does not wait for one that is at work (S38)', async () => {
    const caller = new AbortController();
    services.save = () => {
      caller.abort();
      return new Promise(() => undefined);
    };
    expect(await run({ signal: caller.signal })).toEqual({ kind: 'refused', reason: 'the call was aborted' });
    expect(await run({ signal: caller.signal })).toEqual({ kind: 'refused', reason: 'the call was aborted' });
    expect(services.batches).toHaveLength(1);
  });
});
