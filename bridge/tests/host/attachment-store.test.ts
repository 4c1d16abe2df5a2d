import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest';
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

/** Watches what is brought to the disk, whatever was opened. */
async function syncSpy(): Promise<MockInstance<FileHandle['sync']>> {
  const probe = await open(import.meta.filename, 'r');
  await probe.close();
  const all: FileHandle = Object.getPrototypeOf(probe);
  return vi.spyOn(all, 'sync');
}

/** How many files this process has open. */
async function openFiles(): Promise<number> {
  return (await readdir('/dev/fd')).length;
}

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

test('leaves the file of an image alone that is stored again', async () => {
  const store = new LocalAttachmentStore({ directory });
  const image = { data: png, mediaType: 'image/png' };
  const [reference] = await store.saveImages([image]);
  const file = path.join(directory, reference!.sha256.slice(0, 2), reference!.sha256);
  const before = await stat(file);
  await store.saveImages([image]);
  expect((await stat(file)).ino).toBe(before.ino);
});

test.each([
  ['of another type than it is said to be', { data: gif, mediaType: 'image/png' }, 'image 2 is said to be image/png and is image/gif'],
  ['of no known type', { data: Buffer.from('<svg/>'), mediaType: 'image/svg+xml' }, 'image 2 is no PNG, JPEG, WebP or GIF'],
  ['empty', { data: Buffer.alloc(0), mediaType: 'image/png' }, 'image 2 is no PNG, JPEG, WebP or GIF'],
  ['too large', { data: Buffer.concat([png, Buffer.alloc(1)]), mediaType: 'image/png' }, 'image 2 has 13 bytes, more than 12; send a smaller one or raise maxImageBytes'],
])('stores nothing of a batch whose last image is %s', async (_what, wrong, message) => {
  const store = new LocalAttachmentStore({ directory, maxImageBytes: png.byteLength });
  await expect(store.saveImages([{ data: png, mediaType: 'image/png' }, wrong])).rejects.toMatchObject({ code: 'image-invalid', message });
  expect(await files()).toEqual([]);
});

test('refuses a batch with too many images, and takes as many as are allowed', async () => {
  const store = new LocalAttachmentStore({ directory, maxImages: 1 });
  const image = { data: png, mediaType: 'image/png' };
  await expect(store.saveImages([image, image])).rejects.toMatchObject({ code: 'image-invalid', message: '2 images are more than the 1 of one batch; store fewer or raise maxImages' });
  await expect(store.saveImages([image])).resolves.toHaveLength(1);
});

test('has the bytes on the disk and the name in its folder before it gives a reference, and keeps no file open', async () => {
  const store = new LocalAttachmentStore({ directory });
  const synced = await syncSpy();
  try {
    await store.saveImages([{ data: png, mediaType: 'image/png' }]);
    expect(synced).toHaveBeenCalledTimes(2);
    const before = await openFiles();
    await store.saveImages(Array.from({ length: 50 }, (_, index) => ({ data: Buffer.concat([png, Buffer.from([index])]), mediaType: 'image/png' })));
    expect(await openFiles()).toBeLessThan(before + 20);
  } finally {
    synced.mockRestore();
  }
});

test('says where it cannot write, and leaves no temporary file', async () => {
  const second = createHash('sha256').update(gif).digest('hex');
  // A file where the folder of the second image should be.
  await writeFile(path.join(directory, second.slice(0, 2)), '');
  const store = new LocalAttachmentStore({ directory });
  const batch = [{ data: png, mediaType: 'image/png' }, { data: gif, mediaType: 'image/gif' }];
  await expect(store.saveImages(batch)).rejects.toMatchObject({ code: 'store-failed', message: expect.stringMatching(new RegExp(`^the images cannot be written to ${directory}: ENOTDIR|EEXIST`)) as unknown, cause: { syscall: expect.any(String) as unknown } });
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

test.each([['another image', gif], ['no image at all', Buffer.from('<svg/>')]])('refuses to read what became %s after it was stored', async (_what, data) => {
  const store = new LocalAttachmentStore({ directory });
  const [reference] = await store.saveImages([{ data: png, mediaType: 'image/png' }]);
  const { sha256 } = reference!;
  await writeFile(path.join(directory, sha256.slice(0, 2), sha256), data);
  await expect(store.readImage({ sha256 })).rejects.toMatchObject({ code: 'image-unreadable', message: `the file of image ${sha256} was changed after it was stored; restore it or remove it` });
});

const digest = '0'.repeat(64);

test('says where it missed an image, and why', async () => {
  await expect(new LocalAttachmentStore({ directory }).readImage({ sha256: digest })).rejects.toMatchObject({
    code: 'image-unreadable',
    message: expect.stringMatching(`^the image ${digest} cannot be read from ${directory}: ENOENT`) as unknown,
    cause: { code: 'ENOENT' },
  });
});

test.each(['../../etc/passwd', `../${digest}`, `${digest}/..`, `0${digest}`, 'F'.repeat(64), undefined])('reads nothing by %j, which is no digest', async (sha256) => {
  await expect(new LocalAttachmentStore({ directory }).readImage(sha256 === undefined ? {} : { sha256 })).rejects.toMatchObject({
    code: 'image-unreadable',
    message: 'the reference has no SHA-256 of 64 lower-case hex digits; use one that saveImages gave',
  });
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
  const synced = await syncSpy();
  try {
    const store = new LocalAttachmentStore({ directory });
    const [reference] = await store.saveImages([{ data: png, mediaType: 'image/png' }]);
    expect((await store.readImage(reference!)).data.byteLength).toBe(png.byteLength);
    expect(synced).toHaveBeenCalledTimes(1);
  } finally {
    synced.mockRestore();
    platform.mockRestore();
  }
});

test('concurrent batches with one content all get a readable reference', async () => {
  const store = new LocalAttachmentStore({ directory });
  const batches = await Promise.all(Array.from({ length: 8 }, () => store.saveImages([{ data: png, mediaType: 'image/png' }])));
  for (const [reference] of batches) expect((await store.readImage(reference!)).data.byteLength).toBe(png.byteLength);
  expect((await files()).length).toBe(1);
});
