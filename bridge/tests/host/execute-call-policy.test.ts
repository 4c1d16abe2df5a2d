/** What a policy may decide about a call, before its body and after it. */
import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/host-services.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { call, codeOf } from './sample-calls.ts';
import { textValue, tool } from './sample-tools.ts';

describe('a policy', () => {
  test('denies before the body; the first denial decides', async () => {
    const registry = new LocalToolRegistry();
    let ran = false;
    registry.register(tool('a', async () => (ran = true)));
    registry.use({ preExecute: async () => ({ kind: 'allow' }) });
    registry.use({ preExecute: () => ({ kind: 'deny', reason: 'not today' }) });
    registry.use({ preExecute: () => ({ kind: 'deny', reason: 'never' }) });
    const result = await registry.execute(call('a'));
    expect(result).toMatchObject({ error: { info: { name: 'ToolDeniedError', code: 'DENIED' } } });
    expect(ran).toBe(false);
    expect(result.content).toEqual([{ type: 'text', text: 'Error: not today' }]);
  });

  test('that would ask is a denial, since nobody can be asked', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ preExecute: () => ({ kind: 'ask' }) });
    const result = await registry.execute(call('a'));
    expect(codeOf(result)).toBe('DENIED');
    expect(result).toMatchObject({ error: { message: 'the tool "a" needs an approval, and this host has nobody to ask' } });
  });

  test('replaces content and leaves the value alone', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => ({ kind: 'accept', content: [{ type: 'text', text: 'new' }] }) });
    expect(await registry.execute(call('a'))).toEqual({ isError: false, value: textValue('x'), content: [{ type: 'text', text: 'new' }] });
  });

  test('replaces the value, which is checked and rendered anew', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const remove = registry.use({ postExecute: () => ({ kind: 'accept', value: textValue('y') }) });
    expect(await registry.execute(call('a'))).toEqual({
      isError: false,
      value: textValue('y'),
      content: [{ type: 'text', text: JSON.stringify(textValue('y')) }],
    });
    remove();
    registry.use({ postExecute: () => ({ kind: 'accept', value: 'no object' }) });
    expect(codeOf(await registry.execute(call('a')))).toBe('INVALID_TOOL_OUTPUT');
  });

  test('that replaces both value and content fails the call: nobody could tell which of them it meant', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => JSON.parse('{"kind":"accept","value":{"content":[]},"content":[]}') });
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: 'a policy replaced both value and content; return one of them' } });
  });

  test('cannot put a value in place of a failure', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('fails', () => Promise.reject(new Error('own'))));
    registry.use({ postExecute: () => ({ kind: 'accept', value: textValue('y') }) });
    for (const name of ['fails', 'nobody']) {
      expect(await registry.execute(call(name))).toMatchObject({ isError: true, error: { message: 'a policy replaced the value of a failed call; block it or accept it' } });
    }
  });

  test('that gives content that is no JSON fails the call and says whose content it was', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => ({ kind: 'accept', content: [Object.assign({ type: 'text', text: 'x' } as const, { extra: 1n })] }) });
    const result = await registry.execute(call('a'));
    expect(codeOf(result)).toBe('INVALID_TOOL_CONTENT');
    expect(result).toMatchObject({ error: { message: expect.stringMatching(/^the content that a policy gave for "a" is no JSON: the value at \/0\/extra is a bigint/) as unknown } });
  });

  test('removes itself once, and nobody else', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const remove = registry.use({});
    registry.use({ preExecute: () => ({ kind: 'deny', reason: 'no' }) });
    remove();
    remove();
    expect(codeOf(await registry.execute(call('a')))).toBe('DENIED');
  });

  test('that blocks with an image says so with the text alone', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const feedback: ContentBlock[] = [{ type: 'text', text: 'see' }, { type: 'image', attachment: { sha256: 'x' } }, { type: 'text', text: 'there' }];
    registry.use({ postExecute: () => ({ kind: 'block', feedback }) });
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: 'see\nthere' }, content: feedback });
  });

  test('blocks with feedback; the next policy sees the block', async () => {
    const registry = new LocalToolRegistry();
    const seen: boolean[] = [];
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => ({ kind: 'block', feedback: [{ type: 'text', text: 'try b' }] }) });
    registry.use({ postExecute: (_exec, result) => void seen.push(result.isError) });
    const result = await registry.execute(call('a'));
    expect(result).toMatchObject({ isError: true, error: { message: 'try b' }, content: [{ type: 'text', text: 'try b' }] });
    expect(result).toMatchObject({ error: { info: { name: 'ToolBlockedError', code: 'BLOCKED' } } });
    expect(seen).toEqual([true]);
  });

  test.each([
    ['no text', '[]', 'a policy blocked the result'],
    ['no list', '7', 'the content that a policy gave for "a" is no list of blocks'],
  ])('that blocks with %s says so', async (_what, feedback, message) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => ({ kind: 'block', feedback: JSON.parse(feedback) }) });
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message } });
  });

  test.each(['preExecute', 'postExecute'] as const)('that throws in %s fails the call and nothing else', async (stage) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const remove = registry.use({ [stage]: () => Promise.reject(Object.assign(new Error('policy'), { code: 'P' })) });
    expect(codeOf(await registry.execute(call('a')))).toBe('P');
    remove();
    expect(codeOf(await registry.execute(call('a')))).toBe('OK');
  });

  test('sees one execution object in all stages, the one the tool sees', async () => {
    const registry = new LocalToolRegistry();
    const seen = new Set<unknown>();
    registry.register(
      tool(
        'a',
        async (_args, exec) => {
          seen.add(exec);
          return textValue('x');
        },
        { finalizeContent: (exec) => void seen.add(exec) },
      ),
    );
    registry.use({ preExecute: (exec) => void seen.add(exec), postExecute: (exec) => void seen.add(exec) });
    await registry.execute(call('a'));
    expect(seen.size).toBe(1);
  });
});
