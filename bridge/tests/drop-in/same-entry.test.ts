/**
 * The same `cordis.yml` with `@deepseek-ai/dsh-mcp-client` and, the name changed and nothing else, with this package: the
 * model and programs get the same, diagnostics apart.
 */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonValue } from '../../src/host-services.ts';
import { isJsonObject } from '../../src/json-shape.ts';
import { App, imageEntries, type AppLine } from '../dsh/app.ts';
import { describeOnNode24 } from '../dsh/node24.ts';
import { startWebServer, type WebServer } from '../dsh/web-server.ts';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

/** Both forms of the source's example, and every option that both packages know. */
const entries = (packageName: string, url: string): string => `${imageEntries}
- id: mcp-everything
  name: '${packageName}'
  config:
    serverName: everything
    transport: stdio
    command: !!js process.execPath
    args: ['${everything}', stdio]
    env:
      GITHUB_TOKEN: !!js process.env.TOKEN_OF_THE_HOST
      GREETING: plain
    cwd: !!js process.cwd()
    toolCallTimeoutMs: 30000
    failOnStartupError: true
    reconnect: { enabled: true, initialDelayMs: 500, maxDelayMs: 30000, maxAttempts: 10 }

- id: mcp-web
  name: '${packageName}'
  config:
    serverName: web
    transport: streamable-http
    url: ${url}
    headers:
      Authorization: !!js '\`Bearer \${process.env.MCP_TOKEN}\`'
`;

const env = { TOKEN_OF_THE_HOST: 'from the host', MCP_TOKEN: 'of-the-web', SOME_SECRET: 'hidden', DSH_THING: 'hidden', Plain_Thing: 'seen' };

describeOnNode24('an entry of the Harness\' own client', (node24) => {
  let web: WebServer;
  const apps: App[] = [];
  /** The Harness' own first. */
  const both = async <T>(look: (app: App) => Promise<T>): Promise<[T, T]> => {
    const [theirs, ours] = await Promise.all(apps.map(look));
    if (theirs === undefined || ours === undefined) throw new Error('there are no two apps');
    return [theirs, ours];
  };

  beforeAll(async () => {
    web = await startWebServer();
    for (const packageName of ['@deepseek-ai/dsh-mcp-client', 'cordis-plugin-mcp-bridge']) {
      const app = new App({ runtime: node24, entries: entries(packageName, web.url), env });
      apps.push(app);
      await app.settled();
    }
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.remove()));
    await web.close();
  });

  test('offers the model the same tools in the same order', async () => {
    const [theirs, ours] = await both(offered);
    expect(ours).toEqual(theirs);
    expect(theirs.map(({ length }) => length)).toEqual([13, 1]);
  });

  test('sends the header that the expression gives', () => {
    expect(web.authorizations.length).toBeGreaterThan(1);
    expect(new Set(web.authorizations)).toEqual(new Set(['Bearer of-the-web']));
  });

  test.each<[string, { [key: string]: JsonValue }]>([
    ['everything__echo', { message: 'hello\nworld' }],
    ['everything__get-sum', { a: 1, b: 2 }],
    ['everything__get-structured-content', { location: 'New York' }],
    ['everything__get-resource-links', { count: 3 }],
    ['everything__get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
    ['everything__get-annotated-message', { messageType: 'error', includeImage: true }],
    ['everything__get-tiny-image', {}],
    ['everything__get-sum', { a: 'one' }],
    ['everything__no-such-tool', {}],
    ['everything__simulate-research-query', { topic: 'x' }],
    ['web__echo', { a: [1, { b: null }] }],
  ])('gives the same for %s with %j', async (tool, args) => {
    const [theirs, ours] = await both((app) => app.call(`mcp__${tool}`, args));
    expect(ours['isError']).toBe(theirs['isError']);
    expect(timeless(ours['value'])).toEqual(timeless(theirs['value']));
    // A refusal by the bridge itself is a diagnostic; an error of the server is not.
    if (tool !== 'everything__simulate-research-query') expect(withoutDiagnostics(ours)).toEqual(withoutDiagnostics(theirs));
  });

  test.each([
    ['get-tiny-image', {}],
    ['get-annotated-message', { messageType: 'success', includeImage: true }],
  ])('shows the same images of %s to a model that takes them, and none to one that does not', async (tool, args) => {
    const [theirs, ours] = await both((app) => app.call(`mcp__everything__${tool}`, args, { model: 'sees' }));
    expect(ours).toEqual(theirs);
    expect(theirs['content']).toContainEqual(expect.objectContaining({ type: 'image' }));
    const [their, our] = await both((app) => app.call(`mcp__everything__${tool}`, args, { model: 'reads' }));
    expect(our['value']).toEqual(their['value']);
    expect(withoutDiagnostics(our)).toEqual(withoutDiagnostics(their));
    expect(JSON.stringify(our['content'])).not.toContain('"type":"image"');
  });

  test('gives the server the same environment', async () => {
    const [theirs, ours] = await both(environment);
    // Each app has a folder and a mark of its own.
    const own = { HOME: expect.any(String) as unknown, PWD: expect.any(String) as unknown, BRIDGE_RUN_MARK: expect.any(String) as unknown };
    expect(ours).toEqual({ ...(isObject(theirs) ? theirs : {}), ...own });
    expect(ours).toMatchObject({ GITHUB_TOKEN: 'from the host', GREETING: 'plain', Plain_Thing: 'seen' });
    for (const hidden of ['TOKEN_OF_THE_HOST', 'MCP_TOKEN', 'SOME_SECRET', 'DSH_THING', 'DSH_HOME']) expect(ours).not.toHaveProperty(hidden);
  });

  test('leaves no process', async () => {
    expect(await both((app) => app.dispose())).toEqual([0, 0]);
    expect(await both(async (app) => app.processes())).toEqual([[], []]);
  });
});

/** The tools of each server: which of two answers first is theirs to decide, the order within one is the listing's. */
async function offered(app: App): Promise<readonly (readonly JsonValue[])[]> {
  const tools = await app.ask('tools');
  const all = Array.isArray(tools) ? tools : [];
  return ['mcp__everything__', 'mcp__web__'].map((prefix) =>
    all.filter((tool) => isJsonObject(tool) && typeof tool['name'] === 'string' && tool['name'].startsWith(prefix)),
  );
}

/** What the server says its environment is. */
async function environment(app: App): Promise<unknown> {
  const [text = ''] = withoutDiagnostics(await app.call('mcp__everything__get-env', {}));
  const parsed: unknown = JSON.parse(text);
  return parsed;
}

/**
 * What the model reads: the text of all blocks, line by line, without diagnostics, which both packages put in brackets.
 * Joined first: where an image is refused the Harness' own client leaves the texts around it apart, which S40 forbids.
 */
function withoutDiagnostics(result: AppLine): readonly string[] {
  const content = result['content'];
  if (!Array.isArray(content)) throw new TypeError('a result has no content');
  const text = content.map((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block))).join('\n');
  const lines = text.split('\n').filter((line) => !/^\[.*\]$/.test(line));
  return [lines.join('\n')];
}

/** The server says when a resource was made. */
function timeless(value: unknown): unknown {
  const parsed: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(/created at [^"]*/g, 'created'));
  return parsed;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
