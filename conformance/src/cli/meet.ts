/**
 * Asks a subject who it is before anything else runs: a wrong adapter or driver is told at once and in one line.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import type { SubjectDescription } from '../adapter/messages.ts';
import { factoryOf, type SubjectWay } from '../runner/subject-way.ts';
import { SubjectWorker } from '../runner/subject-worker.ts';
import { workerLimits } from '../runner/worker-limits.ts';
import type { MeetReply } from './meet-child.ts';
import { UsageError } from './usage-error.ts';

/** For loading the suite's own modules in the process in which a subject module is met, in milliseconds. */
const LOAD_MS = 5_000;

/**
 * Who the subject is. A module is met in a process of its own, since it may never come back to the event loop.
 * @throws UsageError when it does not say so, in one line with the reason
 */
export async function meet(way: SubjectWay): Promise<SubjectDescription> {
  try {
    return way.kind === 'module' ? await meetModule(way.url) : await meetDriver(way);
  } catch (error) {
    if (isAdapterError(error)) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

async function meetDriver(way: SubjectWay): Promise<SubjectDescription> {
  const worker = new SubjectWorker(await factoryOf(way));
  try {
    return (await worker.live()).subject;
  } finally {
    await worker.end();
  }
}

async function meetModule(url: string): Promise<SubjectDescription> {
  const limitMs = workerLimits().startMs + LOAD_MS;
  const child = fork(fileURLToPath(new URL('./meet-child.js', import.meta.url)), [url]);
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
      // It has said everything; whatever it still does is of no use.
      child.kill('SIGKILL');
    };
    const refuse = (message: string): void => end(() => reject(new UsageError(message)));
    const timer = setTimeout(() => refuse(`the subject cannot be started: it did not come back within ${limitMs} ms, and was killed; createAdapter and describe have to settle`), limitMs);
    child.once('message', (reply: MeetReply) => {
      if ('subject' in reply) end(() => resolve(reply.subject));
      else refuse(reply.error);
    });
    child.once('error', (error) => refuse(`the subject cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => refuse(`the subject cannot be started: it ended its own process (${code === null ? signal ?? 'by a signal' : `code ${code}`})`));
  });
}
