/** What a child process inherits of the host's environment (S51). Pure. */

/** Names that contain one of these, in any case, are not inherited (S51). */
const SECRET_WORDS = /KEY|PASSWORD|SECRET|TOKEN/i;

/** Names that begin with this are the host's own (S51). */
const HOST_PREFIX = 'DSH_';

/** Whether a variable's name says that its value is a secret (S51). */
export function isSecretName(name: string): boolean {
  return SECRET_WORDS.test(name);
}

/**
 * The environment of a child process: the ambient one without secrets and without the host's own variables, then the
 * configured one on top, which is never scrubbed (S51).
 *
 * The result has no prototype and names are data (B15): `__proto__` is a variable like any other, and nothing is
 * inherited from `Object.prototype`. Entries whose value is `undefined` do not exist.
 */
export function buildChildEnv(
  ambient: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = Object.setPrototypeOf({}, null);
  for (const [name, value] of Object.entries(ambient)) {
    if (value === undefined || isSecretName(name) || name.startsWith(HOST_PREFIX)) continue;
    env[name] = value;
  }
  for (const [name, value] of Object.entries(configured)) env[name] = value;
  return env;
}
