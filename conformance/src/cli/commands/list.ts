import type { Command } from 'commander';
import { list } from '../list.ts';
import type { CommandContext } from './context.ts';

/** `list`. */
export function registerList(program: Command, { out, exit }: CommandContext): void {
  program.command('list')
    .description('every check, its invariant and where it comes from')
    .option('--json', 'as JSON', false)
    .action(({ json }: { json: boolean }) => {
      list(json, out);
      exit(0);
    });
}
