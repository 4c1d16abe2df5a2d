/** How a process of ours ends itself, and how it does not let others end it. */
import type { Recorder } from '../trace/recorder.ts';

/** Outlives SIGTERM from now on; the trace notes each one that comes. */
export function outliveTerm(recorder: Recorder): void {
  // Once, however often a script says so.
  process.removeAllListeners('SIGTERM');
  process.on('SIGTERM', () => recorder.record({ kind: 'process', event: 'note', signal: 'SIGTERM', text: 'the client sent SIGTERM' }));
}

/** Ends this process by a signal, also one that it was told to ignore. */
export function killSelf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
