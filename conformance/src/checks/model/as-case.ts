/**
 * A plan as a case, so that a counterexample can be attached to an issue and run by hand (DESIGN.md §5). A case cannot
 * count listings that a bridge makes on its own, so it takes for granted what most do: one listing an announcement.
 */
import type { CaseInput } from 'mcp-fixture-server/case';
import type { Rule } from 'mcp-fixture-server/scenario';
import { LIST_CHANGED, listed, SERVER } from './lists.ts';
import { describePlan, RAW_NAMES, type ModelPlan } from './plan.ts';
import { callName, chosenCall, currentList, firstState, settles, type ModelList, type ModelRules, type ModelState } from './state.ts';
import { walk, type WalkedStep } from './walk.ts';

/** A step as it is written, defaults left out. */
type Step = CaseInput['steps'][number];

/** What a case says of one step, and how far the process has come with its listings. */
class CaseWriter {
  readonly steps: Step[] = [{ open: true }];
  readonly rules: Rule[] = [];
  readonly #plan: ModelPlan;
  #process = 1;
  #requests: number;

  constructor(plan: ModelPlan) {
    this.#plan = plan;
    this.#requests = this.#pages(currentList(firstState(plan)));
  }

  write(walked: WalkedStep): void {
    const { step, before, after, index } = walked;
    switch (step.do) {
      case 'change':
        return this.#advance({ do: [{ setTools: { tools: currentList(after).map(listed) } }] });
      case 'notify':
        this.#announce(step.times);
        this.#requests += this.#pages(currentList(after));
        return this.#shows(after);
      case 'hold':
        this.#holdListing(walked, step.page, step.ends);
        this.#announce(1);
        this.steps.push({ await: { server: SERVER, held: listingHold(index) } });
        return undefined;
      case 'release': {
        this.#advance({ release: listingHold(this.#heldSince) });
        return this.#shows(after);
      }
      case 'call':
        return this.#call(before, step.pick, undefined);
      case 'start':
        return this.#call(before, step.pick, callName(index));
      case 'finish':
        return this.#finish(chosenCall(before, step.pick), true);
      case 'cancel':
        return this.#finish(chosenCall(before, step.pick), false);
      case 'crash':
        this.#advance({ do: [{ exit: 1 }] });
        if (after.phase !== 'live') return void this.steps.push({ await: { server: SERVER, ended: true } });
        this.#process += 1;
        this.#requests = this.#pages(currentList(after));
        this.steps.push({ await: { server: SERVER, started: this.#process } }, { await: { server: SERVER, ready: true } });
        return this.#shows(after);
      case 'remove':
        this.steps.push({ remove: SERVER });
        return undefined;
      default:
        this.#process += 1;
        this.#requests = this.#pages(currentList(after));
        this.steps.push(step.do === 'add' ? { add: SERVER } : { reload: SERVER });
        return this.#shows(after);
    }
  }

  #heldSince = 0;

  /** The listing that comes next is a snapshot: the held page and those behind it are written out. */
  #holdListing({ index, before }: WalkedStep, page: 'first' | 'last', ends: 'answer' | 'error'): void {
    this.#heldSince = index;
    const list = currentList(before);
    const count = this.#pages(list);
    const { pageSize } = this.#plan;
    for (let at = page === 'first' ? 0 : count - 1; at < count; at += 1) {
      const isHeld = at === 0 || page === 'last';
      const nextCursor = at + 1 < count ? { nextCursor: `offset:${(at + 1) * pageSize}` } : {};
      const tools = list.slice(at * pageSize, (at + 1) * pageSize).map(listed);
      const end = isHeld && ends === 'error' ? { error: { code: -32603, message: 'the list is not at hand' } } : { reply: { result: { tools, ...nextCursor } } };
      this.rules.push({
        id: `listing-of-step-${index}-page-${at}`,
        when: { method: 'tools/list', nth: this.#requests + at + 1, incarnation: this.#process },
        do: isHeld ? [{ hold: listingHold(index) }, end] : [end],
      });
    }
    this.#requests += ends === 'error' && page === 'first' ? 1 : count;
  }

  #pages(list: ModelList): number {
    return Math.max(1, Math.ceil(list.length / this.#plan.pageSize));
  }

  #announce(times: number): void {
    this.#advance({ do: [{ notify: { method: LIST_CHANGED, frame: { times } } }] });
  }

  #advance(what: { do: Extract<Extract<Step, { advance: unknown }>['advance'], { do: unknown }>['do'] } | { release: string }): void {
    this.steps.push({ advance: { server: SERVER, ...what } });
  }

  #shows(state: ModelState): void {
    const due = state.lists[state.due] ?? [];
    if (settles(state)) this.steps.push({ await: { server: SERVER, rawTools: due.map(({ raw }) => raw) } });
  }

  #call({ lists, due }: ModelState, pick: number, hold: string | undefined): void {
    const list = lists[due] ?? [];
    const tool = list[pick % Math.max(1, list.length)]?.raw;
    if (tool === undefined) return;
    if (hold === undefined) this.steps.push({ call: { server: SERVER, tool } });
    else this.steps.push({ call: { id: hold, server: SERVER, tool, arguments: { hold } } }, { await: { server: SERVER, held: hold } });
  }

  #finish(hold: string | undefined, isAwaited: boolean): void {
    if (hold === undefined) return;
    if (!isAwaited) this.steps.push({ abort: hold });
    this.#advance({ release: hold });
    if (isAwaited) this.steps.push({ await: { call: hold } });
  }
}

function listingHold(index: number): string {
  return `listing-of-step-${index}`;
}

/** The case of a plan. `judge` names the invariants that it probes; `rules` say what the subject does by itself. */
export function caseOf(plan: ModelPlan, judge: readonly string[], rules: ModelRules = { recovers: false, follows: true }): CaseInput {
  const writer = new CaseWriter(plan);
  const walked = walk(plan, rules);
  for (const step of walked) writer.write(step);
  const heldCalls = walked.flatMap(({ step, index }): Rule[] =>
    step.do === 'start'
      ? [{ id: callName(index), when: { method: 'tools/call', params: { arguments: { hold: callName(index) } } }, do: [{ hold: callName(index) }, { default: {} }] }]
      : [],
  );
  // A call of a tool that is listed no more is answered like any other.
  const answersAll: Rule[] = RAW_NAMES.map((tool) => ({
    id: `answer-${tool}`, when: { method: 'tools/call', tool }, do: [{ reply: { result: { content: [{ type: 'text', text: `an answer of ${tool}` }] } } }],
  }));
  const pagination = { pageSize: plan.pageSize, cursor: 'offset:{n}' };
  const tools = currentList(firstState(plan)).map(listed);
  return {
    case: 1,
    id: 'model-counterexample',
    title: describePlan(plan),
    area: 'generation',
    servers: { [SERVER]: { scenario: { scenario: 1, tools, pagination, rules: [...writer.rules, ...heldCalls, ...answersAll] } } },
    steps: [...writer.steps, { close: true }],
    judge: [...judge],
  };
}
