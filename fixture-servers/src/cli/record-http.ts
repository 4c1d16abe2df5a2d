import type { RecorderIdentity } from '../trace/recorder.ts';
import type { BoundedTrace } from '../proxy/bounded-trace.ts';
import { UsageError } from './usage-error.ts';
export async function recordHttpUrl(url: string, _flags: { readonly maxBytes: number }, _open: (path: string, identity: RecorderIdentity, maxBytes: number) => BoundedTrace): Promise<void> {
  throw new UsageError(`--http ${url} is not built yet`, 'record a stdio server');
}
