// Clients that are the same for every server: they do as little as can be done.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';

/**
 * One server and a way to call its tool.
 * @typedef {{ call: () => Promise<void>, close: () => void }} Caller
 */

const CALL = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo', arguments: { a: 1 } } };
const INITIALIZE = {
  jsonrpc: '2.0', id: 'first', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

/**
 * Starts a program and talks to it over its standard streams.
 * @param {readonly string[]} args
 * @returns {Promise<Caller>}
 */
export async function stdioCaller(args) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  /** @type {Map<unknown, () => void>} */
  const waiting = new Map();
  let rest = '';
  let nextId = 1;
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      /** @type {{ id: unknown }} */
      const { id } = JSON.parse(line);
      waiting.get(id)?.();
      waiting.delete(id);
    }
  });
  const ask = (/** @type {object} */ message, /** @type {unknown} */ id) =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ ...message, id })}\n`);
    });
  await ask(INITIALIZE, 'first');
  child.stdin.write(`${JSON.stringify(INITIALIZED)}\n`);
  return {
    call() {
      nextId += 1;
      return ask(CALL, nextId);
    },
    close: () => void child.stdin.end(),
  };
}

/**
 * Starts a program that prints its URL and talks to it over HTTP, on connections that stay.
 * @param {readonly string[]} args
 * @returns {Promise<Caller>}
 */
export async function httpCaller(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((/** @type {(url: string) => void} */ resolve) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
  });
  const agent = new Agent({ keepAlive: true });
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  let nextId = 1;
  const send = (/** @type {object} */ message) =>
    new Promise((/** @type {(session: string | string[] | undefined) => void} */ resolve, reject) => {
      const body = JSON.stringify(message);
      const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) } }, (response) => {
        if ((response.statusCode ?? 0) >= 300) reject(new Error(`${url} answers ${response.statusCode}`));
        response.on('end', () => resolve(response.headers['mcp-session-id']));
        response.resume();
      });
      sent.on('error', reject);
      sent.end(body);
    });
  headers['mcp-session-id'] = String(await send(INITIALIZE));
  headers['mcp-protocol-version'] = '2025-11-25';
  await send(INITIALIZED);
  return {
    async call() {
      nextId += 1;
      await send({ ...CALL, id: nextId });
    },
    close() {
      agent.destroy();
      child.kill();
    },
  };
}
