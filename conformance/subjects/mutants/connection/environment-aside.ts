import type { AdapterFactory, ServerSpec } from 'mcp-bridge-conformance/adapter';
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { around, ownFetch } from '../plant.ts';

type Values = Readonly<Record<string, string>>;

/** Gives servers those of their configured variables and headers behind the back of whatever looks there for secrets. */
export function aside(isAside: (name: string) => boolean): AdapterFactory {
  const kept = new Map<string, Values>();
  const part = (values: Values, wanted: boolean): Record<string, string> => Object.fromEntries(Object.entries(values).filter(([name]) => isAside(name) === wanted));
  const strip = (server: ServerSpec): ServerSpec => {
    const values = (server.transport === 'stdio' ? server.env : server.headers) ?? {};
    kept.set(server.name, part(values, true));
    return server.transport === 'stdio' ? { ...server, env: part(values, false) } : { ...server, headers: part(values, false) };
  };
  return around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(strip) }) }), {
    openSession: ({ effects, ...options }) => {
      const values = kept.get(options.serverName) ?? {};
      const send = effects?.fetch ?? fetch;
      return referenceStages.openSession({
        ...options,
        effects: {
          ...effects,
          buildEnv: (ambient) => ({ ...effects?.buildEnv?.(ambient), ...values }),
          ...ownFetch((url, init) => {
            const headers = new Headers(init?.headers);
            for (const [name, value] of Object.entries(values)) headers.set(name, value);
            return send(url, { ...init, headers });
          }),
        },
      });
    },
  });
}
