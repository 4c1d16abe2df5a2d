/** One call on every host: what the bridge relies on, whatever registry runs it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ContentBlock, ToolExecution, ToolExecutionResult } from '../../src/host-services.ts';
import type { EmbeddedHost } from '../../src/host/embedded-host.ts';
import type { ToolPolicy } from '../../src/host/policy.ts';
import { hosts } from './cordis-versions.ts';
import { heldStage } from './sample-policies.ts';
import { gate, labelled, textValue, tool } from './sample-tools.ts';

const text = (value: string): ContentBlock[] => [{ type: 'text', text: value }];

describe.each(hosts)('a call on %s', (_name, start) => {
  let host: EmbeddedHost;
  let calls = 0;

  beforeEach(async () => {
    host = await start({ onLog: () => undefined });
  });
  afterEach(() => host.dispose());

  const call = (name: string, more: { signal?: AbortSignal; parent?: unknown } = {}): Promise<ToolExecutionResult> => {
    calls += 1;
    return host.tools.execute({ callId: `call-${calls}`, name, arguments: { n: 1 }, signal: new AbortController().signal, ...more });
  };
  const post = (decision: Awaited<ReturnType<NonNullable<ToolPolicy['postExecute']>>>): (() => void) =>
    host.tools.use({ postExecute: async () => decision });

  test('gives the canonical value and the content that render made of it', async () => {
    host.tools.register(tool('a', async (args) => textValue(JSON.stringify(args))));
    const value = textValue('{"n":1}');
    expect(await call('a')).toEqual({ isError: false, value, content: text(JSON.stringify(value)) });
  });

  test('gives a program the same value as the model', async () => {
    host.tools.register(tool('a', async () => textValue('x')));
    expect(await call('a', { parent: Symbol('outer call') })).toMatchObject({ isError: false, value: textValue('x') });
  });

  test('knows no tool of another name', async () => {
    expect(await call('none')).toMatchObject({ isError: true, error: { info: { code: 'UNKNOWN_TOOL' } } });
  });

  test('fails with the message of the error that the body threw', async () => {
    host.tools.register(tool('a', () => Promise.reject(new Error('out of order'))));
    expect(await call('a')).toMatchObject({ isError: true, error: { message: 'out of order' }, content: text('Error: out of order') });
  });

  test('refuses a value that its schema does not describe', async () => {
    host.tools.register(tool('a', async () => ({ nothing: true })));
    expect(await call('a')).toMatchObject({ isError: true, error: { info: { code: 'INVALID_TOOL_OUTPUT' } } });
  });

  test('hands the tool its signal, and replaces a success by an abort', async () => {
    const seen = gate<AbortSignal>();
    const resume = gate();
    host.tools.register(
      tool('a', async (_args, exec) => {
        seen.open(exec.signal);
        await resume.opened;
        return textValue('late');
      }),
    );
    const abort = new AbortController();
    const result = call('a', { signal: abort.signal });
    const signal = await seen.opened;
    abort.abort();
    expect(signal.aborted).toBe(true);
    resume.open();
    expect(await result).toMatchObject({ isError: true, error: { info: { code: 'ABORTED' } } });
  });

  test('keeps the error of a body that an abort had fail', async () => {
    host.tools.register(
      tool('a', (_args, exec) => new Promise((_resolve, reject) => exec.signal.addEventListener('abort', () => reject(new Error('given up'))))),
    );
    const abort = new AbortController();
    const result = call('a', { signal: abort.signal });
    setImmediate(() => abort.abort());
    expect(await result).toMatchObject({ isError: true, error: { message: 'given up' } });
  });

  test('does not run a body whose caller gave up before', async () => {
    let ran = 0;
    host.tools.register(tool('a', async () => textValue(String((ran += 1)))));
    expect(await call('a', { signal: AbortSignal.abort() })).toMatchObject({ isError: true, error: { info: { code: 'ABORTED_BEFORE_DISPATCH' } } });
    expect(ran).toBe(0);
  });

  test('does not run what a policy denies', async () => {
    let ran = 0;
    host.tools.register(tool('a', async () => textValue(String((ran += 1)))));
    const lift = host.tools.use({ preExecute: async () => ({ kind: 'deny', reason: 'closed today' }) });
    expect(await call('a')).toMatchObject({ isError: true, error: { message: 'closed today' } });
    expect(ran).toBe(0);
    lift();
    expect(await call('a')).toMatchObject({ isError: false });
  });

  test('shows what a policy put in place of the content, and keeps the value', async () => {
    host.tools.register(tool('a', async () => textValue('x')));
    const lift = post({ kind: 'accept', content: text('hidden') });
    expect(await call('a')).toEqual({ isError: false, value: textValue('x'), content: text('hidden') });
    lift();
    expect(await call('a')).toMatchObject({ content: text(JSON.stringify(textValue('x'))) });
  });

  test('renders what a policy put in place of the value', async () => {
    host.tools.register(tool('a', async () => textValue('x')));
    post({ kind: 'accept', value: textValue('y') });
    expect(await call('a')).toEqual({ isError: false, value: textValue('y'), content: text(JSON.stringify(textValue('y'))) });
  });

  test('turns a result that a policy blocks into an error without a value', async () => {
    host.tools.register(tool('a', async () => textValue('x')));
    post({ kind: 'block', feedback: text('not for you') });
    const result = await call('a');
    expect(result).toMatchObject({ isError: true, error: { message: 'not for you' }, content: text('not for you') });
    expect(result).not.toHaveProperty('value');
  });

  test('lets a definition finish the content once, after policy, with the execution its body had', async () => {
    const executions: object[] = [];
    let seen: ToolExecutionResult | undefined;
    const note = (exec: Readonly<ToolExecution>): void => void executions.push(exec);
    host.tools.register(
      tool(
        'a',
        async (_args, exec) => {
          note(exec);
          return textValue('x');
        },
        {
          finalizeContent: (exec, result) => {
            note(exec);
            seen = result;
            return text('final');
          },
        },
      ),
    );
    post({ kind: 'accept', content: text('policy') });
    expect(await call('a')).toMatchObject({ content: text('final') });
    expect(seen).toMatchObject({ isError: false, value: textValue('x'), content: text('policy') });
    expect(executions.length).toBe(2);
    expect(executions[0]).toBe(executions[1]);
  });

  test('finishes with the definition that was registered when the call began (S48)', async () => {
    const remove = host.tools.register(labelled('a', 'old'));
    const policy = heldStage({ kind: 'allow' } as const);
    host.tools.use({ preExecute: policy.stage });
    const result = call('a');
    await policy.reached;
    remove();
    host.tools.register(labelled('a', 'new'));
    policy.release();
    expect(await result).toMatchObject({ value: textValue('new'), content: text('final old') });
  });

  test('has unregistered a tool when its disposer returns', () => {
    const remove = host.tools.register(labelled('a', 'old'));
    remove();
    expect(host.tools.get('a')).toBeUndefined();
    host.tools.register(labelled('a', 'new'));
    remove();
    expect(host.tools.list().map(({ name }) => name)).toEqual(['a']);
  });

  test('refuses a second tool of one name and leaves the first alone', () => {
    const first = labelled('a', 'first');
    host.tools.register(first);
    expect(() => host.tools.register(labelled('a', 'second'))).toThrow(/"a"/);
    expect(host.tools.get('a')).toBe(first);
  });
});
