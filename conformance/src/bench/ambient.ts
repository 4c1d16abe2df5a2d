/**
 * Canaries in the environment of a subject: what its servers may inherit and what not (S51). They are there before the
 * subject starts, since a bridge may read its environment once.
 */

/** A value that occurs nowhere by chance: 64 characters, so that finding it in some text means a leak. */
function canary(word: string): string {
  return `canary-${word}-`.padEnd(64, 'x9Q2');
}

/** Names that S51 withholds: the four words in any case and anywhere, and the prefix. */
export const WITHHELD_NAMES = [
  'MCPBC_API_KEY', 'MCPBC_KEYRING', 'mcpbc_private_key_file', 'MCPBC_PASSWORD', 'MCPBC_DbPassword', 'MCPBC_SECRET',
  'mcpbc_client_secret_2', 'MCPBC_TOKEN', 'MCPBC_tokens_max', 'MCPBC_MONKEYS', 'DSH_MCPBC_HOME',
] as const;

/** Names that look a little like those and must be inherited. */
export const INHERITED_NAMES = [
  'MCPBC_PLAIN', 'mcpbc_lower', 'MCPBC_PASS', 'MCPBC_KE', 'MCPBC_TOKE', 'MCPBC_SECRE', 'MCPBC_DSH_HOME', 'DSHMCPBC',
] as const;

/** All canaries, name to value. */
export const AMBIENT_CANARIES: Readonly<Record<string, string>> = Object.fromEntries(
  [...WITHHELD_NAMES, ...INHERITED_NAMES].map((name) => [name, canary(name)]),
);

/** Puts the canaries into an environment, by default this process's own, where an in-process subject lives. */
export function installAmbientCanaries(environment: NodeJS.ProcessEnv = process.env): void {
  Object.assign(environment, AMBIENT_CANARIES);
}
