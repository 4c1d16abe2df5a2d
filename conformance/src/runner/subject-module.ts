/**
 * A subject module: what `--subject` names. It exports `createAdapter`.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AdapterError, type AdapterFactory } from '../adapter/bridge-adapter.ts';

/** How long Node may take to look through a module that cannot be loaded, in milliseconds. */
const SYNTAX_CHECK_MS = 5_000;

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
    throw new AdapterError('misuse', `the subject module ${url} cannot be loaded: ${why}${hintAbout(url, cause)}`, { cause });
  }
  const { createAdapter } = loaded;
  if (!isFactory(createAdapter)) {
    throw new AdapterError('misuse', `the subject module ${url} exports no function "createAdapter"; see the README, "In TypeScript: an adapter"`);
  }
  return createAdapter;
}

/** What to do about a module that cannot be loaded, where that can be known. */
function hintAbout(url: string, cause: unknown): string {
  if (/\.[cm]?tsx?$/.test(url)) return '; compile it, and name the JavaScript that comes of it';
  return cause instanceof SyntaxError ? placeIn(url) : '';
}

/** Where a module's syntax is wrong. The error of an import does not say it; what Node prints does. */
function placeIn(url: string): string {
  if (!url.startsWith('file:')) return '';
  const { stderr } = spawnSync(process.execPath, ['--check', fileURLToPath(url)], { encoding: 'utf8', timeout: SYNTAX_CHECK_MS });
  const line = /:(\d+)$/.exec(stderr.split('\n', 1)[0] ?? '')?.[1];
  return line === undefined ? '; look through it and what it imports with: node --check <file>' : ` (line ${line})`;
}

/** What it makes is checked reply by reply. */
function isFactory(value: unknown): value is AdapterFactory {
  return typeof value === 'function';
}
