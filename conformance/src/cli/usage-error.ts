/** A person's mistake on the command line: one line that says what is wrong and what to do, exit code 2, no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
