/** Input schemas without an object root: what a model is shown of them, and who is told (DISCOVERY-014, DISCOVERY-015). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { isObject, lastRegistry } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { few, identity, identityOf, lastListing, mentions, namesOf, reachedBy, saidAloud } from '../identities.ts';
import { script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { lookAndCallEach } from '../tool-lists.ts';

const SERVER = 'rootless';

/** Schemas of R11 and R14, none of which restricts a call. A list cannot be an argument, so its entries name no parameter. */
const ROOTS: Readonly<Record<string, object>> = {
  either_way: { anyOf: [{ properties: { by_number: { type: 'integer' } } }, { properties: { by_title: { type: 'string' } } }] },
  referred: { $ref: '#/$defs/Search', $defs: { Search: { type: 'object', properties: { search_words: { type: 'string' } } } } },
  untyped: { properties: { free_text: { type: 'string' } } },
  as_list: { type: 'array', items: { type: 'object', properties: { entry_code: { type: 'string' } } } },
  says_nothing: {},
};

async function exercise(bench: Bench): Promise<void> {
  const tools = Object.entries(ROOTS).map(([name, inputSchema]) => tool(SERVER, name, { inputSchema }));
  await openOne(bench, SERVER, script(SERVER, tools));
  await ask(bench, SERVER, STEADY);
  await lookAndCallEach(bench, [{ server: SERVER, rawNames: [STEADY, ...Object.keys(ROOTS)] }]);
}

/** A listed tool whose schema has no object root. */
interface Rootless {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

function rootless(history: History): Rootless[] {
  return (lastListing(history, SERVER)?.tools ?? []).flatMap((listed) => {
    if (!isObject(listed)) return [];
    const { name, inputSchema } = listed;
    return typeof name === 'string' && isObject(inputSchema) && inputSchema['type'] !== 'object' ? [{ name, inputSchema }] : [];
  });
}

/** The names of all parameters in a schema, wherever they stand; entries of lists are none. */
function parametersIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(parametersIn);
  if (!isObject(schema)) return [];
  const { properties, items: _items, ...rest } = schema;
  return [...(isObject(properties) ? Object.keys(properties) : []), ...[...Object.values(rest), properties].flatMap(parametersIn)];
}

/** Every key in a value. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]) : [];
}

/** The judge of DISCOVERY-014. */
function judgeParameters(history: History): Judgement {
  const registry = lastRegistry(history);
  const named = rootless(history).map((one) => ({ ...one, parameters: parametersIn(one.inputSchema) })).filter(({ parameters }) => parameters.length > 0);
  const reached = reachedBy(history);
  if (registry === undefined || named.length === 0 || reached.size === 0) return inconclusive('no schema without an object root was listed, looked at and any tool called');
  const aloud = saidAloud(history);
  const untold = named.filter(({ name }) => !aloud.some(({ text }) => mentions(text, name)));
  let kept = 0;
  for (const { name, parameters } of untold) {
    const offered = registry.event.tools.find((one) => identityOf(reached, one.name) === identity(SERVER, name));
    // One that is left out, or refuses its call, in silence is another judge's.
    if (offered === undefined) continue;
    const shown = new Set(keysIn(offered.parameters));
    const lost = parameters.filter((parameter) => !shown.has(parameter));
    if (lost.length > 0) {
      return fail(`the schema of ${JSON.stringify(name)} names ${few(lost)}; the model is shown ${JSON.stringify(offered.parameters)}, and no warning or error names the tool`, [registry.index]);
    }
    kept += 1;
  }
  const told = named.length - untold.length;
  return kept + told === 0 ? inconclusive('no tool of an odd schema was reached by a call or spoken of') : pass(`of schemas without an object root ${kept} keep their parameters, and ${told} are spoken of`);
}

/** The judge of DISCOVERY-015. */
function judgeReported(history: History): Judgement {
  const odd = rootless(history);
  if (odd.length === 0 || namesOf(history).size === 0) return inconclusive('no schema without an object root was listed and the tool called');
  const aloud = saidAloud(history);
  const untold = odd.filter(({ name }) => !aloud.some(({ text }) => mentions(text, name)));
  return untold.length > 0
    ? fail(`listed without an object root, and named in no warning or error: ${few(untold.map(({ name }) => name))}`)
    : pass(`all ${odd.length} tools without an object root are spoken of`);
}

/** Checks of odd roots. */
export const oddRootChecks: readonly Check[] = [
  scripted({ id: 'DISCOVERY-014/odd-roots', invariant: 'DISCOVERY-014', exercise, judge: judgeParameters }),
  scripted({ id: 'DISCOVERY-015/odd-roots', invariant: 'DISCOVERY-015', exercise, judge: judgeReported }),
];
