/** Tests that need Node 24: run where it can be had, loudly not run elsewhere, and red in CI without it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** A Node 24 and the packages beside it. */
export interface Node24 {
  /** Path of the binary. */
  readonly node: string;
  /** Folder of the packages of the DeepSeek Harness that need it. */
  readonly packages: string;
}

const setup = fileURLToPath(new URL('../../../scripts/node24/setup.mjs', import.meta.url));

/** Defines a suite that needs Node 24. */
export function describeOnNode24(name: string, define: (node24: Node24) => void): void {
  const found = findNode24();
  if ('node' in found) {
    describe(name, () => define(found));
    return;
  }
  const what = `${name}: Node 24 is needed and not there: ${found.unavailable}`;
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') {
    test(name, () => expect.unreachable(what));
    return;
  }
  process.stderr.write(`\n*** NOT RUN *** ${what}\n\n`);
  test.skip(`${name} (NOT RUN: no Node 24)`);
}

function findNode24(): Node24 | { readonly unavailable: string } {
  const found: unknown = JSON.parse(execFileSync(process.execPath, [setup], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
  if (typeof found === 'object' && found !== null) {
    if ('node' in found && 'packages' in found) return { node: String(found.node), packages: String(found.packages) };
    if ('unavailable' in found) return { unavailable: String(found.unavailable) };
  }
  throw new TypeError(`${setup} printed ${JSON.stringify(found)}`);
}
