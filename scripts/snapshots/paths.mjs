import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The root of the workspace. */
export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/**
 * A built module that no exports map offers: our own subjects and generators.
 * @param {string} file relative to the root
 */
export const built = (file) => import(pathToFileURL(path.join(root, file)).href);

/** The reference, as the suite operates it. @returns {Promise<import('mcp-bridge-conformance').BridgeAdapter>} */
export async function referenceAdapter() {
  const { createAdapter } = await built('conformance/dist/subjects/reference/index.js');
  return createAdapter();
}

/**
 * JSON as it is committed.
 * @param {unknown} value
 */
export const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
