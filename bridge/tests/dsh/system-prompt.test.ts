/** What the Harness tells its model beside the tools: nothing of the bridge's (S13). */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import * as bridge from '../../src/index.ts';
import { startDshHost } from '../../src/host/dsh-host.ts';
import { dshModules } from '../host/cordis-versions.ts';

const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

interface Assembly {
  readonly sections: readonly unknown[];
  readonly contexts: readonly unknown[];
  readonly tools: readonly { readonly name: string }[];
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What the Harness would assemble for the next step of a model. */
async function assembled(root: object): Promise<Assembly> {
  const service: unknown = Reflect.get(root, 'systemPrompt');
  if (typeof service !== 'object' || service === null || !('assemble' in service) || typeof service.assemble !== 'function') throw new TypeError('the host has no system prompt');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unsafe-call -- the declarations of the Harness say so
  return (await service.assemble()) as Assembly;
}

test('a loaded server adds its tools, and no section, context or variable of the system prompt', async () => {
  const host = await startDshHost(dshModules, { onLog: () => undefined });
  try {
    const before = await assembled(host.ctx.root);
    await host.load(bridge, { transport: 'stdio', serverName: 'files', command: process.execPath, args: [server, tmpdir()] });
    const { tools, ...rest } = await assembled(host.ctx.root);
    const { tools: none, ...due } = before;
    expect(rest).toEqual(due);
    expect(none).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain('mcp__files__read_file');
  } finally {
    await host.dispose();
  }
});
