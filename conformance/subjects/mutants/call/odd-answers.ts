/** Defects in what becomes of answers that are no results. */
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { isMessage, onWire, withStages, type Message } from '../plant.ts';

/** Whether an answer is as the schemas of the protocol have it. */
function fits({ result, error }: Message): boolean {
  if (error !== undefined) return isMessage(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string' && result === undefined;
  return isMessage(result) && Array.isArray(result['content']);
}

/** What does not fit its schema is taken for noise. */
const ignoring = (): ReturnType<typeof onWire> =>
  onWire(() => {
    const calls = new Set<unknown>();
    return {
      send: async (message, pass) => {
        if (message['method'] === 'tools/call') calls.add(message['id']);
        await pass(message);
      },
      receive: (message, pass) => {
        if (message['method'] === undefined && calls.delete(message['id']) && !fits(message)) return;
        pass(message);
      },
    };
  });

/** See the names. */
export const oddAnswerMutants: readonly Mutant[] = [
  mutant('CALL-044', 'ignores-what-does-not-fit', { kind: 'wire', create: ignoring }),
  mutant('CALL-044', 'takes-it-for-empty', {
    kind: 'stage',
    create: () => withStages(() => ({
      canonicalValue: (input, result) => (Array.isArray(result['content']) ? referenceStages.canonicalValue(input, result) : { content: [] }),
    })),
  }),
];
