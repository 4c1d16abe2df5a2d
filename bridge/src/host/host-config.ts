/**
 * The config of the embedded host, as it stands in a `cordis.yml` entry.
 */
import { Ajv, type ErrorObject, type JSONSchemaType } from 'ajv';
import { describeError } from '../errors.ts';
import type { AttachmentStoreOptions } from './attachment-store.ts';
import { HostError } from './host-error.ts';
import type { ModelRoute } from './model-routes.ts';

/** Config of the embedded host; every member is optional. */
export interface HostConfig {
  /** Check each canonical value against its tool's `output.schema`; default true. */
  readonly validateOutput?: boolean;
  /** Levels a value or an argument of a call may nest; default 1000. */
  readonly maxValueDepth?: number;
  /** Values that a value or an argument of a call may hold in all; default 1 000 000. */
  readonly maxValues?: number;
  /**
   * Cordis 4 only, where nothing prints the logs by itself: write lines of level info and up to standard error, unless
   * another plugin exports them already. Default true. Cordis 3 prints its logs anyway.
   */
  readonly printLogs?: boolean;
  /** Mounts `ctx.attachments` on a folder; without it there is no attachment store. */
  readonly attachments?: AttachmentStoreOptions;
  /** Mounts `ctx.llm` with these routes; without it there are no model routes. */
  readonly models?: readonly ModelRoute[];
}

/** The config with its defaults. */
export type ResolvedHostConfig = HostConfig & Required<Pick<HostConfig, 'validateOutput' | 'maxValueDepth' | 'maxValues' | 'printLogs'>>;

const positive = { type: 'integer', minimum: 1 } as const;
const optionalPositive = { ...positive, nullable: true } as const;
const words = { type: 'array', items: { type: 'string' }, nullable: true } as const;

const schema: JSONSchemaType<ResolvedHostConfig> = {
  type: 'object',
  properties: {
    validateOutput: { type: 'boolean', default: true },
    maxValueDepth: { ...positive, default: 1000 },
    maxValues: { ...positive, default: 1_000_000 },
    printLogs: { type: 'boolean', default: true },
    attachments: {
      type: 'object',
      nullable: true,
      properties: { directory: { type: 'string', minLength: 1 }, maxImageBytes: optionalPositive, maxImages: optionalPositive },
      required: ['directory'],
      additionalProperties: false,
    },
    models: {
      type: 'array',
      nullable: true,
      items: {
        type: 'object',
        properties: { provider: { type: 'string' }, model: { type: 'string' }, inputModalities: words },
        required: ['provider', 'model'],
        additionalProperties: false,
      },
    },
  },
  required: ['validateOutput', 'maxValueDepth', 'maxValues', 'printLogs'],
  additionalProperties: false,
};

const validate = new Ajv({ useDefaults: true, verbose: true }).compile(schema);

/** A config that was judged: with its defaults, or what is wrong with it. */
type Judgement = { readonly value: ResolvedHostConfig } | { readonly problem: string };

/**
 * The config with defaults, also when it never passed the schema.
 * @throws HostError `host-config-invalid`, with the place and the fix.
 */
export function resolveHostConfig(config: unknown): ResolvedHostConfig {
  const judged = judge(config);
  if ('value' in judged) return judged.value;
  throw new HostError('host-config-invalid', judged.problem);
}

function judge(config: unknown): Judgement {
  let given: unknown;
  try {
    // A copy of its own: defaults are written into it.
    given = structuredClone(config ?? {});
  } catch (error) {
    return { problem: `mcp-bridge-host config: holds something that is no data; write plain values only (${describeError(error)})` };
  }
  return validate(given) ? { value: given } : { problem: `mcp-bridge-host config${explain(validate.errors)}` };
}

/** The place as one writes it in code, the problem, and for an unknown key the known ones. */
function explain(errors: readonly ErrorObject[] | null | undefined): string {
  const { instancePath, message, params, parentSchema } = { instancePath: '', message: 'is wrong', params: {}, parentSchema: {}, ...errors?.[0] };
  const place = instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
  const { additionalProperty }: { readonly additionalProperty?: unknown } = params;
  if (typeof additionalProperty !== 'string') return `${place}: ${message}`;
  const known = Object.keys(Object(Reflect.get(parentSchema, 'properties')));
  return `${place}.${additionalProperty}: is no option; remove it, or write one of ${known.join(', ')}`;
}

/** The schema of the host's config: callable, as Cordis 3 wants it, and a Standard Schema, as Cordis 4 does. */
export const hostConfigSchema = Object.assign((config?: unknown) => resolveHostConfig(config), {
  '~standard': {
    version: 1,
    vendor: 'cordis-plugin-mcp-bridge',
    validate: (config: unknown): { readonly value: ResolvedHostConfig } | { readonly issues: readonly { readonly message: string }[] } => {
      const judged = judge(config);
      return 'value' in judged ? judged : { issues: [{ message: judged.problem }] };
    },
  } as const,
});
