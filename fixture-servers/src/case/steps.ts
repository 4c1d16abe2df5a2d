/** The steps of a case: what the client, the host and the servers do, one after the other. */
import { z } from 'zod';
import { action } from '../scenario/actions.ts';
import { jsonObject, jsonValue, label, mapping } from '../scenario/json.ts';
import { scenario } from '../scenario/schema.ts';
import { callExpectation, expectation } from './expectations.ts';

const routes = mapping(
  z.strictObject({
    inputModalities: z.array(z.string()).optional().meta({ description: 'What the route takes, such as `text` and `image`. Default: it declares nothing.' }),
  }),
  'Model routes and the input they declare.',
);
const attachmentStore = z.enum(['none', 'memory', 'refusing']);

/** What the host provides. */
export const caseHost = z.strictObject({
  environment: mapping(z.string(), "Added to the subject's own environment.").optional(),
  proxy: z.string().optional().meta({
    description: "A proxy the platform declares: its URL, or `suite` for the suite's own, by which alone its servers are reached, as `<server>.mcp.test`.",
  }),
  nativeTools: z.array(z.string()).optional().meta({ description: 'Tools of the host, registered before the bridge.' }),
  foreignTools: z.array(z.string()).optional().meta({
    description: 'Tools of another plugin, registered under these public names before the bridge.',
  }),
  attachmentStore: attachmentStore.default('none').meta({ description: 'Where images go. `refusing`: it takes none.' }),
  routes: routes.optional(),
});

/** Milliseconds after which a step stops waiting. */
const withinMs = z.int().min(1).max(120_000).optional().meta({ description: "How long it may take, in milliseconds. Default: the suite's bound for such a wait." });
const named = {
  as: z.string().max(1000).optional().meta({ description: 'The name of this wait in the history. Written by the suite.' }),
  withinMs,
};
const times = z.int().min(1).default(1).meta({ description: 'How often.' });
const server = label.meta({ description: 'The server that is meant.' });

/** A barrier: the step ends when the fact is there, or when its bound is reached. */
export const barrier = z.union([
  z.strictObject({ server, received: z.string(), times, ...named }).meta({
    description: 'The server received this method so many times since the case began.',
  }),
  z.strictObject({ server, answered: z.string(), times, ...named }).meta({
    description: 'The server answered requests of this method so many times since the case began.',
  }),
  z.strictObject({ server, sent: z.string(), times, ...named }).meta({
    description: 'The server sent notifications or requests of this method so many times since the case began.',
  }),
  z.strictObject({ server, started: z.int().min(1), ...named }).meta({ description: 'So many processes of it began.' }),
  z.strictObject({ server, fired: label, times, ...named }).meta({ description: 'This rule fired, so many times since the case began.' }),
  z.strictObject({ server, held: label, times, ...named }).meta({ description: 'This hold was reached, so many times since the case began.' }),
  z.strictObject({ server, ended: z.union([z.literal(true), z.int().min(1)]), ...named }).meta({
    description: 'The process ended; a number: so many of its processes did.',
  }),
  z.strictObject({ server, ready: z.literal(true), ...named }).meta({ description: 'The bridge says that the server is ready.' }),
  z.strictObject({ server, rawTools: z.array(z.string()), ...named }).meta({
    description: 'The registry holds exactly these tools of the server, by raw name.',
  }),
  z.strictObject({ server, offers: z.string(), ...named }).meta({ description: 'The registry holds this tool of the server.' }),
  z.strictObject({ server, repliedTo: jsonValue, ...named }).meta({
    description: "The client answered the server's request of this id.",
  }),
  z.strictObject({ describes: z.array(z.string()).max(10_000), only: z.boolean().optional().meta({ description: 'With `describes`: and no other tool. Default false.' }), ...named }).meta({
    description: 'The registry holds a tool with each of these descriptions, with the marks that the suite puts into them. Written by the suite.',
  }),
  z.strictObject({ hostEvent: z.string(), times, ...named }).meta({ description: 'The host told of this so many times since the case began.' }),
  z.strictObject({ warned: z.int().min(1), ...named }).meta({ description: 'The bridge logged so many warnings and errors since the case began.' }),
  z.strictObject({ call: label, withinMs }).meta({ description: 'This call settled.' }),
  z.strictObject({ step: label, withinMs }).meta({ description: 'The step with this id settled.' }),
]);

/** A step that is not awaited when it has an id; `await: {step: id}` waits for it. */
const id = label.optional().meta({ description: 'With a name it goes on at once, and `await: { step: <name> }` waits for it. Default: it waits.' });
const onServer = z.union([label, z.strictObject({ server, id })]);

/** One step of the client. An object with exactly one key. */
export const step = z.union([
  z.strictObject({
    open: z.union([
      z.literal(true),
      z.strictObject({
        servers: z.array(label).optional().meta({ description: 'These servers. Default: every server that does not say `open: false`.' }),
        host: caseHost.optional().meta({ description: "What the host has now. Default: the case's `host`." }),
        id,
      }),
    ]),
  }).meta({ description: 'The host starts, with the bridge and its servers. `true`: as the case says.' }),
  z.strictObject({ add: onServer }).meta({ description: 'A server is added to the bridge.' }),
  z.strictObject({ remove: onServer }).meta({ description: 'A server is removed from the bridge.' }),
  z.strictObject({ reload: onServer }).meta({ description: 'A server is removed and added again, as after a change of its config.' }),
  z.strictObject({
    call: z.strictObject({
      id: label.optional().meta({ description: 'For `abort` and `await`. Default: the call is awaited at once.' }),
      server,
      tool: z.string().meta({ description: 'Raw name.' }),
      arguments: jsonValue.optional().meta({ description: 'The arguments. Default {}.' }),
      probe: z.boolean().optional().meta({
        description: 'Whether the suite adds the argument `probe`, by which it finds the call on the wire. Default true.',
      }),
      agent: z.string().optional().meta({ description: 'For an agent on this route of `host.routes`.' }),
      via: z.enum(['model', 'program']).optional().meta({ description: 'Who calls. Default model.' }),
      policy: jsonObject.optional().meta({ description: "What a policy of the host does with the result: the driver protocol's `policy`." }),
      withinMs,
      expect: callExpectation.optional(),
    }),
  }).meta({ description: 'A tool is called, by its raw name.' }),
  z.strictObject({ callEach: z.literal(true) }).meta({ description: 'Calls every tool of the servers that is offered now, once.' }),
  z.strictObject({ abort: label }).meta({ description: 'The call with this id is aborted.' }),
  z.strictObject({ await: barrier }).meta({ description: 'Waits for a fact, never for a time.' }),
  z.strictObject({
    advance: z.union([
      z.strictObject({ server, release: label }).meta({ description: 'Releases the hold of this name.' }),
      z.strictObject({ server, signal: label }).meta({ description: 'Sends this signal to the rules.' }),
      z.strictObject({ server, do: z.array(action).min(1).meta({ description: 'Performs these actions now.' }) }),
      z.strictObject({ server, program: scenario.meta({ description: 'Gives it another script; what is held is still owed.' }) }),
    ]),
  }).meta({ description: 'Moves a server on, over the control channel.' }),
  z.strictObject({ configure: z.strictObject({ server, options: jsonObject.meta({ description: 'Config of the bridge for the server.' }) }) }).meta({
    description: 'Other `options` for this server, from the next step on that starts it.',
  }),
  z.strictObject({ look: z.literal(true) }).meta({ description: 'Looks at the registry.' }),
  z.strictObject({ environment: label }).meta({ description: 'Asks the newest process of this server what its environment is.' }),
  z.strictObject({
    gate: z.strictObject({
      gate: z.enum(['route-lookup', 'store', 'finalize']).meta({ description: 'What: the lookup of a route, the store of attachments, the end of an execution.' }),
      action: z.enum(['hold', 'release']).meta({ description: 'What is done to it.' }),
    }),
  }).meta({ description: 'Holds or releases something inside the host.' }),
  z.strictObject({
    host: z.strictObject({ routes: routes.optional(), attachmentStore: attachmentStore.optional().meta({ description: 'Where images go from now on. Default: as before.' }) }),
  }).meta({
    description: 'Changes a route or the store.',
  }),
  z.strictObject({ mark: z.string().min(1).max(1000) }).meta({ description: 'Leaves this word in the history. Written by the suite.' }),
  z.strictObject({ input: jsonValue }).meta({ description: 'What follows is one input of a property. Written by the suite.' }),
  z.strictObject({ expect: expectation }).meta({ description: 'Must be so now.' }),
  z.strictObject({ close: z.literal(true) }).meta({ description: 'The bridge is disposed of, and with it every server.' }),
]);

/** One step of the client. */
export type Step = z.infer<typeof step>;
/** A barrier. */
export type Barrier = z.infer<typeof barrier>;
/** What the host provides. */
export type CaseHost = z.infer<typeof caseHost>;
