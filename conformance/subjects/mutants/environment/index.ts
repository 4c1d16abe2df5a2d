import { referenceStages, type BridgeStages } from 'cordis-plugin-mcp-bridge/internal';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { mutant, type Mutant } from '../mutant.ts';
import { connecting, withStages } from '../plant.ts';

/** A bridge that makes another environment. */
const building = (build: BridgeStages['buildChildEnv']) => (): Partial<BridgeStages> => ({ buildChildEnv: build });

/** The members of which the name is, or is not, like this. */
function pick<T>(record: Readonly<Record<string, T>>, pattern: RegExp, wanted: boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => pattern.test(name) === wanted));
}

function defined(record: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A bridge that makes another environment for every process of a server but the first. */
function later(build: BridgeStages['buildChildEnv']): Partial<BridgeStages> {
  const started = new Set<string>();
  return {
    openSession: (options) => {
      const isFirst = !started.has(options.serverName);
      started.add(options.serverName);
      return referenceStages.openSession(isFirst ? options : { ...options, effects: { ...options.effects, buildEnv: build } });
    },
  };
}

/** The mutants of `environment`. */
export const environmentMutants: readonly Mutant[] = [
  mutant('ENVIRONMENT-001', 'scrubs-capitals-only', {
    kind: 'stage',
    create: () => withStages(building((ambient, configured) => ({
      ...defined(pick(ambient, /KEY|PASSWORD|SECRET|TOKEN|^DSH_/, false)), ...configured,
    }))),
  }),
  mutant('ENVIRONMENT-001', 'inherits-a-chosen-few', {
    kind: 'stage',
    create: () => withStages(building((ambient, configured) => ({ ...defined(pick(ambient, /^(PATH|HOME|LANG)$/, true)), ...configured }))),
  }),
  mutant('ENVIRONMENT-002', 'scrubs-what-is-configured', {
    kind: 'stage',
    create: () => withStages(building((ambient, configured) => referenceStages.buildChildEnv(ambient, pick(configured ?? {}, /KEY|TOKEN/i, false)))),
  }),
  mutant('ENVIRONMENT-003', 'splits-arguments-at-spaces', {
    kind: 'wire',
    create: () => connecting((options) => ({
      ...options, effects: { ...options.effects, spawn: (command, args, how) => spawn(command, args.flatMap((one) => one.split(' ')), how) },
    })),
  }),
  mutant('ENVIRONMENT-003', 'runs-in-its-own-folder', {
    kind: 'wire',
    create: () => connecting((options) => ({
      ...options, effects: { ...options.effects, spawn: (command, args, { cwd: _cwd, ...how }) => spawn(command, args, how) },
    })),
  }),
  mutant('ENVIRONMENT-003', 'runs-among-temporary-files', {
    kind: 'wire',
    create: () => connecting((options) => ({
      ...options, effects: { ...options.effects, spawn: (command, args, { cwd = tmpdir(), ...how }) => spawn(command, args, { ...how, cwd }) },
    })),
  }),
  // Other checks open a server of that name before: to them every process is a later one.
  mutant('ENVIRONMENT-001', 'scrubs-the-first-process-only', { kind: 'stage', create: () => withStages(() => later((ambient, configured) => ({ ...defined(ambient), ...configured }))) }),
  mutant('ENVIRONMENT-002', 'configures-the-first-process-only', { kind: 'stage', create: () => withStages(() => later((ambient) => referenceStages.buildChildEnv(ambient, {}))) }),
];
