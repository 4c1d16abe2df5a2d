/**
 * Where the reference runs: the host is part of what is certified.
 */
import { Context } from 'cordis';
import { startCordis3Host, type DshHostOptions, type EmbeddedHost } from 'cordis-plugin-mcp-bridge/host';

/** One kind of host. */
export interface ReferenceHost {
  /** Part of the subject's name in a report; the first host needs none. */
  readonly label?: string;
  start(options: DshHostOptions): Promise<EmbeddedHost>;
}

/** The embedded host on Cordis 3.18: what `npm install cordis` gives. */
export const onCordis3: ReferenceHost = { start: (options) => startCordis3Host(Context, options) };
