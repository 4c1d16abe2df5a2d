/**
 * The error type of the embedded host. A message says where, what and what to do; the cause is kept.
 */

/** What kind of failure, for programs. Names are stable; new ones may be added. */
export type HostErrorCode =
  /** A definition's name is not `^[A-Za-z0-9_-]{1,64}$` (S14). */
  | 'tool-name-invalid'
  /** The registry already holds a tool of that name (S32). */
  | 'tool-name-taken'
  /** A definition lacks a member that the registry calls. */
  | 'tool-definition-invalid'
  /** The host's own config is wrong. */
  | 'host-config-invalid'
  /** A plugin waits for a service that nobody provides. */
  | 'plugin-waiting'
  /** What was handed in is no plugin, or no Cordis context class. */
  | 'plugin-invalid'
  /** The host was disposed before. */
  | 'host-disposed'
  /** An image was refused by the attachment store. */
  | 'image-invalid'
  /** A stored image is missing, or its bytes are not those that were stored. */
  | 'image-unreadable'
  /** The attachment store could not write. */
  | 'store-failed'
  /** No route of that provider and model is configured. */
  | 'route-unknown';

/** An error of the embedded host. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
