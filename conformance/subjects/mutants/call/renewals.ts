/** Defects in which of several output schemas, dialects and executions holds. */
import { referenceStages, type BridgeStages, type ToolSlot } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { isMessage, withStages } from '../plant.ts';

const { checkOutput, swapGeneration } = referenceStages;

/** What stays registered keeps a part of its private state when its list is renewed. */
const keeping = (save: (slot: ToolSlot) => () => void) => (): Partial<BridgeStages> => ({
  swapGeneration: (input) => {
    const restores = input.current.map(({ slot }) => save(slot));
    const outcome = swapGeneration(input);
    for (const restore of restores) restore();
    return outcome;
  },
});

/** Every schema of one dialect is read as one of another. */
const reading = (from: string, as: string) => (): Partial<BridgeStages> => ({
  checkOutput: (input, value) => {
    const { slot } = input;
    const schema = slot.outputSchema;
    const dialect = isMessage(schema) ? schema['$schema'] : undefined;
    const isFrom = typeof dialect === 'string' && dialect.includes(from);
    checkOutput(isFrom ? { ...input, slot: { ...slot, outputSchema: { ...(isMessage(schema) ? schema : {}), $schema: as } } } : input, value);
  },
});

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

/** See the names. */
export const renewalMutants: readonly Mutant[] = [
  mutant('CALL-013', 'reads-2019-09-as-draft-07', { kind: 'stage', create: () => withStages(reading('2019-09', DRAFT_07)) }),
  mutant('CALL-013', 'reads-draft-07-as-2019-09', { kind: 'stage', create: () => withStages(reading('draft-07', DRAFT_2019)) }),
  mutant('CALL-013', 'keeps-the-old-validator', {
    kind: 'stage',
    create: () => withStages(keeping((slot) => {
      const { validator } = slot;
      return () => {
        slot.validator = validator;
      };
    })),
  }),
  mutant('CALL-016', 'keeps-the-old-execution', {
    kind: 'stage',
    create: () => withStages(keeping((slot) => {
      const { taskRequired } = slot;
      return () => {
        slot.taskRequired = taskRequired;
      };
    })),
  }),
];
