// A minimal driver without any library: what it does wrong, and in which method, is said by its arguments.
//   node scripted-driver.mjs [<method>=<fault>]…
// Faults are the cases of `fail`.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const faults = new Map(process.argv.slice(2).filter((word) => word.includes('=')).map((word) => word.split('=')));
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const description = {
  adapter: 1, name: 'scripted', version: '0.0.0', registry: 'push', servers: 'dynamic', names: { scheme: 'mcp-qualified-64-v1' },
  transports: ['stdio'], features: [], levels: ['core'], options: [],
  bounds: { settleMs: 50, closeMs: 50, reconnectMs: 50 }, fidelity: { keyOrder: true, bigNumbers: true },
};
const ready = ({ name }) => ({ name, status: 'ready' });
const answers = {
  describe: () => description,
  open: ({ servers }) => ({ servers: servers.map(ready) }),
  add: ({ server }) => ready(server),
  remove: () => ({}),
  reload: ready,
  close: () => ({}),
  tools: () => ({ revision: 0, tools: [] }),
  state: () => ({ servers: [] }),
  call: ({ arguments: value }) => ({ outcome: 'ok', executed: 'yes', view: [], value }),
  cancel: () => ({}),
  gate: () => ({}),
  'host/set': () => ({}),
};

/** Set by `hang`: nothing is answered any more, and neither the end of input nor SIGTERM ends it. */
let hung = false;
const waiting = [];

/** In a group of its own: only its parent or its environment tells of it. */
function startGrandchild() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true, stdio: 'ignore' });
  child.unref();
  process.stderr.write(`grandchild ${child.pid}\n`);
}

function fail(fault, { id, method, params }) {
  switch (fault) {
    case 'silent': return undefined;
    case 'hang': {
      hung = true;
      process.on('SIGTERM', () => undefined);
      setInterval(() => undefined, 1_000);
      startGrandchild();
      return undefined;
    }
    case 'exit': return process.stderr.write('the last words\n', () => process.exit(7));
    case 'flood': return process.stderr.write(`${'many\n'.repeat(20_000)}the last of many\n`, () => process.exit(7));
    case 'leave':
      startGrandchild();
      return process.stderr.write('', () => process.exit(0));
    case 'error': return send({ id, error: { code: -32000, message: 'no such luck' } });
    case 'invalid': return send({ id, result: { nothing: 'that fits' } });
    case 'latin':
      send({ method: 'log', params: { level: 'info', message: 'x' } });
      return process.stdout.write(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"a":"é"}}\n`, 'latin1'));
    case 'marked': return process.stdout.write(`\uFEFF${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) })}\n`);
    case 'ghost': return send({ id, result: { servers: [{ name: 'ghost', status: 'ready' }] } });
    case 'ghost-one': return send({ id, result: { name: 'ghost', status: 'ready' } });
    case 'forgets': return send({ id, result: { servers: [] } });
    case 'doubles': return send({ id, result: { servers: [...params.servers, ...params.servers].map(ready) } });
    case 'changes':
      send({ id, result: answers[method](params) });
      description.bounds.settleMs += 1;
      return undefined;
    case 'noise': return process.stdout.write('Listening on port 80\n');
    case 'unknown-id': return send({ id: 999, result: {} });
    case 'twice': {
      const result = answers[method](params);
      send({ id, result });
      return send({ id, result });
    }
    case 'missing': return send({ id, error: { code: -32601, message: 'no such method' } });
    case 'mute':
      closeSync(1);
      return setInterval(() => undefined, 1_000);
    case 'rumour': return send({ method: 'rumour', params: {} });
    case 'bad-log': return send({ method: 'log', params: { level: 'loud', message: 'x' } });
    case 'long': return process.stdout.write('x'.repeat(100_000));
    case 'request': return send({ id: 1, method: 'ping' });
    case 'version': return process.stdout.write(`${JSON.stringify({ jsonrpc: '1.0', id, result: {} })}\n`);
    case 'tells':
      send({ method: 'log', params: { level: 'info', message: 'x' } });
      send({ method: 'registry', params: { revision: 1, tools: [] } });
      send({ method: 'host-event', params: { event: 'e' } });
      return send({ id, result: answers[method](params) });
    // Answered only after the next request, in the other order.
    case 'late': return waiting.push({ id, result: answers[method](params) });
    default: throw new Error(`no fault ${fault}`);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (hung) return;
  const request = JSON.parse(line);
  const fault = faults.get(request.method);
  if (fault !== undefined) {
    fail(fault, request);
    return;
  }
  send({ id: request.id, result: answers[request.method](request.params) });
  for (const reply of waiting.splice(0)) send(reply);
}).on('close', () => {
  if (!hung) process.exit(0);
});
