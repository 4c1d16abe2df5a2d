/**
 * The examples of the reference page: data in `reference/*.yaml`, each a whole file or a fragment with a stated frame,
 * and for scenarios what a client says and sees.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { FRAMES, frameNames } from './frames.ts';

const partial = z.unknown().meta({ description: 'A part of the message.' });
const json = z.record(z.string(), z.unknown());

/** One thing that a client does, or sees. */
export const talkStep = z.union([
  z.strictObject({ ask: z.string(), params: json.optional(), answer: partial.optional(), bytes: z.int().optional(), later: z.string().optional() }),
  z.strictObject({ answered: z.string(), answer: partial }),
  z.strictObject({ unanswered: z.string() }),
  z.strictObject({ lost: z.string() }),
  z.strictObject({ hear: json, times: z.int().optional() }),
  z.strictObject({ unheard: json }),
  z.strictObject({ listen: z.literal(true) }),
  z.strictObject({ seen: z.string() }),
  z.strictObject({ stderr: z.string() }),
  z.strictObject({ recorded: json, times: z.int().optional() }),
  z.strictObject({ release: z.string() }),
  z.strictObject({ signal: z.string() }),
  z.strictObject({ do: z.array(json) }),
  z.strictObject({ kill: z.enum(['SIGTERM']) }),
  z.strictObject({ end: z.literal(true) }),
  z.strictObject({ ends: z.union([z.strictObject({ code: z.int() }), z.strictObject({ signal: z.string() })]) }),
  z.strictObject({ connect: z.literal('again') }),
  z.strictObject({
    http: z.enum(['GET', 'POST', 'DELETE']), message: json.optional(), headers: z.record(z.string(), z.string()).optional(),
    status: z.int().optional(), has: z.record(z.string(), z.string()).optional(), body: z.string().optional(), is: z.string().optional(),
    broken: z.string().optional(), follow: z.literal(true).optional(),
  }),
]);

const example = z.strictObject({
  id: z.string().regex(/^[a-z-]+$/),
  shows: z.string().meta({ description: 'The section under which it stands.' }),
  says: z.string(),
  frame: z.enum(frameNames),
  on: z.enum(['stdio', 'streamable-http']).optional().meta({ description: 'The carrier it is for, where its words do not say so.' }),
  greet: z.boolean().default(true).meta({ description: 'Whether the client begins with `initialize`.' }),
  traced: z.array(json).optional().meta({ description: 'The tools of the trace that is given beside it.' }),
  yaml: z.string(),
  talk: z.array(talkStep).default([]),
  run: z.boolean().default(true).meta({ description: 'Cases: whether the reference bridge runs it in the tests of the suite.' }),
});

/** One example. */
export type Example = z.infer<typeof example>;
/** One thing that a client does, or sees. */
export type TalkStep = z.infer<typeof talkStep>;

/** The examples of a language, in the order of the page. @throws when the data is none */
export function examplesOf(language: 'scenario' | 'case'): Example[] {
  const file = new URL(`../../reference/${language}.yaml`, import.meta.url);
  return z.array(example).parse(parse(readFileSync(file, 'utf8')));
}

/** The whole file that an example stands for. */
export function completed({ frame, yaml }: Pick<Example, 'frame' | 'yaml'>): string {
  const { text, indent } = FRAMES[frame];
  const inner = yaml.trimEnd().split('\n').map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`)).join('\n');
  return `${text}${inner}\n`;
}

const wrongFile = z.strictObject({ says: z.string(), yaml: z.string() });

/** Files that are wrong, with what is. @throws when the data is none */
export function wrongFiles(): z.infer<typeof wrongFile>[] {
  return z.array(wrongFile).parse(parse(readFileSync(new URL('../../reference/wrong.yaml', import.meta.url), 'utf8')));
}
