/** Bounds of files that no single word has, with a file that passes each. */
import { MAX_FILE_BYTES, MAX_FILE_DEPTH, MAX_GENERATED_TOOLS, MAX_LIST_BYTES } from '../scenario/limits.ts';

/** One bound. */
export interface Bound {
  readonly what: string;
  /** The bound, with its unit. */
  readonly most: string;
  readonly why: string;
  /** A file that passes it by little, for the test. */
  readonly passes: () => string;
  /** What the refusal says. */
  readonly says: string;
}

const LINE = `${'#'.repeat(1023)}\n`;
const DESCRIPTION_CHARS = 1000;

/** All of them. */
export const BOUNDS: readonly Bound[] = [
  {
    what: 'size of a file', most: `${MAX_FILE_BYTES} bytes`, why: 'the largest real lists of tools are below a quarter of it',
    passes: () => `scenario: 1\n${LINE.repeat(MAX_FILE_BYTES / LINE.length)}`, says: `at most ${MAX_FILE_BYTES} are read`,
  },
  {
    what: 'depth of mappings and lists', most: `${MAX_FILE_DEPTH} levels`, why: 'far beyond what people write, far below the stack',
    passes: () => `scenario: 1\nserverInfo: ${'{ a: '.repeat(MAX_FILE_DEPTH)}1${' }'.repeat(MAX_FILE_DEPTH)}\n`, says: `nests deeper than ${MAX_FILE_DEPTH} levels`,
  },
  {
    what: 'tools of one list, generated ones counted', most: `${MAX_GENERATED_TOOLS} tools`, why: 'they are held in memory',
    passes: () => `scenario: 1\ntools: [{ generate: { count: ${MAX_GENERATED_TOOLS} } }, { name: one_more }]\n`, says: `at most ${MAX_GENERATED_TOOLS} are served`,
  },
  {
    what: 'JSON of one list', most: `${MAX_LIST_BYTES} bytes`, why: 'it goes out on one page unless `pagination` cuts it',
    passes: () => `scenario: 1\ntools: [{ generate: { count: ${MAX_GENERATED_TOOLS}, description: ${'x'.repeat(DESCRIPTION_CHARS)} } }]\n`, says: `at most ${MAX_LIST_BYTES} are served`,
  },
  {
    what: 'aliases and tags', most: 'none', why: 'an alias of aliases grows without limit, and a tag may stand for anything',
    passes: () => 'scenario: 1\ntools: &a []\ntoolLists: { b: *a }\n', says: 'aliases (`*a`) are not taken',
  },
  {
    what: 'size of a whole number', most: `${Number.MAX_SAFE_INTEGER}`, why: 'a larger one would be rounded; write it into `raw`',
    passes: () => `scenario: 1\nserverInfo: { build: 9007199254740993 }\n`, says: 'cannot be held exactly',
  },
];
