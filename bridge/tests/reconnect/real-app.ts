/** One instance over real processes, each of which is watched from its start to its end. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { PipedChild } from '../../src/process/process-tree.ts';
import type { ProcessEffects } from '../../src/process/server-process.ts';
import { referenceStages, type OpenSessionOptions } from '../../src/internal.ts';
import { bridgeState, type ServerState } from '../../src/state.ts';
import { MemoryHost, memoryConfig, type LoadedInstance } from '../helpers-logic/memory-host.ts';
import { MemoryServer } from '../helpers-logic/scripted-session.ts';

/** One process that the bridge started. */
export interface StartedProcess {
  readonly pid: number;
  readonly startedAtMs: number;
  /** When its exit was reported. */
  exitedAtMs: number | undefined;
}

/** Replaces a part of what the bridge opens a connection with. */
export type ChangeOptions = (options: OpenSessionOptions) => OpenSessionOptions;

/** See the module's comment. */
export class RealApp {
  readonly host = new MemoryHost();
  readonly started: StartedProcess[] = [];
  /** Processes of one incarnation that were found running when the next one was started (S58). */
  readonly overlaps: number[] = [];
  instance: LoadedInstance | undefined;

  /** Loads one server, `real`; settles with its activation. */
  async load(server: Readonly<Record<string, unknown>>, change: ChangeOptions = (options) => options): Promise<void> {
    const { command: _inMemory, ...config } = memoryConfig({ serverName: 'real' });
    this.instance = this.host.load({ ...config, ...server }, new MemoryServer(), {
      openSession: (options) => referenceStages.openSession(change({ ...options, effects: { ...options.effects, spawn: this.#spawn } })),
    });
    await this.instance.activated;
  }

  get state(): ServerState | undefined {
    return bridgeState(this.host.root)[0];
  }

  /** Names without the server's part. */
  get tools(): string[] {
    return this.host.names.map((name) => name.replace('mcp__real__', ''));
  }

  /** The newest process. */
  get pid(): number {
    return this.started.at(-1)?.pid ?? 0;
  }

  /** Resolves when the server is ready, after so many starts. */
  ready(starts: number): Promise<void> {
    return this.host.until(() => this.started.length >= starts && this.state?.state === 'ready');
  }

  /** Log lines of these levels, without the logger's name and the server's. */
  lines(...levels: string[]): string[] {
    return this.host.logs.filter(({ level }) => levels.includes(level)).map(({ message }) => message.replace('[mcp-bridge] real: ', ''));
  }

  /** The delays that really passed, each from the exit of one process to the start of the next. */
  get delaysMs(): number[] {
    return this.started.slice(1).map(({ startedAtMs }, index) => startedAtMs - (this.started[index]?.exitedAtMs ?? Number.NaN));
  }

  readonly #spawn: NonNullable<ProcessEffects['spawn']> = (command, args, options): PipedChild => {
    this.overlaps.push(...this.started.flatMap(({ pid }) => runningInGroup(pid)));
    const child = spawn(command, args, options);
    if (child.pid === undefined) return child;
    const process: StartedProcess = { pid: child.pid, startedAtMs: performance.now(), exitedAtMs: undefined };
    this.started.push(process);
    child.once('exit', () => (process.exitedAtMs = performance.now()));
    return child;
  };
}

/** Every running process of a group, zombies apart; the group has the number of its leader. */
export function runningInGroup(pgid: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
        const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(group) === pgid && state !== 'Z' && state !== 'X';
      } catch {
        return false;
      }
    })
    .map(Number);
}
