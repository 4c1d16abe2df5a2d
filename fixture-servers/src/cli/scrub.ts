import { UsageError } from './usage-error.ts';
export interface ScrubFlags { readonly server?: string }
export async function scrub(file: string, _flags: ScrubFlags, _write?: (line: string) => void): Promise<number> {
  throw new UsageError(`${file}: not built yet`, 'wait');
}
