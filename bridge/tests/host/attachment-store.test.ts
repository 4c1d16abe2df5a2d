import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalAttachmentStore } from '../../src/host/attachment-store.ts';

const png = Buffer.from('89504e470d0a1a0a00000000', 'hex');
const gif = Buffer.from('GIF89a....', 'latin1');
const jpeg = Buffer.from('ffd8ffe000', 'hex');
const webp = Buffer.from('RIFF....WEBPVP8 ', 'latin1');

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'attachments-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Names of all files in the store. */
async function files(): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test('stores a batch in order and reads each image back', async () => {
  const store = new LocalAttachmentStore({ directory });
  const inputs = [
    { data: png, mediaType: 'image/png' },
    { data: gif, mediaType: 'image/gif' },
    { data: jpeg, mediaType: 'image/jpeg' },
    { data: webp, mediaType: 'image/webp' },
  ];
  const references = await store.saveImages(inputs);
  expect(references.map(({ mediaType, bytes }) => ({ mediaType, bytes }))).toEqual(
    inputs.map(({ mediaType, data }) => ({ mediaType, bytes: data.byteLength })),
  );
  for (const [index, reference] of references.entries()) {
    const { data, ref } = await new LocalAttachmentStore({ directory }).readImage(reference);
    expect(Buffer.from(data)).toEqual(inputs[index]?.data);
    expect(ref).toEqual(reference);
  }
});

test('keeps one file for one content, within a batch and across batches', async () => {
  const store = new LocalAttachmentStore({ directory });
  const image = { data: png, mediaType: 'image/png' };
  const [[first, second], [third]] = [await store.saveImages([image, image]), await store.saveImages([image])];
  expect([second, third]).toEqual([first, first]);
  expect(await files()).toEqual([createHash('sha256').update(png).digest('hex')]);
});

test.each([
  ['of another type than it is said to be', { data: gif, mediaType: 'image/png' }],
  ['of no known type', { data: Buffer.from('<svg/>'), mediaType: 'image/svg+xml' }],
  ['empty', { data: Buffer.alloc(0), mediaType: 'image/png' }],
  ['too large', { data: Buffer.concat([png, Buffer.alloc(100)]), mediaType: 'image/png' }],
])('stores nothing of a batch whose last image is %s', async (_what, wrong) => {
  const store = new LocalAttachmentStore({ directory, maxImageBytes: 100 });
  await expect(store.saveImages([{ data: png, mediaType: 'image/png' }, wrong])).rejects.toMatchObject({ code: 'image-invalid' });
  expect(await files()).toEqual([]);
});

test('refuses a batch with too many images', async () => {
  const store = new LocalAttachmentStore({ directory, maxImages: 1 });
  const image = { data: png, mediaType: 'image/png' };
  await expect(store.saveImages([image, image])).rejects.toMatchObject({ code: 'image-invalid' });
});

test('says where it cannot write, and leaves no temporary file', async () => {
  const second = createHash('sha256').update(gif).digest('hex');
  // A file where the folder of the second image should be.
  await writeFile(path.join(directory, second.slice(0, 2)), '');
  const store = new LocalAttachmentStore({ directory });
  const batch = [{ data: png, mediaType: 'image/png' }, { data: gif, mediaType: 'image/gif' }];
  await expect(store.saveImages(batch)).rejects.toMatchObject({ code: 'store-failed', message: expect.stringContaining(directory) as unknown });
  expect(await files()).toEqual([second.slice(0, 2)]);
});

test('is not misled by bytes that change while they are being stored', async () => {
  const store = new LocalAttachmentStore({ directory });
  const data = Uint8Array.from(png);
  const saving = store.saveImages([{ data, mediaType: 'image/png' }]);
  data.fill(0);
  const [reference] = await saving;
  expect(Buffer.from((await store.readImage(reference!)).data)).toEqual(png);
});

test('refuses to read what was changed, what is missing, and what is no digest', async () => {
  const store = new LocalAttachmentStore({ directory });
  const [reference] = await store.saveImages([{ data: png, mediaType: 'image/png' }]);
  const { sha256 } = reference!;
  await writeFile(path.join(directory, sha256.slice(0, 2), sha256), gif);
  const unreadable = { code: 'image-unreadable' };
  await expect(store.readImage({ sha256 })).rejects.toMatchObject(unreadable);
  await expect(store.readImage({ sha256: '0'.repeat(64) })).rejects.toMatchObject(unreadable);
  await expect(store.readImage({ sha256: '../../etc/passwd' })).rejects.toMatchObject(unreadable);
  await expect(store.readImage({})).rejects.toMatchObject(unreadable);
});

test('stops reading with the reason of its caller, and only for one who gave up', async () => {
  const store = new LocalAttachmentStore({ directory });
  const [reference] = await store.saveImages([{ data: png, mediaType: 'image/png' }]);
  expect(Buffer.from((await store.readImage(reference!, new AbortController().signal)).data)).toEqual(png);
  await expect(store.readImage(reference!, AbortSignal.abort('enough'))).rejects.toBe('enough');
});

test('replaces a damaged file when its image comes again', async () => {
  const store = new LocalAttachmentStore({ directory });
  const [reference] = await store.saveImages([{ data: png, mediaType: 'image/png' }]);
  const { sha256 } = reference!;
  await writeFile(path.join(directory, sha256.slice(0, 2), sha256), png.subarray(0, 9));
  expect(await store.saveImages([{ data: png, mediaType: 'image/png' }])).toEqual([reference]);
  expect(Buffer.from((await store.readImage(reference!)).data)).toEqual(png);
});

test('stores where no folder can be opened', async () => {
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  try {
    const store = new LocalAttachmentStore({ directory });
    const [reference] = await store.saveImages([{ data: png, mediaType: 'image/png' }]);
    expect((await store.readImage(reference!)).data.byteLength).toBe(png.byteLength);
  } finally {
    platform.mockRestore();
  }
});

test('concurrent batches with one content all get a readable reference', async () => {
  const store = new LocalAttachmentStore({ directory });
  const batches = await Promise.all(Array.from({ length: 8 }, () => store.saveImages([{ data: png, mediaType: 'image/png' }])));
  for (const [reference] of batches) expect((await store.readImage(reference!)).data.byteLength).toBe(png.byteLength);
  expect((await files()).length).toBe(1);
});
