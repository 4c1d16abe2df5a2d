/**
 * A case at work: its steps, one after the other, on a bench. What cannot be done is on record and the case goes on, so that
 * one wait in vain does not hide what comes after it.
 */
import { ControlError } from 'mcp-fixture-server';
import type { Barrier, CaseFile, Step } from 'mcp-fixture-server/case';
import type { Scenario } from 'mcp-fixture-server/scenario';
import { callRequest, type OfferedTool, type ServerSpec } from '../adapter/messages.ts';
import type { BenchServer, PendingCall } from '../bench/bench.ts';
import { CALL_BOUND_MS, SLACK_MS, VANISH_BOUND_MS, WIRE_BOUND_MS } from '../bench/bounds.ts';
import { BenchTimeout, within } from '../bench/endings.ts';
import { survivors } from '../bench/processes.ts';
import type { LiveBench } from '../bench/live-bench.ts';
import { offeredBarrier } from '../checks/support/facts.ts';
import { nowMs } from '../history/clock.ts';
import { nameOf, reachedBy } from './awaiting.ts';
import { extrasOf, hostSpecOf } from './host-spec.ts';
import { findTool, markAction, marked, rawNamesOf } from './marking.ts';
import { isWarning, warned } from '../checks/support/warnings.ts';
import { callEach, ready, toldTimes } from './longer-steps.ts';
import { beginning, undone } from './step-marks.ts';
import type { SuiteProxy } from './suite-proxy.ts';

type CallStep = Extract<Step, { call: unknown }>['call'];
type OpenStep = Extract<Step, { open: unknown }>['open'];

/** One run of a case. */
export class CaseRun {
  readonly #bench: LiveBench;
  readonly #file: CaseFile;
  readonly #proxy: SuiteProxy | undefined;
  readonly #scripts = new Map<string, Scenario>();
  readonly #servers = new Map<string, BenchServer>();
  readonly #calls = new Map<string, PendingCall>();
  readonly #begun = new Map<string, Promise<unknown>>();
  /** Tools by server and raw name, as last seen: one may be called that is offered no more. */
  readonly #seen = new Map<string, OfferedTool>();

  constructor(bench: LiveBench, file: CaseFile, proxy?: SuiteProxy) {
    this.#proxy = proxy;
    this.#bench = bench;
    this.#file = file;
  }

  /** Performs every step. @throws NotApplicable and AdapterError */
  async perform(): Promise<void> {
    for (const [name, { scenario, options }] of Object.entries(this.#file.servers)) await this.#serve(name, marked(name, scenario), options);
    for (const [index, step] of this.#file.steps.entries()) {
      this.#note(beginning(index), true);
      try {
        await this.#take(step);
      } catch (error) {
        // Its server was not where the case takes it to be, or the subject did not come back: the next steps may still show more.
        if (!(error instanceof ControlError) && !(error instanceof BenchTimeout)) throw error;
        this.#note(undone(index, error.message), false);
      }
    }
    await this.#bench.flush();
  }

  async #serve(name: string, scenario: Scenario, options: Readonly<Record<string, unknown>> | undefined): Promise<void> {
    this.#scripts.set(name, scenario);
    const extras = extrasOf(options, this.#bench.subject);
    const isHttp = this.#file.servers[name]?.carrier === 'streamable-http';
    this.#servers.set(name, isHttp ? await this.#bench.serveHttp(name, scenario, extras) : this.#bench.serve(name, scenario, extras));
  }

  async #take(step: Step): Promise<void> {
    const bench = this.#bench;
    if ('open' in step) return this.#goOn(step.open === true ? undefined : step.open.id, () => this.#open(step.open));
    if ('add' in step) return this.#onServer(step.add, (name) => bench.add(this.#entry(name)));
    if ('remove' in step) return this.#onServer(step.remove, (name) => this.#away(name, bench.remove(name)));
    if ('reload' in step) return this.#onServer(step.reload, (name) => this.#away(name, bench.reload(name)));
    if ('call' in step) return this.#call(step.call);
    if ('callEach' in step) return callEach(this.#bench, new Set(this.#servers.keys()));
    if ('abort' in step) return this.#calls.get(step.abort)?.cancel();
    if ('await' in step) return this.#await(step.await);
    if ('advance' in step) return this.#advance(step.advance);
    if ('configure' in step) {
      const { server, options } = step.configure;
      return this.#serve(server, this.#script(server), options);
    }
    if ('look' in step) return void (await bench.look());
    if ('environment' in step) return this.#environment(step.environment, []);
    if ('gate' in step) return bench.gate(step.gate);
    if ('host' in step) return bench.setHost(step.host);
    if ('mark' in step) return this.#note(step.mark, true);
    if ('input' in step) return bench.beginRun(step.input);
    if ('expect' in step) return this.#see(step.expect);
    return bench.close();
  }

  async #open(open: OpenStep): Promise<unknown> {
    const { servers, host } = open === true ? {} : open;
    const names = servers ?? Object.entries(this.#file.servers).flatMap(([name, one]) => (one.open ? [name] : []));
    const spec = hostSpecOf(host ?? this.#file.host, this.#bench.subject);
    return this.#bench.open(names.map((name) => this.#entry(name)), spec);
  }

  /** What a server was is gone when it was given up. */
  async #away(name: string, gone: Promise<unknown>): Promise<void> {
    const started = this.#server(name).fixture.processes.filter(({ alive }) => alive).map(({ pid }) => pid);
    await gone;
    const alive = await survivors(started, VANISH_BOUND_MS);
    this.#bench.record({ atMs: nowMs(), kind: 'processes', started, alive });
  }

  /** Waits, or keeps what goes on under its id. */
  async #goOn(id: string | undefined, run: () => Promise<unknown>): Promise<void> {
    const running = run();
    if (id === undefined) await running;
    else {
      running.catch(() => undefined);
      this.#begun.set(id, running);
    }
  }

  #onServer(given: string | { readonly server: string; readonly id?: string | undefined }, run: (name: string) => Promise<unknown>): Promise<void> {
    const { server, id } = typeof given === 'string' ? { server: given, id: undefined } : given;
    return this.#goOn(id, () => run(server));
  }

  async #call(step: CallStep): Promise<void> {
    const { id, server, tool: rawName, arguments: args = {}, withinMs = CALL_BOUND_MS } = step;
    const tool = await this.#tool(server, rawName);
    if (tool === undefined) return;
    const images = this.#bench.subject.features.includes('images');
    const extra = callRequest.pick({ via: true, agent: true, policy: true }).parse({
      via: step.via, ...(step.agent === undefined || !images ? {} : { agent: step.agent }), ...(step.policy === undefined ? {} : { policy: step.policy }),
    });
    const call = this.#bench.start({ tool, server, rawName, arguments: args, probe: step.probe ?? true, boundMs: withinMs, extra });
    if (id !== undefined) this.#calls.set(id, call);
    else await call.reply;
  }

  /** The tool, once it is offered; else as it was when it was last offered. */
  async #tool(server: string, rawName: string): Promise<OfferedTool | undefined> {
    const wanted = { server, rawName };
    const key = JSON.stringify([server, rawName]);
    let found: OfferedTool | undefined;
    await this.#bench.registry(offeredBarrier(server, rawName), (tools) => {
      found = findTool(tools, wanted, this.#bench.subject);
      return found !== undefined;
    });
    if (found !== undefined) this.#seen.set(key, found);
    return found ?? this.#seen.get(key);
  }

  async #await(barrier: Barrier): Promise<void> {
    const bench = this.#bench;
    if ('call' in barrier) return this.#settles(nameOf(barrier), this.#calls.get(barrier.call)?.reply, barrier.withinMs);
    if ('hostEvent' in barrier) return toldTimes(bench, barrier.as ?? nameOf(barrier), barrier.hostEvent, barrier.times);
    if ('warned' in barrier) {
      const isThere = (): boolean => bench.history.filter(isWarning).length >= barrier.warned;
      return warned(bench, barrier.as ?? nameOf(barrier), isThere, barrier.withinMs ?? WIRE_BOUND_MS);
    }
    if ('describes' in barrier) {
      const { describes, only = false } = barrier;
      const holds = (tools: readonly OfferedTool[]): boolean =>
        describes.every((due) => tools.some(({ description }) => description === due)) && (!only || tools.length === describes.length);
      return void (await bench.registry(barrier.as ?? nameOf(barrier), holds));
    }
    if ('step' in barrier) return this.#settles(nameOf(barrier), this.#begun.get(barrier.step), barrier.withinMs);
    const { server } = barrier;
    const what = barrier.as ?? nameOf(barrier);
    if ('ready' in barrier) return ready(bench, this.#server(server), what, barrier.withinMs ?? this.#returnMs());
    if ('rawTools' in barrier) {
      const due = [...barrier.rawTools].sort();
      return void (await bench.registry(what, (tools) => isEqual(rawNamesOf(tools, server).sort(), due)));
    }
    if ('offers' in barrier) {
      const wanted = { server, rawName: barrier.offers };
      return void (await bench.registry(what, (tools) => findTool(tools, wanted, bench.subject) !== undefined));
    }
    // Once a process has ended, what is awaited may have to wait for the next one.
    const after = this.#server(server).fixture.records.some((record) => record.kind === 'process' && record.event === 'exit');
    const boundMs = barrier.withinMs ?? (after ? this.#returnMs() : WIRE_BOUND_MS);
    await bench.wire(this.#server(server), what, reachedBy(barrier), { boundMs });
  }

  /** How long a recovery may take. */
  #returnMs(): number {
    return Math.max(WIRE_BOUND_MS, this.#bench.subject.bounds.reconnectMs + SLACK_MS);
  }

  /** A call or a step that does not settle has left its own barrier; with a bound of its own this one is added. */
  async #settles(what: string, running: Promise<unknown> | undefined, withinMs: number | undefined): Promise<void> {
    if (running === undefined) return this.#note(`${what}: it was not begun`, false);
    if (withinMs === undefined) return void (await running);
    const { reached } = await within(running, withinMs);
    this.#note(what, reached, withinMs);
  }

  async #advance(advance: Extract<Step, { advance: unknown }>['advance']): Promise<void> {
    const { server: name } = advance;
    const server = this.#server(name);
    if ('release' in advance) return server.fixture.release(advance.release);
    if ('signal' in advance) return server.fixture.signal(advance.signal);
    if ('program' in advance) {
      const scenario = marked(name, advance.program);
      this.#scripts.set(name, scenario);
      return server.program(scenario);
    }
    const ends = advance.do.some((action) => 'exit' in action || 'kill' in action);
    const done = server.fixture.do(advance.do.map((action) => markAction(name, action)));
    // Who is told to end may be gone before it can acknowledge.
    return ends ? done.catch(() => undefined) : done;
  }

  async #environment(name: string, names: readonly string[]): Promise<void> {
    const server = this.#server(name);
    const configured = server.entry.transport === 'stdio' ? Object.keys(server.entry.env ?? {}) : [];
    const all = [...Object.keys(this.#bench.ambient), ...Object.keys(this.#file.host?.environment ?? {}), ...configured, ...names];
    await this.#bench.environment(server, [...new Set(all)]);
  }

  /** What an expectation is judged on has to be in the history. */
  async #see(expected: Extract<Step, { expect: unknown }>['expect']): Promise<void> {
    if ('environment' in expected) await this.#environment(expected.server, Object.keys(expected.environment));
    if ('tools' in expected) await this.#bench.look();
    await this.#bench.flush();
  }

  /** How the subject reaches a server: over the suite's proxy, where the case has it. */
  #entry(name: string): ServerSpec {
    const { entry } = this.#server(name);
    return this.#proxy === undefined || entry.transport === 'stdio' ? entry : { ...entry, url: this.#proxy.lead(name, entry.url) };
  }

  #server(name: string): BenchServer {
    const found = this.#servers.get(name);
    if (found === undefined) throw new Error(`the case has no server "${name}"`);
    return found;
  }

  #script(name: string): Scenario {
    const found = this.#scripts.get(name);
    if (found === undefined) throw new Error(`the case has no server "${name}"`);
    return found;
  }

  #note(what: string, reached: boolean, boundMs = 0): void {
    this.#bench.record({ atMs: nowMs(), kind: 'barrier', what, reached, boundMs });
  }
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

