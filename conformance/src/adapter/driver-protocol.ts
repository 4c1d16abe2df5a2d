/**
 * The driver protocol, version 1 (DESIGN.md §6): newline-delimited JSON-RPC 2.0 on the driver's stdin and stdout. The suite
 * asks, the driver answers, in any order, and tells of changes by notifications. Parameters and results are the messages
 * of the adapter contract, so both ways to a subject have one contract. Stderr is free text.
 */
import { z } from 'zod';
import {
  callReply, callRequest, gateRequest, hostChange, notification, offeredTool, openReply, openRequest, serverReply, serverSpec, stateReply,
  subjectDescription, toolsReply, type SubjectNotification,
} from './messages.ts';

/** The version that `describe` names; a driver that does not speak it answers with an error. */
export const DRIVER_PROTOCOL = 1;

/**
 * The longest line either side sends, in bytes, line end included. A registry of 10 000 tools takes about 5 MB; a view of
 * one call is as long as the bridge lets it be.
 */
export const MAX_DRIVER_LINE_BYTES = 64 * 1024 * 1024;

/** Error codes of JSON-RPC that mean something here. */
export const RPC_ERRORS = {
  /** The line was no JSON. */
  parse: -32700,
  /** It was no request. */
  invalidRequest: -32600,
  /** The driver does not have this method: the check that asked is not applicable. */
  methodNotFound: -32601,
  /** The parameters do not fit. */
  invalidParams: -32602,
  /** Anything else: an error of the driver, never a verdict. */
  internal: -32603,
} as const;

/** No parameters, and nothing to answer with. Members are ignored, so that a later version may add some. */
const nothing = z.object({}).meta({ description: 'An empty object.' });
/** The name of one server. */
const serverName = z.strictObject({ name: z.string() });

/** One method of the protocol. */
interface MethodShape {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** For the reference: what it asks for. */
  readonly about: string;
  /** Without it a check that needs it is not applicable; the others every driver has. */
  readonly optional?: true;
}

/** What the suite asks: the parameters and the result of each method. */
export const DRIVER_METHODS = {
  describe: {
    params: z.strictObject({ protocol: z.literal(DRIVER_PROTOCOL) }), result: subjectDescription,
    about: 'Says who the bridge is and what it declares. Comes first, and again at any time: it is answered also while other requests are under way.',
  },
  open: { params: openRequest, result: openReply, about: 'Starts a fresh host with these servers. The reply means that activation has settled for each of them, well or not.' },
  add: { params: z.strictObject({ server: serverSpec }), result: serverReply, about: 'Adds one server to the open host.', optional: true },
  remove: { params: serverName, result: nothing, about: 'Removes one server. The reply means that its tools and processes are gone.', optional: true },
  reload: { params: serverName, result: serverReply, about: 'Removes and adds the same entry.', optional: true },
  close: { params: nothing, result: nothing, about: 'Closes the host. The reply means that everything it started is gone; another `open` may follow.' },
  tools: { params: nothing, result: toolsReply, about: 'What the model is offered now, in its order.' },
  state: { params: nothing, result: stateReply, about: 'The state of each server.', optional: true },
  call: { params: callRequest, result: callReply, about: 'One call. A failure of the tool, the server or the bridge is an outcome, not an error.' },
  cancel: { params: z.strictObject({ callId: z.string() }), result: nothing, about: 'Aborts a call that is under way; the call is answered by itself.', optional: true },
  gate: { params: gateRequest, result: nothing, about: 'Holds or releases something inside the host.', optional: true },
  'host/set': { params: hostChange, result: nothing, about: 'Changes a model route or the attachment store while calls run.', optional: true },
} as const satisfies Record<string, MethodShape>;

/** The name of a method. */
export type DriverMethod = keyof typeof DRIVER_METHODS;
/** Whether a word is the name of a method. */
export function isDriverMethod(word: string): word is DriverMethod {
  return Object.hasOwn(DRIVER_METHODS, word);
}

/** What a driver tells by itself: the parameters of each notification. */
export const DRIVER_NOTIFICATIONS = {
  registry: z.strictObject({ revision: z.int().min(0), tools: z.array(offeredTool) }).meta({
    description: 'At the end of each job in which the registry changed: all that the model is offered, in its order.',
  }),
  log: z.strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']), server: z.string().optional(), message: z.string() }),
  'host-event': z.strictObject({ event: z.string(), detail: z.unknown().optional() }).meta({
    description: 'What the host did: store-call, route-lookup, gate-held.',
  }),
} as const satisfies Record<SubjectNotification['type'], z.ZodType>;

/** Whether a word is the name of a notification. */
export function isDriverNotification(word: string): word is SubjectNotification['type'] {
  return Object.hasOwn(DRIVER_NOTIFICATIONS, word);
}

/** A notification as the adapter contract has it, from its wire form. */
export function fromWire(type: SubjectNotification['type'], params: unknown): unknown {
  return typeof params === 'object' && params !== null ? { ...params, type } : params;
}

/** The wire form of a notification of the adapter contract. */
export function toWire({ type, ...params }: SubjectNotification): { readonly method: string; readonly params: object } {
  return { method: type, params };
}

/** Checks a notification as the adapter contract does. */
export const toldByDriver = notification;

/** What the suite sends. */
export const rpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.int().min(1),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** The error of a reply. */
export const rpcError = z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() });

/** What a driver sends: a reply or a notification. Which it is is decided by its members. */
export const rpcReply = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.int(),
  result: z.unknown().optional(),
  error: rpcError.optional(),
});

/** What a driver tells by itself. */
export const rpcNotification = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.unknown().optional(),
});
