import { z } from 'zod';
import { httpActions } from './http-actions.ts';
import { jsonObject, jsonValue, label } from './json.ts';
import { MAX_DELAY_MS, MAX_RAW_BYTES, MAX_TIMES } from './limits.ts';
import { toolEntry } from './tools.ts';

export { MAX_DELAY_MS, MAX_RAW_BYTES, MAX_TIMES } from './limits.ts';

const times = z.int().min(1).max(MAX_TIMES);

/** Ways to write one event, all of which mean the same (WHATWG HTML, server-sent events). */
const eventForm = z
  .strictObject({
    comments: z.boolean().optional().meta({ description: 'Comments before the event and between its lines, as proxies send them to keep a connection alive.' }),
    lines: z.boolean().optional().meta({ description: 'Spread its data over several `data` lines, ended where JSON allows an end of line.' }),
    spaceless: z.boolean().optional().meta({ description: 'Write no space after the colons.' }),
    unnamed: z.boolean().optional().meta({ description: 'Write no `event` field: an event without a name is a message.' }),
  })
  .meta({ description: 'HTTP only: in which way the event of an event stream is written. A JSON body takes no notice of it.' });

/**
 * How a message is put on the wire. Over HTTP the frame is the event of an event stream or the JSON body: `crlf` gives the
 * lines of the event CR LF, and pieces are chunks of the response.
 */
export const frameOptions = z
  .strictObject({
    times: times.optional().meta({ description: 'Send it so many times. Default 1.' }),
    splitAt: z.array(z.int().min(0)).max(10_000).optional().meta({
      description: 'Write the bytes in pieces that end at these offsets, one write each.',
    }),
    everyByte: z.boolean().optional().meta({ description: 'Write each byte on its own.' }),
    crlf: z.boolean().optional().meta({ description: 'End the message with CR LF.' }),
    bom: z.boolean().optional().meta({ description: 'Put a byte order mark before the message.' }),
    stream: z.enum(['request', 'listen']).optional().meta({
      description:
        'HTTP only: on which stream. Default: the answer to the request that the rule is about, else the listening stream. A request answered in JSON takes answers alone; other messages then go to the listening stream.',
    }),
    event: eventForm.optional(),
    rawSeparators: z.boolean().optional().meta({ description: 'Write U+2028 and U+2029 unescaped (JSON allows it).' }),
  })
  .meta({ description: 'How a message is put on the wire.' });

/** A wrong id on purpose. Default: the id of the request that matched. */
const id = jsonValue.optional().meta({ description: 'Another id than that of the request.' });

const frame = { frame: frameOptions.optional() };

/** One thing a rule does. An object with exactly one key. */
export const action = z.union([
  z.strictObject({ default: z.strictObject({ ...frame, id }) }).meta({ description: "The server's normal answer." }),
  z.strictObject({ reply: z.strictObject({ result: jsonValue.meta({ description: 'The result, whatever it is.' }), id, ...frame }) }).meta({ description: 'Answers with a result of your own.' }),
  z.strictObject({
    error: z.strictObject({
      code: z.int().meta({ description: 'The code of the error, such as -32000.' }),
      message: z.string().meta({ description: 'The message of the error.' }),
      data: jsonValue.optional().meta({ description: 'The data of the error. Default: none.' }),
      id,
      ...frame,
    }),
  }).meta({ description: 'Answers with an error of JSON-RPC.' }),
  z.strictObject({
    notify: z.strictObject({
      method: z.string().meta({ description: 'The method of the notification.' }),
      params: jsonObject.optional().meta({ description: 'The params of the notification. Default: none.' }),
      ...frame,
    }),
  }).meta({ description: 'Sends a notification.' }),
  z.strictObject({
    request: z.strictObject({
      method: z.string().meta({ description: 'The method of the request.' }),
      params: jsonObject.optional().meta({ description: 'The params of the request. Default: none.' }),
      id: jsonValue.meta({ description: 'The id of the request, any value.' }),
      ...frame,
    }),
  }).meta({ description: 'A request from the server to the client.' }),
  z.strictObject({
    raw: z.strictObject({
      text: z.string().optional().meta({ description: 'The bytes as UTF-8 text. Give this or `base64`.' }),
      base64: z.base64().optional().meta({ description: 'The bytes in base64. Give this or `text`.' }),
      to: z.enum(['body', 'connection']).optional().meta({
        description: 'HTTP only: into the `body` of the response, or past HTTP into its `connection`: half a chunk, a broken status line. Default: body.',
      }),
    }),
  }).meta({ description: 'Bytes as they are; no line end is added.' }),
  z.strictObject({
    oversize: z.strictObject({
      bytes: z.int().min(1).max(MAX_RAW_BYTES).meta({ description: 'How many bytes the message has.' }),
      of: z.enum(['text', 'blocks']).optional().meta({ description: 'What fills it: one long text, or as many empty content blocks as fit. Default: text.' }),
      id,
    }),
  }).meta({ description: 'A valid result whose message has about so many bytes.' }),
  z.strictObject({ delay: z.int().min(0).max(MAX_DELAY_MS) }).meta({ description: 'Milliseconds before the next action.' }),
  z.strictObject({ hold: label }).meta({ description: 'Wait here until the control channel releases this name.' }),
  z.strictObject({ drop: z.literal(true) }).meta({ description: 'No answer, ever.' }),
  z.strictObject({
    setTools: z.union([
      z.strictObject({ list: label.meta({ description: 'One of `toolLists`.' }) }),
      z.strictObject({ tools: z.array(toolEntry).meta({ description: 'The new list, written out.' }) }),
    ]),
  }).meta({ description: 'Change the tool list; tells nobody (add a `notify`).' }),
  z.strictObject({
    stderr: z.strictObject({
      text: z.string().meta({ description: 'The text as it is; no line end is added.' }),
      times: times.optional().meta({ description: 'So many times. Default: 1.' }),
    }),
  }).meta({ description: 'Writes on stderr, which over HTTP no client reads.' }),
  z.strictObject({ exit: z.int().min(0).max(255) }).meta({ description: 'End the process with this code, at once.' }),
  z.strictObject({ kill: z.enum(['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGINT', 'SIGHUP']) }).meta({ description: 'End the process by this signal, at once.' }),
  z.strictObject({ hang: z.literal(true) }).meta({ description: 'Stay alive, read nothing more, answer nothing more.' }),
  z.strictObject({ ignoreTerm: z.literal(true) }).meta({ description: 'From now on SIGTERM and end of input do not end the process; the trace notes each SIGTERM.' }),
  z.strictObject({
    spawn: z.strictObject({
      holdStdio: z.boolean().default(false).meta({ description: "stdio only: it keeps the pipes of the server open after the server's end." }),
      ignoreTerm: z.boolean().default(false).meta({ description: 'It does not end on SIGTERM.' }),
      ownGroup: z.boolean().default(false).meta({ description: 'It leads a process group of its own, so that a signal to the group of the server misses it.' }),
      lifetimeMs: z.int().min(1).max(120_000).default(30_000).meta({ description: 'After this time it ends itself, in milliseconds.' }),
    }),
  }).meta({ description: 'Start a grandchild that ends itself after its lifetime.' }),
  ...httpActions,
]);

/** One thing a rule does. */
export type Action = z.infer<typeof action>;

/** How a message is put on the wire. */
export type FrameOptions = z.infer<typeof frameOptions>;
