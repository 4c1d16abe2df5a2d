/** Programs of the Harness' Code Mode call the tools of the bridge (S49). */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonValue } from '../../src/host-services.ts';
import { isJsonObject } from '../../src/json-shape.ts';
import { App, imageEntries, type AppLine } from './app.ts';
import { describeOnNode24 } from './node24.ts';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

const entries = `${imageEntries}
- id: runtime
  name: '@deepseek-ai/dsh-code-runtime-worker-thread'
- id: everything
  name: 'cordis-plugin-mcp-bridge'
  config:
    serverName: everything
    transport: stdio
    command: !!js process.execPath
    args: ['${everything}']
`;

describeOnNode24('a program in Code Mode', (node24) => {
  let app: App;

  beforeAll(async () => {
    app = new App({ runtime: node24, entries, tools: '  config: { mode: both }' });
    expect(await app.settled()).toContain('run_code');
  });
  afterAll(() => app.remove());

  const run = (code: string, model?: string): Promise<AppLine> => app.call('run_code', { code, description: 'a test' }, { model });
  const program = (tool: string, args: JsonValue): Promise<JsonValue | undefined> =>
    run(`return await tools["mcp__everything__${tool}"](${JSON.stringify(args)});`).then(resultOf);

  test.each([
    ['get-structured-content', { location: 'New York' }],
    ['get-annotated-message', { messageType: 'success', includeImage: true }],
    ['get-tiny-image', {}],
    ['get-resource-links', { count: 2 }],
  ])('gets the canonical value of %s, the same as the model\'s call has', async (tool, args) => {
    const { value } = await app.call(`mcp__everything__${tool}`, args);
    expect(value).toMatchObject({ content: expect.any(Array) as unknown });
    // To the letter: key order too.
    expect(JSON.stringify(await program(tool, args))).toBe(JSON.stringify(value));
  });

  test('gets the whole bytes of an image, of which the model reads nothing (S46)', async () => {
    const data = 'return (await tools["mcp__everything__get-tiny-image"]({})).content.find((block) => block.type === "image").data;';
    const bytes = JSON.stringify(resultOf(await run(data)));
    expect(bytes.length).toBeGreaterThan(1_000);
    const { content } = await app.call('mcp__everything__get-tiny-image', {});
    expect(JSON.stringify(content)).not.toContain(bytes.slice(1, 65));
  });

  test('gets several answers at once, each its own', async () => {
    const sums = await run('return await Promise.all([1, 2, 3].map((n) => tools["mcp__everything__get-sum"]({ a: n, b: n })));');
    const texts = [resultOf(sums)].flat().map((each) => JSON.stringify(each));
    expect(texts.map((text) => /is (\d+)\./.exec(text)?.[1])).toEqual(['2', '4', '6']);
  });

  test('catches the failure of a tool, with the text that the server gave', async () => {
    const caught = 'try { await tools["mcp__everything__get-sum"]({ a: "one" }); } catch (error) { return [error.name, error.toolName, error.message]; }';
    expect(resultOf(await run(caught))).toEqual(['ToolCallError', 'mcp__everything__get-sum', expect.stringContaining('expected number') as unknown]);
  });

  test('has the image of a call beside its own result, without a special case in the bridge (S49, S63)', async () => {
    const from = app.lines.length;
    const outer = await run('await tools["mcp__everything__get-tiny-image"]({}); return "done";', 'sees');
    const shown = [
      { type: 'text', text: 'Here\'s the image you requested:' },
      { type: 'image', attachment: { attachmentId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as unknown, mediaType: 'image/png', bytes: 4033, width: 20, height: 20 } },
      { type: 'text', text: 'The image above is the MCP logo.' },
    ];
    expect(outer).toMatchObject({
      isError: false,
      value: { logs: [], result: 'done' },
      content: [{ type: 'text', text: 'done' }],
      additionalContexts: [{ role: 'user', content: shown, source: { kind: 'plugin', plugin: 'tools-code-mode' } }],
    });
    // What the session keeps of it: references, never the bytes.
    const kept = app.lines.slice(from).filter(({ event }) => event === 'session');
    expect(kept).toMatchObject([
      { type: 'tool/code-dispatch-start', data: { name: 'mcp__everything__get-tiny-image', arguments: {} } },
      { type: 'tool/code-dispatch', data: { name: 'mcp__everything__get-tiny-image', arguments: {}, isError: false, content: shown } },
    ]);
    expect(JSON.stringify([outer, kept])).not.toContain('iVBORw0KGgo');
  });

  test('has no image beside its result for a model that takes none', async () => {
    const outer = await run('return await tools["mcp__everything__get-tiny-image"]({});', 'reads');
    expect(outer).toMatchObject({ isError: false, value: { result: { content: [{ type: 'text' }, { type: 'image', data: expect.any(String) as unknown }, { type: 'text' }] } } });
    expect(outer).not.toHaveProperty('additionalContexts');
  });

  test('leaves no process', async () => {
    expect(await app.dispose()).toBe(0);
    expect(app.processes()).toEqual([]);
  });
});

/** What the program returned. */
function resultOf({ value }: AppLine): JsonValue | undefined {
  return isJsonObject(value) ? value['result'] : undefined;
}
