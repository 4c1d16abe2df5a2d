/** The reference answers the suite in the same words on each of its hosts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdapterFactory } from '../../src/adapter/bridge-adapter.ts';
import type { CallReply } from '../../src/adapter/messages.ts';
import { mark, type BenchCall } from '../../src/bench/bench.ts';
import type { LiveBench } from '../../src/bench/live-bench.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { benchesOf } from '../../src/runner/with-bench.ts';
import { createAdapter as onCordis3 } from '../../subjects/reference/index.ts';
import { createAdapter as onCordis4 } from '../../subjects/reference-cordis4/index.ts';
import { createAdapter as onDsh } from '../../subjects/reference-dsh/index.ts';

const hosts: [string, AdapterFactory, string][] = [
  ['reference', onCordis3, 'cordis-plugin-mcp-bridge'],
  ['reference-cordis4', onCordis4, 'cordis-plugin-mcp-bridge on Cordis 4'],
  ['reference-dsh', onDsh, 'cordis-plugin-mcp-bridge on the DeepSeek Harness'],
];

const answer = (text: string, more: object = {}) => ({ reply: { result: { content: [{ type: 'text', text }], ...more } } });
const view = (text: string) => [{ type: 'text', text }];
const named = (name: string) => ({ name, description: mark('files', name) });
const scenario = {
  scenario: 1 as const,
  tools: [named('well'), named('badly'), named('never'), named('slowly')],
  rules: [
    { when: { method: 'tools/call', tool: 'well' }, do: [answer('done')] },
    { when: { method: 'tools/call', tool: 'badly' }, do: [answer('broken', { isError: true })] },
    { when: { method: 'tools/call', tool: 'never' }, do: [{ drop: true as const }] },
    { when: { method: 'tools/call', tool: 'slowly' }, do: [{ hold: 'slowly' }, answer('late')] },
  ],
};

describe.each(hosts)('the subject %s', (_name, createAdapter, subjectName) => {
  let bench: LiveBench;

  beforeEach(async () => {
    bench = await benchesOf(new SubjectWorker(createAdapter)).make(1);
    await bench.open([bench.serve('files', scenario, { options: { toolCallTimeoutMs: 300 } })], { nativeTools: ['native'] });
  });
  afterEach(() => bench.end());

  const call = async (rawName: string, extra: BenchCall['extra'] = {}): Promise<CallReply> => {
    const tool = await bench.find(rawName, 'files');
    if (tool === undefined) throw new Error(`no tool ${rawName}`);
    return bench.call({ tool, extra });
  };

  it('says who it is', () => {
    expect(bench.subject.name).toBe(subjectName);
  });

  it('tells a success, a failure of the tool, and a timeout apart', async () => {
    const value = { content: [{ type: 'text', text: 'done' }] };
    expect(await call('well')).toEqual({ outcome: 'ok', executed: 'yes', value, view: view('done') });
    expect(await call('well', { via: 'program' })).toMatchObject({ outcome: 'ok', value });
    expect(await call('badly')).toMatchObject({ outcome: 'tool-error', executed: 'yes', message: 'broken', view: view('Error: broken') });
    expect(await call('never')).toMatchObject({ outcome: 'timed-out', executed: 'unknown' });
  });

  it('tells what each policy did', async () => {
    expect(await call('well', { policy: { deny: 'not today' } })).toMatchObject({ outcome: 'failed', executed: 'no', message: 'not today' });
    expect(await call('well', { policy: { block: 'not for you' } })).toMatchObject({ outcome: 'failed', executed: 'yes', view: view('not for you') });
    expect(await call('badly', { policy: { block: 'not for you' } })).toMatchObject({ outcome: 'failed', executed: 'yes', message: 'not for you' });
    expect(await call('well', { policy: { replaceContent: 'hidden' } })).toMatchObject({ outcome: 'ok', view: view('hidden') });
    const other = { content: [{ type: 'text', text: 'other' }] };
    expect(await call('well', { policy: { replaceValue: other } })).toMatchObject({ outcome: 'ok', value: other, view: view('other') });
  });

  it('tells that a call was given up', async () => {
    const tool = await bench.find('slowly', 'files');
    if (tool === undefined) throw new Error('no tool slowly');
    const pending = bench.start({ tool });
    await pending.cancel();
    expect(await pending.reply).toMatchObject({ outcome: 'aborted' });
  });

  it('knows when nothing ran', async () => {
    const none = { name: 'mcp__files__none', description: '', parameters: {} };
    expect(await bench.call({ tool: none })).toMatchObject({ outcome: 'failed', executed: 'no' });
    const native = (await bench.look()).tools.find(({ name }) => name === 'native');
    expect(await bench.call({ tool: native ?? none })).toMatchObject({ outcome: 'ok', value: 'native' });
  });
});
