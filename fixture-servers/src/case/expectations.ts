/**
 * What a case says has to be so. It is data: a person reads it in the file, and the suite judges it on what was observed.
 */
import { z } from 'zod';
import { jsonValue, label, mapping } from '../scenario/json.ts';

/** Which invariants an expectation speaks for. */
const speaksFor = {
  for: z.array(z.string()).min(1).optional().meta({
    description: 'Which of the invariants in `judge` break when this does not hold. Default: all of them.',
  }),
};

const texts = z.array(z.string()).min(1);
const outcome = z.enum(['ok', 'tool-error', 'failed', 'aborted', 'timed-out']);

/** What a call has to come to. */
export const callExpectation = z
  .strictObject({
    outcome: z.union([outcome, z.array(outcome).min(1)]).optional().meta({ description: 'How it ends; several where a bridge is free.' }),
    executed: z.enum(['yes', 'no', 'unknown']).optional().meta({ description: 'What the bridge says of its execution.' }),
    shows: texts.optional().meta({ description: 'Texts that the model or a person reads in its end, in this order.' }),
    hides: texts.optional().meta({ description: 'Texts that nobody reads in its end.' }),
    images: z.int().min(0).optional().meta({ description: 'How many images the model is shown.' }),
    maxChars: z.int().min(0).optional().meta({ description: 'The most characters of text that the model is shown.' }),
    value: jsonValue.optional().meta({ description: 'The canonical value, JSON-equal.' }),
    ...speaksFor,
  })
  .meta({ description: 'What the call has to come to.' });

/** How often something happened: exactly so often, or within bounds. */
export const often = z.union([
  z.int().min(0),
  z.strictObject({
    from: z.int().min(0).optional().meta({ description: 'At least so often. Default: 0.' }),
    to: z.int().min(0).optional().meta({ description: 'At most so often. Default: no end.' }),
  }),
]);

const server = label.meta({ description: 'The server that is meant.' });
const times = often.meta({ description: 'How often: a number, or {from, to}.' });

/** What has to be so at this step, of all that happened since the case began. */
export const expectation = z.union([
  z.strictObject({ server, received: z.string(), times, ...speaksFor }).meta({
    description: 'The server received this method so often.',
  }),
  z.strictObject({ server, fired: label, times, ...speaksFor }).meta({ description: 'This rule of the server fired so often.' }),
  z.strictObject({ server, started: often, ...speaksFor }).meta({ description: 'So many processes of the server began.' }),
  z.strictObject({ server, tools: z.array(z.string()), ...speaksFor }).meta({
    description: 'The registry holds exactly these tools of the server, by raw name, in this order.',
  }),
  z.strictObject({ server, status: z.array(z.enum(['ready', 'degraded', 'rejected'])).min(1), ...speaksFor }).meta({
    description: 'How the start of the server settled, the last time.',
  }),
  z.strictObject({ server, environment: mapping(z.string().nullable(), 'Name to value; null: not there.'), ...speaksFor }).meta({
    description: 'What the newest process of the server has in its environment.',
  }),
  z.strictObject({
    told: z.array(z.string()), server: server.optional(), levels: z.array(z.enum(['debug', 'info', 'warn', 'error'])).min(1).optional().meta({ description: 'With `told`: a log line, of one of these levels. Default: a message of a start.' }),
    ...speaksFor,
  }).meta({ description: 'One log line, or without `levels` one message of a start, holds all of these; with `server`, one about it.' }),
  z.strictObject({ untold: texts, ...speaksFor }).meta({
    description: 'None of these stands in anything that a model or a person could read: views, failures, messages, logs.',
  }),
]);

/** What a call has to come to. */
export type CallExpectation = z.infer<typeof callExpectation>;
/** What has to be so at a step. */
export type Expectation = z.infer<typeof expectation>;
/** How often something happened. */
export type Often = z.infer<typeof often>;
