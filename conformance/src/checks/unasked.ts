/** Whether a subject that declares to list afresh at each look does so. Pure. */
import type { History } from '../history/schema.ts';
import { eventsOf, received, registrySnapshots, scriptedServers, subjectOf } from '../history/views.ts';

/** Where a list changed, and where it was looked at afterwards. */
export interface Unasked {
  readonly program: number;
  readonly look: number;
}

/**
 * The last change of a server's list that a subject with a pull registry was looked at after and never asked for.
 * @param server only this one; otherwise any scripted server
 * @returns `undefined` where there is none, or the subject declares nothing of the kind
 */
export function listsUnasked(history: History, server?: string): Unasked | undefined {
  if (subjectOf(history)?.registry !== 'pull') return undefined;
  const looks = registrySnapshots(history).filter(({ event }) => event.cause === 'looked');
  for (const name of server === undefined ? scriptedServers(history) : [server]) {
    const program = eventsOf(history, 'program').findLast(({ event }) => event.server === name)?.index;
    if (program === undefined) continue;
    const look = looks.find(({ index }) => index > program)?.index;
    const asked = received(history, name, 'tools/list').some(({ index }) => index > program);
    if (look !== undefined && !asked) return { program, look };
  }
  return undefined;
}
