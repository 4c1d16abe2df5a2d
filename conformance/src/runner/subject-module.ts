/**
 * A subject module: what `--subject` names. It exports `createAdapter`.
 */
import { AdapterError, type AdapterFactory } from '../adapter/bridge-adapter.ts';

/**
 * Loads a subject module.
 * @param url of the module
 * @throws AdapterError `misuse` when it cannot be loaded or has no `createAdapter`.
 */
export async function loadSubject(url: string): Promise<AdapterFactory> {
  let loaded: { readonly createAdapter?: unknown };
  try {
    loaded = await import(/* @vite-ignore */ url);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new AdapterError('misuse', `the subject module ${url} cannot be loaded: ${why}`, { cause });
  }
  const { createAdapter } = loaded;
  if (!isFactory(createAdapter)) {
    throw new AdapterError('misuse', `the subject module ${url} exports no function "createAdapter"; see the README, "Write an adapter"`);
  }
  return createAdapter;
}

/** What it makes is checked reply by reply. */
function isFactory(value: unknown): value is AdapterFactory {
  return typeof value === 'function';
}
