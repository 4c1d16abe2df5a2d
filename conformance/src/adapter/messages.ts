/**
 * The messages between the suite and a subject, version 1 (DESIGN.md §6). The in-process adapter passes these values;
 * the driver protocol puts the same values on the wire, so there is one contract and one JSON Schema.
 */
import { z } from 'zod';
import { MAX_PATTERN_LENGTH, patternProblem } from './name-pattern.ts';

/** The version both sides name. */
export const ADAPTER_VERSION = 1;

/** What a subject may declare that it can do. A feature gates a demand and never excuses one. */
export const FEATURES = [
  /** Follows `notifications/tools/list_changed` by itself (S27). */
  'list-changes',
  /** Reconnects by itself after a loss (S52). */
  'reconnect',
  /** `cancel` reaches the server (S38, B12). */
  'abort',
  /** Images reach the model through an attachment store (S43). */
  'images',
  /** Validates structured content against a declared output schema (S37). */
  'output-validation',
  /** Tools of the host and of other plugins can share the registry (S22, S32). */
  'shared-registry',
  /** `policy` of a call can replace or block a result (S47). */
  'policies',
  /** `via: program` returns the canonical value (S49). */
  'programs',
  /** `reload` restarts one server with the same entry (S61). */
  'reload',
  /** Says how a call ended apart from its message: abort and timeout are told apart (B12). */
  'outcomes',
] as const;

/** One feature. */
export const feature = z.enum(FEATURES);
/** One feature. */
export type Feature = z.infer<typeof feature>;

/** Levels of invariants that a subject asks to be judged by. `core` always is. */
export const LEVELS = ['core', 'seed', 'resilience'] as const;
/** One level. */
export type Level = (typeof LEVELS)[number];

/**
 * The longest bounds that a subject may declare, in milliseconds. A user would not wait longer either, and the suite waits for
 * each of them many times; a check ends by itself after half a minute or a little more.
 */
export const MAX_BOUNDS_MS = { settleMs: 60_000, closeMs: 60_000, reconnectMs: 120_000 } as const;

/** How public names are made: the seed's scheme, or the subject's own, which the general laws judge. */
export const namingScheme = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('mcp-qualified-64-v1') }),
  z.strictObject({
    scheme: z.literal('own'),
    pattern: z.string().max(MAX_PATTERN_LENGTH).superRefine((pattern, context) => {
      const problem = patternProblem(pattern);
      if (problem !== undefined) context.addIssue(problem);
    }).meta({ description: 'A regular expression that every public name matches whole, without look-around and back references.' }),
    maxLength: z.int().min(1).meta({ description: 'The most characters of a public name.' }),
    qualified: z.boolean().meta({ description: 'Whether names carry the server, so that equal raw names coexist.' }),
  }),
]);

/** Reply to `describe`. */
export const subjectDescription = z.strictObject({
  adapter: z.literal(ADAPTER_VERSION),
  name: z.string().min(1),
  version: z.string().min(1),
  registry: z.enum(['push', 'pull']).meta({
    description: 'push: keeps a list, and sends `registry` whenever it changed. pull: asks the servers for their lists again each time that `tools` is asked for. Who answers `tools` from a list that it keeps declares push, though it may never have anything to tell.',
  }),
  servers: z.enum(['one', 'fixed', 'dynamic']).meta({ description: 'How many servers, and whether `add` and `remove` work.' }),
  names: namingScheme,
  transports: z.array(z.enum(['stdio', 'streamable-http'])).min(1),
  features: z.array(feature),
  levels: z.array(z.enum(LEVELS)),
  options: z.array(z.string()).meta({ description: 'Options of a server entry that it honours, e.g. toolCallTimeoutMs.' }),
  bounds: z.strictObject({
    settleMs: z.int().min(1).max(MAX_BOUNDS_MS.settleMs).meta({ description: 'A change is visible within this time.' }),
    closeMs: z.int().min(1).max(MAX_BOUNDS_MS.closeMs).meta({ description: '`close` answers within this time.' }),
    reconnectMs: z.int().min(1).max(MAX_BOUNDS_MS.reconnectMs).meta({ description: 'A loss is recovered from within this time, once the server is back.' }),
  }),
  fidelity: z.strictObject({
    keyOrder: z.boolean().meta({ description: 'Objects keep the order of their keys on the way to the suite.' }),
    bigNumbers: z.boolean().meta({ description: 'Numbers above 2^53 survive.' }),
  }),
});

/** How the subject reaches one server, and what it is told about it. */
export const serverSpec = z.discriminatedUnion('transport', [
  z.strictObject({
    name: z.string(),
    transport: z.literal('stdio'),
    command: z.string(),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({
    name: z.string(),
    transport: z.literal('streamable-http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
]);

/** What the host around the bridge provides. */
export const hostSpec = z.strictObject({
  nativeTools: z.array(z.string()).optional().meta({ description: 'Names registered by the host before the bridge.' }),
  foreignTools: z.array(z.string()).optional().meta({ description: 'Public names that another plugin holds.' }),
  attachmentStore: z.enum(['none', 'memory', 'refusing']).optional(),
  routes: z.record(z.string(), z.strictObject({ inputModalities: z.array(z.string()).optional() })).optional(),
  proxy: z.string().optional().meta({
    description: 'URL of the HTTP proxy that the platform declares while this host is open. A host that cannot have one refuses `open` as unsupported.',
  }),
});

/** `open`. */
export const openRequest = z.strictObject({ servers: z.array(serverSpec), host: hostSpec.optional() });
/** How one server's activation ended, with the message a person would read. */
export const serverReply = z.strictObject({
  name: z.string(),
  status: z.enum(['ready', 'degraded', 'rejected']).meta({
    description: 'ready: its tools are registered; degraded: live without tools; rejected: not live.',
  }),
  message: z.string().optional().meta({ description: 'Why, in words for a person, where it is not ready.' }),
});
/** Reply to `open`: activation has settled for every server, each on its own. */
export const openReply = z.strictObject({
  servers: z.array(serverReply).meta({ description: 'One for each server that was asked for, under its name.' }),
});

/** One tool as the model is offered it. */
export const offeredTool = z.strictObject({
  name: z.string().meta({ description: 'Public name.' }),
  description: z.string(),
  parameters: z.unknown().meta({ description: 'JSON Schema of the arguments.' }),
});
/** Reply to `tools`: everything the model is offered, in model order. */
export const toolsReply = z.strictObject({ revision: z.int().min(0), tools: z.array(offeredTool) });

/** What a policy hook does to the result of one call (S47). */
export const policy = z.union([
  z.strictObject({ replaceContent: z.string() }),
  z.strictObject({ replaceValue: z.unknown() }),
  z.strictObject({ block: z.string() }),
  z.strictObject({ deny: z.string() }),
]);
/** `call`. */
export const callRequest = z.strictObject({
  callId: z.string(),
  name: z.string().meta({ description: 'Public name.' }),
  arguments: z.unknown().meta({ description: 'As the model gave them, usually an object.' }),
  agent: z.string().optional().meta({ description: 'A route of the host, for a call on behalf of an agent.' }),
  via: z.enum(['model', 'program']).default('model').meta({ description: 'Who calls; a program gets the canonical value.' }),
  policy: policy.optional(),
});
/** One block of what the model sees. */
export const viewBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image'), mediaType: z.string(), sha256: z.string() }),
]);
/** Reply to `call`. */
export const callReply = z.strictObject({
  outcome: z.enum(['ok', 'tool-error', 'failed', 'aborted', 'timed-out']).meta({
    description: 'tool-error: the tool answered with isError; failed: the server or the bridge could not do it.',
  }),
  executed: z.enum(['yes', 'no', 'unknown']).meta({ description: 'Whether the tool ran; unknown: the call was sent, and no answer came.' }),
  value: z.unknown().optional().meta({ description: 'The canonical value of a success, for programs.' }),
  view: z.array(viewBlock).meta({ description: 'What the model sees, of a success and of a failure.' }),
  message: z.string().optional().meta({ description: 'What a person reads about a failure.' }),
});

/** State of one server (B20). */
export const serverState = z.strictObject({
  name: z.string(),
  state: z.enum(['connecting', 'ready', 'reconnecting', 'failed', 'disposed']),
  tools: z.int().min(0).meta({ description: 'How many of its tools are registered now.' }),
  attempt: z.int().min(0).optional().meta({ description: 'Which attempt of an outage this is. Due of a server that is reconnecting.' }),
  lastError: z.string().optional().meta({ description: 'Why it is not ready. Due of a server that is reconnecting or has failed.' }),
});
/** Reply to `state`. */
export const stateReply = z.strictObject({ servers: z.array(serverState) });

/** Hold and release of something inside the host, so that concurrency never comes from timing. */
export const gateRequest = z.strictObject({
  gate: z.enum(['route-lookup', 'store', 'finalize']),
  action: z.enum(['hold', 'release']),
});
/** A change of the host while a call runs. */
export const hostChange = z.strictObject({
  routes: z.record(z.string(), z.strictObject({ inputModalities: z.array(z.string()).optional() })).optional(),
  attachmentStore: z.enum(['none', 'memory', 'refusing']).optional(),
});

/** What a subject tells by itself. */
export const notification = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('registry'), revision: z.int().min(0), tools: z.array(offeredTool) }).meta({
    description: 'At the end of each job in which the registry changed.',
  }),
  z.strictObject({
    type: z.literal('log'),
    level: z.enum(['debug', 'info', 'warn', 'error']),
    server: z.string().optional(),
    message: z.string(),
  }),
  z.strictObject({ type: z.literal('host-event'), event: z.string(), detail: z.unknown().optional() }).meta({
    description: 'What the host did: store-call, route-lookup, gate-held (host-events.ts).',
  }),
]);

/** Reply to `describe`. */
export type SubjectDescription = z.infer<typeof subjectDescription>;
/** How the subject reaches one server. */
export type ServerSpec = z.infer<typeof serverSpec>;
/** What the host provides. */
export type HostSpec = z.infer<typeof hostSpec>;
/** `open`. */
export type OpenRequest = z.infer<typeof openRequest>;
/** Reply to `open`. */
export type OpenReply = z.infer<typeof openReply>;
/** How one server's activation ended. */
export type ServerReply = z.infer<typeof serverReply>;
/** One tool as the model is offered it. */
export type OfferedTool = z.infer<typeof offeredTool>;
/** Reply to `tools`. */
export type ToolsReply = z.infer<typeof toolsReply>;
/** `call`, defaults may be left out. */
export type CallRequest = z.input<typeof callRequest>;
/** Reply to `call`. */
export type CallReply = z.infer<typeof callReply>;
/** One block of what the model sees. */
export type ViewBlock = z.infer<typeof viewBlock>;
/** Reply to `state`. */
export type StateReply = z.infer<typeof stateReply>;
/** Hold and release inside the host. */
export type GateRequest = z.infer<typeof gateRequest>;
/** A change of the host. */
export type HostChange = z.infer<typeof hostChange>;
/** What a subject tells by itself. */
export type SubjectNotification = z.infer<typeof notification>;
