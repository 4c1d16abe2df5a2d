/** Images from a result to the model, in every host, with the host's own store and model routes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ContentBlock, ImageReference, JsonObject, ToolExecutionResult } from '../../src/host-services.ts';
import type { EmbeddedHost } from '../../src/host/embedded-host.ts';
import type { ToolCall } from '../../src/host/execute-call.ts';
import type { PostToolDecision } from '../../src/host/policy.ts';
import { createBridgePlugin } from '../../src/internal.ts';
import { memoryConfig } from '../helpers-logic/memory-host.ts';
import { listedTool, MemoryServer } from '../helpers-logic/scripted-session.ts';
import { hosts } from '../host/cordis-versions.ts';
import { heldStage } from '../host/sample-policies.ts';
import { attachmentStore } from '../host/services.ts';
import { agentOn } from './fake-services.ts';
import { imageBlock, imageBytes, TYPES } from './samples.ts';

const text = (value: string): JsonObject & ContentBlock => ({ type: 'text', text: value });
const RESULT = { content: [text('one'), ...TYPES.map((type) => imageBlock(type, `a ${type}`)), text('two')] };
const models = [{ provider: 'p', model: 'sees', inputModalities: ['text', 'image'] }, { provider: 'p', model: 'reads', inputModalities: ['text'] }];

const kinds = ({ content }: ToolExecutionResult): string[] => content.map(({ type }) => type);

interface ReadingStore {
  readImage(reference: ImageReference): Promise<{ readonly data: Uint8Array }>;
}

function isReading(store: object): store is ReadingStore {
  return 'readImage' in store;
}

describe.each(hosts)('images on %s', (_name, start) => {
  let directory: string;
  let host: EmbeddedHost;
  let server: MemoryServer;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'bridge-images-'));
    host = await start({ onLog: () => undefined, host: { attachments: { directory }, models } });
    server = new MemoryServer(listedTool('draw'));
    server.onCall = () => RESULT;
    await host.load(createBridgePlugin({ openSession: server.open }), memoryConfig());
  });
  afterEach(async () => {
    await host.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  const call = (model = 'sees', more: Partial<ToolCall> = {}): Promise<ToolExecutionResult> =>
    host.tools.execute({ callId: 'c', name: 'mcp__mem__draw', arguments: {}, agent: agentOn('p', model), signal: new AbortController().signal, ...more });
  /** Changes the tool, so that the next list is another generation. */
  const renew = async (): Promise<void> => {
    server.tools = [listedTool('draw', { description: 'another' })];
    server.session.notify();
    await vi.waitFor(() => expect(host.tools.get('mcp__mem__draw')?.description).toBe('another'));
  };

  test('are stored durably and read back, their base64 only in the canonical value (S43, S46, S62)', async () => {
    const result = await call();
    expect(kinds(result)).toEqual(['text', ...TYPES.map(() => 'image'), 'text']);
    expect(result).toMatchObject({ isError: false, value: RESULT });
    expect(JSON.stringify(result.content)).not.toContain(imageBytes('image/gif', 'a image/gif').toString('base64').slice(20));
    const store: object = attachmentStore(host);
    if (!isReading(store)) throw new TypeError('this store cannot be read');
    const references = result.content.flatMap((block) => (block.type === 'image' ? [block.attachment] : []));
    const read = await Promise.all(references.map((reference) => store.readImage(reference)));
    expect(read.map(({ data }) => Buffer.from(data))).toEqual(TYPES.map((type) => imageBytes(type, `a ${type}`)));
  });

  test.each([
    ['does not take them', 'reads', 'the model does not declare image input'],
    ['is not known', 'unheard-of', 'the model could not be looked up'],
  ])('are words for a model that %s (S44)', async (_what, model, reason) => {
    const result = await call(model);
    expect(kinds(result)).toEqual(['text']);
    expect(JSON.stringify(result.content)).toContain(`[image left out (image/gif): ${reason}]`);
    expect(result).toMatchObject({ isError: false, value: RESULT });
  });

  test('are shown of a program\'s call as well, whose value is untouched (S49)', async () => {
    const result = await call('sees', { parent: Symbol('outer') });
    expect(kinds(result)).toContain('image');
    expect(result).toMatchObject({ value: RESULT });
  });

  test('give way to a policy (S47)', async () => {
    const decisions: readonly PostToolDecision[] = [
      { kind: 'accept', content: [text('checked')] },
      { kind: 'accept', value: { content: [text('other'), imageBlock('image/png')] } },
      { kind: 'block', feedback: [text('no')] },
    ];
    const seen: unknown[] = [];
    for (const decision of decisions) {
      const end = host.tools.use({ postExecute: () => decision });
      seen.push((await call()).content);
      end();
    }
    expect(seen).toEqual([[text('checked')], [text('other\n[image left out (image/png): only a program that calls the tool gets it]')], [text('no')]]);
    expect(kinds(await call())).toContain('image');
  });

  test('are shown of a call that a policy held across a list change, after its tool ran (S48)', async () => {
    const policy = heldStage(undefined);
    host.tools.use({ postExecute: policy.stage });
    const held = call();
    await policy.reached;
    await renew();
    server.onCall = () => ({ content: [imageBlock('image/png', 'of the next generation')] });
    const next = call();
    policy.release();
    expect(kinds(await held)).toEqual(['text', ...TYPES.map(() => 'image'), 'text']);
    expect(kinds(await next)).toEqual(['image']);
  });

  test('are words of a call that a policy held across a list change, before its tool ran (S48)', async () => {
    const policy = heldStage(undefined);
    const end = host.tools.use({ preExecute: policy.stage });
    const held = call();
    await policy.reached;
    await renew();
    policy.release();
    // The body is the next generation's, the end of the pipeline the first one's.
    expect(kinds(await held)).toEqual(['text']);
    end();
    expect(kinds(await call())).toContain('image');
  });

  test('are each call\'s own, though all have one id (S47)', async () => {
    let made = 0;
    server.onCall = () => ({ content: [imageBlock('image/png', `number ${(made += 1)}`)] });
    const results = await Promise.all(Array.from({ length: 5 }, () => call()));
    const shown = results.map(({ content: [block] }) => (block?.type === 'image' ? (block.attachment['attachmentId'] ?? block.attachment.sha256) : undefined));
    expect(new Set(shown).size).toBe(5);
  });
});
