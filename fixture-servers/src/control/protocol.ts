/**
 * The control channel, version 1: newline-delimited JSON between one fixture process (which dials) and the controller
 * (which listens on loopback or a Unix socket). Its end is the end of the process (DESIGN.md §5).
 */
import { z } from 'zod';
import { action } from '../scenario/actions.ts';
import { label, mapping } from '../scenario/json.ts';
import { scenario } from '../scenario/schema.ts';
import { traceRecord } from '../trace/schema.ts';
import { CONTROL_VERSION } from './version.ts';

export { CONTROL_VERSION } from './version.ts';

const seq = z.int().min(0).meta({ description: 'Chosen by the controller; the acknowledgement carries it back.' });

/** From the fixture. */
export const fixtureMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hello'),
    control: z.literal(CONTROL_VERSION),
    secret: z.string(),
    server: z.string(),
    carrier: z.enum(['stdio', 'streamable-http']),
    pid: z.int(),
    argv: z.array(z.string()),
    cwd: z.string(),
    url: z.string().optional().meta({ description: 'Over HTTP: where it listens.' }),
  }),
  z.strictObject({ type: z.literal('trace'), record: traceRecord }),
  z.strictObject({ type: z.literal('ack'), seq, error: z.string().optional() }),
  z.strictObject({
    type: z.literal('environment'),
    seq,
    values: mapping(z.string().nullable(), 'By name; null: not set.'),
    names: z.array(z.string()).meta({ description: 'Every name in the environment of the process.' }),
  }),
]);

/** From the controller. */
export const controllerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('program'), seq, scenario, keepCounts: z.boolean().default(false) }).meta({
    description: 'A script for this process; the first one lets it begin to read its input. Replaces rules and tools.',
  }),
  z.strictObject({ type: z.literal('release'), seq, hold: label }),
  z.strictObject({ type: z.literal('signal'), seq, name: label }),
  z.strictObject({ type: z.literal('do'), seq, actions: z.array(action).min(1) }),
  z.strictObject({ type: z.literal('environment'), seq, names: z.array(z.string()) }).meta({
    description: 'Asks for the values of these variables: the canaries of the suite, never the whole environment.',
  }),
  z.strictObject({ type: z.literal('end'), seq }),
]);

/** From the fixture. */
export type FixtureMessage = z.infer<typeof fixtureMessage>;
/** From the controller. */
export type ControllerMessage = z.infer<typeof controllerMessage>;
