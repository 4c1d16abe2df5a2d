/**
 * A saved run, version 1: every attempt that a verdict was reached by, so that the judges of today can reach it again
 * without starting anything (`analyze`).
 *
 * The inputs of a property share what their preparation saw; so events are kept once, in one list, and an attempt names
 * the stretches of it that its judge reads.
 */
import { z } from 'zod';
import { historyEvent, type History } from './schema.ts';

/** The version a saved run names. */
export const SAVED_RUN_VERSION = 1;

/** From, and up to but without. */
const span = z.tuple([z.int().min(0), z.int().min(0)]);

const savedAttempt = z.strictObject({
  spans: z.array(span).meta({ description: 'Stretches of `events`, in order: this attempt’s history.' }),
  trouble: z.string().optional().meta({ description: 'Why the exercise did not come to its own end.' }),
  overLimit: z.boolean().optional().meta({ description: 'It was cut off by its own limit.' }),
});

const savedTrial = z.strictObject({
  role: z.enum(['input', 'shrunk']),
  labels: z.array(z.string()).optional(),
  attempts: z.array(savedAttempt).min(1),
});

/** A saved run. */
export const savedRun = z.strictObject({
  run: z.literal(SAVED_RUN_VERSION),
  check: z.string(),
  target: z.string(),
  seed: z.int(),
  suite: z.string().meta({ description: 'Version of the suite that ran it.' }),
  startedAt: z.string().meta({ description: 'When its certification began: a report and its runs name the same.' }),
  asked: z.int().optional().meta({ description: 'Of a property: how many inputs were to be tried.' }),
  trials: z.array(savedTrial).min(1),
  events: z.array(historyEvent),
}).meta({ title: 'MCP bridge conformance run' });

/** A saved run. */
export type SavedRun = z.infer<typeof savedRun>;
/** One attempt of it. */
export type SavedAttempt = z.infer<typeof savedAttempt>;

/** The history of one attempt. Positions out of range are nothing. */
export function historyOf(run: Pick<SavedRun, 'events'>, attempt: Pick<SavedAttempt, 'spans'>): History {
  return attempt.spans.flatMap(([from, to]) => run.events.slice(from, to));
}

/** Collects events once each, and says where a history's lie. */
export class EventTable {
  readonly events: History[number][] = [];
  readonly #places = new Map<History[number], number>();

  /** The stretches of `events` that are this history, in its order. */
  spansOf(history: History): [number, number][] {
    const spans: [number, number][] = [];
    for (const event of history) {
      const place = this.#placeOf(event);
      const last = spans.at(-1);
      if (last !== undefined && last[1] === place) last[1] = place + 1;
      else spans.push([place, place + 1]);
    }
    return spans;
  }

  #placeOf(event: History[number]): number {
    const known = this.#places.get(event);
    if (known !== undefined) return known;
    const place = this.events.push(event) - 1;
    this.#places.set(event, place);
    return place;
  }
}
