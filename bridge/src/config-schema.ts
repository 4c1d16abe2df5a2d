/**
 * `Config`, the schema of the plugin for every host: callable as Cordis 3 calls it, a Standard Schema as Cordis 4 and
 * `@deepseek-ai/cordis` use it, and a description of every option for editors.
 *
 * schemastery describes; `resolveConfig` judges. schemastery's own messages neither name the plugin nor say what to do,
 * and a discriminated union fails there with the message of its last branch.
 * @module
 */
import Schema from 'schemastery';
import { RECONNECT_OPTIONS, TRANSPORT_OPTIONS, TUNING_OPTIONS, type OptionSpec } from './config-options.ts';
import { resolveConfig } from './config.ts';
import type { Config, ResolvedConfig } from './config-types.ts';

/** The schema of the plugin's config. */
export interface ConfigSchema {
  /**
   * Judges a config as Cordis 3 does at load.
   * @returns the config after defaults; unknown keys stay, so that `apply` can report them
   * @throws {BridgeError} `config-invalid`, with the place and the fix (S09)
   */
  (value?: Config | null): ResolvedConfig;
  /** The Standard Schema face, used by Cordis 4 (https://standardschema.dev). */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Throws what the call throws: Cordis 4 makes an error of its own of issues, without the `code`. */
    readonly validate: (value: unknown) => { readonly value: ResolvedConfig };
  };
  /** The options with types, defaults and descriptions, in schemastery's own JSON form. */
  toJSON(): unknown;
}

/** One option as schemastery describes it. */
function describeOption({ kind, description }: OptionSpec): Schema {
  switch (kind.type) {
    case 'text':
      return Schema.string().required(kind.required).description(description);
    case 'texts':
      return Schema.array(Schema.string()).description(description);
    case 'pairs':
      return Schema.dict(Schema.string()).description(description);
    case 'function':
      return Schema.any().description(description);
    case 'flag':
      return Schema.boolean().default(kind.default).description(description);
    case 'number':
      return Schema.number().min(kind.min).max(kind.max).default(kind.default).description(description);
    default:
      return Schema.union(kind.choices).default(kind.default).description(description);
  }
}

/** A group of options. */
function describeOptions(options: readonly OptionSpec[]): Record<string, Schema> {
  return Object.fromEntries(options.map((option) => [option.key, describeOption(option)]));
}

/** Every option, as one schemastery schema: for editors and for the table in the README. It judges nothing. */
export function describeConfig(): Schema {
  const tuning = describeOptions(TUNING_OPTIONS);
  const reconnect = Schema.object(describeOptions(RECONNECT_OPTIONS)).description('How a lost connection is retried.');
  const variants = (['stdio', 'streamable-http'] as const).map((transport) =>
    Schema.object({
      transport: Schema.const(transport).required().description('How the server is reached.'),
      serverName: Schema.string().required().pattern(/^[A-Za-z0-9_-]{1,32}$/).description("The namespace of this server's tools."),
      ...describeOptions(TRANSPORT_OPTIONS.filter((option) => option.scope === transport)),
      ...tuning,
      reconnect,
    }),
  );
  return Schema.union(variants) as Schema;
}

/**
 * Keeps unknown keys beside the judged ones, and the two mappings as they were written, so that `apply`, which judges
 * again, can report what is odd about them.
 */
function resolveForHost(value: unknown): ResolvedConfig {
  const { config, written } = resolveConfig(value);
  const mappings: Record<string, unknown> = {};
  if (written['env'] !== undefined) mappings['env'] = written['env'];
  if (written['headers'] !== undefined) mappings['headers'] = written['headers'];
  return { ...written, ...config, ...mappings };
}

/** The `Config` export of the plugin. */
export const configSchema: ConfigSchema = Object.assign((value?: Config | null) => resolveForHost(value), {
  '~standard': { version: 1, vendor: 'cordis-plugin-mcp-bridge', validate: (value: unknown) => ({ value: resolveForHost(value) }) } as const,
  toJSON: (): unknown => describeConfig().toJSON(),
});
