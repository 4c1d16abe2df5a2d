/** What one run does at one of its servers: its script, its listings, its calls, its process. */
import { ControlError } from 'mcp-fixture-server';
import type { Bench, BenchServer, PendingCall } from '../../bench/bench.ts';
import { SLACK_MS, WIRE_BOUND_MS } from '../../bench/bounds.ts';
import { within } from '../../bench/endings.ts';
import { nowMs } from '../../history/clock.ts';
import type { OfferedTool } from '../../adapter/messages.ts';
import { paced, type Pace } from '../pace.ts';
import { ended, heldAt } from '../support/steps.ts';
import { barriers } from './barriers.ts';
import { recovered } from './recovery.ts';
import { LIST_CHANGED, LISTING_HOLD, recognise, scriptOf } from './lists.ts';
import type { ModelPlan, ModelStep } from './plan.ts';
import type { ModelRules } from './rules.ts';
import { RunStopped } from './stopped.ts';
import { callName, type ModelState } from './state.ts';
import type { WalkedStep } from './walk.ts';

/** How long a call may take once nothing holds it, in milliseconds: the server answers at once, or is gone. */
const CALL_BOUND_MS = 3_000;
/** How long a call may be held, in milliseconds: for a whole run. */
const HELD_CALL_BOUND_MS = 60_000;
/** How long the next call may take to a server that holds one already, in milliseconds: a bridge that sends one at a time does not send it. */
const BESIDE_BOUND_MS = 1_000;
/** Announcements of one kind. One alone could be taken for the echo of a listing by a bridge that guards against such servers. */
const ANNOUNCEMENTS = 3;

/** One server of one run. */
export class ServerRun {
  readonly server: BenchServer;
  readonly #bench: Bench;
  readonly #plan: ModelPlan;
  readonly #rules: ModelRules;
  readonly #pace: Pace;
  /** A listing begins when the registry is looked at, and only then. */
  readonly #listsByLook: boolean;
  readonly #calls = new Map<string, PendingCall>();
  #heldLook: Promise<unknown> | undefined;
  /** How many records there were when the run began. */
  readonly #from: number;

  constructor(bench: Bench, server: BenchServer, plan: ModelPlan, rules: ModelRules, pace: Pace) {
    this.#bench = bench;
    this.server = server;
    this.#plan = plan;
    this.#rules = rules;
    this.#pace = pace;
    this.#listsByLook = rules.pulls && !bench.subject.features.includes('list-changes');
    this.#from = server.fixture.records.length;
  }

  /** The process that lives now. One that an earlier run left behind was told of there. */
  get living(): readonly number[] {
    return this.server.fixture.processes.filter(({ alive }) => alive).slice(-1).map(({ pid }) => pid);
  }

  /** The server has what the model says that it has. */
  async program(state: ModelState): Promise<void> {
    try {
      await this.server.program(scriptOf(state, this.#plan));
    } catch (error) {
      // A process that is just ending cannot acknowledge; the next one begins with this script.
      if (!(error instanceof ControlError) || error.code !== 'process-ended') throw error;
    }
  }

  async announce(times = ANNOUNCEMENTS): Promise<void> {
    if (this.#listsByLook) return;
    await this.server.fixture.do([{ notify: { method: LIST_CHANGED, frame: { times } } }]);
  }

  async hold({ index, before, after }: WalkedStep, step: Extract<ModelStep, { do: 'hold' }>): Promise<void> {
    // From before the script on: a listing that is still under way may be the one that is held.
    const since = this.server.fixture.records.length;
    await this.server.program(scriptOf(before, this.#plan, step));
    if (this.#listsByLook) this.#heldLook = this.#bench.look().catch(() => undefined);
    else await this.announce();
    const fullMs = this.#bench.subject.bounds.settleMs + SLACK_MS;
    const reached = await this.#saw(barriers.held(index), heldAt(LISTING_HOLD), since, fullMs);
    // Only one listing is held: whatever comes next is answered.
    await this.server.program(scriptOf(after, this.#plan));
    if (!reached) throw new RunStopped();
  }

  async release(): Promise<void> {
    await this.server.fixture.release(LISTING_HOLD);
    await this.#heldLook;
    this.#heldLook = undefined;
  }

  /** Calls one of the server's tools that are offered, and waits. */
  call(offered: readonly OfferedTool[], pick: number): Promise<void> {
    return this.#ends(this.#start(offered, pick, {}));
  }

  /** Calls one of the server's tools that are offered, and waits until the server holds the call. */
  async startHeld(offered: readonly OfferedTool[], { index }: WalkedStep, pick: number): Promise<void> {
    const hold = callName(index);
    const pending = this.#start(offered, pick, { hold });
    if (pending === undefined) throw new RunStopped();
    const boundMs = this.#calls.size === 0 ? WIRE_BOUND_MS : BESIDE_BOUND_MS;
    this.#calls.set(hold, pending);
    const reached = await this.#saw(barriers.underWay(index), heldAt(hold), this.#from, boundMs);
    if (!reached) throw new RunStopped();
  }

  async finish(hold: string | undefined, cancels: boolean): Promise<void> {
    const pending = hold === undefined ? undefined : this.#calls.get(hold);
    if (hold === undefined || pending === undefined) return;
    this.#calls.delete(hold);
    if (cancels) {
      await pending.cancel();
      await this.#ends(pending);
    }
    await this.server.fixture.release(hold);
    if (!cancels) await this.#ends(pending);
  }

  async crash({ index }: WalkedStep): Promise<void> {
    const since = this.server.fixture.records.length;
    // The process may be gone before it can acknowledge.
    await this.server.fixture.do([{ exit: 1 }]).catch(() => undefined);
    if (!(await this.#saw(barriers.ended(index), ended, since))) throw new RunStopped();
    await this.callsEnd();
    if (this.#rules.recovers && !(await recovered(this.#bench, this.server, index, since, this.#pace))) throw new RunStopped();
  }

  /** Waits for everything that was open: nothing holds it any more. */
  async callsEnd(): Promise<void> {
    const pending = [...this.#calls.values()];
    this.#calls.clear();
    await Promise.all(pending.map((call) => this.#ends(call)));
    await this.#heldLook;
    this.#heldLook = undefined;
  }

  /** After a run that stopped: nothing stays held. */
  async letGo(): Promise<void> {
    await this.server.fixture.release(LISTING_HOLD).catch(() => undefined);
    await Promise.all([...this.#calls].map(([hold, call]) => this.#letEnd(hold, call)));
    await this.callsEnd();
  }

  /** Releases a call when its server holds it, which may be when another has ended; or hears that it will not come to that. */
  async #letEnd(hold: string, call: PendingCall): Promise<void> {
    const { fixture } = this.server;
    const timeoutMs = this.#pace.bound('call', CALL_BOUND_MS);
    await Promise.race([call.reply, fixture.waitFor(heldAt(hold), { since: this.#from, timeoutMs })]).catch(() => undefined);
    await fixture.release(hold).catch(() => undefined);
  }

  #start(offered: readonly OfferedTool[], pick: number, args: Readonly<Record<string, unknown>>): PendingCall | undefined {
    const own = offered.filter((tool) => recognise(tool)?.server === this.server.name);
    const tool = own[pick % Math.max(1, own.length)];
    const rawName = tool === undefined ? undefined : recognise(tool)?.raw;
    if (tool === undefined || rawName === undefined) return undefined;
    return this.#bench.start({ tool, server: this.server.name, rawName, arguments: args, boundMs: HELD_CALL_BOUND_MS });
  }

  /** Waits for something on the server's wire. */
  #saw(what: string, predicate: Parameters<Bench['wire']>[2], since: number, fullMs = WIRE_BOUND_MS): Promise<boolean> {
    return paced(this.#pace, 'sign', fullMs, (boundMs) => this.#bench.wire(this.server, what, predicate, { since, boundMs }));
  }

  /** Waits for a call that nothing holds any more. */
  async #ends(call: PendingCall | undefined): Promise<void> {
    if (call === undefined) return;
    await paced(this.#pace, 'call', CALL_BOUND_MS, async (boundMs) => {
      const { reached } = await within(call.reply.catch(() => undefined), boundMs);
      if (!reached) this.#bench.record({ atMs: nowMs(), kind: 'barrier', what: barriers.ends(call.callId), reached, boundMs });
      return reached;
    });
  }
}
