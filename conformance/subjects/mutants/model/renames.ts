/** A defect of a registry that only a tool under another name brings out. */
import { referenceStages, type BuiltTool } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';

/** Tools are told apart by their schemas, so one that comes back under another name is kept under the old one. */
const knowsToolsBySchema: Mutant = mutant('GENERATION-051', 'keeps-the-old-name-of-a-renamed-tool', {
  kind: 'stage',
  create: () =>
    withStages(() => ({
      swapGeneration: (input) => {
        const known = new Map(input.current.map((tool) => [schemaOf(tool), tool] as const));
        // Where several tools have one schema, as those without parameters do, it tells nothing.
        const isTelling = known.size === input.current.length && new Set(input.next.map(schemaOf)).size === input.next.length;
        const next = input.next.map((tool) => (isTelling ? (known.get(schemaOf(tool)) ?? tool) : tool));
        return referenceStages.swapGeneration({ ...input, next });
      },
    })),
});

function schemaOf({ definition }: BuiltTool): string {
  return JSON.stringify(definition.parameters);
}

/** Defects of renames. */
export const modelRenameMutants: readonly Mutant[] = [knowsToolsBySchema];
