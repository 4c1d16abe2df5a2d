/**
 * A case from what a check did and saw: the servers as they were scripted, the steps as they were recorded, each wait by what
 * ended it. It is judged by the judge of that check, on what shows when it is run anew.
 */
import type { CaseInput } from 'mcp-fixture-server/case';
import { z } from 'zod';
import type { ServerSpec } from '../../adapter/messages.ts';
import { invariantById } from '../../catalogue/index.ts';
import { caseOf } from '../../checks/model/as-case.ts';
import { modelChecks } from '../../checks/model/index.ts';
import { modelPlan } from '../../checks/model/plan.ts';
import { rulesOf } from '../../checks/model/rules.ts';
import { offeredBarrier } from '../../checks/support/facts.ts';
import type { EventOf, History, HistoryEvent } from '../../history/schema.ts';
import { eventsOf, isObject, lastRegistry, PROBE, subjectOf } from '../../history/views.ts';
import { recognise, type MarkedTool } from '../marking.ts';
import { asActions, asScenario, NotDerivable, optionsOf } from './parts.ts';
import { endHealthy } from './healthy-end.ts';
import { waitOf, type WrittenStep } from './waits.ts';

/** What a case is written from, beside the history. */
export interface DerivedFrom {
  /** The check whose exercise this was. */
  readonly check: string;
  readonly invariant: string;
}

/** A case, or why there is none. */
export type Derived = { readonly case: CaseInput } | { readonly reason: string };

/** The case of a history. */
export function caseOfHistory(history: History, from: DerivedFrom): Derived {
  const plan = modelChecks.some(({ id }) => id === from.check) ? modelPlan.safeParse(eventsOf(history, 'run').at(-1)?.event.input) : undefined;
  // The model says its plans in the words of a case by itself, shorter than what was done.
  const subject = subjectOf(history);
  if (plan?.success === true && subject !== undefined) return { case: { ...caseOf(plan.data, [from.invariant], rulesOf(subject)), id: from.check.replaceAll('/', '.') } };
  try {
    return { case: new Writer(history).write(from) };
  } catch (error) {
    if (error instanceof NotDerivable) return { reason: error.message };
    throw error;
  }
}

/** Kinds of events that the suite itself makes; between two of them nothing else is done. */
const OWN: ReadonlySet<HistoryEvent['kind']> = new Set(['run', 'program', 'request', 'settled', 'call', 'outcome', 'cancel', 'barrier', 'control', 'host', 'environment']);
type Server = CaseInput['servers'][string];

class Writer {
  readonly #history: History;
  readonly #servers = new Map<string, Server>();
  readonly #options = new Map<string, string>();
  readonly #steps: WrittenStep[] = [];
  /** What is written when an event is come to: the end of a call or step that went on meanwhile. */
  readonly #ends = new Map<number, WrittenStep>();
  /** Programs of scripted servers. */
  readonly #commands: ReadonlySet<string>;
  #inEach = false;
  readonly #callIds = new Map<string, string>();

  constructor(history: History) {
    this.#history = history;
    const scripted = new Set(history.flatMap((event) => (event.kind === 'program' ? [event.server] : [])));
    this.#commands = new Set(history.flatMap((event) => (event.kind === 'request' ? event.servers : []).flatMap((spec) => (spec.transport === 'stdio' && scripted.has(spec.name) ? [spec.command] : []))));
  }

  write({ check, invariant }: DerivedFrom): CaseInput {
    const { statement, area } = invariantById(invariant);
    this.#history.forEach((event, index) => this.#event(event, index));
    if (this.#history.some((event) => event.kind === 'barrier' && !event.reached)) endHealthy(this.#steps, this.#servers);
    if (this.#servers.size === 0) throw new NotDerivable('no scripted server takes part');
    if (!this.#steps.some((step) => 'open' in step)) throw new NotDerivable('nothing was opened');
    return {
      case: 1, id: check.replaceAll('/', '.').slice(0, 128), title: statement, area, reports: [],
      servers: Object.fromEntries(this.#servers), steps: this.#steps, judge: [invariant], check,
    };
  }

  #event(event: HistoryEvent, index: number): void {
    const end = this.#ends.get(index);
    if (end !== undefined) this.#steps.push(end);
    if (event.kind === 'barrier' && event.until?.each !== undefined) return this.#each(event.until.each);
    if (this.#inEach) return;
    switch (event.kind) {
      case 'truth': throw new NotDerivable('it runs against a real server, which no script tells of');
      case 'program': return this.#program(event);
      case 'request': return this.#request(event, index);
      case 'call': return this.#call(event, index);
      case 'cancel': return void (this.#callIds.has(event.callId) && this.#steps.push({ abort: this.#callIds.get(event.callId) ?? '' }));
      case 'control': return this.#control(event);
      case 'host': {
        if (event.gate !== undefined) this.#steps.push({ gate: event.gate });
        if (event.change !== undefined) this.#steps.push({ host: event.change });
        return undefined;
      }
      case 'run': return void this.#steps.push({ input: event.input });
      case 'environment': return void this.#steps.push({ environment: event.server });
      case 'registry': return event.cause === 'looked' && !this.#isPolled(index) ? void this.#steps.push({ look: true }) : undefined;
      case 'barrier': return this.#barrier(event, index);
      default: return undefined;
    }
  }

  /** What was called depends on what was offered, so it is not written out. */
  #each(each: 'begins' | 'ends'): void {
    this.#inEach = each === 'begins';
    if (each === 'begins') this.#steps.push({ callEach: true });
  }

  #program({ server, scenario }: EventOf<'program'>): void {
    const script = asScenario(scenario);
    if (this.#servers.has(server)) this.#steps.push({ advance: { server, program: script } });
    else this.#servers.set(server, { open: false, scenario: script });
  }

  #request(event: EventOf<'request'>, index: number): void {
    const specs = event.servers.filter((spec) => this.#known(spec));
    if (specs.length === 0 && event.servers.length > 0) throw new NotDerivable(`"${event.servers[0]?.name ?? ''}" is no scripted server`);
    for (const spec of specs) this.#configure(spec);
    const end = this.#settlingOf(event, index);
    const id = end !== undefined && this.#isBusy(index, end) ? `step-${index}` : undefined;
    if (id !== undefined && end !== undefined) this.#ends.set(end, { await: { step: id } });
    const name = specs[0]?.name;
    switch (event.step) {
      case 'open': {
        const { attachmentStore = 'none', ...host } = event.host ?? {};
        const servers = specs.map((spec) => spec.name);
        return void this.#steps.push({ open: { servers, ...(event.host === undefined ? {} : { host: { ...host, attachmentStore } }), ...(id === undefined ? {} : { id }) } });
      }
      case 'close': return void this.#steps.push({ close: true });
      default: {
        if (name === undefined) throw new NotDerivable(`it is about a server that was never given to the subject (${event.step})`);
        const on = id === undefined ? name : { server: name, id };
        return void this.#steps.push(event.step === 'add' ? { add: on } : event.step === 'remove' ? { remove: on } : { reload: on });
      }
    }
  }

  /**
   * Whether a case can say it: a scripted server, or another entry for the program of one, which becomes a server of its own.
   * A case starts no other program.
   */
  #known(spec: ServerSpec): boolean {
    if (this.#servers.has(spec.name)) return true;
    if (spec.transport !== 'stdio' || !this.#commands.has(spec.command)) return false;
    this.#servers.set(spec.name, { open: false, scenario: { scenario: 1 } });
    return true;
  }

  /** Options that differ from those that the server was last opened with. */
  #configure(spec: ServerSpec): void {
    const server = this.#servers.get(spec.name);
    if (server === undefined) return;
    const options = optionsOf(spec);
    const text = JSON.stringify(options);
    const before = this.#options.get(spec.name);
    this.#options.set(spec.name, text);
    if (before === text) return;
    if (before !== undefined) this.#steps.push({ configure: { server: spec.name, options } });
    else {
      const carrier = spec.transport === 'stdio' ? {} : { carrier: spec.transport };
      this.#servers.set(spec.name, { ...server, ...carrier, ...(Object.keys(options).length === 0 ? {} : { options }) });
    }
  }

  #call(event: EventOf<'call'>, index: number): void {
    const known = this.#toolOf(event, index);
    if (known === undefined || !this.#servers.has(known.server)) return;
    const { request } = event;
    const { [PROBE]: probe, ...rest } = isObject(request.arguments) ? request.arguments : {};
    const probed = probe === request.callId;
    const args = probed ? rest : request.arguments;
    const end = this.#history.findIndex((one) => one.kind === 'outcome' && one.callId === request.callId);
    const vain = this.#history.find((one) => one.kind === 'barrier' && one.what === `${request.callId} settles`);
    const cancelled = this.#history.some((one) => one.kind === 'cancel' && one.callId === request.callId);
    const id = end === -1 || cancelled || this.#isBusy(index, end) ? request.callId : undefined;
    if (id !== undefined) {
      this.#callIds.set(request.callId, id);
      const settles = end === -1 ? this.#history.findIndex((one) => one === vain) : end;
      if (settles !== -1) this.#ends.set(settles, { await: { call: id } });
    }
    this.#steps.push({
      call: {
        ...(id === undefined ? {} : { id }), server: known.server, tool: known.rawName,
        ...(isObject(args) && Object.keys(args).length === 0 ? {} : { arguments: args }), ...(probed ? {} : { probe: false }),
        ...(request.agent === undefined ? {} : { agent: request.agent }), ...(request.via === 'program' ? { via: 'program' as const } : {}),
        ...(request.policy === undefined ? {} : { policy: request.policy }),
        ...(vain?.kind === 'barrier' ? { withinMs: Math.ceil(vain.boundMs) } : {}),
      },
    });
  }

  #control({ server, do: actions, release, signal }: EventOf<'control'>): void {
    if (!this.#servers.has(server)) return;
    if (release !== undefined) this.#steps.push({ advance: { server, release } });
    else if (signal !== undefined) this.#steps.push({ advance: { server, signal } });
    else this.#steps.push({ advance: { server, do: asActions(actions) } });
  }

  #barrier(event: EventOf<'barrier'>, index: number): void {
    const offered = OFFERED.exec(event.what)?.[1];
    if (offered !== undefined) return this.#offered(event, index);
    const wait = waitOf(event, index, this.#history);
    if (wait !== undefined && (!('server' in wait) || this.#servers.has(wait.server))) this.#steps.push({ await: wait });
    else if (event.reached) this.#steps.push({ mark: event.what.slice(0, 1000) });
    // Without this wait a bridge that is right would be asked too early.
    else if (!BOUNDED.test(event.what)) throw new NotDerivable(`it waits for what no word of a case says: ${event.what}`);
  }

  /** A call waits for its tool by itself. */
  #offered(event: EventOf<'barrier'>, index: number): void {
    const next = this.#history.slice(index + 1).find(({ kind }) => OWN.has(kind));
    if (next?.kind === 'call' && next.server !== undefined && next.rawName !== undefined && offeredBarrier(next.server, next.rawName) === event.what) return;
    const parsed = z.tuple([z.string(), z.string()]).safeParse(JSON.parse(OFFERED.exec(event.what)?.[1] ?? 'null'));
    if (!parsed.success || !this.#servers.has(parsed.data[0])) return;
    const [server, tool] = parsed.data;
    // Who waits for a tool calls it; it was not there to be called.
    this.#steps.push(event.reached ? { await: { server, offers: tool, as: event.what.slice(0, 1000) } } : { call: { server, tool } });
  }

  /** Whose tool a call is of: as the check said, or by the mark of the tool that was offered under that name. */
  #toolOf({ server, rawName, request }: EventOf<'call'>, index: number): MarkedTool | undefined {
    if (server !== undefined && rawName !== undefined) return { server, rawName };
    const tool = lastRegistry(this.#history, index)?.event.tools.find(({ name }) => name === request.name);
    return tool === undefined ? undefined : recognise(tool);
  }

  /** A look that belongs to a wait for the registry, which looks by itself. */
  #isPolled(index: number): boolean {
    const next = this.#history.slice(index + 1).find((event) => OWN.has(event.kind) || (event.kind === 'registry' && event.cause === 'looked'));
    return next?.kind === 'registry' || (next?.kind === 'barrier' && (OFFERED.test(next.what) || next.until?.describes !== undefined));
  }

  /** Whether the suite did something else between two events. */
  #isBusy(from: number, to: number): boolean {
    return this.#history.slice(from + 1, to).some(({ kind }) => OWN.has(kind));
  }

  #settlingOf({ step, servers }: EventOf<'request'>, index: number): number | undefined {
    const names = servers.map(({ name }) => name).join();
    const found = this.#history.findIndex((event, at) => at > index && event.kind === 'settled' && event.step === step &&
      (step === 'remove' || step === 'close' || event.servers.length === 0 || event.servers.map(({ name }) => name).join() === names));
    return found === -1 ? undefined : found;
  }
}

/** What the bench itself waits for when it asks the subject for something. */
const BOUNDED = / settles$| answers$|^the host changes$|^the state is told$|^calling every /;

const OFFERED = /^offered: (\[.*\])$/;
