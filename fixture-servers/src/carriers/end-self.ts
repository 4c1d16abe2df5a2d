/** A listener for an event that is expected and must not end the process. */
export function ignore(): void {
  // Nothing to do.
}

/** Ends this process by a signal, also one that it was told to ignore. */
export function killSelf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
