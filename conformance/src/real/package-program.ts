import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { RealServerError } from './real-server.ts';

/** What is read of a package's manifest. */
const manifest = z.looseObject({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});

/** A program that a package brings. */
export interface PackageProgram {
  /** The JavaScript file to give to Node. */
  readonly file: string;
  readonly version: string;
}

/**
 * Finds the program of an installed package through its manifest, so that no launcher stands between the subject and the
 * server. Throws `RealServerError` `not-installed`.
 */
export function packageProgram(packageName: string, resolve = createRequire(import.meta.url).resolve): PackageProgram {
  let path: string;
  try {
    path = resolve(`${packageName}/package.json`);
  } catch (cause) {
    throw notInstalled(packageName, 'it cannot be resolved', cause);
  }
  const read = manifest.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!read.success) throw notInstalled(packageName, 'its package.json has no version', read.error);
  const { bin, version } = read.data;
  const relative = typeof bin === 'string' ? bin : Object.values(bin ?? {})[0];
  if (relative === undefined) throw notInstalled(packageName, 'it brings no program (no "bin" in its package.json)');
  return { file: join(dirname(path), relative), version };
}

function notInstalled(packageName: string, why: string, cause?: unknown): RealServerError {
  return new RealServerError(
    'not-installed',
    `THE REAL SERVER ${packageName} WAS NOT USED: ${why}. Run "npm ci" at the root of the workspace, then certify again.`,
    { cause },
  );
}
