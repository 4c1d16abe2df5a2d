/** Commands of the control channel: which of the states of a server they are for. */
import type { EngineEvent } from '../../engine/events.ts';
import { compileProgram, type Program } from '../../engine/program.ts';
import type { Action } from '../../scenario/schema.ts';
import type { Owner } from './owner.ts';
import type { ServerContext } from './server-context.ts';

/** A command that a server obeys. */
export type ServerCommand = Extract<EngineEvent, { type: 'release' | 'signal' | 'do' | 'program' }>;

/** Actions that are about the process: they are done once, whatever sessions there are. */
const OF_THE_PROCESS: ReadonlySet<string> = new Set([
  'down', 'up', 'restart', 'exit', 'kill', 'hang', 'ignoreTerm', 'stderr', 'spawn', 'delay', 'hold',
]);

/** Obeys a command. `closed`: sessions that are over and have lists on their way. @returns why it could not be obeyed. */
export function command(
  context: ServerContext, closed: ReadonlySet<Owner>, event: ServerCommand, replace: (program: Program) => void,
): string | undefined {
  const root = context.root();
  const live = [...context.sessions.values()];
  switch (event.type) {
    case 'program': {
      const program = compileProgram(event.scenario);
      replace(program);
      for (const owner of [root, ...live]) context.hear(owner, { ...event, program });
      return undefined;
    }
    case 'release':
      return anyObeys(context, [root, ...live, ...closed], event);
    case 'signal':
      return anyObeys(context, live.length === 0 ? [root] : live, event);
    default:
      if (event.actions.every((action) => isOfTheProcess(action)) || !context.options().sessions) return anyObeys(context, [root], event);
      if (live.length === 0) return 'no session is open; await the record of one first';
      return anyObeys(context, live, event);
  }
}

function isOfTheProcess(action: Action): boolean {
  return OF_THE_PROCESS.has(Object.keys(action)[0] ?? '');
}

/** It is enough that one obeys, for only one may be where the command applies. */
function anyObeys(context: ServerContext, owners: readonly Owner[], event: ServerCommand): string | undefined {
  const refusals = owners.map((owner) => context.hear(owner, event));
  return refusals.includes(undefined) ? undefined : refusals.at(0);
}
