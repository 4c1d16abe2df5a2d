/**
 * One run of a plan on the bench. Every step ends with a barrier, and things happen at the same time because something is
 * held, never because of timing.
 */
import { ControlError } from 'mcp-fixture-server';
import type { Bench, BenchServer, PendingCall } from '../../bench/bench.ts';
import { SLACK_MS, VANISH_BOUND_MS } from '../../bench/bounds.ts';
import { within } from '../../bench/endings.ts';
import { survivors } from '../../bench/processes.ts';
import { nowMs } from '../../history/clock.ts';
import type { OfferedTool } from '../../adapter/messages.ts';
import { ended, heldAt } from '../support/steps.ts';
import { heldLists, LIST_CHANGED, LISTING_HOLD, recognise, recognised, scriptOf, SERVER } from './lists.ts';
import { barriers } from './barriers.ts';
import { enter, leave, recovered, restart } from './lifecycle.ts';
import type { ModelPlan, ModelStep } from './plan.ts';
import { callName, chosenCall, firstState, rulesOf, settles, type ModelState } from './state.ts';
import { walk, type WalkedStep } from './walk.ts';

/** How long a call may take once nothing holds it, in milliseconds: the server answers at once, or is gone. */
const CALL_BOUND_MS = 3_000;
/** How long a call may be held, in milliseconds: for a whole run. */
const HELD_CALL_BOUND_MS = 60_000;
/** Announcements of one kind. One alone could be taken for the echo of a listing by a bridge that guards against such servers. */
const ANNOUNCEMENTS = 3;

/** What outlives a run: the server that all runs share. */
export interface ModelWorld {
  readonly server: BenchServer;
  phase: 'live' | 'dead' | 'removed';
}

/** The run cannot go on as planned; what was observed is judged as far as it goes. */
class RunStopped extends Error {}

/** Performs one plan. */
export class ModelRun {
  readonly #bench: Bench;
  readonly #world: ModelWorld;
  readonly #plan: ModelPlan;
  /** A listing begins when the registry is looked at, and only then. */
  readonly #listsByLook: boolean;
  readonly #calls = new Map<string, PendingCall>();
  #tools: readonly OfferedTool[] = [];
  #heldLook: Promise<unknown> | undefined;
  /** How many records there were when the run began. */
  readonly #from: number;

  constructor(bench: Bench, world: ModelWorld, plan: ModelPlan) {
    this.#bench = bench;
    this.#world = world;
    this.#plan = plan;
    this.#listsByLook = bench.subject.registry === 'pull' && !bench.subject.features.includes('list-changes');
    this.#from = world.server.fixture.records.length;
  }

  /** Resolves when all steps are done, or when the subject left the run at a barrier. */
  async perform(): Promise<void> {
    try {
      await this.#begin();
      for (const walked of walk(this.#plan, rulesOf(this.#bench.subject))) {
        await this.#take(walked);
        this.#world.phase = walked.after.phase;
        const isSettled = await this.#settle(walked);
        this.#mark(barriers.step(walked.index), true);
        // A registry that did not come to hold what is due will not be right in what follows.
        if (!isSettled) throw new RunStopped();
      }
    } catch (error) {
      // What is left of a run that stopped is in no known state: the next one begins with a restart.
      if (this.#world.phase === 'live') this.#world.phase = 'dead';
      if (!(error instanceof RunStopped)) throw error;
    } finally {
      await this.#letGo();
    }
  }

  /** The registry holds the first list of the plan, whatever an earlier run left. */
  async #begin(): Promise<void> {
    const first = firstState(this.#plan);
    await this.#program(first);
    const { phase } = this.#world;
    if (phase === 'removed') await enter(this.#bench, this.#world.server);
    else if (phase === 'dead' || !rulesOf(this.#bench.subject).follows) await restart(this.#bench, this.#world.server);
    else await this.#announce(ANNOUNCEMENTS);
    this.#world.phase = 'live';
    const begun = (tools: readonly OfferedTool[]): boolean => heldLists(tools, first.lists).length > 0;
    if (await this.#bench.registry(barriers.start, begun)) return this.#look();
    await restart(this.#bench, this.#world.server);
    if (!(await this.#bench.registry(barriers.start, begun))) throw new RunStopped();
    return this.#look();
  }

  async #take(walked: WalkedStep): Promise<void> {
    const { step } = walked;
    switch (step.do) {
      case 'change':
        return this.#program(walked.after);
      case 'notify':
        return this.#announce(step.times);
      case 'hold':
        return this.#hold(walked, step);
      case 'release':
        await this.#world.server.fixture.release(LISTING_HOLD);
        await this.#heldLook;
        this.#heldLook = undefined;
        return undefined;
      case 'call':
        return this.#ends(this.#start(step.pick, {}));
      case 'start':
        return this.#startHeld(walked, step.pick);
      case 'finish':
        return this.#finish(chosenCall(walked.before, step.pick), false);
      case 'cancel':
        return this.#finish(chosenCall(walked.before, step.pick), this.#bench.subject.features.includes('abort'));
      case 'crash':
        return this.#crash(walked);
      case 'reload':
        return this.#leaveAnd(() => restart(this.#bench, this.#world.server));
      case 'remove':
        return this.#leaveAnd(() => leave(this.#bench));
      case 'add':
        return enter(this.#bench, this.#world.server);
    }
  }

  /** Waits for what is due, and looks. @returns whether the registry came to hold it. */
  async #settle({ index, after }: WalkedStep): Promise<boolean> {
    let isSettled = true;
    if (settles(after)) {
      const isDue = (tools: readonly OfferedTool[]): boolean => heldLists(tools, after.lists).some((number) => number >= after.due);
      // A registry that holds no list whole is broken already; what may come later changes nothing.
      const isBroken = (tools: readonly OfferedTool[]): boolean => recognised(tools).length > 0 && heldLists(tools, after.lists).length === 0;
      await this.#bench.registry(barriers.settled(index), (tools) => {
        isSettled = isDue(tools);
        return isSettled || isBroken(tools);
      });
    }
    const isClosed = after.phase === 'removed' && this.#bench.subject.servers !== 'dynamic';
    // A look at a registry that lists afresh would wait behind the listing that is held.
    const wouldWait = this.#bench.subject.registry === 'pull' && after.listing !== undefined;
    if (!isClosed && !wouldWait) await this.#look();
    return isSettled;
  }

  async #look(): Promise<void> {
    this.#tools = (await this.#bench.look()).tools;
  }

  async #program(state: ModelState): Promise<void> {
    try {
      await this.#world.server.program(scriptOf(state, this.#plan));
    } catch (error) {
      // A process that is just ending cannot acknowledge; the next one begins with this script.
      if (!(error instanceof ControlError) || error.code !== 'process-ended') throw error;
    }
  }

  async #announce(times: number): Promise<void> {
    if (this.#listsByLook) return;
    await this.#world.server.fixture.do([{ notify: { method: LIST_CHANGED, frame: { times } } }]);
  }

  async #hold({ index, before, after }: WalkedStep, step: Extract<ModelStep, { do: 'hold' }>): Promise<void> {
    const { server } = this.#world;
    // From before the script on: a listing that is still under way may be the one that is held.
    const since = server.fixture.records.length;
    await server.program(scriptOf(before, this.#plan, step));
    if (this.#listsByLook) this.#heldLook = this.#bench.look().catch(() => undefined);
    else await this.#announce(ANNOUNCEMENTS);
    const boundMs = this.#bench.subject.bounds.settleMs + SLACK_MS;
    const reached = await this.#bench.wire(server, barriers.held(index), heldAt(LISTING_HOLD), { since, boundMs });
    // Only one listing is held: whatever comes next is answered.
    await server.program(scriptOf(after, this.#plan));
    if (!reached) throw new RunStopped();
  }

  #start(pick: number, args: Readonly<Record<string, unknown>>): PendingCall | undefined {
    const offered = this.#tools.filter((tool) => recognise(tool) !== undefined);
    const tool = offered[pick % Math.max(1, offered.length)];
    const rawName = tool === undefined ? undefined : recognise(tool)?.raw;
    if (tool === undefined || rawName === undefined) return undefined;
    return this.#bench.start({ tool, server: SERVER, rawName, arguments: args, boundMs: HELD_CALL_BOUND_MS });
  }

  /** Waits for a call that nothing holds any more. */
  async #ends(call: PendingCall | undefined): Promise<void> {
    if (call === undefined) return;
    const { reached } = await within(call.reply.catch(() => undefined), CALL_BOUND_MS);
    if (!reached) this.#mark(barriers.ends(call.callId), false, CALL_BOUND_MS);
  }

  async #startHeld({ index }: WalkedStep, pick: number): Promise<void> {
    const hold = callName(index);
    const pending = this.#start(pick, { hold });
    if (pending === undefined) throw new RunStopped();
    this.#calls.set(hold, pending);
    const since = this.#from;
    const reached = await this.#bench.wire(this.#world.server, barriers.underWay(index), heldAt(hold), { since });
    if (!reached) throw new RunStopped();
  }

  async #finish(hold: string | undefined, cancels: boolean): Promise<void> {
    const pending = hold === undefined ? undefined : this.#calls.get(hold);
    if (hold === undefined || pending === undefined) return;
    this.#calls.delete(hold);
    if (cancels) {
      await pending.cancel();
      await this.#ends(pending);
    }
    await this.#world.server.fixture.release(hold);
    if (!cancels) await this.#ends(pending);
  }

  async #crash({ index }: WalkedStep): Promise<void> {
    const since = this.#world.server.fixture.records.length;
    // The process may be gone before it can acknowledge.
    await this.#world.server.fixture.do([{ exit: 1 }]).catch(() => undefined);
    if (!(await this.#bench.wire(this.#world.server, barriers.ended(index), ended, { since }))) throw new RunStopped();
    await this.#callsEnd();
    if (rulesOf(this.#bench.subject).recovers && !(await recovered(this.#bench, this.#world.server, index, since))) throw new RunStopped();
  }

  /** What was spoken to is gone afterwards, and with it all that was open. */
  async #leaveAnd(away: () => Promise<void>): Promise<void> {
    const started = this.#world.server.fixture.processes.filter(({ alive }) => alive).map(({ pid }) => pid);
    await away();
    await this.#callsEnd();
    const alive = await survivors(started, VANISH_BOUND_MS);
    this.#bench.record({ atMs: nowMs(), kind: 'processes', started, alive });
  }

  async #callsEnd(): Promise<void> {
    const pending = [...this.#calls.values()];
    this.#calls.clear();
    await Promise.all(pending.map((call) => this.#ends(call)));
    await this.#heldLook;
    this.#heldLook = undefined;
  }

  /** After a run that stopped: nothing stays held. */
  async #letGo(): Promise<void> {
    const { fixture } = this.#world.server;
    for (const hold of [...this.#calls.keys(), ...(this.#heldLook === undefined ? [] : [LISTING_HOLD])]) {
      await fixture.release(hold).catch(() => undefined);
    }
    await this.#callsEnd();
    await this.#bench.flush();
  }

  #mark(what: string, reached: boolean, boundMs = 0): void {
    this.#bench.record({ atMs: nowMs(), kind: 'barrier', what, reached, boundMs });
  }
}
