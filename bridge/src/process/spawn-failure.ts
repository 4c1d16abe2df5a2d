/** Why a program could not be started, and what to do about it (B06). */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemCode } from '../transport/narrow.ts';

/**
 * One sentence for a person. Arguments and environment are left out: they may hold secrets (B18).
 * @param error what `spawn` threw or emitted.
 */
export function describeSpawnFailure(error: unknown, command: string, cwd: string | undefined): string {
  const code = systemCode(error);
  // The system reports a missing working directory as if the program were missing.
  if (cwd !== undefined && !isDirectory(cwd)) {
    return `the working directory ${JSON.stringify(cwd)} does not exist or is no directory; create it or correct \`cwd\``;
  }
  const program = JSON.stringify(command);
  switch (code) {
    case 'ENOENT':
      return (
        `the command ${program} was not found (ENOENT); install it, put its directory on the host's PATH, ` +
        'or give `command` as an absolute path (it is run without a shell, arguments belong in `args`)'
      );
    case 'EACCES':
      if (command.includes('/') && isDirectory(resolve(cwd ?? '.', command))) {
        return `the command ${program} is a directory, which cannot be run (EACCES); give the program in it as \`command\``;
      }
      return `the command ${program} may not be run (EACCES); make the file executable, or run it through its interpreter`;
    case 'E2BIG':
      return `the command ${program} could not be started (E2BIG): arguments and environment together are too long; shorten \`args\` or \`env\``;
    case 'ERR_INVALID_ARG_VALUE':
      return `the command ${program} could not be started: \`command\`, \`args\`, \`env\` or \`cwd\` is empty or contains a NUL character`;
    default:
      return `the command ${program} could not be started (${code ?? 'unknown reason'})`;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
