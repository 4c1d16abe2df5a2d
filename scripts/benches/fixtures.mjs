// Fixture servers under a controller in another process; see `fixture-process.mjs`.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./fixture-process.mjs', import.meta.url));

/**
 * @typedef {import('./bridge.mjs').Target} Target
 * @typedef {import('./fixture-process.mjs').Request} Request
 * @typedef {import('mcp-fixture-server/scenario').ScenarioInput} ScenarioInput
 * @typedef {import('mcp-fixture-server/scenario').Action} Action
 */

/** Starts the process. */
export async function startFixtures() {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let lastSeq = 0;
  child.on('message', (/** @type {{ seq: number, value?: unknown, error?: string }} */ { error, seq, value }) => {
    const waiter = waiting.get(seq);
    waiting.delete(seq);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(error));
  });
  const exited = new Promise((/** @type {(value: void) => void} */ resolve) => {
    child.once('exit', (code) => {
      for (const { reject } of waiting.values()) reject(new Error(`the process of the fixture servers ended with ${code}`));
      resolve();
    });
  });
  const next = (/** @type {number} */ seq) => new Promise((/** @type {(value: any) => void} */ resolve, reject) => void waiting.set(seq, { resolve, reject }));
  const ask = (/** @type {Request} */ request) => {
    lastSeq += 1;
    const answer = next(lastSeq);
    child.send({ seq: lastSeq, request });
    return answer;
  };
  await next(0);
  return {
    /** Where clients find the server. @returns {Promise<Target>} */
    serve: (/** @type {string} */ server, /** @type {'stdio' | 'http'} */ carrier, /** @type {ScenarioInput} */ scenario) => ask({ kind: 'serve', server, carrier, scenario }),
    /**
     * Lets the server do so; resolves when it has sent so many notices of a changed list.
     * @returns {Promise<{ since: number, endedAtMs: number, tookMs: number }>} the last one's time, on the clock of `nowMs`, and since the first
     */
    burst: (/** @type {string} */ server, /** @type {Action[]} */ actions, /** @type {number} */ notices) => ask({ kind: 'burst', server, actions, notices }),
    /** How often the list was asked for since. @returns {Promise<number>} */
    drains: (/** @type {string} */ server, /** @type {number} */ since) => ask({ kind: 'drains', server, since }),
    async close() {
      await ask({ kind: 'close' });
      await exited;
    },
  };
}

/** Milliseconds on the clock that all processes of one machine share. */
export function nowMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}
