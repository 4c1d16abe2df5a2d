// A server for the connection tests: newline JSON-RPC on stdin and stdout. What it does is said by the names of the tools
// that are called; how it starts and leaves, by its arguments. It ends itself after a minute, whatever happens.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';

const flags = new Map(process.argv.slice(2).map((arg) => {
  const [name, ...value] = arg.split('=');
  return [name, value.join('=')];
}));
setTimeout(() => process.exit(99), 60_000).unref();
const keepAlive = setInterval(() => {}, 1_000);
if (flags.has('--ignore-term')) process.on('SIGTERM', () => {});
if (flags.has('--stderr')) process.stderr.write(`${flags.get('--stderr')}\n`);
if (flags.has('--noise')) process.stdout.write(`${flags.get('--noise')}\n`);
if (flags.has('--exit-at-start')) process.exit(Number(flags.get('--exit-at-start')));

const received = [];
const held = [];
let nextId = 1;
const asked = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const tools = {
  echo: (args) => ({ structuredContent: args }),
  env: () => ({ structuredContent: process.env }),
  pid: () => ({ structuredContent: { pid: process.pid, argv: process.argv.slice(2), cwd: process.cwd() } }),
  received: () => ({ structuredContent: { messages: [...received] } }),
  big: ({ bytes }) => ({ content: [{ type: 'text', text: 'x'.repeat(bytes) }] }),
  stderr: ({ text, times = 1 }) => {
    for (let n = 0; n < times; n += 1) process.stderr.write(text);
    return {};
  },
  noise: ({ lines }) => {
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return {};
  },
  notify: ({ method, times = 1 }) => {
    for (let n = 0; n < times; n += 1) send({ method });
    return {};
  },
};

/** Tools that answer later, never, or in another way. */
const acts = {
  hang: (id) => held.push(id),
  release: (id) => {
    for (const late of held.splice(0)) send({ id: late, result: { late: true } });
    send({ id, result: {} });
  },
  fail: (id, { code, message }) => send({ id, error: { code, message } }),
  exit: (_id, { code }) => process.exit(code),
  answerAndExit: (id, { code, text }) => {
    const answered = JSON.stringify({ jsonrpc: '2.0', id, result: { text } });
    process.stdout.write(`${answered}\n`, () => process.exit(code));
  },
  die: (_id, { signal }) => process.kill(process.pid, signal),
  raw: (id, { text }) => process.stdout.write(text.replaceAll('%ID%', String(id))),
  closeStdin: (id) => {
    process.stdin.destroy();
    closeSync(0);
    send({ id, result: {} });
  },
  closeStdout: () => closeSync(1),
  stopReading: () => process.stdin.pause(),
  ask: (id, { method, params }) => {
    const askId = `ask-${nextId++}`;
    asked.set(askId, (reply) => send({ id, result: { structuredContent: reply } }));
    send({ id: askId, method, ...(params === undefined ? {} : { params }) });
  },
  flood: (id, { times }) => {
    for (let n = 0; n < times; n += 1) send({ id: `flood-${n}`, method: 'ping' });
    send({ id, result: {} });
  },
  helper: (id, { ignoreTerm = false, detached = false }) => {
    const code = `${ignoreTerm ? 'process.on("SIGTERM", () => {});' : ''}
      setTimeout(() => process.exit(), 60000); process.send("ready"); process.disconnect();`;
    const child = spawn(process.execPath, ['-e', code], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached });
    child.once('message', () => {
      child.unref();
      send({ id, result: { structuredContent: { pid: child.pid } } });
    });
  },
};

function answer(message) {
  const { id, method, params } = message;
  if (method === 'initialize') {
    if (flags.has('--exit-at-initialize')) process.exit(Number(flags.get('--exit-at-initialize')));
    if (flags.has('--hang-at-initialize')) return;
    if (flags.has('--initialize-error')) {
      send({ id, error: { code: -32000, message: flags.get('--initialize-error') } });
      return;
    }
    const protocolVersion = flags.get('--version') ?? params.protocolVersion;
    const usual = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'scripted', version: '1.0.0' } };
    send({ id, result: flags.has('--initialize-result') ? JSON.parse(flags.get('--initialize-result')) : usual });
  } else if (method === 'tools/list') {
    const page = flags.has('--list-result') ? JSON.parse(flags.get('--list-result')) : { tools: Object.keys(tools).map((name) => ({ name })) };
    send({ id, result: page });
  } else if (method === 'tools/call' && tools[params.name]) send({ id, result: tools[params.name](params.arguments) });
  else if (method === 'tools/call' && acts[params.name]) acts[params.name](id, params.arguments);
  else send({ id, error: { code: -32601, message: 'Method not found' } });
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    received.push(message);
    if (message.method === undefined) {
      asked.get(message.id)?.(message);
      asked.delete(message.id);
    } else if (message.id !== undefined) answer(message);
  }
});
process.stdin.on('end', () => {
  if (!flags.has('--ignore-end')) clearInterval(keepAlive);
});
