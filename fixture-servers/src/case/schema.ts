/**
 * The case, version 1: servers, host conditions and the client's steps in one file, what is attached to a bug report
 * (DESIGN.md §2, §5).
 */
import { z } from 'zod';
import { jsonObject, label, mapping } from '../scenario/json.ts';
import { scenario } from '../scenario/schema.ts';
import { caseHost, step } from './steps.ts';

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
  carrier: z.enum(['stdio', 'streamable-http']).default('stdio').meta({ description: 'How the bridge reaches it.' }),
  scenario: scenario.meta({ description: 'Its script.' }),
  open: z.boolean().default(true).meta({ description: 'Whether the step `open` includes it. Default true; false: for `add`.' }),
  options: jsonObject.optional().meta({ description: 'Config of the bridge for this server, beside how to reach it.' }),
});

/** A case as written. */
export const caseFile = z
  .strictObject({
    case: z.literal(CASE_VERSION).meta({ description: 'Version of the language.' }),
    id: label.meta({ description: 'What it is called, such as the id of its report.' }),
    title: z.string().meta({ description: 'One line that says what it shows.' }),
    area: z.enum(AREAS).meta({ description: 'The area of the catalogue it belongs to.' }),
    reports: z.array(z.string()).default([]).meta({ description: 'Public reports this reproduces.' }),
    servers: mapping(caseServer, 'The servers, by the name the bridge is told.'),
    host: caseHost.optional().meta({ description: 'What the host has. Default: nothing.' }),
    steps: z.array(step).min(1).max(10_000).meta({ description: 'What happens, one after the other.' }),
    judge: z.array(z.string()).min(1).meta({ description: 'Invariants that this case probes.' }),
    check: z.string().optional().meta({
      description: 'The check whose failure this case was written from, and whose judge reads what it shows. Written by the suite.',
    }),
  })
  .meta({ title: 'MCP bridge case', description: 'Servers, host and steps of one bug report.' });

/** A case with its defaults filled in. */
export type CaseFile = z.infer<typeof caseFile>;
/** A case as a person writes it. */
export type CaseInput = z.input<typeof caseFile>;

export { barrier, caseHost, step, type Barrier, type CaseHost, type Step } from './steps.ts';
export { callExpectation, expectation, type CallExpectation, type Expectation, type Often } from './expectations.ts';
