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

/**
 * Left out of a subject's environment. Where it is set, Node before 22 reads every certificate of the machine at each
 * start, which more than doubles the time that a scripted server takes to begin; nothing that the suite starts speaks TLS.
 */
const COSTLY_NAME = 'NODE_EXTRA_CA_CERTS';

/** The environment of a subject, made of the one given. */
export function ambientOf(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [COSTLY_NAME]: _certificates, ...others } = environment;
  return { ...others, ...AMBIENT_CANARIES };
}

/** Makes this process's own environment that of a subject, for one that lives in it. */
export function enterAmbient(): void {
  delete process.env[COSTLY_NAME];
  Object.assign(process.env, AMBIENT_CANARIES);
}
