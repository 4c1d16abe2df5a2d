/** The truth of a real server beside what a subject offers. Pure. */
import type { OfferedTool } from '../../adapter/messages.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, isObject, registrySnapshots, type At } from '../../history/views.ts';

/** One tool as the server lists it. */
export interface TruthTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** What the server lists, in order. Empty in a history without a truth. */
export function truthTools(history: History): readonly TruthTool[] {
  return eventsOf(history, 'truth').flatMap(({ event }) => event.tools).flatMap((tool): TruthTool[] => {
    if (!isObject(tool) || typeof tool['name'] !== 'string') return [];
    const { name, description, inputSchema } = tool;
    return [{ name, description: typeof description === 'string' ? description : '', inputSchema }];
  });
}

/**
 * The offered tool with the description of a listed one: the same text, or one that contains it, for a bridge that adds
 * to it. Names play no part: how they are made is the subject's own affair.
 */
export function offeredFor(truth: TruthTool, offered: readonly OfferedTool[]): OfferedTool | undefined {
  return offered.find(({ description }) => description === truth.description) ?? offered.find(({ description }) => description.includes(truth.description));
}

/** The registry as it was when the subject had opened, or the first look after. */
export function openRegistry(history: History): At<readonly OfferedTool[]> | undefined {
  const settled = eventsOf(history, 'settled').find(({ event }) => event.step === 'open');
  const found = settled === undefined ? undefined : registrySnapshots(history).find(({ index, event }) => index > settled.index && event.cause === 'looked');
  return found === undefined ? undefined : { index: found.index, event: found.event.tools };
}
