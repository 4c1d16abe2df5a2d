import type { Output } from '../progress.ts';

/** What a command needs beside its words. */
export interface CommandContext {
  /** Where it writes for a person. */
  readonly out: Output;
  /** Told the exit code of the command that ran. */
  readonly exit: (code: number) => void;
}
