/** Tools that are offered under other names than the reference's, and called by them. */
import type { AdapterFactory, BridgeAdapter, OfferedTool } from 'mcp-bridge-conformance/adapter';
import { around } from '../plant.ts';

/** Whether a server was added since the host was opened. */
interface Situation {
  readonly joined: boolean;
}

/** The reference, its names changed on the way to the suite and back. Names must stay apart. */
export function renaming(rename: (name: string, situation: Situation) => string): AdapterFactory {
  return around((inner) => renamed(inner, rename));
}

function renamed(inner: BridgeAdapter, rename: (name: string, situation: Situation) => string): Partial<BridgeAdapter> {
  let joined = false;
  const originals = new Map<string, string>();
  const change = (tools: readonly OfferedTool[]): OfferedTool[] =>
    tools.map((tool) => {
      const name = rename(tool.name, { joined });
      originals.set(name, tool.name);
      return { ...tool, name };
    });
  return {
    open: (request) => {
      joined = false;
      originals.clear();
      return inner.open(request);
    },
    add: (server) => {
      joined = true;
      return inner.add(server);
    },
    tools: async () => {
      const reply = await inner.tools();
      return { ...reply, tools: change(reply.tools) };
    },
    call: (request) => inner.call({ ...request, name: originals.get(request.name) ?? request.name }),
    onNotification: (listener) =>
      inner.onNotification((told) => listener(told.type === 'registry' ? { ...told, tools: change(told.tools) } : told)),
  };
}
