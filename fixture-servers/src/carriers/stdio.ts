/** The stdio carrier: performs what the engine asks for on the standard streams of this process. */
import type { Readable, Writable } from 'node:stream';
import { initialState, type EngineState } from '../engine/state.ts';
import type { Effect, EngineEvent } from '../engine/events.ts';
import { MAIN_EXCHANGE } from '../engine/events.ts';
import { step } from '../engine/engine.ts';
import { createLineSplitter, type Line } from '../jsonrpc/framing.ts';
import { parseMessage } from '../jsonrpc/message.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Recorder } from '../trace/recorder.ts';
import { messageOf } from '../system-error.ts';
import { FLUSH_LIMIT_MS, SETUP_EXIT, UNWATCHED_LIFETIME_MS } from './bounds.ts';
import { claimIncarnation } from './incarnations.ts';
import { createOutput } from './output.ts';
import { withoutLineEnd } from './frame-bytes.ts';
import { killSelf, outliveTerm } from './end-self.ts';
import { spawnGrandchild } from './spawn-grandchild.ts';

const MS_PER_SECOND = 1_000;

/** What a stdio server needs. */
export interface StdioOptions {
  readonly recorder: Recorder;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Where incarnations are counted; without it every process is the first. */
  readonly runFolder: string | undefined;
  /** Whether a control channel ends this process at the latest when it closes itself. */
  readonly watched: boolean;
  /** Resolves when the trace, wherever it goes, has left the process. */
  readonly traceFlushed: () => Promise<void>;
  /** Whether the trace lags so far behind that no more input may be taken. */
  readonly traceCongested: () => boolean;
}

/** A stdio server. */
export interface StdioServer {
  /** Begins to serve. Called once. */
  start(scenario: Scenario): void;
  /** Hands over a control command; the first `program` starts the server. @returns why it could not be obeyed. */
  command(event: Extract<EngineEvent, { type: 'release' | 'signal' | 'do' | 'program' }>): string | undefined;
  /** The grandchildren it started, by process id. */
  readonly grandchildren: readonly number[];
}

/** Makes a stdio server; it does nothing until it is started. */
export function createStdioServer(options: StdioOptions): StdioServer {
  const { recorder, stdin, stdout, stderr } = options;
  const output = createOutput(stdout, {
    note: (text, bytes) => recorder.frame('server-to-client', withoutLineEnd(text), bytes),
    trace: recorder.active ? { isCongested: options.traceCongested, flushed: options.traceFlushed } : undefined,
  });
  const errors = createOutput(stderr);
  const splitter = createLineSplitter();
  const grandchildren: number[] = [];
  let state: EngineState | undefined;
  let ending = false;
  let inputEnded = false;

  const hear = (event: EngineEvent): string | undefined => {
    if (state === undefined || ending) return 'the process is ending';
    const { effects, refused } = step(state, event);
    for (const effect of effects) perform(effect);
    return refused;
  };

  const perform = (effect: Effect): void => {
    switch (effect.type) {
      case 'send':
        output.send(effect.text, effect.frame);
        return;
      case 'raw':
        output.raw(effect.bytes);
        return;
      case 'record':
        recorder.record(effect.record);
        return;
      case 'timer':
        setTimeout(() => hear({ type: 'timer', token: effect.token }), effect.delayMs);
        return;
      case 'claim':
        claim();
        return;
      case 'stderr':
        errors.raw(Buffer.from(effect.text), effect.times);
        return;
      case 'spawn':
        void startGrandchild(effect);
        return;
      case 'ignore-term':
        outliveTerm(recorder);
        limitLifetime();
        return;
      case 'hang':
        stdin.pause();
        limitLifetime();
        return;
      case 'exit':
        void end(() => process.exit(effect.code), { code: effect.code });
        return;
      case 'kill':
        void end(() => killSelf(effect.signal), { signal: effect.signal });
        return;
      case 'finish':
        void end(() => process.exit(0), { code: 0 });
        return;
      default:
        // The rest is HTTP's: a scenario that asks for it is refused before it is served here.
        return;
    }
  };

  const claim = (): void => {
    try {
      const incarnation = claimIncarnation(options.runFolder);
      recorder.setIncarnation(incarnation);
      hear({ type: 'claimed', incarnation });
    } catch (error) {
      const folder = options.runFolder ?? '';
      stderr.write(`mcp-fixture-server: cannot count incarnations in ${folder}: ${messageOf(error)}; give --run a folder that can be written\n`);
      void end(() => process.exit(SETUP_EXIT), { code: SETUP_EXIT });
    }
  };

  const startGrandchild = async (effect: Extract<Effect, { type: 'spawn' }>): Promise<void> => {
    try {
      const childPid = await spawnGrandchild(effect.options);
      grandchildren.push(childPid);
      recorder.record({ kind: 'process', event: 'grandchild', childPid });
    } catch (error) {
      stderr.write(`mcp-fixture-server: could not start a grandchild: ${String(error)}\n`);
    }
    hear({ type: 'spawned', token: effect.token });
  };

  /** Everything sent so far leaves the process first, the trace last; then it ends, exactly as asked. */
  const end = async (finish: () => void, how: { code?: number; signal?: string }): Promise<void> => {
    if (ending) return;
    ending = true;
    stdin.pause();
    const limit = new Promise<void>((resolve) => {
      setTimeout(resolve, FLUSH_LIMIT_MS);
    });
    await Promise.race([Promise.all([output.flushed(), errors.flushed()]), limit]);
    recorder.record({ kind: 'process', event: 'exit', ...how });
    await Promise.race([options.traceFlushed(), limit]);
    finish();
  };

  const limitLifetime = (): void => {
    if (!options.watched) setTimeout(() => process.exit(0), UNWATCHED_LIFETIME_MS);
  };

  const onLine = (line: Line): void => {
    recorder.frame('client-to-server', line.text, line.bytes);
    hear({ type: 'message', parsed: parseMessage(line.text), exchange: MAIN_EXCHANGE });
  };
  const onInputEnd = (): void => {
    if (inputEnded) return;
    inputEnded = true;
    const rest = splitter.rest();
    if (rest !== undefined) recorder.frame('client-to-server', rest.text, rest.bytes);
    recorder.record({ kind: 'process', event: 'input-end' });
    hear({ type: 'input-end' });
  };
  const onData = (chunk: Buffer): void => {
    try {
      for (const line of splitter.push(chunk)) onLine(line);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      stderr.write(`mcp-fixture-server: ${error.message}; the input is given up\n`);
      stdin.destroy();
      onInputEnd();
      return;
    }
    if (output.isCongested() || options.traceCongested()) holdBack();
  };
  /** Takes no more input until the client reads, and the controller has taken the trace. */
  const holdBack = (): void => {
    stdin.pause();
    output.onceRelieved(() => void takeInputAgain());
  };
  const takeInputAgain = async (): Promise<void> => {
    await options.traceFlushed();
    if (!ending && state?.phase === 'live') stdin.resume();
  };

  const start = (scenario: Scenario): void => {
    state = initialState(scenario);
    recorder.record({ kind: 'process', event: 'start', ageMs: process.uptime() * MS_PER_SECOND });
    hear({ type: 'spawn' });
    if (ending || state.phase !== 'live') return;
    stdin.on('data', onData);
    stdin.on('end', onInputEnd);
    stdin.on('error', onInputEnd);
    stdin.on('close', onInputEnd);
  };

  return {
    grandchildren,
    start,
    command(event) {
      if (state !== undefined) return hear(event);
      if (event.type !== 'program') return 'the process has no script yet';
      start(event.scenario);
      return undefined;
    },
  };
}


