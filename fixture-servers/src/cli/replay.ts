import { UsageError } from './usage-error.ts';
export interface ReplayFlags { readonly server?: string }
export async function replay(file: string, _flags: ReplayFlags, _write?: (line: string) => void): Promise<void> {
  throw new UsageError(`${file}: not built yet`, 'wait');
}
