/**
 * The history, version 1: everything a check observed, in order. Judges read nothing else, so a saved history can be
 * judged again without running anything (DESIGN.md §6).
 */
import { scenario } from 'mcp-fixture-server/scenario';
import { traceRecord } from 'mcp-fixture-server/trace';
import { z } from 'zod';
import {
  callReply, callRequest, gateRequest, hostChange, hostSpec, serverReply, serverSpec, serverState, subjectDescription, offeredTool,
} from '../adapter/messages.ts';

/** The version a saved history names. */
export const HISTORY_VERSION = 1;

const at = { atMs: z.number().meta({ description: 'Milliseconds on the monotonic clock that traces use too.' }) };

/** What a barrier waited for. */
export const awaited = z.strictObject({
  server: z.string().optional(),
  /** Counted from where the wait began. */
  received: z.string().optional(), answered: z.string().optional(), sent: z.string().optional(), held: z.string().optional(),
  started: z.literal(true).optional(), ended: z.literal(true).optional(), replied: z.unknown().optional(), times: z.int().optional(),
  ready: z.literal(true).optional(),
  hostEvent: z.string().optional(),
  /** A warning or an error in the log. */
  warned: z.literal(true).optional(),
  /** Every offered tool is called once: where it begins and where it ends. */
  each: z.enum(['begins', 'ends']).optional(),
  /** The record by which it was reached. */
  record: z.strictObject({ pid: z.int(), seq: z.int() }).optional(),
  /** Descriptions that the registry held when it was reached, or would have held by the scripts. */
  describes: z.array(z.string()).optional(),
  only: z.boolean().optional(),
});
/** What a barrier waited for. */
export type Awaited = z.infer<typeof awaited>;

/** One thing that was observed. */
export const historyEvent = z.discriminatedUnion('kind', [
  z.strictObject({ ...at, kind: z.literal('subject'), description: subjectDescription }),
  /** A property's run begins; the events up to the next `run` belong to it. */
  z.strictObject({ ...at, kind: z.literal('run'), input: z.unknown() }),
  /** What the script of a server is from here on. */
  z.strictObject({ ...at, kind: z.literal('program'), server: z.string(), scenario: z.unknown() }),
  /** What a real server lists, as an independent client of ours saw it: the truth a registry is held to. */
  z.strictObject({ ...at, kind: z.literal('truth'), server: z.string(), tools: z.array(z.unknown()) }),
  /** The suite asked for this. */
  z.strictObject({
    ...at, kind: z.literal('request'), step: z.enum(['open', 'add', 'remove', 'reload', 'close']),
    servers: z.array(serverSpec), host: hostSpec.optional(),
  }),
  /** And it settled. */
  z.strictObject({
    ...at, kind: z.literal('settled'), step: z.enum(['open', 'add', 'remove', 'reload', 'close']),
    servers: z.array(serverReply), error: z.string().optional(),
  }),
  /** The registry, whole: told by the subject, or looked at by the suite. */
  z.strictObject({
    ...at, kind: z.literal('registry'), cause: z.enum(['told', 'looked']), revision: z.int(), tools: z.array(offeredTool),
  }),
  z.strictObject({ ...at, kind: z.literal('call'), request: callRequest, server: z.string().optional(), rawName: z.string().optional() }),
  z.strictObject({ ...at, kind: z.literal('outcome'), callId: z.string(), reply: callReply }),
  z.strictObject({ ...at, kind: z.literal('cancel'), callId: z.string() }),
  /** One record of a fixture's trace. */
  z.strictObject({ ...at, kind: z.literal('wire'), record: traceRecord }),
  z.strictObject({
    ...at, kind: z.literal('log'), level: z.enum(['debug', 'info', 'warn', 'error']), server: z.string().optional(), message: z.string(),
  }),
  z.strictObject({ ...at, kind: z.literal('host-event'), event: z.string(), detail: z.unknown().optional() }),
  /** A barrier was passed, or its time ran out: `reached: false` is the silence that a judge may count. */
  z.strictObject({
    ...at, kind: z.literal('barrier'), what: z.string(), reached: z.boolean(), boundMs: z.number(),
    until: awaited.optional().meta({ description: 'What was awaited, as far as it can be said in words; a case is written from it.' }),
  }),
  /** The suite moved a server on, over the control channel. */
  z.strictObject({
    ...at, kind: z.literal('control'), server: z.string(), do: z.array(z.unknown()).optional(), release: z.string().optional(), signal: z.string().optional(),
  }),
  /** The suite held or released something inside the host, or changed it. */
  z.strictObject({ ...at, kind: z.literal('host'), gate: gateRequest.optional(), change: hostChange.optional() }),
  /** What the subject told of the state of its servers, at a moment that the suite names (B20). */
  z.strictObject({ ...at, kind: z.literal('state'), moment: z.string(), servers: z.array(serverState) }),
  /** Processes of a server's tree that were alive when the suite looked. */
  z.strictObject({ ...at, kind: z.literal('processes'), started: z.array(z.int()), alive: z.array(z.int()) }),
  /** Chosen variables of a server's environment, and all names in it. */
  z.strictObject({
    ...at, kind: z.literal('environment'), server: z.string(), names: z.array(z.string()), values: z.record(z.string(), z.string().nullable()),
    ambient: z.record(z.string(), z.string()), configured: z.record(z.string(), z.string()),
  }),
  /** The exercise could not go on; not the subject's fault unless a judge says so. */
  z.strictObject({ ...at, kind: z.literal('trouble'), message: z.string() }),
]).meta({ title: 'One event of a history' });

/** A saved history. */
export const savedHistory = z.strictObject({
  history: z.literal(HISTORY_VERSION),
  check: z.string(),
  target: z.string(),
  seed: z.int(),
  path: z.string().optional().meta({ description: "Of a property: fast-check's path to this input." }),
  input: z.string().optional().meta({ description: 'Of a property: this input as text.' }),
  subject: z.string().optional().meta({ description: 'How the command line named the subject, for a replay.' }),
  case: z.string().optional().meta({ description: 'Of a case that was replayed: the case file, word for word, for another replay.' }),
  events: z.array(historyEvent),
}).meta({ title: 'MCP bridge conformance history' });

/** One thing that was observed. */
export type HistoryEvent = z.infer<typeof historyEvent>;
/** Events in order. Judges get this. */
export type History = readonly HistoryEvent[];
/** Events of one kind. */
export type EventOf<K extends HistoryEvent['kind']> = Extract<HistoryEvent, { kind: K }>;
/** A saved history. */
export type SavedHistory = z.infer<typeof savedHistory>;

/** Kept so that a history's `program` can be read as what it is. */
export { scenario as programSchema };
