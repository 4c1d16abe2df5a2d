/**
 * Kills what is left when the host ends without disposing its plugins: a child in a group of its own does not get the
 * terminal's Ctrl-C, and a server may ignore the end of its stdin (B07). A host that is killed outright runs no code;
 * then the end of stdin is all its servers get.
 */
import type { ProcessTree } from './process-tree.ts';

const guarded = new Set<ProcessTree>();

function killAll(): void {
  for (const tree of guarded) tree.signal('SIGKILL');
}

/**
 * Kills the tree when this process exits. There is one listener for all trees, and none while there is no tree (B24).
 * @returns ends the guard; idempotent.
 */
export function guardUntilReleased(tree: ProcessTree): () => void {
  if (guarded.size === 0) process.on('exit', killAll);
  guarded.add(tree);
  return () => {
    if (guarded.delete(tree) && guarded.size === 0) process.removeListener('exit', killAll);
  };
}
