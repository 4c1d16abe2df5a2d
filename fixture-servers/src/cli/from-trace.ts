import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '../system-error.ts';
import { fromConversations } from '../trace/as-scenario/from-conversations.ts';
import { scenarioText } from '../trace/as-scenario/to-yaml.ts';
import { loadConversations } from '../trace/conversation/load.ts';
import { TraceError } from '../trace/error.ts';
import { printable } from '../trace/printable.ts';
import { isSameFile } from './same-file.ts';
import { UsageError } from './usage-error.ts';

/** The options of `from-trace`. */
export interface FromTraceFlags {
  readonly server?: string;
  readonly out?: string;
}

/** Writes the scenario of a trace. @throws TraceError, ScenarioError, UsageError */
export async function fromTrace(file: string, flags: FromTraceFlags): Promise<void> {
  if (flags.out !== undefined && isSameFile(file, flags.out)) throw new UsageError('--out is the trace itself', 'give --out another file');
  const conversations = await loadConversations(file, flags.server, (error) => process.stderr.write(`${printable(error.message)}; left out\n`));
  const text = textOf();
  if (flags.out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(flags.out, text);
  } catch (error) {
    throw new UsageError(`the scenario cannot be written: ${messageOf(error)}`, 'give --out a file that can be created');
  }

  function textOf(): string {
    try {
      return scenarioText(fromConversations(conversations), printable(basename(file)));
    } catch (error) {
      // Too many rules, or a value nested beyond the stack.
      if (error instanceof RangeError) throw new TraceError(file, 0, `cannot become a scenario: ${error.message}`, { cause: error });
      throw error;
    }
  }
}
