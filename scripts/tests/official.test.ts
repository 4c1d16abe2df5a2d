/**
 * The official conformance kit's scenarios for a client that uses tools only, against the bridge. The kit runs in Node 24,
 * the bridge in the Node of this run.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { setUpNode24 } from '../node24/setup.mjs';

/** One line of the kit's `checks.json`. */
interface KitCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const node24 = setUpNode24();
const isThere = 'node' in node24;
const folder = mkdtempSync(path.join(tmpdir(), 'official-conformance-'));
const client = fileURLToPath(new URL('../official/client.mjs', import.meta.url));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('Node 24 is there, or this is no CI', () => {
  if (!isThere) console.warn(`NOT RUN: the official conformance scenarios, since Node 24 is missing: ${node24.unavailable}`);
  expect(isThere || process.env['CI'] === undefined).toBe(true);
});

/** What each scenario has to have looked at, so that an empty run is no pass. */
const SCENARIOS: readonly (readonly [string, readonly string[]])[] = [
  ['initialize', ['mcp-client-initialization']],
  ['tools_call', ['tool-add-numbers']],
  ['sse-retry', ['client-sse-graceful-reconnect', 'client-sse-retry-timing', 'client-sse-last-event-id']],
];

test.runIf(isThere).each(SCENARIOS)('the official scenario "%s" passes', async (scenario, wanted) => {
  if (!('node' in node24)) return;
  const kit = path.join(node24.packages, '@modelcontextprotocol/conformance/dist/index.js');
  const out = path.join(folder, scenario);
  const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(client)}`;
  const { stdout } = await promisify(execFile)(node24.node, [kit, 'client', '--command', command, '--scenario', scenario, '--output-dir', out], { timeout: 55_000 });
  const [run] = readdirSync(out);
  const checks: readonly KitCheck[] = JSON.parse(readFileSync(path.join(out, run ?? '', 'checks.json'), 'utf8'));
  expect(checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING'), stdout).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id)).toEqual(expect.arrayContaining([...wanted]));
});
