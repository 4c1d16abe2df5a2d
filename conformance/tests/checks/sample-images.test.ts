/** The images of the suite, before a store that decodes every pixel: a bridge must not fail for pictures that are none. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as cordis from '@deepseek-ai/cordis';
import * as attachments from '@deepseek-ai/dsh-attachment-local';
import * as systemPrompt from '@deepseek-ai/dsh-system-prompt';
import * as tools from '@deepseek-ai/dsh-tools';
import { startDshHost, type AttachmentStore, type EmbeddedHost } from 'cordis-plugin-mcp-bridge/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf, imageBlock, imageBytes, IMAGE_TYPES } from '../../src/checks/projection/sample-images.ts';

function isStore(service: unknown): service is AttachmentStore {
  return typeof service === 'object' && service !== null && 'saveImages' in service;
}

describe('sample images', () => {
  let directory: string;
  let host: EmbeddedHost;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'sample-images-'));
    host = await startDshHost({ cordis, systemPrompt, tools, attachments }, { host: { attachments: { directory } }, onLog: () => undefined });
  });
  afterAll(async () => {
    await host.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(IMAGE_TYPES)('are whole: %s', async (mediaType) => {
    const store: unknown = host.ctx.get('attachments');
    if (!isStore(store)) throw new TypeError('no store is mounted');
    const images = [1, 256, 1_000, 4_001].map((letters) => ({ mediaType, data: imageBytes(mediaType, 'some words', letters) }));
    const stored = await store.saveImages(images);
    expect(stored).toMatchObject(images.map(({ data }) => ({ mediaType, attachmentId: `sha256:${digestOf(Buffer.from(data).toString('base64'))}`, bytes: data.length })));
  });

  it('are unlike each other when their words are', () => {
    const digests = IMAGE_TYPES.flatMap((type) => ['one', 'two'].map((words) => digestOf(imageBlock(type, words).data)));
    expect(new Set(digests).size).toBe(digests.length);
  });
});
