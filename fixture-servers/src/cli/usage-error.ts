/** A mistake in the arguments: one line and a hint, exit code 2, never a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
  /** What to type instead. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
