/** Answers of a real server that are known beforehand, kept in the history beside the calls, so that a judge needs nothing else. */
import { z } from 'zod';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, pairedCalls, type PairedCall } from '../../history/views.ts';
import { note } from '../support/steps.ts';

const EVENT = 'known-answer';

const known = z.strictObject({
  callId: z.string(),
  ends: z.enum(['ok', 'error']),
  expect: z.string().meta({ description: 'Text that whoever reads the answer must find.' }),
});

/** What is known of one call. */
export type KnownAnswer = z.infer<typeof known>;

/** Keeps what is known of a call. */
export function noteAnswer(bench: Bench, answer: KnownAnswer): void {
  note(bench, EVENT, answer);
}

/** Calls whose answer is known to end so, each with what is known. */
export function knownAnswers(history: History, ends: KnownAnswer['ends']): { readonly call: PairedCall; readonly known: KnownAnswer }[] {
  const calls = pairedCalls(history);
  return eventsOf(history, 'host-event').flatMap(({ event }) => {
    const read = event.event === EVENT ? known.safeParse(event.detail) : undefined;
    if (read?.success !== true || read.data.ends !== ends) return [];
    const call = calls.find(({ callId }) => callId === read.data.callId);
    return call === undefined ? [] : [{ call, known: read.data }];
  });
}
