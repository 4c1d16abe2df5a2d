/** Output schemas that say in which dialect they are written (CALL-013, B14). */
import type { CallReply } from '../../adapter/messages.ts';
import type { History } from '../../history/schema.ts';
import { textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'dialects';

/** One dialect: a schema, and values that contradict it or fit it. Each schema mixes keywords of two dialects. */
interface Dialect {
  readonly schema: object;
  /** Each contradicts the schema: one by a keyword of all dialects, one by a keyword that another dialect does not know. */
  readonly contradicting: Readonly<Record<string, object>>;
  /** Each fits, since the keyword that it breaks belongs to another dialect. */
  readonly fitting: Readonly<Record<string, object>>;
  /** Whether every bridge that validates has to know it; any other may be ignored, but whole. */
  readonly isDue: boolean;
}

const typed = (more: object, pair: object): object => ({ type: 'object', properties: { count: { type: 'integer' }, pair: { type: 'array', ...pair } }, ...more });
const WRONG_TYPE = { count: 'three' };
const WRONG_PAIR = { pair: [1] };
const LONELY_CARD = { card: 1 };
const PREFIX = { prefixItems: [{ type: 'string' }] };
const DEPENDENT = { dependentRequired: { card: ['address'] } };

/** Exported for the histories of its judge. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  unnamed: { schema: typed({}, PREFIX), contradicting: { type: WRONG_TYPE, prefix: WRONG_PAIR }, fitting: { well: { count: 3, pair: ['a'] } }, isDue: true },
  '2020-12': {
    schema: typed({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...DEPENDENT }, PREFIX),
    contradicting: { type: WRONG_TYPE, prefix: WRONG_PAIR, dependent: LONELY_CARD }, fitting: { well: { count: 3, pair: ['a'] } }, isDue: true,
  },
  '2019-09': {
    schema: typed({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...DEPENDENT }, PREFIX),
    contradicting: { type: WRONG_TYPE, dependent: LONELY_CARD }, fitting: { prefix: WRONG_PAIR }, isDue: false,
  },
  'draft-07': {
    schema: typed({ $schema: 'http://json-schema.org/draft-07/schema#', ...DEPENDENT }, { items: [{ type: 'string' }] }),
    contradicting: { type: WRONG_TYPE, tuple: WRONG_PAIR }, fitting: { dependent: LONELY_CARD }, isDue: false,
  },
};

const toolFor = (dialect: string, value: string): string => `${dialect}-${value}`;

/** The tools of a dialect with what each returns. */
function valuesOf(dialect: string): [name: string, value: object][] {
  const { contradicting = {}, fitting = {} } = DIALECTS[dialect] ?? {};
  return Object.entries({ ...contradicting, ...fitting }).map(([word, value]) => [toolFor(dialect, word), value]);
}

function judgeDialect(history: History, dialect: string, { contradicting, fitting, isDue }: Dialect): Judgement | undefined {
  for (const [name] of valuesOf(dialect)) {
    const call = callFor(history, name);
    if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
    if (call.answer === undefined || call.outcome === undefined) return inconclusive(`the call of "${name}" was not answered`);
  }
  const delivered = (word: string): boolean => replyOf(callFor(history, toolFor(dialect, word)))?.outcome === 'ok';
  const places = (word: string): number[] => [callFor(history, toolFor(dialect, word))].flatMap((call) => (call === undefined ? [] : placesOf(call)));
  // A dialect that a bridge does not know may be refused whole by its name (spec, JSON Schema usage); to ignore it whole is a matter of CALL-015.
  if (!isDue && valuesOf(dialect).every(([name]) => isRefusedAs(dialect, name, replyOf(callFor(history, name))))) return undefined;
  const refused = Object.keys(fitting).find((word) => !delivered(word));
  if (refused !== undefined) return fail(`${JSON.stringify(fitting[refused])} fits its ${dialect} schema, and the call failed`, places(refused));
  const passed = Object.keys(contradicting).filter(delivered);
  // A dialect that a bridge does not know is ignored whole: then everything is delivered.
  if (passed.length === 0 || (!isDue && passed.length === Object.keys(contradicting).length)) return undefined;
  return fail(`${passed.map((word) => JSON.stringify(contradicting[word])).join(', ')} contradicts its ${dialect} schema, and was delivered`, passed.flatMap(places));
}

/** Whether a call failed with words about the dialect; the name of the tool is none of them. */
function isRefusedAs(dialect: string, name: string, reply: CallReply | undefined): boolean {
  return reply !== undefined && reply.outcome !== 'ok' && `${reply.message ?? ''} ${textOf(reply.view)}`.replaceAll(name, '').includes(dialect);
}

/** CALL-013: each schema is judged by its own dialect, whole. */
export const dialects = scripted({
  id: 'CALL-013/dialects',
  invariant: 'CALL-013',
  async exercise(bench) {
    const tools = Object.entries(DIALECTS).flatMap(([dialect, { schema }]) => valuesOf(dialect).map(([name, value]) =>
      tool(SERVER, name, { outputSchema: schema, result: { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value } })));
    await openOne(bench, SERVER, script(SERVER, tools));
    await Promise.all(tools.map(({ name }) => ask(bench, SERVER, name)));
    await bench.close();
  },
  judge: (history) => first(...Object.entries(DIALECTS).map(([dialect, one]) => judgeDialect(history, dialect, one))) ??
    pass('each schema was judged by its own dialect, or ignored or refused whole'),
});
