// Fixture servers with nobody listening to what they observe: the telling costs time, and would hide part of a difference.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURE = fileURLToPath(new URL('../../fixture-servers/bin/mcp-fixture-server.js', import.meta.url));

/**
 * @typedef {import('./bridge.mjs').Target} Target
 */

/**
 * Serves a scenario on a carrier: on stdio whoever connects starts the process, over HTTP it is started here.
 * @param {'stdio' | 'http'} carrier
 * @param {object} scenario
 * @returns {Promise<{ target: Target, close: () => void }>}
 */
export async function serveByHand(carrier, scenario) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcp-bench-'));
  const file = path.join(folder, 'scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (carrier === 'stdio') return { target: { transport: 'stdio', command: process.execPath, args: [FIXTURE, 'serve', file] }, close: remove };
  const child = spawn(process.execPath, [FIXTURE, 'serve', file, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((/** @type {(url: string) => void} */ resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
    child.once('exit', (code) => reject(new Error(`the fixture server ended with ${code} before it served`)));
  });
  return {
    target: { transport: 'streamable-http', url },
    close() {
      child.kill();
      remove();
    },
  };
}
