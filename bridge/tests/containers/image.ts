/** The image of a scripted server, made on first use by `scripts/container/image.mjs`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isJsonObject } from '../../src/json-shape.ts';

/** What containers are started from, or why they cannot be. */
export interface FixtureImage {
  readonly image: string | undefined;
  /** What a command in it begins with. */
  readonly command: readonly string[];
  readonly unavailable: string;
}

/** Makes the image if need be. */
export function fixtureImage(): FixtureImage {
  const script = fileURLToPath(new URL('../../../scripts/container/image.mjs', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  const told: unknown = stdout.trim() === '' ? {} : JSON.parse(stdout);
  const { image, command, unavailable } = isJsonObject(told) ? told : {};
  return {
    image: typeof image === 'string' ? image : undefined,
    command: Array.isArray(command) ? command.map(String) : [],
    unavailable: typeof unavailable === 'string' ? unavailable : stderr.slice(-2_000),
  };
}
