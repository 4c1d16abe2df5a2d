/**
 * The config of the embedded host, as it stands in a `cordis.yml` entry.
 */
import Schema from 'schemastery';
import { describeError } from '../errors.ts';
import { HostError } from './host-error.ts';

/** Config of the embedded host; every member is optional. */
export interface HostConfig {
  /** Check each canonical value against its tool's `output.schema`; default true. */
  readonly validateOutput?: boolean;
  /** Levels a value or an argument of a call may nest; default 1000. */
  readonly maxValueDepth?: number;
  /**
   * Cordis 4 only, where nothing prints the logs by itself: write lines of level info and up to standard error, unless
   * another plugin exports them already. Default true. Cordis 3 prints its logs anyway.
   */
  readonly printLogs?: boolean;
}

/** Schema of `HostConfig`: callable, as Cordis 3 wants it, and a Standard Schema, as Cordis 4 does. */
export const hostConfigSchema: Schema<HostConfig, Required<HostConfig>> = Schema.object({
  validateOutput: Schema.boolean().default(true).description('Check values against the output schema of their tool.'),
  maxValueDepth: Schema.natural().min(1).default(1000).description('Levels a value or an argument may nest.'),
  printLogs: Schema.boolean().default(true).description('Cordis 4: write logs to standard error.'),
});

const known = new Set(['validateOutput', 'maxValueDepth', 'printLogs']);

/**
 * The config with defaults, also when it never passed the schema.
 * @throws HostError `host-config-invalid`
 */
export function resolveHostConfig(config: unknown): Required<HostConfig> {
  const given: unknown = config ?? {};
  if (typeof given !== 'object' || Array.isArray(given) || given === null) {
    throw new HostError('host-config-invalid', 'the config of the embedded host must be a mapping');
  }
  for (const key of Object.keys(given)) {
    if (!known.has(key)) {
      throw new HostError('host-config-invalid', `the embedded host has no option "${key}"; it has ${[...known].join(', ')}`);
    }
  }
  try {
    return hostConfigSchema(given);
  } catch (error) {
    throw new HostError('host-config-invalid', `the config of the embedded host is wrong: ${describeError(error)}`, { cause: error });
  }
}
