/**
 * Meets the subject module that its argument names, and tells its parent.
 */
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import type { SubjectDescription } from '../adapter/messages.ts';
import { loadSubject } from '../runner/subject-module.ts';
import { SubjectWorker } from '../runner/subject-worker.ts';

/** What is told. */
export type MeetReply = { readonly subject: SubjectDescription } | { readonly error: string };

async function meetHere(url: string): Promise<MeetReply> {
  try {
    return { subject: (await new SubjectWorker(await loadSubject(url)).live()).subject };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { error: isAdapterError(error) ? text : `the subject cannot be started: ${text}` };
  }
}

process.send?.(await meetHere(process.argv[2] ?? ''));
