/** Defects of names that a bridge makes in a way of its own: the general laws have to find them without any formula. */
import { completeAdapter, type AdapterFactory, type BridgeAdapter } from 'mcp-bridge-conformance/adapter';
import { MinimalAdapter, publicName, type MinimalOptions } from '../../minimal/index.ts';
import { mutant, type Mutant } from '../mutant.ts';

/** The minimal bridge with other names; `make` runs once an adapter, so that a defect may remember something. */
const minimal = (make: () => MinimalOptions, around: (inner: MinimalAdapter) => Partial<BridgeAdapter> = () => ({})): AdapterFactory => () => {
  const inner = new MinimalAdapter(make());
  return { ...completeAdapter(inner), ...around(inner) };
};

/** A name that is taken is refused without a word. */
const inSilence = (inner: MinimalAdapter): Partial<BridgeAdapter> => ({
  onNotification: (listener) => inner.onNotification((told) => {
    if (told.type !== 'log' || !told.message.includes('is not offered: the name')) listener(told);
  }),
});

/** The adapter, told of each opening and addition before it happens. */
const watching = (onOpen: () => void, onAdd: () => void) => (inner: MinimalAdapter): Partial<BridgeAdapter> => ({
  open: (request) => {
    onOpen();
    return inner.open(request);
  },
  add: (server) => {
    onAdd();
    return inner.add(server);
  },
});

const cleaned = (part: string, most: number): string => part.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, most) || '-';

/** Names of which nothing is left but what is legal, so that many meet. */
const cleanedOnly = (server: string, rawName: string): string => `${cleaned(server, 20)}.${cleaned(rawName, 39)}`;

/** Names that depend on something else than the identity. `mark` is asked whenever a list is offered. */
const marked = (mark: (server: string) => string) => (server: string, rawName: string): string => publicName(server, `${rawName}_${mark(server)}`);

/** The mutants of names of one's own. */
export const ownNamingMutants: readonly Mutant[] = [
  mutant('NAMING-001', 'own-keeps-every-letter', {
    kind: 'stage', create: () => minimal(() => ({ publicName: (server, rawName) => (rawName.length < 30 && !rawName.includes('.') ? `${server}.${rawName}` : publicName(server, rawName)) })),
  }),
  mutant('NAMING-001', 'own-never-cuts', { kind: 'stage', create: () => minimal(() => ({ publicName: (server, rawName) => `${publicName(server, rawName)}${rawName.length > 60 ? 'x'.repeat(14) : ''}` })) }),
  mutant('NAMING-002', 'own-drops-what-meets', { kind: 'stage', create: () => minimal(() => ({ publicName: cleanedOnly }), inSilence) }),
  mutant('NAMING-002', 'own-offers-a-name-twice', {
    kind: 'adapter',
    create: () => minimal(() => ({}), (inner) => ({
      tools: async () => {
        const { revision, tools } = await inner.tools();
        return { revision, tools: tools.map((tool, at) => ({ ...tool, name: tools.find(({ name }, other) => other < at && name.toLowerCase() === tool.name.toLowerCase())?.name ?? tool.name })) };
      },
    })),
  }),
  mutant('NAMING-006', 'own-salts-each-opening', {
    kind: 'stage',
    create: () => {
      let salt = 0;
      return minimal(() => ({ publicName: marked(() => String(salt)) }), watching(() => (salt += 1), () => undefined));
    },
  }),
  mutant('NAMING-006', 'own-counts-servers-as-they-come', {
    kind: 'stage',
    create: () => {
      const places = new Map<string, number>();
      const placeOf = (server: string): number => {
        const place = places.get(server) ?? places.size;
        places.set(server, place);
        return place;
      };
      return minimal(() => ({ publicName: marked((server) => String(placeOf(server))) }), watching(() => places.clear(), () => undefined));
    },
  }),
  mutant('NAMING-006', 'own-renames-when-another-joins', {
    kind: 'stage',
    create: () => {
      let joined = 0;
      return minimal(() => ({ publicName: marked(() => String(joined)) }), watching(() => (joined = 0), () => (joined += 1)));
    },
  }),
  mutant('NAMING-007', 'own-sends-what-it-shows', {
    kind: 'stage',
    create: () => minimal(() => ({ sentName: (rawName) => rawName.replaceAll(/[^A-Za-z0-9_-]/g, '-') })),
  }),
  mutant('NAMING-008', 'own-leaves-out-the-server', {
    kind: 'stage', create: () => minimal(() => ({ publicName: (_server, rawName) => publicName('any', rawName) })),
  }),
  mutant('NAMING-010', 'own-looks-names-up-in-an-object', {
    kind: 'stage',
    create: () => minimal(() => ({ publicName: (server, rawName) => (rawName in {} ? 'inherited.name' : publicName(server, rawName)) }), inSilence),
  }),
];
