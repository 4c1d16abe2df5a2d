/** Defects in what becomes of results without structured content. */
import type { ServerSpec } from 'mcp-bridge-conformance/adapter';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';

const OPTION = 'missingStructuredContent';

/** Every entry says this of missing structure, or nothing. */
const saying = (value: string | undefined): ReturnType<typeof around> => {
  const said = (server: ServerSpec): ServerSpec => {
    const { [OPTION]: _said, ...options } = server.options ?? {};
    return { ...server, options: value === undefined ? options : { ...options, [OPTION]: value } };
  };
  return around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(said) }) }));
};

/** See the names. */
export const missingMutants: readonly Mutant[] = [
  mutant('CALL-020', 'fails-what-lacks-structure', { kind: 'adapter', create: () => saying('fail') }),
  mutant('CALL-020', 'never-fails-it', { kind: 'adapter', create: () => saying(undefined) }),
  mutant('CALL-020', 'delivers-without-a-word', {
    kind: 'adapter',
    create: () => around((inner) => ({
      onNotification: (listener) => inner.onNotification((told) => {
        if (told.type !== 'log' || told.level !== 'warn') listener(told);
      }),
    })),
  }),
];
