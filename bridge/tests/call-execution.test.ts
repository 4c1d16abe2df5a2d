import { describe, expect, it } from 'vitest';
import { callTool, type CallInput } from '../src/call-execution.ts';
import type { CanonicalValue } from '../src/canonical-value.ts';
import type { ToolSlot } from '../src/definitions.ts';
import { BridgeError } from '../src/errors.ts';
import type { JsonObject, JsonValue } from '../src/host-services.ts';
import { referenceStages } from '../src/stages.ts';
import { MemoryServer, MemorySession } from './helpers-logic/scripted-session.ts';

interface Call {
  readonly server: MemoryServer;
  readonly session: MemorySession;
  readonly logs: string[];
  readonly slot: ToolSlot;
  readonly run: (more?: Partial<CallInput>) => Promise<CanonicalValue>;
}

/** A tool with this schema whose calls are answered so. */
function prepare(result: unknown, schema?: JsonValue, more: Partial<ToolSlot> = {}): Call {
  const server = new MemoryServer();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server sends anything
  server.onCall = () => result as JsonObject;
  const session = new MemorySession(server, { onToolListChanged: () => undefined, onDiagnostic: () => undefined });
  const logs: string[] = [];
  const slot: ToolSlot = { publicName: 'mcp__s__t', rawName: 'raw.name', taskRequired: false, outputSchema: schema, validator: undefined, missingReported: false, ...more };
  const input: CallInput = {
    serverName: 's',
    slot,
    args: {},
    signal: undefined,
    timeoutMs: 5_000,
    session,
    disconnectedBecause: 'the reason',
    missingStructuredContent: 'warn',
    maxErrorChars: 10_000,
    log: (level, message) => logs.push(`${level} ${message}`),
  };
  return { server, session, logs, slot, run: (change = {}) => callTool({ ...input, ...change }, referenceStages) };
}

const NUMBER_SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

describe('callTool', () => {
  it('sends the raw name, the arguments, the signal and the limit (S19, S34)', async () => {
    const { server, run } = prepare({ content: [] });
    const { signal } = new AbortController();
    const args: JsonObject = JSON.parse('{"__proto__":1,"b":[null]}');
    await run({ args, signal, timeoutMs: 77 });
    expect(server.calls).toEqual([{ name: 'raw.name', args, limits: { signal, timeoutMs: 77 } }]);
    expect(server.calls[0]?.args).toBe(args);
    await run({ timeoutMs: 88, maxTotalMs: 99 });
    expect(server.calls[1]?.limits).toStrictEqual({ timeoutMs: 88, maxTotalMs: 99 });
  });

  it.each([undefined, null])('sends {} when the caller gave %s (R45)', async (args) => {
    const { server, run } = prepare({ content: [] });
    await run({ args });
    expect(server.calls[0]?.args).toEqual({});
  });

  it.each([[[], 'a list'], ['text', 'a string'], [5, 'a number']])('refuses the arguments %j and sends nothing', async (args, what) => {
    const { server, run } = prepare({ content: [] });
    const message = `tool "raw.name" of MCP server "s": the arguments must be an object, not ${what}; nothing was sent`;
    await expect(run({ args })).rejects.toMatchObject({ code: 'arguments-invalid', executed: 'no', message });
    expect(server.calls).toEqual([]);
  });

  it.each([1_000, 1_001, 100_000])('hands on a value of %i levels, or fails with its text and says that the tool ran (B01, B13)', async (levels) => {
    let meta: JsonValue = {};
    // Value, content and block are levels too.
    for (let level = 4; level < levels; level += 1) meta = [meta];
    const content: JsonValue = [{ type: 'text', text: 'what it said' }, { type: 'text', text: 'and this', _meta: meta }];
    const answered = prepare({ content }).run();
    if (levels === 1_000) return expect(await answered).toEqual({ content });
    await expect(answered).rejects.toMatchObject({
      code: 'limit-exceeded',
      executed: 'yes',
      message: `tool "raw.name" of MCP server "s": the tool ran, but its result nests ${levels} levels, more than the 1000 of maxResultDepth, and is not handed on. Its text is:\nwhat it said\nand this`,
    });
  });

  it('says no more of a deep value that has no text, and nothing of the depth of a failure', async () => {
    const structuredContent = { a: [[]] };
    await expect(prepare({ structuredContent }).run({ maxResultDepth: 3 })).rejects.toMatchObject({ message: expect.stringMatching(/nests 4 levels, more than the 3 of maxResultDepth, and is not handed on$/) as unknown });
    await expect(prepare({ structuredContent, isError: true }).run({ maxResultDepth: 1 })).rejects.toMatchObject({ code: 'tool-error' });
  });

  it('returns content and structured content as they came, and nothing else (S35)', async () => {
    const result = { content: [{ type: 'weird', x: 1 }, 5], structuredContent: { deep: [{}] }, _meta: { a: 1 }, isError: false };
    const value = await prepare(result).run();
    expect(value).toEqual({ content: result.content, structuredContent: result.structuredContent });
    expect(value.content).toBe(result.content);
    expect(Object.keys(await prepare({ content: [] }).run())).toEqual(['content']);
    expect(await prepare({ structuredContent: null }).run()).toEqual({ content: [], structuredContent: null });
  });

  it.each([
    ...[{ content: 'text' }, { content: null }, { content: {} }].map((result) => [result, 'its "content" is no list'] as const),
    ...['text', null, []].map((result) => [result, 'it is no object'] as const),
  ])('refuses %j as a result (B05)', async (result, why) => {
    const message = `tool "raw.name" of MCP server "s": the answer is no tool result, ${why}; the tool ran, but what it returned cannot be used`;
    await expect(prepare(result).run()).rejects.toMatchObject({ code: 'result-invalid', executed: 'yes', message });
  });

  it('fails with the projected text of all blocks when the tool says isError: true (S36)', async () => {
    const payload = 'QUJD'.repeat(40);
    const { run } = prepare({ isError: true, content: [{ type: 'text', text: 'disk full' }, { type: 'image', data: payload, mimeType: 'image/png' }, { type: 'text', text: 'try later' }] });
    await expect(run()).rejects.toMatchObject({ code: 'tool-error', executed: 'yes', message: 'disk full\n[image left out (image/png): the call failed]\ntry later' });
  });

  it.each(['true', 1, {}, null])('takes isError: %j for success, since only the boolean counts (S36)', async (isError) => {
    expect(await prepare({ isError, content: [] }).run()).toEqual({ content: [] });
  });

  it("never hides a tool's own error behind its output schema (B14)", async () => {
    await expect(prepare({ isError: true, content: [], structuredContent: { n: 'x' } }, NUMBER_SCHEMA).run()).rejects.toMatchObject({ code: 'tool-error' });
  });

  it('refuses a tool that requires a task and sends nothing (S39)', async () => {
    const { server, run } = prepare({ content: [] }, undefined, { taskRequired: true });
    await expect(run()).rejects.toMatchObject({
      code: 'task-required',
      executed: 'no',
      message: 'tool "raw.name" of MCP server "s" can only be called as a task, and this bridge does not run tasks; nothing was sent',
    });
    expect(server.calls).toEqual([]);
  });

  it('refuses a call that is aborted already, and one without a connection, at once (S38, S55)', async () => {
    const { server, session, run } = prepare({ content: [] });
    await expect(run({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'call-aborted',
      executed: 'no',
      message: 'tool "raw.name" of MCP server "s": the call was aborted before it was sent',
    });
    await expect(run({ session: undefined })).rejects.toMatchObject({ code: 'not-connected', executed: 'no', message: expect.stringContaining('the reason') as unknown });
    session.isOpen = false;
    await expect(run()).rejects.toMatchObject({ code: 'not-connected' });
    expect(server.calls).toEqual([]);
  });

  it('hands on what the session rejects with, untouched (B04)', async () => {
    const { server, run } = prepare({});
    const failure = new BridgeError('connection-lost', 'gone', { executed: 'unknown' });
    server.onCall = () => Promise.reject(failure);
    await expect(run()).rejects.toBe(failure);
  });

  it('fails when structured content contradicts the output schema, and says where, never what (S37, S46)', async () => {
    const { run } = prepare({ content: [], structuredContent: { n: 'canary-value' } }, NUMBER_SCHEMA);
    const error: unknown = await run().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'output-invalid', executed: 'yes', message: expect.stringContaining('/n must be number') as unknown });
    expect(String(error)).not.toContain('canary-value');
  });

  it('compiles a schema once and judges every call by it (S37)', async () => {
    const { run, slot, server } = prepare({ content: [], structuredContent: { n: 1 } }, NUMBER_SCHEMA);
    await run();
    const { validator } = slot;
    expect(validator).toBeDefined();
    server.onCall = () => ({ content: [], structuredContent: { n: 'x' } });
    await expect(run()).rejects.toMatchObject({ code: 'output-invalid' });
    expect(slot.validator).toBe(validator);
  });

  it('ignores a schema that cannot be compiled, whole, and says so once (S37, R12)', async () => {
    const { run, logs } = prepare({ content: [], structuredContent: 5 }, { type: 'object', properties: { a: { $ref: '#/$defs/none' } } });
    expect(await run()).toEqual({ content: [], structuredContent: 5 });
    await run();
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatch(/^warn .*"raw\.name".*not supported/);
  });

  it('delivers a result without structured content with one warning, or fails it if told to (S37)', async () => {
    const { run, logs } = prepare({ content: [] }, NUMBER_SCHEMA);
    expect(await run()).toEqual({ content: [] });
    await run();
    const message = 'tool "raw.name" of MCP server "s": the tool ran, but returned no structured content although it declares an output schema';
    expect(logs).toEqual([`warn ${message}; it is delivered as it came, and this is said once`]);
    await expect(run({ missingStructuredContent: 'fail' })).rejects.toMatchObject({ code: 'output-invalid', executed: 'yes', message });
  });
});
