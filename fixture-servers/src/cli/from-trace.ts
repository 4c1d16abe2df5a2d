import { UsageError } from './usage-error.ts';
export interface FromTraceFlags { readonly server?: string }
export async function fromTrace(file: string, _flags: FromTraceFlags, _write?: (line: string) => void): Promise<void> {
  throw new UsageError(`${file}: not built yet`, 'wait');
}
