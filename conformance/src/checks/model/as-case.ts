/**
 * A plan as a case, so that a counterexample can be attached to an issue and run by hand (DESIGN.md §5). A case cannot
 * count listings that a bridge makes on its own, so it takes for granted what most do: one listing an announcement.
 */
import type { CaseInput } from 'mcp-fixture-server/case';
import type { Rule } from 'mcp-fixture-server/scenario';
import { LIST_CHANGED, listed } from './lists.ts';
import { describePlan, type ModelPlan } from './plan.ts';
import { CAPABLE, type ModelRules } from './rules.ts';
import { serversOf, type ModelServer } from './servers.ts';
import { callName, chosenCall, currentList, firstState, type ModelList, type ModelState, type ModelTool } from './state.ts';
import { settling, walk, type Part, type WalkedStep } from './walk.ts';

/** A step as it is written, defaults left out. */
type Step = CaseInput['steps'][number];

/** What a case says of one server, and how far its process has come with its listings. */
class ServerWriter {
  readonly rules: Rule[] = [];
  readonly #steps: Step[];
  readonly #pageSize: number;
  readonly #server: ModelServer;
  #process = 1;
  /** How many pages this process was asked for. */
  #requests: number;
  /** How many pages those before it answered; `undefined` once one of them ended in the middle of a listing. */
  #answered: number | undefined = 0;
  #heldSince = 0;

  /** @param steps of the case, which all its servers share */
  constructor(steps: Step[], { pageSize }: ModelPlan, first: ModelState) {
    this.#steps = steps;
    this.#pageSize = pageSize;
    this.#server = first.server;
    this.#requests = this.#pages(currentList(first));
  }

  /** Another process: it begins with the first list, is told of the last one, and announces that. */
  begins({ before, after }: Pick<Part, 'before' | 'after'>): void {
    this.#process += 1;
    this.#answered = this.#answered === undefined || before.listing !== undefined ? undefined : this.#answered + this.#requests;
    const first = after.lists[0] ?? [];
    const now = currentList(after);
    this.#requests = this.#pages(first);
    if (after.lists.length === 1) return;
    this.#changeTo(now);
    this.#announce(1);
    this.#requests += this.#pages(now);
    if (isAlike(first, now)) this.#awaitListing();
  }

  write(walked: WalkedStep): void {
    const { step, before, after, index } = walked;
    const server = this.#server.name;
    switch (step.do) {
      case 'change':
        // Where no process is, the next one is told.
        return after.phase === 'live' ? this.#changeTo(currentList(after)) : undefined;
      case 'notify':
        this.#announce(step.times);
        // What is announced while a listing is held is read once that has ended.
        if (after.listing !== undefined) return undefined;
        this.#requests += this.#pages(currentList(after));
        return isAlike(dueIn(before), dueIn(after)) ? this.#awaitListing() : undefined;
      case 'hold':
        this.#holdListing(walked, step.page, step.ends);
        this.#announce(1);
        this.#steps.push({ await: { server, held: listingHold(index) } });
        return undefined;
      case 'release':
        if (before.listing?.announced !== undefined) this.#requests += this.#pages(currentList(after));
        this.#advance({ release: listingHold(this.#heldSince) });
        return isAlike(dueIn(before), shownIn(walked)) ? this.#awaitListing() : undefined;
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
        if (after.phase !== 'live') return void this.#steps.push({ await: { server, ended: true } });
        this.#steps.push({ await: { server, started: this.#process + 1 } }, { await: { server, ready: true } });
        return this.begins(walked);
      case 'remove':
        return void this.#steps.push({ remove: server });
      case 'add':
      case 'reload':
        this.#steps.push(step.do === 'add' ? { add: server } : { reload: server });
        return this.begins(walked);
      case 'dispose':
        return void this.#steps.push({ close: true });
      case 'open':
        return void this.#steps.push({ open: true });
    }
  }

  /** Waits until what is due is offered. */
  shows(part: Part): void {
    this.#steps.push({ await: { server: this.#server.name, rawTools: shownIn(part).map(({ raw }) => raw) } });
  }

  /** The listing that comes next is a snapshot: the held page and those behind it are written out. */
  #holdListing({ index, before }: WalkedStep, page: 'first' | 'last', ends: 'answer' | 'error'): void {
    this.#heldSince = index;
    const list = currentList(before);
    const count = this.#pages(list);
    for (let at = page === 'first' ? 0 : count - 1; at < count; at += 1) {
      const isHeld = at === 0 || page === 'last';
      const nextCursor = at + 1 < count ? { nextCursor: `offset:${(at + 1) * this.#pageSize}` } : {};
      const tools = list.slice(at * this.#pageSize, (at + 1) * this.#pageSize).map((tool) => this.#asListed(tool));
      const end = isHeld && ends === 'error' ? { error: { code: -32603, message: 'the list is not at hand' } } : { reply: { result: { tools, ...nextCursor } } };
      this.rules.push({
        id: `listing-of-step-${index}-page-${at}`,
        when: { method: 'tools/list', nth: this.#requests + at + 1, incarnation: this.#process },
        do: isHeld ? [{ hold: listingHold(index) }, end] : [end],
      });
      // Behind an error no page is asked for.
      if (ends === 'error') break;
    }
    this.#requests += ends === 'error' && page === 'first' ? 1 : count;
  }

  #changeTo(list: ModelList): void {
    this.#advance({ do: [{ setTools: { tools: list.map((tool) => this.#asListed(tool)) } }] });
  }

  #asListed(tool: ModelTool): ReturnType<typeof listed> {
    return listed(tool, this.#server.name);
  }

  /** Waits for a listing that changes nothing that could be awaited in the registry: the next one is counted from here. */
  #awaitListing(): void {
    if (this.#answered !== undefined) this.#steps.push({ await: { server: this.#server.name, answered: 'tools/list', times: this.#answered + this.#requests } });
  }

  #pages(list: ModelList): number {
    return Math.max(1, Math.ceil(list.length / this.#pageSize));
  }

  #announce(times: number): void {
    this.#advance({ do: [{ notify: { method: LIST_CHANGED, frame: { times } } }] });
  }

  #advance(what: { do: Extract<Extract<Step, { advance: unknown }>['advance'], { do: unknown }>['do'] } | { release: string }): void {
    this.#steps.push({ advance: { server: this.#server.name, ...what } });
  }

  #call({ lists, due }: ModelState, pick: number, hold: string | undefined): void {
    const server = this.#server.name;
    const list = lists[due] ?? [];
    const tool = list[pick % Math.max(1, list.length)]?.raw;
    if (tool === undefined) return;
    if (hold === undefined) this.#steps.push({ call: { server, tool } });
    else {
      this.rules.push({ id: hold, when: { method: 'tools/call', params: { arguments: { hold } } }, do: [{ hold }, answerOf(tool)] });
      this.#steps.push({ call: { id: hold, server, tool, arguments: { hold } } }, { await: { server, held: hold } });
    }
  }

  #finish(hold: string | undefined, isAwaited: boolean): void {
    if (hold === undefined) return;
    if (!isAwaited) this.#steps.push({ abort: hold });
    this.#advance({ release: hold });
    if (isAwaited) this.#steps.push({ await: { call: hold } });
  }
}

function listingHold(index: number): string {
  return `listing-of-step-${index}`;
}

/** The case of a plan. `judge` names the invariants that it probes; `rules` say what the subject does by itself. */
export function caseOf(plan: ModelPlan, judge: readonly string[], rules: ModelRules = CAPABLE): CaseInput {
  const steps: Step[] = [{ open: true }];
  const first = serversOf(plan, rules).map((server) => firstState(plan, server));
  const writers = first.map((state) => new ServerWriter(steps, plan, state));
  for (const walked of walk(plan, rules)) {
    writers[walked.at]?.write(walked);
    const settled = settling(walked, rules);
    for (const [number, part] of walked.parts.entries()) {
      const { isReached, after } = part;
      // What was started again with the server that the step is about.
      if (isReached && after.phase === 'live' && (walked.step.do === 'open' || number !== walked.at)) writers[number]?.begins(part);
      if (isReached && SHOWING.has(walked.step.do) && settled.includes(part)) writers[number]?.shows(part);
    }
  }
  const pagination = { pageSize: plan.pageSize, cursor: 'offset:{n}' };
  const servers = first.map((state, number): [string, CaseInput['servers'][string]] => {
    const { name } = state.server;
    const tools = currentList(state).map((tool) => listed(tool, name));
    return [name, { scenario: { scenario: 1, tools, pagination, rules: [...(writers[number]?.rules ?? []), ...answersAll(state.server)] } }];
  });
  return {
    case: 1,
    id: 'model-counterexample',
    title: describePlan(plan),
    area: 'generation',
    servers: Object.fromEntries(servers),
    steps: [...steps, { close: true }],
    judge: [...judge],
  };
}

function dueIn({ lists, due }: ModelState): ModelList {
  return lists[due] ?? [];
}

/** What is offered after a step: the list that is due, or the newest one where it is read after all that was changed. */
function shownIn({ before, after }: Pick<Part, 'before' | 'after'>): ModelList {
  return before.listing?.announced === undefined ? dueIn(after) : currentList(after);
}

/** Whether the raw names are the same. */
function isAlike(one: ModelList, other: ModelList): boolean {
  return rawNames(one) === rawNames(other);
}

function rawNames(list: ModelList): string {
  return JSON.stringify(list.map(({ raw }) => raw).toSorted());
}

/** Steps after which what is due is awaited. */
const SHOWING: ReadonlySet<WalkedStep['step']['do']> = new Set(['notify', 'release', 'crash', 'reload', 'add', 'open']);

/** A call of a tool that is listed no more is answered like any other. */
function answersAll({ names }: ModelServer): Rule[] {
  return names.map((tool) => ({ id: `answer-${tool}`, when: { method: 'tools/call', tool }, do: [answerOf(tool)] }));
}

function answerOf(tool: string): Rule['do'][number] {
  return { reply: { result: { content: [{ type: 'text', text: `an answer of ${tool}` }] } } };
}
