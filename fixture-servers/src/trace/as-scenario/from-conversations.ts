/** A scenario with the least that still shows the traffic of a trace. */
import { isJsonObject, member } from '../../jsonrpc/message.ts';
import { checkScenario } from '../../scenario/check.ts';
import type { Action, Rule, ScenarioInput, ToolEntry } from '../../scenario/schema.ts';
import { canonical } from '../conversation/canonical.ts';
import type { Conversations } from '../conversation/load.ts';
import type { Deed, Life, Turn } from '../conversation/model.ts';
import { actionsOf } from './actions-of.ts';
import { createDefaultServer } from './default-server.ts';
import { listingsOf, paginationOf, resultOf, steadyAnswers, toEntries, type Listing } from './listings.ts';
import { endsProcess, rulesOf, type Event, type LifeRule } from './rules-of.ts';

/** A scenario, and what of the trace it does not say. */
export interface TracedScenario {
  readonly scenario: ScenarioInput;
  readonly lost: readonly string[];
}

const DEFAULT_CAPABILITIES = canonical({ tools: { listChanged: true } });

/**
 * Makes the scenario. What the default server does anyway is left out; what differs becomes a rule.
 * @throws ScenarioError when the trace does not fit the language, RangeError when it would take too many rules
 */
export function fromConversations({ server, lives }: Conversations): TracedScenario {
  const answers = steadyAnswers(lives);
  const listings = lives.map(listingsOf);
  const first = listings.flat()[0];
  const tools = first === undefined ? [] : toEntries(first.tools, answers);
  const lists = new Map<string, NamedList>();
  if (first !== undefined) lists.set(canonical(first.tools), { name: FIRST_LIST, entries: tools });
  const named: Naming = (listed) => {
    const key = canonical(listed);
    const known = lists.get(key);
    if (known !== undefined) return known;
    const made = { name: `list-${lists.size + 1}`, entries: toEntries(listed, answers) };
    lists.set(key, made);
    return made;
  };
  const pagination = first === undefined ? undefined : paginationOf(first);
  const base: ScenarioInput = { scenario: 1, ...handshake(lives[0]), ...(tools.length > 0 ? { tools } : {}), ...(pagination === undefined ? {} : { pagination }) };
  const lost = new Set<string>();
  const perLife = lives.map((life, index) => lifeRules(life, listings[index] ?? [], first, base, named, lost));
  const rules = merge(perLife);
  const needsSpawn = lives.length > 1 && rules.some(({ when }) => when.spawn === true && when.incarnation !== undefined);
  const scenario: ScenarioInput = {
    ...base, name: server.slice(0, 128) || 'server',
    ...namedLists([...lists.values()].filter(({ name }) => name !== FIRST_LIST || usesFirst(rules))),
    ...(needsSpawn ? { countFrom: 'spawn' as const } : {}),
    ...(rules.length > 0 ? { rules } : {}),
  };
  checkScenario(scenario, server);
  return { scenario, lost: [...lost] };
}

/** The name of the first list, for rules that bring it back. */
const FIRST_LIST = 'list-1';

interface NamedList {
  readonly name: string;
  readonly entries: ToolEntry[];
}

/** The name of a list, given when it is first met. */
type Naming = (tools: readonly unknown[]) => NamedList;

function namedLists(lists: readonly NamedList[]): Pick<ScenarioInput, 'toolLists'> {
  return lists.length === 0 ? {} : { toolLists: Object.fromEntries(lists.map(({ name, entries }) => [name, entries])) };
}

function usesFirst(rules: readonly Rule[]): boolean {
  return rules.some((rule) => rule.do.some((each) => 'setTools' in each && 'list' in each.setTools && each.setTools.list === FIRST_LIST));
}

/** What the answer to `initialize` says beyond the default. */
function handshake(life: Life): Partial<ScenarioInput> {
  const turn = life.turns.find(({ method }) => method === 'initialize');
  const result = turn === undefined ? undefined : resultOf(turn);
  if (turn === undefined || result === undefined) return {};
  const asked = isJsonObject(turn.params) ? member(turn.params, 'protocolVersion') : undefined;
  const { protocolVersion, serverInfo, instructions, capabilities } = result;
  return {
    ...(typeof protocolVersion === 'string' && protocolVersion !== asked ? { protocolVersion } : {}),
    ...(isJsonObject(serverInfo) ? { serverInfo } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
    ...(isJsonObject(capabilities) && canonical(capabilities) !== DEFAULT_CAPABILITIES ? { capabilities } : {}),
  };
}

function lifeRules(
  life: Life, listings: readonly Listing[], first: Listing | undefined, base: ScenarioInput, named: Naming, lost: Set<string>,
): LifeRule[] {
  const normal = createDefaultServer(base);
  const changes = changesOf(life, listings, first, named);
  const apply = (list: NamedList | undefined): Action[] => {
    if (list === undefined) return [];
    normal.change({ setTools: { tools: list.entries } });
    return [{ setTools: { list: list.name } }];
  };
  const events = life.turns.map((turn): Event => {
    const leading = apply(changes.byTurn.get(turn));
    const made = actionsOf(turn, (deed) => turn.kind === 'request' && normal.answersLike(turn, deed), (deed) => apply(changes.byDeed.get(deed)));
    for (const each of made.lost) lost.add(each);
    const actions = [...leading, ...made.actions];
    const isDefault = actions.length === 0 || (actions.length === 1 && canonical(actions[0]) === '{"default":{}}');
    return { turn, isDefault, actions: isDefault ? [] : actions };
  });
  return rulesOf(events.filter((event) => !event.isDefault || event.turn.kind === 'request'));
}

/** Where the tool list changed: with the notice that came before the new listing, else with the listing itself. */
function changesOf(life: Life, listings: readonly Listing[], first: Listing | undefined, named: Naming): {
  readonly byDeed: ReadonlyMap<Deed, NamedList>;
  readonly byTurn: ReadonlyMap<Turn, NamedList>;
} {
  const byDeed = new Map<Deed, NamedList>();
  const byTurn = new Map<Turn, NamedList>();
  let current = first === undefined ? '' : canonical(first.tools);
  let from = 0;
  for (const listing of listings) {
    const [opening] = listing.turns;
    if (opening === undefined) continue;
    const at = life.turns.indexOf(opening);
    if (canonical(listing.tools) !== current) {
      const change = named(listing.tools);
      const notice = life.turns.slice(from, at).flatMap(({ deeds }) => deeds).findLast(isListChange);
      // Before its first listing a process may have another list from its start.
      const start = from === 0 ? life.turns.find(({ method }) => method === 'initialize') : undefined;
      if (notice !== undefined && from > 0) byDeed.set(notice, change);
      else byTurn.set(start ?? opening, change);
      current = canonical(listing.tools);
    }
    from = at + 1;
  }
  return { byDeed, byTurn };
}

function isListChange(deed: Deed): boolean {
  return deed.kind === 'say' && isJsonObject(deed.message) && member(deed.message, 'method') === 'notifications/tools/list_changed';
}

/** The rules of all lives; one that is not that of every life in which its trigger occurs names its incarnation. */
function merge(perLife: readonly (readonly LifeRule[])[]): Rule[] {
  if (perLife.length === 1) return (perLife[0] ?? []).map(({ rule }) => rule);
  const seen = new Map<string, { rule: Rule; in: Set<number> }>();
  perLife.forEach((rules, index) => {
    for (const { rule } of rules) {
      const key = canonical(rule);
      const entry = seen.get(key) ?? { rule, in: new Set<number>() };
      entry.in.add(index + 1);
      seen.set(key, entry);
    }
  });
  return [...seen.values()].flatMap(({ rule, in: lives }): Rule[] => {
    if (lives.size === perLife.length && !endsProcess(rule.do)) return [rule];
    const isRest = !endsProcess(rule.do) && Array.from({ length: perLife.length }, (_, index) => index + 1).slice(Math.min(...lives) - 1).every((life) => lives.has(life));
    if (isRest) return [{ ...rule, when: { ...rule.when, incarnation: { from: Math.min(...lives) } } }];
    return [...lives].map((life) => ({ ...rule, when: { ...rule.when, incarnation: life } }));
  });
}
