/**
 * One run of a plan on the bench. Every step ends with a barrier, and things happen at the same time because something is
 * held, never because of timing.
 */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { SLACK_MS, VANISH_BOUND_MS } from '../../bench/bounds.ts';
import { survivors } from '../../bench/processes.ts';
import { nowMs } from '../../history/clock.ts';
import type { OfferedTool } from '../../adapter/messages.ts';
import { paced, type Pace } from '../pace.ts';
import { barriers } from './barriers.ts';
import { heldLists, recognised } from './lists.ts';
import type { ModelPlan } from './plan.ts';
import { rulesOf, type ModelRules } from './rules.ts';
import { serversOf } from './servers.ts';
import { ServerRun } from './server-run.ts';
import { chosenCall, firstState, type Phase } from './state.ts';
import { RunStopped } from './stopped.ts';
import { settling, waits, walk, type WalkedStep } from './walk.ts';

/** What outlives a run: the servers that all runs share. */
export interface ModelWorld {
  readonly servers: readonly BenchServer[];
  /** By number of the server. */
  phases: readonly Phase[];
}

/** Performs one plan. */
export class ModelRun {
  readonly #bench: Bench;
  readonly #world: ModelWorld;
  readonly #plan: ModelPlan;
  readonly #rules: ModelRules;
  readonly #pace: Pace;
  /** The servers of the plan, by number. */
  readonly #runs: readonly ServerRun[];
  #offered: readonly OfferedTool[] = [];

  constructor(bench: Bench, world: ModelWorld, plan: ModelPlan, pace: Pace) {
    this.#bench = bench;
    this.#world = world;
    this.#plan = plan;
    this.#pace = pace;
    this.#rules = rulesOf(bench.subject);
    const count = serversOf(plan, this.#rules).length;
    this.#runs = world.servers.slice(0, count).map((server) => new ServerRun(bench, server, plan, this.#rules, pace));
  }

  /** Resolves when all steps are done, or when the subject left the run at a barrier. */
  async perform(): Promise<void> {
    try {
      await this.#begin();
      for (const walked of walk(this.#plan, this.#rules)) {
        await this.#take(walked);
        this.#in(walked.parts.map(({ after }) => after.phase));
        const isSettled = await this.#settle(walked);
        this.#bench.record({ atMs: nowMs(), kind: 'barrier', what: barriers.step(walked.index), reached: true, boundMs: 0 });
        // A registry that did not come to hold what is due will not be right in what follows.
        if (!isSettled || (await this.#pace.isDecided())) throw new RunStopped();
      }
    } catch (error) {
      // What is left of a run that stopped is in no known state: the next one begins with a restart.
      this.#in(this.#world.phases.slice(0, this.#runs.length).map((phase) => (phase === 'live' ? 'dead' : phase)));
      if (!(error instanceof RunStopped)) throw error;
    } finally {
      await Promise.all(this.#runs.map((run) => run.letGo()));
      await this.#bench.flush();
    }
  }

  /** The registry holds the first lists of the plan, whatever an earlier run left. */
  async #begin(): Promise<void> {
    const first = serversOf(this.#plan, this.#rules).map((server) => firstState(this.#plan, server));
    await Promise.all(first.map(async (state, number) => this.#runs[number]?.program(state)));
    await this.#revive();
    const begun = (tools: readonly OfferedTool[]): boolean => first.every((state) => heldLists(tools, state).length > 0);
    if (await this.#holds(barriers.start, begun)) return this.#look();
    await this.#restart(this.#runs);
    if (!(await this.#holds(barriers.start, begun))) throw new RunStopped();
    return this.#look();
  }

  /** Every server of the plan lives, and its list is read anew. */
  async #revive(): Promise<void> {
    const { phases } = this.#world;
    const isAsItWas = (number: number): boolean => phases[number] === 'live' && this.#rules.follows;
    const needsAll = phases.includes('closed') || (!this.#rules.reloads && !this.#runs.every((_, number) => isAsItWas(number)));
    if (needsAll) return this.#reopen();
    for (const [number, run] of this.#runs.entries()) {
      if (isAsItWas(number)) await run.announce();
      else if (phases[number] === 'removed') await this.#bench.add(run.server);
      else await this.#bench.reload(run.server.name);
    }
    this.#in(this.#runs.map(() => 'live'));
  }

  /** Starts servers again with the same entries: each by reload, or by closing the subject and opening it. */
  async #restart(runs: readonly ServerRun[]): Promise<void> {
    if (!this.#rules.reloads) return this.#reopen();
    for (const { server } of runs) await this.#bench.reload(server.name);
  }

  async #reopen(): Promise<void> {
    await this.#bench.close();
    await this.#bench.open(this.#world.servers);
    this.#world.phases = this.#world.servers.map(() => 'live');
  }

  async #take(walked: WalkedStep): Promise<void> {
    const { step, before, after } = walked;
    const run = this.#runs[walked.at];
    if (run === undefined) throw new Error(`the plan has no server ${walked.at}`);
    const { name } = run.server;
    switch (step.do) {
      case 'change':
        return run.program(after);
      case 'notify':
        return run.announce(step.times);
      case 'hold':
        return run.hold(walked, step);
      case 'release':
        return run.release();
      case 'call':
        return run.call(this.#offered, step.pick);
      case 'start':
        return run.startHeld(this.#offered, walked, step.pick);
      case 'finish':
        return run.finish(chosenCall(before, step.pick), false);
      case 'cancel':
        return run.finish(chosenCall(before, step.pick), this.#bench.subject.features.includes('abort'));
      case 'crash':
        return run.crash(walked);
      case 'reload':
        return this.#leave(walked, () => this.#restart([run]));
      case 'remove':
        return this.#leave(walked, () => this.#bench.remove(name));
      case 'add':
        return void (await this.#bench.add(run.server));
      case 'dispose':
        return this.#leave(walked, () => this.#bench.close());
      case 'open':
        return this.#reopen();
    }
  }

  /** Waits for what is due, and looks. @returns whether the registry came to hold it. */
  async #settle(walked: WalkedStep): Promise<boolean> {
    const due = settling(walked, this.#rules).map(({ after }) => after);
    let isSettled = true;
    if (due.length > 0) {
      await this.#holds(barriers.settled(walked.index), (tools) => {
        isSettled = due.every((state) => heldLists(tools, state).some((number) => number >= state.due));
        // A registry that holds no list whole is broken already; what may come later changes nothing.
        return isSettled || due.some((state) => recognised(tools, state.server.name).length > 0 && heldLists(tools, state).length === 0);
      });
    }
    const states = walked.parts.map(({ after }) => after);
    const isClosed = states.some(({ phase }) => phase === 'closed');
    if (!isClosed && !waits(states, this.#rules)) await this.#look();
    return isSettled;
  }

  /** Waits until the registry satisfies the predicate. */
  #holds(what: string, predicate: (tools: readonly OfferedTool[]) => boolean): Promise<boolean> {
    return paced(this.#pace, 'listing', this.#bench.subject.bounds.settleMs + SLACK_MS, (boundMs) => this.#bench.registry(what, predicate, { boundMs }));
  }

  async #look(): Promise<void> {
    this.#offered = (await this.#bench.look()).tools;
  }

  /** What was spoken to is gone afterwards, and with it all that was open. */
  async #leave({ parts }: WalkedStep, away: () => Promise<void>): Promise<void> {
    const left = this.#runs.filter((_, number) => parts[number]?.isReached === true);
    const started = left.flatMap(({ living }) => living);
    await away();
    await Promise.all(left.map((run) => run.callsEnd()));
    const alive = await survivors(started, VANISH_BOUND_MS);
    this.#bench.record({ atMs: nowMs(), kind: 'processes', started, alive });
  }

  /** The phases of the plan's servers; those of others stay. */
  #in(phases: readonly Phase[]): void {
    this.#world.phases = this.#world.phases.map((phase, number) => phases[number] ?? phase);
  }
}
