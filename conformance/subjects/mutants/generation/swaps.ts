/** Defects in what a sync leaves registered. */
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';

const { swapGeneration } = referenceStages;

/** See the names. */
export const swapMutants: readonly Mutant[] = [
  mutant('GENERATION-001', 'forgets-to-remove', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        swapGeneration: (input) => {
          const listed = new Set(input.next.map(({ slot }) => slot.rawName));
          const gone = input.current.filter(({ slot }) => !listed.has(slot.rawName));
          // Disposal swaps to nothing, and has to work.
          return swapGeneration(input.next.length === 0 ? input : { ...input, next: [...input.next, ...gone] });
        },
      })),
  }),
  mutant('GENERATION-002', 'numbers-descriptions', {
    kind: 'stage',
    create: () =>
      withStages(() => {
        let syncs = 0;
        return {
          buildDefinitions: (input) => {
            syncs += 1;
            const built = referenceStages.buildDefinitions(input);
            return { ...built, tools: built.tools.map((tool) => ({ ...tool, definition: { ...tool.definition, description: `${tool.definition.description} (sync ${syncs})` } })) };
          },
        };
      }),
  }),
  mutant('GENERATION-003', 'registers-everything-anew', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        swapGeneration: (input) => {
          const emptied = swapGeneration({ ...input, next: [] });
          return swapGeneration({ ...input, current: emptied.generation });
        },
      })),
  }),
  mutant('GENERATION-004', 'takes-a-failure-for-an-empty-list', {
    kind: 'stage',
    create: () =>
      withStages(() => {
        const listed = new Set<string>();
        return {
          drainTools: async (server, session, limits) => {
            try {
              const tools = await referenceStages.drainTools(server, session, limits);
              listed.add(server);
              return tools;
            } catch (error) {
              if (listed.has(server) && session.isOpen) return [];
              throw error;
            }
          },
        };
      }),
  }),
  mutant('GENERATION-011', 'keeps-the-siblings', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        swapGeneration: (input) => {
          const outcome = swapGeneration(input);
          const { conflict } = outcome;
          if (conflict === undefined) return outcome;
          const siblings = input.next.filter(({ slot }) => !conflict.message.includes(`"${slot.publicName}"`));
          return { ...swapGeneration({ ...input, current: outcome.generation, next: siblings }), conflict };
        },
      })),
  }),
];
