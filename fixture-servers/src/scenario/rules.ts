import { z } from 'zod';
import { action } from './actions.ts';
import { jsonObject, label } from './json.ts';

/** A number, or a closed range of which either end may be left open. Counting starts at 1. */
const ordinal = z.union([
  z.int().min(1),
  z.strictObject({
    from: z.int().min(1).optional().meta({ description: 'From this one on. Default: 1.' }),
    to: z.int().min(1).optional().meta({ description: 'Up to this one, included. Default: no end.' }),
  }),
]);

const TRIGGERS = ['method', 'spawn', 'inputEnd', 'after', 'signal', 'http'] as const;

/** When a rule applies. Exactly one trigger (`method`, `spawn`, `inputEnd`, `after`, `signal`, `http`), the rest narrows it. */
export const when = z
  .strictObject({
    method: z.string().optional().meta({ description: 'A request or notification of the client with this method.' }),
    spawn: z.literal(true).optional().meta({ description: 'The process has started.' }),
    inputEnd: z.literal(true).optional().meta({ description: 'The client closed our input; over HTTP: it deleted its session.' }),
    after: z.int().min(0).max(60_000).optional().meta({ description: 'Milliseconds after the start of the process, over HTTP of the session.' }),
    signal: label.optional().meta({ description: 'The control channel sent this signal.' }),
    http: z.enum(['GET', 'POST', 'DELETE', 'any']).optional().meta({
      description: 'HTTP only: a request with this method, before its message is looked at. `default` lets it go on.',
    }),
    origin: label.optional().meta({ description: 'HTTP only: with `http`, it came to this one of `http.origins`, or to `self`.' }),
    tool: z.string().optional().meta({ description: 'With method tools/call: params.name equals this.' }),
    params: jsonObject.optional().meta({
      description: 'Members that params must have, deeply; {"$any": true} matches any value that is present.',
    }),
    nth: ordinal.optional().meta({ description: 'Only the n-th match of this trigger in one process; over HTTP in one session, with `http` in the process. Default: each.' }),
    incarnation: ordinal.optional().meta({ description: 'Only in the n-th process, over HTTP the n-th session (see countFrom). Default: each.' }),
  })
  .superRefine((value, context) => {
    const triggers = TRIGGERS.filter((key) => key in value);
    if (triggers.length !== 1) {
      context.addIssue({
        code: 'custom',
        message: `give exactly one of ${TRIGGERS.join(', ')}; found ${triggers.join(' and ') || 'none'}`,
        // With none, the key that was meant may be there under a wrong name.
        params: triggers.length === 0 ? { lacks: [...TRIGGERS, 'tool'] } : {},
      });
    }
    if (value.origin !== undefined && value.http === undefined) {
      context.addIssue({ code: 'custom', path: ['origin'], message: 'goes with http: POST, GET, DELETE or any' });
    }
    if (value.tool !== undefined && value.method !== 'tools/call') {
      context.addIssue({ code: 'custom', path: ['tool'], message: 'goes with method: tools/call' });
    }
  });

/** One rule. The first rule that matches an event is performed, alone. */
export const rule = z.strictObject({
  id: label.optional().meta({ description: 'Named in the trace when it fires. Default: rule-<index>.' }),
  when: when.meta({ description: 'On what event: one trigger, and what narrows it.' }),
  do: z.array(action).min(1).max(1000).meta({ description: 'What is done, in order.' }),
});

/** When a rule applies. */
export type When = z.infer<typeof when>;
/** One rule. */
export type Rule = z.infer<typeof rule>;
