/**
 * The way to a subject, as plain JSON: it crosses the border to the processes that vitest starts.
 */
import type { AdapterFactory } from '../adapter/bridge-adapter.ts';
import type { DriverCommand } from '../adapter/driver-process.ts';
import { outOfProcess } from '../adapter/out-of-process.ts';
import { ambientOf } from '../bench/ambient.ts';
import { RUN_MARKER } from './run-marker.ts';
import { loadSubject } from './subject-module.ts';
import { driverBounds, workerLimits } from './worker-limits.ts';

/** A module that exports `createAdapter`, or a driver to start. */
export type SubjectWay =
  | { readonly kind: 'module'; readonly url: string }
  | {
    readonly kind: 'driver';
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd: string;
    /** Names of the variables that the driver gets from its environment: what vitest adds for itself is no part of it. */
    readonly variables: readonly string[];
  };

/** The way to a driver that is started from here, in the environment of now. */
export function wayToDriver({ command, args = [], cwd = process.cwd() }: DriverCommand): SubjectWay {
  return { kind: 'driver', command, args, cwd, variables: Object.keys(process.env).filter((name) => !name.startsWith('VITEST')) };
}

/**
 * Makes adapters of this way.
 * @throws AdapterError `misuse` when a module cannot be loaded
 */
export async function factoryOf(way: SubjectWay): Promise<AdapterFactory> {
  if (way.kind === 'module') return loadSubject(way.url);
  const { command, args, cwd, variables } = way;
  return () => outOfProcess({ command, args, cwd, env: ambientOf(environmentOf(variables)) }, driverBounds(workerLimits()));
}

function environmentOf(variables: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries([...variables, RUN_MARKER].map((name) => [name, process.env[name]]));
}
