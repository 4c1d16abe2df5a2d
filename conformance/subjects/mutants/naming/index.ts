/** Defects of names. */
import type { BridgeAdapter, OfferedTool } from 'mcp-bridge-conformance/adapter';
import { referenceStages, type BridgeStages, type NamedTool } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { around, isMessage, withStages } from '../plant.ts';
import { ownNamingMutants } from './own.ts';
import { renaming } from './renames.ts';

const { publicToolName } = referenceStages;

/** Names made in another way than the reference makes them. */
const naming = (make: (server: string, rawName: string) => string): ReturnType<typeof withStages> => withStages(() => ({ publicToolName: make }));

/** Lists of which some tools are left out without a word. */
const leavingOut = (gone: (tool: NamedTool, earlier: readonly NamedTool[], taken: ReadonlySet<string>) => boolean): ReturnType<typeof withStages> =>
  withStages(() => ({
    checkList: (input) => {
      const checked = referenceStages.checkList(input);
      const taken = new Set([...input.claims.values()].filter(({ serverName }) => serverName !== input.serverName).map(({ rawName }) => rawName));
      return { ...checked, tools: checked.tools.filter((tool, at) => !gone(tool, checked.tools.slice(0, at), taken)) };
    },
  }));

/** Lists without the tools whose public names another server has, and no word of them. */
const droppingWhatIsTaken: BridgeStages['checkList'] = (input) => {
  const isTaken = (name: unknown): boolean => {
    const claimed = typeof name === 'string' ? input.claims.get(publicToolName(input.serverName, name)) : undefined;
    return claimed !== undefined && claimed.serverName !== input.serverName;
  };
  return referenceStages.checkList({ ...input, listed: input.listed.filter((tool) => !isTaken(isMessage(tool) ? tool['name'] : undefined)) });
};

/** The registry without the host's own tools, where a server is there. */
function hidingNativeTools(inner: BridgeAdapter): Partial<BridgeAdapter> {
  let native: readonly string[] = [];
  const without = (tools: readonly OfferedTool[]): OfferedTool[] => tools.filter(({ name }) => !native.includes(name));
  return {
    open: (request) => {
      native = request.host?.nativeTools ?? [];
      return inner.open(request);
    },
    tools: async () => {
      const { revision, tools } = await inner.tools();
      return { revision, tools: without(tools) };
    },
    onNotification: (listener) => inner.onNotification((told) => listener(told.type === 'registry' ? { ...told, tools: without(told.tools) } : told)),
  };
}

/** Whether a name ends as one that was cleaned or cut. */
function isHashed(name: string): boolean {
  return /_[0-9a-f]{12}$/.test(name);
}

/** The mutants of `naming`. */
export const namingMutants: readonly Mutant[] = [
  // The host's registry takes no illegal name, so these sit behind it.
  mutant('NAMING-001', 'keeps-dots', {
    kind: 'adapter',
    create: () => renaming((name) => (isHashed(name) ? name.replace(/_(?=[^_]*$)/, '.') : name)),
  }),
  mutant('NAMING-001', 'never-cuts', {
    kind: 'adapter',
    create: () => renaming((name) => (isHashed(name) && name.length === 64 ? `${name}_and_more` : name)),
  }),
  mutant('NAMING-002', 'drops-the-case-twin', {
    kind: 'stage',
    create: () => leavingOut(({ rawName }, earlier) => earlier.some((other) => other.rawName.toLowerCase() === rawName.toLowerCase())),
  }),
  mutant('NAMING-002', 'keeps-the-verb-alone', { kind: 'adapter', create: () => renaming((name) => name.replace(/(?<=__get)-[a-z-]+$/, '')) }),
  mutant('NAMING-002', 'drops-what-another-server-has', { kind: 'stage', create: () => withStages(() => ({ checkList: droppingWhatIsTaken })) }),
  mutant('NAMING-003', 'refuses-without-names', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        checkList: (input) => {
          try {
            return referenceStages.checkList(input);
          } catch (error) {
            throw error instanceof Error && error.message.includes('would stand for') ? new Error('a public name is taken') : error;
          }
        },
      })),
  }),
  mutant('NAMING-003', 'looks-at-its-own-list-only', {
    kind: 'stage',
    create: () => withStages(() => ({ checkList: (input) => referenceStages.checkList({ ...input, claims: new Map() }) })),
  }),
  mutant('NAMING-004', 'takes-hyphens-for-illegal', {
    kind: 'stage',
    // With an illegal character more the reference cleans and hashes them.
    create: () => naming((server, rawName) => publicToolName(server, rawName.includes('-') ? `${rawName}\u0001` : rawName)),
  }),
  mutant('NAMING-004', 'cuts-at-63', {
    kind: 'stage',
    // A verbatim name of 64 characters is treated like one of 65: with one more character the reference cuts it as well.
    create: () => naming((server, rawName) => {
      const name = publicToolName(server, rawName);
      return name.length === 64 && name === `mcp__${server}__${rawName}` ? publicToolName(server, `${rawName}x`) : name;
    }),
  }),
  mutant('NAMING-005', 'hashes-the-raw-name-alone', {
    kind: 'stage',
    create: () => naming((server, rawName) => {
      const name = publicToolName(server, rawName);
      return name === `mcp__${server}__${rawName}` ? name : `${name.slice(0, -12)}${publicToolName('', rawName).slice(-12)}`;
    }),
  }),
  mutant('NAMING-006', 'renames-when-another-joins', {
    kind: 'adapter',
    create: () => renaming((name, { joined }) => (joined ? `${name.slice(0, 61)}_2` : name)),
  }),
  mutant('NAMING-007', 'composes-letters', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        callTool: (input, stages) => referenceStages.callTool({ ...input, slot: { ...input.slot, rawName: input.slot.rawName.normalize('NFC') } }, stages),
      })),
  }),
  mutant('NAMING-008', 'first-server-wins', {
    kind: 'stage',
    create: () => leavingOut(({ rawName }, _earlier, taken) => taken.has(rawName)),
  }),
  mutant('NAMING-008', 'hides-the-native-tool', { kind: 'adapter', create: () => around(hidingNativeTools) }),
  mutant('NAMING-009', 'names-after-server-info', {
    kind: 'stage',
    create: () =>
      withStages(() => {
        const calls = new Map<string, string>();
        return {
          openSession: async (options) => {
            const session = await referenceStages.openSession(options);
            calls.set(options.serverName, session.server.name);
            return session;
          },
          publicToolName: (server, rawName) => {
            const info = calls.get(server) ?? '';
            // The name every script of the suite has unless it says otherwise.
            return publicToolName(server, info === 'mcp-fixture-server' ? rawName : `${rawName}@${info}`);
          },
        };
      }),
  }),
  mutant('NAMING-010', 'keeps-tools-in-an-object', {
    kind: 'stage',
    create: () => leavingOut(({ rawName }) => rawName in {}),
  }),
  ...ownNamingMutants,
];
