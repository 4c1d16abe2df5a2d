import type { OpenSessionOptions } from 'cordis-plugin-mcp-bridge/internal';

/** Gives the child its configured environment behind the back of whatever looks there for secrets. */
export function buildWith(options: OpenSessionOptions): OpenSessionOptions {
  const { target, effects } = options;
  if (target.transport !== 'stdio') return options;
  const { env, ...rest } = target;
  return { ...options, target: rest, effects: { ...effects, buildEnv: (ambient) => ({ ...effects?.buildEnv?.(ambient), ...env }) } };
}
