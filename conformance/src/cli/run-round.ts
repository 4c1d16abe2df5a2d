/**
 * One round of the suite: what is left to run, in processes that can be ended whatever they do.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { invariantById } from '../catalogue/index.ts';
import type { Plan } from '../runner/applicability.ts';
import type { DriverErrors } from '../runner/driver-error.ts';
import type { RunSummary } from '../runner/result.ts';
import type { SuiteSettings } from '../runner/suite-settings.ts';
import type { Progress } from './progress.ts';
import type { RoundNews, RoundTask } from './round-news.ts';
import { Watchdog } from './watchdog.ts';

/** The most workers when none are asked for: more would make servers wait for each other and look slow. */
const DEFAULT_MAX_WORKERS = 4;

/** What a round gave. */
export interface RoundOutcome {
  readonly runs: readonly RunSummary[];
  /** Errors inside workers that nobody handled. */
  readonly unhandled: readonly string[];
  /** How its process ended when it neither came to its end nor was ended from here. */
  readonly crashed?: string;
}

/** What a round is made of. */
export interface RoundParts {
  readonly progress: Progress;
  /** Takes what went wrong in tests and in loading them. */
  readonly errors: DriverErrors;
  readonly workers?: number | undefined;
  /** Without any news for this long, in milliseconds, the round is ended. */
  readonly silenceMs: number;
}

/** One round at work. */
export class Round {
  /** Settles when its process is gone. Never rejects. */
  readonly outcome: Promise<RoundOutcome>;
  readonly #child: ChildProcess;
  readonly #parts: RoundParts;
  readonly #runs: RunSummary[] = [];
  #unhandled: readonly string[] | undefined;
  #ended = false;

  /** Starts what is left. */
  constructor(settings: SuiteSettings, left: readonly Plan[], parts: RoundParts) {
    this.#parts = parts;
    const { silenceMs, workers = Math.min(DEFAULT_MAX_WORKERS, availableParallelism()) } = parts;
    // In a group of its own: a terminal's interrupt reaches the command line alone, which ends everything in order.
    const how = { detached: process.platform !== 'win32', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as ['ignore', 'inherit', 'inherit', 'ipc'] };
    this.#child = fork(fileURLToPath(new URL('./round-child.js', import.meta.url)), [], how);
    const watchdog = new Watchdog(silenceMs, () => {
      parts.errors.add('suite', `nothing was heard of a worker for ${silenceMs} ms: the subject did not come back, and was ended`);
      this.kill();
    });
    this.outcome = new Promise((resolve) => {
      const over = (how_: string): void => {
        watchdog.stop();
        // A process that ended before its workers leaves none of them.
        this.#killGroup();
        const crashed = this.#unhandled === undefined && !this.#ended ? { crashed: how_ } : {};
        resolve({ runs: this.#runs, unhandled: this.#unhandled ?? [], ...crashed });
      };
      this.#child.once('error', (error) => {
        if (this.#child.pid === undefined) over(`it could not be started: ${error.message}`);
      });
      // Its last news are read before this.
      this.#child.once('close', (code, signal) => over(code === null ? `it was ended by ${signal ?? 'a signal'}` : `it exited with code ${code}`));
    });
    this.#child.on('message', (news: RoundNews) => {
      watchdog.heard();
      this.#told(news);
    });
    const areas = [...new Set(left.map((plan) => plan.invariant.area))];
    this.#child.send({ settings, areas, workers } satisfies RoundTask);
  }

  /** Ends it at once with its workers. Drivers see the end of their input, and are somebody else's to wait for. */
  kill(): void {
    this.#ended = true;
    this.#killGroup();
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group is gone.
    }
  }

  #told(news: RoundNews): void {
    const { progress, errors } = this.#parts;
    switch (news.kind) {
      case 'began': return progress.began(news.name);
      case 'ended': {
        const { meta, message } = news;
        if (meta?.run !== undefined) {
          this.#runs.push(meta.run);
          return progress.ended(meta.run);
        }
        // Without a name nothing came back of it: its process died, which is told by the notes it left.
        if (meta?.name === undefined) return undefined;
        const { driverErrorCode: code = 'suite', driverError = message ?? 'it ended without a result', name, lost } = meta;
        if (lost === undefined) return errors.add(code, driverError, name);
        errors.addLost(code, driverError, lost);
        return progress.lost(lost.text);
      }
      case 'area': {
        for (const message of news.errors) errors.add('suite', `${news.area}: ${message}`);
        const runs = this.#runs.filter((run) => invariantById(run.invariant).area === news.area);
        if (runs.length > 0) progress.areaEnded(news.area, runs, news.durationMs);
        return undefined;
      }
      default: this.#unhandled = news.unhandled;
    }
  }
}
