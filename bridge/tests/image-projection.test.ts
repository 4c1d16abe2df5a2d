import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { callTool } from '../src/call-execution.ts';
import type { CanonicalValue } from '../src/canonical-value.ts';
import type { ContentBlock, JsonObject, JsonValue, ToolExecution } from '../src/host-services.ts';
import { imageSettings } from '../src/image-projection.ts';
import { ProjectionStaging } from '../src/image-staging.ts';
import { projectResult, IMAGES_NOT_SHOWN } from '../src/result-projection.ts';
import { referenceStages } from '../src/stages.ts';
import { defer, MemoryServer, MemorySession } from './helpers-logic/scripted-session.ts';
import { agentOn, FakeServices } from './images/fake-services.ts';
import { imageBlock, imageBytes } from './images/samples.ts';

const LIMITS = { maxImageBytes: 10_000, maxImagesPerResult: 5, imageLookupTimeoutMs: 5_000, imageStoreTimeoutMs: 5_000, resultTextMaxChars: 1_000 };
const text = (value: string): JsonObject => ({ type: 'text', text: value });
const BASE64 = imageBytes('image/png', 'x'.repeat(100)).toString('base64');
const IMAGE: JsonObject = { type: 'image', data: BASE64, mimeType: 'image/png' };
const RESULT = { content: [text('one'), IMAGE, imageBlock('image/gif'), text('two')] };

/** One call whose server answers so, up to what the model sees. */
function prepare(result: JsonObject, services = new FakeServices(), ended?: AbortSignal) {
  const server = new MemoryServer();
  server.onCall = () => result;
  const logs: string[] = [];
  const log = (level: string, message: string): void => void logs.push(`${level} ${message}`);
  const settings = imageSettings(services, LIMITS, log, ended);
  const staging = new ProjectionStaging();
  const caller = new AbortController();
  const exec: ToolExecution = { callId: 'c', name: 't', arguments: {}, signal: caller.signal, agent: agentOn('p', 'm') };
  const call = async (own: ToolExecution = exec): Promise<CanonicalValue> =>
    callTool({
      serverName: 's',
      slot: { publicName: 'mcp__s__t', rawName: 't', taskRequired: false, outputSchema: undefined, validator: undefined, missingReported: false },
      args: {},
      signal: own.signal,
      timeoutMs: 5_000,
      session: new MemorySession(server, { onToolListChanged: () => undefined, onDiagnostic: () => undefined }),
      disconnectedBecause: '',
      missingStructuredContent: 'warn',
      maxErrorChars: 1_000,
      log,
      images: { settings, exec: own, staging },
    }, referenceStages);
  /** As a registry does it: render, then the final content. */
  const seen = (value: CanonicalValue): ContentBlock[] | undefined => {
    const content = projectResult(value, { maxChars: LIMITS.resultTextMaxChars, images: IMAGES_NOT_SHOWN });
    return staging.take(exec, { isError: false, value, content });
  };
  return { services, logs, caller, exec, call, seen };
}

describe('a call with images', () => {
  it('stores them once, in order, and shows them at their places (S40, S43)', async () => {
    const { services, call, seen } = prepare(RESULT);
    const value = await call();
    expect(seen(value)).toEqual([
      text('one'),
      { type: 'image', attachment: { mediaType: 'image/png', sha256: 'digest-0' } },
      { type: 'image', attachment: { mediaType: 'image/gif', sha256: 'digest-1' } },
      text('two'),
    ]);
    expect(services.batches).toHaveLength(1);
    expect(services.batches[0]?.map(({ data }) => Buffer.from(data).toString('base64'))).toEqual([BASE64, imageBytes('image/gif').toString('base64')]);
  });

  it('stores nothing once the instance is disposed, and calls no service then (S60)', async () => {
    const instance = new AbortController();
    const services = new FakeServices();
    services.resolve = (signal) => {
      instance.abort();
      expect(signal?.aborted).toBe(true);
      return { inputModalities: ['text', 'image'] };
    };
    const { call, seen } = prepare(RESULT, services, instance.signal);
    expect(seen(await call())).toEqual([text('one\n[image left out (image/png): the call was aborted]\n[image left out (image/gif): the call was aborted]\ntwo')]);
    await call();
    expect([services.asked.length, services.batches]).toEqual([1, []]);
  });

  it('gives a program the value as it came, whatever the model sees (S49)', async () => {
    const { call } = prepare(RESULT);
    const value = await call();
    expect(value).toEqual(RESULT);
    expect(value.content).toBe(RESULT.content);
  });

  it('keeps an image beside structured content, and shows no blank text beside it (R56)', async () => {
    const { call, seen } = prepare({ content: [text('  '), IMAGE, text('')], structuredContent: { a: 1 } });
    expect(seen(await call())).toEqual([{ type: 'image', attachment: { mediaType: 'image/png', sha256: 'digest-0' } }]);
  });

  it.each<[string, JsonValue[], string]>([
    ['a bad one', [text('a'), IMAGE, { type: 'image', data: '???', mimeType: 'image/png' }], 'a\n[image left out (image/png): another image of this result was refused]\n[image left out (image/png): its data is not canonical base64]'],
    ['a malformed one', [IMAGE, { type: 'image' }], '[image left out (image/png): another image of this result was refused]\n[malformed image block left out: its data is missing]'],
  ])('turns all images into words for %s, and looks nothing up (S45)', async (_what, content, words) => {
    const { services, call, seen } = prepare({ content });
    expect(seen(await call())).toEqual([text(words)]);
    expect(services.lookups).toEqual([]);
  });

  it('says why the model gets none (S44)', async () => {
    const { services, call, seen, logs } = prepare(RESULT);
    services.resolve = () => ({ inputModalities: ['text'] });
    expect(seen(await call())).toEqual([
      text('one\n[image left out (image/png): the model does not declare image input]\n[image left out (image/gif): the model does not declare image input]\ntwo'),
    ]);
    expect(logs).toEqual([]);
  });

  it('keeps within the bounds of its config, and leaves nothing on the signals of caller and instance (B01, B24)', async () => {
    const instance = new AbortController();
    const { services, call, seen, caller } = prepare({ content: Array.from({ length: 6 }, () => IMAGE) }, new FakeServices(), instance.signal);
    expect(JSON.stringify(seen(await call()))).toContain('the result has 6 images, more than the 5 of maxImagesPerResult');
    const good = prepare(RESULT, services, instance.signal);
    await good.call();
    expect([caller.signal, good.caller.signal, instance.signal].map((signal) => getEventListeners(signal, 'abort'))).toEqual([[], [], []]);
  });

  it('looks at store and route for each call (S10)', async () => {
    const { services, call } = prepare(RESULT);
    await call();
    await call();
    expect(services.asked).toHaveLength(2);
    services.hasStore = false;
    await call();
    expect(services.batches).toHaveLength(2);
  });

  it('asks neither store nor routes for a result without images, nor for a failure (S36)', async () => {
    const plain = prepare({ content: [text('a'), null, { type: 'audio', data: 'x' }] });
    expect(plain.seen(await plain.call())).toBeUndefined();
    const failing = prepare({ ...RESULT, isError: true });
    await expect(failing.call()).rejects.toMatchObject({ code: 'tool-error', message: expect.stringContaining('[image left out (image/png): the call failed]') as unknown });
    expect([...plain.services.lookups, ...failing.services.lookups]).toEqual([]);
  });

  it('warns of a failing service once, without payload, and again after it worked (S46)', async () => {
    const { services, call, logs } = prepare(RESULT);
    const works = services.save;
    services.save = () => Promise.reject(new Error(`cannot store ${BASE64}`));
    await call();
    await call();
    services.save = works;
    await call();
    services.save = () => Promise.reject(new Error(`cannot store ${BASE64}`));
    await call();
    services.save = () => Promise.reject({ no: 'error' });
    await call();
    services.save = () => [];
    await call();
    services.resolve = () => Promise.reject(new TypeError());
    await call();
    expect(logs).toEqual([
      'warn the images of a result are shown as text: the attachment store failed: cannot store [payload left out]',
      'debug the images of a result are shown as text: the attachment store failed: cannot store [payload left out]',
      'warn the images of a result are shown as text: the attachment store failed: cannot store [payload left out]',
      'warn the images of a result are shown as text: the attachment store failed: it threw something that is no error',
      'warn the images of a result are shown as text: the attachment store failed: it answered 2 images with something other than 2 references',
      'warn the images of a result are shown as text: the model could not be looked up: TypeError',
    ]);
  });

  it('lets no payload into the model\'s text, also cut or in the place of a type (S46)', async () => {
    const payload = 'QUJDREVG'.repeat(40);
    const { call, seen } = prepare({ content: [{ type: 'image', data: payload, mimeType: payload }, { type: payload, data: payload }, text(payload)] });
    const words = JSON.stringify(seen(await call()));
    expect(words).not.toContain(payload.slice(0, 32));
    expect(words).toContain('image left out ([payload left out])');
  });
});

describe('an abort', () => {
  it('before the lookup stores nothing and stages nothing (S38)', async () => {
    const { services, caller, call, seen } = prepare(RESULT);
    const spoilt = call();
    caller.abort();
    await expect(spoilt).rejects.toMatchObject({ code: 'call-aborted', executed: 'yes' });
    expect([services.asked, services.batches]).toEqual([[], []]);
    expect(seen(RESULT)).toBeUndefined();
  });

  it('during the lookup settles the call at once, and nothing is stored when the answer comes (S38)', async () => {
    const { services, caller, call } = prepare(RESULT);
    const [reached, answer] = [defer<void>(), defer<unknown>()];
    services.resolve = () => {
      reached.resolve();
      return answer.promise;
    };
    const spoilt = call();
    await reached.promise;
    caller.abort();
    await expect(spoilt).rejects.toMatchObject({ code: 'call-aborted', executed: 'yes', message: expect.stringContaining('after the tool ran') as unknown });
    answer.resolve({ inputModalities: ['image'] });
    await answer.promise;
    expect(services.batches).toEqual([]);
  });

  it('that comes together with the answer of the lookup stores nothing (S38)', async () => {
    const { services, caller, call } = prepare(RESULT);
    services.resolve = () => {
      queueMicrotask(() => caller.abort());
      return { inputModalities: ['image'] };
    };
    await expect(call()).rejects.toMatchObject({ code: 'call-aborted' });
    expect(services.batches).toEqual([]);
  });

  it('during storage settles the call at once, and what was stored is not used (S38)', async () => {
    const { services, caller, call, seen } = prepare(RESULT);
    const [reached, answer] = [defer<void>(), defer<unknown>()];
    services.save = () => {
      reached.resolve();
      return answer.promise;
    };
    const spoilt = call();
    await reached.promise;
    caller.abort();
    await expect(spoilt).rejects.toMatchObject({ code: 'call-aborted' });
    answer.resolve([{}, {}]);
    await answer.promise;
    expect(seen(RESULT)).toBeUndefined();
  });
});
