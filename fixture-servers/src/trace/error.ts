/** A line of a trace that is none. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
  readonly code = 'trace';
  readonly file: string;
  /** From 1; 0 when it is about the file as a whole. */
  readonly line: number;

  constructor(file: string, line: number, message: string, options?: ErrorOptions) {
    super(line === 0 ? `${file}: ${message}` : `${file}:${line}: ${message}`, options);
    this.file = file;
    this.line = line;
  }
}
