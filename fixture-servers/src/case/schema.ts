/**
 * The case, version 1: servers, host conditions and the client's steps in one file, what is attached to a bug report
 * (DESIGN.md §2, §5).
 */
import { z } from 'zod';
import { action } from '../scenario/actions.ts';
import { jsonObject, jsonValue, label, mapping } from '../scenario/json.ts';
import { scenario } from '../scenario/schema.ts';

/** The version a case must name. */
export const CASE_VERSION = 1;

/** Names of areas, the same set everywhere (DESIGN.md §3). */
export const AREAS = [
  'config', 'naming', 'discovery', 'generation', 'wire', 'call', 'projection', 'connection', 'environment', 'isolation', 'host',
] as const;

/** One area. */
export type Area = (typeof AREAS)[number];

/** One server of a case: its script, how it is reached, and what the bridge is told about it. */
export const caseServer = z.strictObject({
  carrier: z.enum(['stdio', 'streamable-http']).default('stdio'),
  scenario,
  open: z.boolean().default(true).meta({ description: 'Whether the step `open` includes it. Default true; false: for `add`.' }),
  options: jsonObject.optional().meta({ description: 'Config of the bridge for this server, beside how to reach it.' }),
});

/** What the host provides. */
export const caseHost = z.strictObject({
  environment: mapping(z.string(), "Added to the subject's own environment.").optional(),
  proxy: z.string().optional().meta({ description: 'A proxy the platform declares. Not built yet.' }),
  nativeTools: z.array(z.string()).optional().meta({ description: 'Tools of the host, registered before the bridge.' }),
  foreignTools: z.array(z.string()).optional().meta({
    description: 'Tools of another plugin, registered under these public names before the bridge.',
  }),
  attachmentStore: z.enum(['none', 'memory', 'refusing']).default('none').meta({ description: 'Only `none` is built.' }),
  routes: mapping(
    z.strictObject({ inputModalities: z.array(z.string()).optional() }),
    'Model routes and the input they declare. Not built yet.',
  ).optional(),
});

/** A barrier: the step ends when the fact is there, and fails at the subject's declared bound. */
export const barrier = z.union([
  z.strictObject({ server: label, received: z.string(), times: z.int().min(1).default(1) }).meta({
    description: 'The server received this method so many times since the case began.',
  }),
  z.strictObject({ server: label, fired: label }).meta({ description: 'This rule fired.' }),
  z.strictObject({ server: label, held: label }).meta({ description: 'This hold was reached.' }),
  z.strictObject({ server: label, ended: z.literal(true) }).meta({ description: 'The process ended.' }),
  z.strictObject({ server: label, rawTools: z.array(z.string()) }).meta({
    description: 'The registry holds exactly these tools of the server, by raw name.',
  }),
  z.strictObject({ call: label }).meta({ description: 'This call settled.' }),
]);

/** One step of the client. An object with exactly one key. */
export const step = z.union([
  z.strictObject({ open: z.literal(true) }),
  z.strictObject({ add: label }),
  z.strictObject({ remove: label }),
  z.strictObject({ reload: label }),
  z.strictObject({
    call: z.strictObject({
      id: label.optional().meta({ description: 'For `abort` and `await`. Default: the call is awaited at once.' }),
      server: label,
      tool: z.string().meta({ description: 'Raw name.' }),
      arguments: jsonValue.optional().meta({ description: 'Default {}.' }),
    }),
  }),
  z.strictObject({ abort: label }),
  z.strictObject({ await: barrier }),
  z.strictObject({
    advance: z.union([
      z.strictObject({ server: label, release: label }),
      z.strictObject({ server: label, signal: label }),
      z.strictObject({ server: label, do: z.array(action).min(1) }),
    ]),
  }).meta({ description: 'Moves a server on, over the control channel.' }),
  z.strictObject({ close: z.literal(true) }),
]);

/** A case as written. */
export const caseFile = z
  .strictObject({
    case: z.literal(CASE_VERSION).meta({ description: 'Version of the language.' }),
    id: label,
    title: z.string(),
    area: z.enum(AREAS),
    reports: z.array(z.string()).default([]).meta({ description: 'Public reports this reproduces.' }),
    servers: mapping(caseServer, 'The servers, by the name the bridge is told.'),
    host: caseHost.optional(),
    steps: z.array(step).min(1).max(10_000),
    judge: z.array(z.string()).min(1).meta({ description: 'Invariants that this case probes.' }),
  })
  .meta({ title: 'MCP bridge case', description: 'Servers, host and steps of one bug report.' });

/** A case with its defaults filled in. */
export type CaseFile = z.infer<typeof caseFile>;
/** A case as a person writes it. */
export type CaseInput = z.input<typeof caseFile>;
/** One step of the client. */
export type Step = z.infer<typeof step>;
/** A barrier. */
export type Barrier = z.infer<typeof barrier>;
