/**
 * The trace, version 1: one JSON object a line, what crossed the wire of one server and what its script did (DESIGN.md §5).
 */
import { z } from 'zod';
import { jsonValue, mapping } from '../scenario/json.ts';
import { TRACE_VERSION } from './version.ts';

export { TRACE_VERSION } from './version.ts';

const base = {
  trace: z.literal(TRACE_VERSION),
  seq: z.int().min(0).meta({ description: 'Counts the records of one process, from 0.' }),
  atMs: z.number().meta({ description: 'Milliseconds on the monotonic clock that all processes of a machine share.' }),
  server: z.string().meta({ description: 'The name of the server in its case, or "server".' }),
  carrier: z.enum(['stdio', 'streamable-http']),
  incarnation: z.int().min(0).meta({ description: 'Which process or session this is, from 1; 0 before it counts.' }),
  pid: z.int().min(0),
  session: z.string().optional().meta({ description: 'Over HTTP: the session id.' }),
};

/** One message, or a line that is none. */
export const frameRecord = z.strictObject({
  ...base,
  kind: z.literal('frame'),
  direction: z.enum(['client-to-server', 'server-to-client']),
  raw: z.string().meta({ description: 'The bytes as text, without the line end; cut at 1 MiB.' }),
  bytes: z.int().min(0).meta({ description: 'Length on the wire.' }),
  message: jsonValue.optional().meta({ description: 'The parsed message; absent when `raw` is no JSON or was cut.' }),
  http: z
    .strictObject({
      method: z.string(),
      exchange: z.int().min(0).optional().meta({ description: 'Which request of the recording this belongs to, from 1; the frames of its response name it too.' }),
      path: z.string().optional().meta({ description: 'Path and query of the request.' }),
      status: z.int().optional(),
      requestHeaders: mapping(z.string(), 'Header fields.').optional(),
      responseHeaders: mapping(z.string(), 'Header fields.').optional(),
      event: z.string().optional().meta({ description: 'In an event stream: the id of the event; empty when it has none.' }),
      ended: z.enum(['complete', 'cut']).optional().meta({ description: 'The response ended here: as it should, or cut off.' }),
    })
    .optional(),
});

/** A rule fired. `action` is the key of the action that was performed; a rule with three actions writes three records. */
export const faultRecord = z.strictObject({
  ...base,
  kind: z.literal('fault'),
  rule: z.string(),
  action: z.string(),
  index: z.int().min(0).meta({ description: 'Which action of the rule it is, from 0: a rule fired as often as its 0.' }),
});

/** A hold was reached or released. */
export const holdRecord = z.strictObject({
  ...base,
  kind: z.literal('hold'),
  hold: z.string(),
  event: z.enum(['held', 'released']),
});

/** A process began, counted as an incarnation, lost its input, wrote on stderr, or ended; or a note of the recorder. */
export const processRecord = z.strictObject({
  ...base,
  kind: z.literal('process'),
  event: z.enum([
    'start', 'incarnation', 'input-end', 'exit', 'grandchild', 'stderr', 'note', 'session', 'session-end', 'down', 'up', 'restart',
  ]).meta({ description: 'Over HTTP also: a session began or ended, the port was closed or opened, every session was forgotten.' }),
  code: z.int().optional(),
  signal: z.string().optional(),
  childPid: z.int().optional(),
  text: z.string().optional().meta({ description: 'With `stderr`: what the process wrote there. With `note`: what the recorder has to say: that the client sent `signal`, or that the trace stops here. With `down`: why the server cannot be reached.' }),
  ageMs: z.number().min(0).optional().meta({
    description: 'With `start`: how long the process had run by then. A busy machine takes long to load a program.',
  }),
});

/** One line of a trace. */
export const traceRecord = z
  .discriminatedUnion('kind', [frameRecord, faultRecord, holdRecord, processRecord])
  .meta({ title: 'MCP fixture trace record' });

/** One line of a trace. */
export type TraceRecord = z.infer<typeof traceRecord>;
/** One message on the wire. */
export type FrameRecord = z.infer<typeof frameRecord>;
