import { BridgeError, describeError, referenceStages, type BridgeStages, type CanonicalValue } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';
import { imageMutants } from './images.ts';

type Block = CanonicalValue['content'][number];
type Blocks = ReturnType<BridgeStages['projectResult']>;
type Change = (content: readonly Block[]) => Block[];

/** A projection of something else than what came. */
const of = (change: Change) => (): Partial<BridgeStages> => ({
  projectResult: (value, options) => referenceStages.projectResult({ ...value, content: change(value.content) }, options),
});

/** A projection whose texts are changed afterwards. */
const texts = (change: (text: string, value: CanonicalValue) => string) => (): Partial<BridgeStages> => ({
  projectResult: (value, options) =>
    referenceStages.projectResult(value, options).map((block) => (block.type === 'text' ? { ...block, text: change(block.text, value) } : block)),
});

function member(block: Block, key: string): Block | undefined {
  return typeof block === 'object' && block !== null && !Array.isArray(block) ? block[key] : undefined;
}

function textOf(block: Block, key: string): string {
  const value = member(block, key);
  return typeof value === 'string' ? value : '';
}

const isOf = (type: string) => (block: Block): boolean => member(block, 'type') === type;

/** Audio as a data URL, in a text. */
const spoken: Change = (content) =>
  content.map((block) => (isOf('audio')(block) ? { type: 'text', text: `data:audio/wav;base64,${textOf(block, 'data')}` } : block));

/** A text that is bounded, with a mark. */
function shortened(block: Block): Block {
  return isOf('text')(block) && textOf(block, 'text').length > 100_000 ? { type: 'text', text: `${textOf(block, 'text').slice(0, 100_000)} [cut]` } : block;
}

/** The mutants of `projection`. */
export const projectionMutants: readonly Mutant[] = [
  mutant('PROJECTION-001', 'cuts-long-texts-in-silence', { kind: 'stage', create: () => withStages(texts((text) => text.slice(0, 65_536))) }),
  mutant('PROJECTION-001', 'keeps-sums-to-itself', { kind: 'stage', create: () => withStages(texts((text) => text.replace(/ is \d+\.$/, ' is known.'))) }),
  mutant('PROJECTION-001', 'turns-the-order', {
    kind: 'stage', create: () => withStages(of((content) => content.toReversed())),
  }),
  mutant('PROJECTION-001', 'shows-the-first-text-only', {
    kind: 'stage',
    create: () => withStages(of((content) => content.filter((block, at) => !isOf('text')(block) || at === content.findIndex(isOf('text'))))),
  }),
  mutant('PROJECTION-002', 'joins-by-a-space', { kind: 'stage', create: () => withStages(texts((text) => text.replaceAll('\n', ' '))) }),
  mutant('PROJECTION-002', 'joins-notes-by-a-space', { kind: 'stage', create: () => withStages(texts((text) => text.replaceAll('\n[', ' ['))) }),
  mutant('PROJECTION-002', 'gives-each-line-a-block', {
    kind: 'stage',
    create: () => withStages(() => ({
      projectResult: (value, options) =>
        referenceStages.projectResult(value, options).flatMap((block): Blocks => (block.type === 'text' ? block.text.split('\n').map((text) => ({ type: 'text', text })) : [block])),
    })),
  }),
  mutant('PROJECTION-003', 'shows-names-of-links-only', {
    kind: 'stage', create: () => withStages(of((content) => content.map((block) => (isOf('resource_link')(block) ? { type: 'resource_link', name: textOf(block, 'name'), uri: '' } : block)))),
  }),
  mutant('PROJECTION-004', 'passes-over-embedded-resources', {
    kind: 'stage', create: () => withStages(of((content) => content.filter((block) => !isOf('resource')(block)))),
  }),
  mutant('PROJECTION-004', 'passes-over-malformed-blocks', {
    kind: 'stage', create: () => withStages(of((content) => content.filter((block) => typeof member(block, 'type') === 'string'))),
  }),
  mutant('PROJECTION-005', 'calls-unknown-blocks-malformed', {
    kind: 'stage', create: () => withStages(of((content) => content.map((block) => (textOf(block, 'type').startsWith('future-') ? null : block)))),
  }),
  mutant('PROJECTION-006', 'shows-a-data-url', { kind: 'stage', create: () => withStages(of(spoken)) }),
  mutant('PROJECTION-006', 'shows-a-data-url-in-failures', {
    kind: 'stage',
    create: () => withStages(() => ({
      projectError: (value, maxChars) => referenceStages.projectError({ ...value, content: spoken(value.content) }, maxChars),
    })),
  }),
  mutant('PROJECTION-006', 'quotes-what-contradicts', {
    kind: 'stage',
    create: () => withStages(() => ({
      checkOutput(input, value) {
        try {
          referenceStages.checkOutput(input, value);
        } catch (error) {
          throw new BridgeError('output-invalid', `${describeError(error)}: ${JSON.stringify(value.structuredContent)}`, { executed: 'yes', cause: error });
        }
      },
    })),
  }),
  mutant('PROJECTION-007', 'shows-empty-text', {
    kind: 'stage',
    create: () => withStages(texts((text, { content }) => (content.every((block) => member(block, 'text') === '') ? '' : text))),
  }),
  mutant('PROJECTION-008', 'keeps-half-characters', {
    kind: 'stage',
    create: () => withStages(texts((text, { content }) => (text.includes('\ufffd') ? content.map((block) => textOf(block, 'text')).join('\n') : text))),
  }),
  mutant('PROJECTION-009', 'cuts-nothing', {
    kind: 'stage',
    create: () => withStages(() => ({ projectResult: (value, options) => referenceStages.projectResult(value, { ...options, maxChars: Number.MAX_SAFE_INTEGER }) })),
  }),
  mutant('PROJECTION-009', 'cuts-in-silence', {
    kind: 'stage', create: () => withStages(texts((text) => text.slice(0, 1_000))),
  }),
  mutant('PROJECTION-009', 'cuts-no-failures', {
    kind: 'stage', create: () => withStages(() => ({ projectError: (value) => referenceStages.projectError(value, Number.MAX_SAFE_INTEGER) })),
  }),
  mutant('PROJECTION-010', 'cuts-the-value-as-well', {
    kind: 'stage',
    create: () => withStages(() => ({
      canonicalValue: (input, result) => {
        const value = referenceStages.canonicalValue(input, result);
        return { ...value, content: value.content.map(shortened) };
      },
    })),
  }),
  ...imageMutants,
];
