/** What went wrong on the control channel. */
export type ControlErrorCode =
  /** The fixture could not obey. */
  | 'refused'
  /** No process of this server is connected. */
  | 'no-process'
  /** The process ended before it acknowledged. */
  | 'process-ended'
  /** What was awaited did not come in time. */
  | 'timeout'
  /** The controller or server was closed. */
  | 'closed'
  /** A bound of the controller was reached. */
  | 'limit';

/** An error of the control channel: where, what, and what to do. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
