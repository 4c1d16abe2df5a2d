/**
 * Where things of this package lie, built or installed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: this file is `dist/cli/package-paths.js` in it. */
export const PACKAGE_DIR = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** The folder with the subjects that have names. */
export const SUBJECTS_DIR = path.join(PACKAGE_DIR, 'dist', 'subjects');

/** Name and version of the suite. */
export function suitePackage(): { readonly name: string; readonly version: string } {
  const read: { name: string; version: string } = JSON.parse(readFileSync(path.join(PACKAGE_DIR, 'package.json'), 'utf8'));
  return { name: read.name, version: read.version };
}
