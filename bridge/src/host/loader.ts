/**
 * What the loaders of Cordis 3 and 4 have in common: entries of a config file, each of which becomes a plugin instance.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CordisContext } from './cordis-context.ts';

/** The loader of Cordis 4. */
interface Cordis4Loader {
  /** Resolves when no entry is importing or activating. */
  await(): Promise<void>;
}

/** The loader of Cordis 3. */
interface Cordis3Loader {
  entries(): Iterable<Cordis3Entry>;
}

interface Cordis3Entry {
  readonly options: { readonly name: string };
  readonly disabled: boolean;
  readonly parent: { readonly tree: { import(name: string): Promise<unknown> } };
  readonly fork?: { readonly runtime: { readonly plugin: object } };
}

/** The rest of a Cordis 3 context. */
interface Cordis3Root {
  readonly lifecycle: { flush(): Promise<void> };
  readonly registry: { delete(plugin: object): unknown };
}

/**
 * Resolves when every enabled entry of the config file was imported and its activation has settled, well or badly.
 * Resolves at once where no loader is.
 */
export async function loaderSettled(ctx: CordisContext): Promise<void> {
  const loader: unknown = ctx.get('loader');
  if (isCordis4Loader(loader)) {
    await loader.await();
  } else if (isCordis3Loader(loader) && isCordis3Root(ctx.root)) {
    // Imports are cached: when these have settled, so have the loader's own, and a turn later their plugins have begun.
    const entries = [...loader.entries()].filter((entry) => !entry.disabled);
    await Promise.allSettled(entries.map((entry) => entry.parent.tree.import(entry.options.name)));
    await nextTurn();
    await ctx.root.lifecycle.flush();
  }
}

/**
 * Ends the plugins of all entries in Cordis 3. Through the plugin registry, since an entry that ends in another way
 * is taken for switched off, and the loader writes that into the config file.
 */
export function unloadEntries(ctx: CordisContext): void {
  const loader: unknown = ctx.get('loader');
  const root = ctx.root;
  if (!isCordis3Loader(loader) || !isCordis3Root(root)) return;
  for (const { fork } of [...loader.entries()].toReversed()) {
    if (fork !== undefined) root.registry.delete(fork.runtime.plugin);
  }
}

function isCordis4Loader(loader: unknown): loader is Cordis4Loader {
  return isObject(loader) && 'await' in loader && typeof loader.await === 'function';
}

function isCordis3Loader(loader: unknown): loader is Cordis3Loader {
  return isObject(loader) && 'entries' in loader && typeof loader.entries === 'function';
}

function isCordis3Root(root: object): root is Cordis3Root {
  return 'lifecycle' in root && 'registry' in root;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
