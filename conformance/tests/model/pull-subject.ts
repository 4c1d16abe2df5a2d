/**
 * A bridge of another kind than the reference: it takes one server, lists afresh at each look, follows no announcement,
 * makes names of its own and knows neither reload nor cancellation. The official client library is all there is to it.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import type { BridgeAdapter, CallReply, OfferedTool, ServerSpec } from '../../src/adapter/bridge-adapter.ts';
import { fakeAdapter, fakeDescription } from '../support/fake-adapter.ts';

const page = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), description: z.string().default(''), inputSchema: z.unknown() })),
  nextCursor: z.string().optional(),
});
const result = z.looseObject({ content: z.array(z.looseObject({ text: z.string().optional() })).default([]) });

/** Makes it. */
export function pullSubject(): BridgeAdapter {
  let client: Client | undefined;
  let known: OfferedTool[] = [];
  const rawNames = new Map<string, string>();

  const connect = async (spec: ServerSpec): Promise<void> => {
    if (spec.transport !== 'stdio') throw new Error('stdio only');
    client = new Client({ name: 'pull', version: '0' });
    await client.connect(new StdioClientTransport({ command: spec.command, args: spec.args, stderr: 'ignore' }));
  };
  const list = async (live: Client): Promise<OfferedTool[]> => {
    const tools: OfferedTool[] = [];
    let cursor: string | undefined;
    do {
      const answer = await live.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, page);
      for (const { name, description, inputSchema } of answer.tools) {
        const publicName = `t${Buffer.from(name).toString('hex')}`;
        rawNames.set(publicName, name);
        tools.push({ name: publicName, description, parameters: inputSchema });
      }
      cursor = answer.nextCursor;
    } while (cursor !== undefined);
    return tools;
  };
  const call = async (name: string, args: unknown): Promise<CallReply> => {
    const rawName = rawNames.get(name) ?? name;
    if (client === undefined) return { outcome: 'failed', executed: 'no', view: [], message: 'closed' };
    try {
      const { content } = await client.request({ method: 'tools/call', params: { name: rawName, arguments: z.record(z.string(), z.unknown()).parse(args) } }, result);
      return { outcome: 'ok', executed: 'yes', view: content.map(({ text }) => ({ type: 'text', text: text ?? '' })) };
    } catch (error) {
      return { outcome: 'failed', executed: 'unknown', view: [], message: String(error) };
    }
  };
  return fakeAdapter({
    describe: async () => ({
      ...fakeDescription, registry: 'pull', servers: 'one', names: { scheme: 'own', pattern: 't[0-9a-f]*', maxLength: 64, qualified: false },
      bounds: { settleMs: 2_000, closeMs: 5_000, reconnectMs: 1_000 },
    }),
    open: async ({ servers: [spec] }) => {
      if (spec === undefined) return { servers: [] };
      await connect(spec);
      return { servers: [{ name: spec.name, status: 'ready' }] };
    },
    close: async () => {
      await client?.close();
      client = undefined;
      known = [];
    },
    tools: async () => {
      // A list that cannot be read leaves the last one.
      if (client !== undefined) known = await list(client).catch(() => known);
      return { revision: 0, tools: known };
    },
    call: ({ name, arguments: args }) => call(name, args),
  });
}
