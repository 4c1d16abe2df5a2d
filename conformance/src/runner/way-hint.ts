/**
 * What a doubt is most likely about when the way to the subject is at fault and no message of it was wrong: an adapter that
 * answers well and does nothing. Pure.
 */
import type { History } from '../history/schema.ts';
import { listsUnasked } from '../checks/unasked.ts';
import { eventsOf, frames, scriptedServers } from '../history/views.ts';

/**
 * Said of a doubt about a subject that called a server ready which never heard of it, or that declares to list afresh and does
 * not; empty when there is nothing of that. A server cannot be ready before it was asked for its tools, so whatever the bridge is like, the adapter did not wait for it
 * or did not start it.
 */
export function wayHint(history: History): string {
  const scripted = new Set(scriptedServers(history));
  const ready = eventsOf(history, 'settled').flatMap(({ event }) => event.servers.filter(({ status }) => status === 'ready'));
  const silent = ready.find(({ name }) => scripted.has(name) && frames(history, { server: name, direction: 'client-to-server' }).length === 0);
  if (silent === undefined) return listsUnasked(history) === undefined ? '' : '; the subject declares registry: pull, did not list when looked at: who answers "tools" from a list that it keeps declares push';
  return `; "${silent.name}" was answered to be ready, and never received a message: look whether the adapter or driver starts what "open" and "add" give it, and answers when its tools are registered`;
}
