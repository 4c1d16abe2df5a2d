// A driver that neither the end of its input nor SIGTERM ends, and that never answers `open`. It has a helper which leaves its
// group and drops its environment. What its argument names gets a line with both ids when it is asked to open.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const description = {
  adapter: 1, name: 'stubborn', version: '0.0.0', registry: 'push', servers: 'dynamic', names: { scheme: 'mcp-qualified-64-v1' },
  transports: ['stdio'], features: [], levels: ['core'], options: [],
  bounds: { settleMs: 50, closeMs: 50, reconnectMs: 50 }, fidelity: { keyOrder: true, bigNumbers: true },
};
const [, , opened = ''] = process.argv;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'describe') process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: description })}\n`);
  if (method !== 'open') return;
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
  const helper = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true, stdio: 'ignore', env: {} });
  appendFileSync(opened, `${process.pid} ${helper.pid}\n`);
});
