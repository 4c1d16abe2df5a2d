import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, ControlError, ended, fired, held, received, sent, startController, type Controller } from 'mcp-fixture-server/control';
import { identify, isRunning } from '../../src/control/processes.ts';
import { readTrace } from '../../src/trace/reader.ts';
import { startClient } from '../client.ts';

let controller: Controller;
beforeEach(async () => {
  controller = await startController();
});
afterEach(() => controller.close());

describe('a controller', () => {
  it('hears the hello of a process: arguments, folder and the canaries it asks for', async () => {
    const server = controller.serve('a', { scenario: 1 });
    const client = startClient(server.command, [...server.args, 'a b', '$HOME', '--server', '']);
    await client.handshake();
    const [first] = server.processes;
    expect(first).toMatchObject({ pid: client.process.pid, cwd: process.cwd(), alive: true });
    expect(first?.argv.slice(-4)).toEqual(['a b', '$HOME', '--server', '']);
    const environment = await server.environment(['PATH', 'NO_SUCH_VARIABLE']);
    expect(environment.values).toEqual({ PATH: process.env['PATH'], NO_SUCH_VARIABLE: null });
    expect(environment.names).toContain('PATH');
  });

  it('holds a listing, changes the list, releases it, and hears all of it', async () => {
    const server = controller.serve('a', {
      scenario: 1, tools: [{ name: 'old' }], toolLists: { new: [{ name: 'new' }] },
      rules: [{ id: 'slow', when: { method: 'tools/list', nth: 1 }, do: [{ hold: 'h' }, { default: {} }] }],
    });
    const client = startClient(server.command, server.args);
    await client.handshake();
    const listing = client.ask('tools/list');
    await server.waitFor(held('h'));
    await client.ask('ping');
    await server.do([{ setTools: { list: 'new' } }, { notify: { method: 'notifications/tools/list_changed' } }]);
    expect(server.records.some(sent('notifications/tools/list_changed'))).toBe(true);
    await server.release('h');
    expect((await listing).result?.tools).toMatchObject([{ name: 'new' }]);
    await server.waitFor(fired('slow'));
    const answer = await server.waitFor(answered(2));
    expect(answer).toMatchObject({ kind: 'frame', message: { result: { tools: [{ name: 'new' }] } } });
  });

  it('reprograms a live process, and those that come after it', async () => {
    const server = controller.serve('a', { scenario: 1, tools: [{ name: 'one' }] });
    const first = startClient(server.command, server.args);
    await first.handshake();
    await server.program({ scenario: 1, tools: [{ name: 'two' }] });
    expect((await first.ask('tools/list')).result?.tools).toMatchObject([{ name: 'two' }]);
    const second = startClient(server.command, server.args);
    await second.handshake();
    expect((await second.ask('tools/list')).result?.tools).toMatchObject([{ name: 'two' }]);
    expect(server.processes.map(({ pid }) => pid)).toEqual([first.process.pid, second.process.pid]);
  });

  it('gives each incarnation its own list, the first of which ends in a call', async () => {
    const server = controller.serve('a', {
      scenario: 1, tools: [{ name: 'healthy' }], toolLists: { sick: [{ name: 'sick' }] },
      rules: [
        { when: { method: 'initialize', incarnation: 1 }, do: [{ setTools: { list: 'sick' } }, { default: {} }] },
        { id: 'dies', when: { method: 'tools/call', incarnation: 1 }, do: [{ exit: 3 }] },
      ],
    });
    const lists: unknown[] = [];
    for (const name of ['sick', 'healthy']) {
      const client = startClient(server.command, server.args);
      await client.handshake();
      lists.push((await client.ask('tools/list')).result?.tools?.map((tool) => tool.name));
      const call = client.ask('tools/call', { name });
      if (name === 'sick') {
        await expect(call).rejects.toThrow('ended with 3');
        await server.waitForProcessEnd(0);
      } else {
        await expect(call).resolves.toMatchObject({ result: {} });
      }
    }
    expect(lists).toEqual([['sick'], ['healthy']]);
    expect(server.records.find(ended())).toMatchObject({ code: 3, incarnation: 1 });
    expect(server.processes.map(({ alive }) => alive)).toEqual([false, true]);
  });

  it('hears of a process that was killed from outside', async () => {
    const server = controller.serve('a', { scenario: 1 });
    const client = startClient(server.command, server.args);
    await client.handshake();
    client.process.kill('SIGKILL');
    expect(await server.waitFor(ended())).toMatchObject({ kind: 'process', event: 'exit', pid: client.process.pid });
    await server.waitForProcessEnd();
    await expect(server.signal('x')).rejects.toMatchObject({ code: 'no-process' });
  });

  it('rejects what the fixture refuses, with its words', async () => {
    const server = controller.serve('a', { scenario: 1 });
    await expect(server.release('h')).rejects.toMatchObject({ code: 'no-process' });
    const client = startClient(server.command, server.args);
    await client.handshake();
    await expect(server.release('h')).rejects.toThrow('nothing waits at the hold "h"; held now: none');
    await expect(server.signal('s')).rejects.toThrow('no rule waits for the signal "s"');
    await expect(server.do([{ default: {} }])).rejects.toThrow('answers a request, and here is none');
    await expect(server.do([{ closeSession: true }])).rejects.toThrow('`closeSession` is for the carrier streamable-http');
    await expect(server.program({ scenario: 1, tools: [{ fromTrace: 1 }] })).rejects.toThrow('tools `fromTrace`');
    await expect(client.ask('ping')).resolves.toMatchObject({ result: {} });
  });

  it('says what was awaited and what came instead, when it did not come in time', async () => {
    const server = controller.serve('a', { scenario: 1 });
    const client = startClient(server.command, server.args);
    await client.handshake();
    await server.waitFor(received('initialize'));
    const error = await server.waitFor(received('tools/list'), { timeoutMs: 20, what: 'a listing' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ControlError);
    expect(String(error)).toContain('server "a": waited 20 ms for a listing, which did not come.');
    expect(String(error)).toContain('--> {"jsonrpc":"2.0","id":1,"method":"initialize"');
  });

  it('acknowledges an end before it comes', async () => {
    const server = controller.serve('a', { scenario: 1 });
    const client = startClient(server.command, server.args);
    await client.handshake();
    await server.do([{ notify: { method: 'bye' } }, { exit: 5 }]);
    expect(await client.ended).toEqual({ code: 5, signal: null });
    expect(client.messages.at(-1)).toMatchObject({ method: 'bye' });
  });

  it('ends its processes without a word on their stderr', async () => {
    const server = controller.serve('a', { scenario: 1 });
    const client = startClient(server.command, server.args);
    await client.handshake();
    await server.close();
    expect((await client.ended).code).toBe(70);
    expect(client.stderr()).toBe('');
  });

  it.each(['HTTP/1.1 400 Bad Request\r\n', '5\n', '{"type":"end"}\n'])('is not taken for one when it answers %j', async (answer) => {
    const stranger = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(answer);
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const address = stranger.address();
    const server = controller.serve('a', { scenario: 1 });
    const port = typeof address === 'object' ? address?.port : undefined;
    const client = startClient(server.command, server.args.map((arg, index) => (server.args[index - 1] === '--control' ? `127.0.0.1:${port}` : arg)));
    expect((await client.ended).code).toBe(70);
    expect(client.stderr()).toMatch(/^\S+: control 127\.0\.0\.1:\d+: what answers there is no controller \(.+\); give --control the address that a controller names\n$/);
    stranger.close();
  });

  it('takes only processes that know the secret', async () => {
    const server = controller.serve('a', { scenario: 1 });
    const args = server.args.map((arg, index) => (server.args[index - 1] === '--secret' ? 'wrong' : arg));
    const client = startClient(server.command, args);
    expect((await client.ended).code).toBe(70);
    expect(client.stderr()).toContain('closed before it answered; give the --secret');
    expect(server.processes).toEqual([]);
    const address = server.args[server.args.indexOf('--control') + 1] ?? '';
    const port = Number(address.split(':')[1]);
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => {
      socket.on('close', resolve);
    });
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\n\n');
    await closed;
  });

  it('may listen on a Unix socket, and have the trace written beside', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fixture-socket-'));
    const other = await startController({ socketPath: join(folder, 's') });
    const server = other.serve('a', { scenario: 1 }, { traceFile: join(folder, 't.jsonl') });
    const client = startClient(server.command, server.args);
    await client.handshake();
    await server.do([{ exit: 0 }]);
    await client.ended;
    await server.waitFor(ended());
    await other.close();
    const written = readTrace(readFileSync(join(folder, 't.jsonl'), 'utf8'));
    expect(written).toEqual(server.records);
    rmSync(folder, { recursive: true });
  });

  it('is heard through a flood that nobody reads', async () => {
    const server = controller.serve('a', { scenario: 1 });
    const client = startClient(server.command, server.args);
    await client.handshake();
    client.process.stdout.pause();
    await server.do([{ notify: { method: 'n', params: { text: 'x'.repeat(2000) }, frame: { times: 5000 } } }]);
    expect((await server.environment([])).names.length).toBeGreaterThan(0);
    client.process.stdout.resume();
    await server.waitFor(sent('n', 5000));
    await client.ask('ping');
    expect(client.messages.filter(({ method }) => method === 'n')).toHaveLength(5000);
  });

  it('refuses a name twice, until it is free again', async () => {
    const first = controller.serve('__proto__', { scenario: 1 });
    expect(() => controller.serve('__proto__', { scenario: 1 })).toThrow('there is a server "__proto__" already');
    await first.close();
    expect(controller.serve('__proto__', { scenario: 1 }).name).toBe('__proto__');
    expect(() => controller.serve('http', { scenario: 1, rules: [{ when: { http: 'any' }, do: [{ drop: true }] }] })).toThrow(
      'server "http": rules[0].when.http: is for the carrier streamable-http; serve it there, or use `method`',
    );
  });

  it('bounds the records of a server and says so', async () => {
    const server = controller.serve('a', { scenario: 1 }, { maxRecords: 4 });
    const client = startClient(server.command, server.args);
    await client.ask('ping').catch(() => undefined);
    client.send({ id: 77, method: 'ping' });
    await client.ended;
    expect(server.records).toHaveLength(4);
    await expect(server.waitFor(received('never'))).rejects.toThrow('more than 4 records');
  });
});

describe('the end of a controller', () => {
  it('leaves no process: hung ones, those that ignore SIGTERM, and grandchildren go', async () => {
    const server = controller.serve('a', {
      scenario: 1,
      rules: [
        { when: { signal: 'ignore' }, do: [{ ignoreTerm: true }] },
        { when: { signal: 'hang' }, do: [{ hang: true }] },
        { when: { signal: 'family' }, do: [{ spawn: { holdStdio: true, ignoreTerm: true, ownGroup: true } }, { spawn: {} }, { notify: { method: 'ready' } }] },
      ],
    });
    const clients = [1, 2, 3].map(() => startClient(server.command, server.args));
    await Promise.all(clients.map((client) => client.handshake()));
    await server.signal('family');
    await server.waitFor(sent('ready', 3));
    await server.signal('ignore');
    await server.signal('hang');
    const children = server.records.flatMap((record) => (record.kind === 'process' && record.childPid !== undefined ? [record.childPid] : []));
    expect(children).toHaveLength(6);
    const everybody = [...clients.map((client) => client.process.pid ?? 0), ...children].map(identify);
    expect(everybody.every(isRunning)).toBe(true);
    const run = server.args[server.args.indexOf('--run') + 1] ?? '';
    expect(existsSync(dirname(run))).toBe(true);
    await controller.close();
    expect(everybody.filter(isRunning)).toEqual([]);
    expect(existsSync(dirname(run))).toBe(false);
    expect(() => controller.serve('b', { scenario: 1 })).toThrow('closed');
  });

  it('leaves no process when the controller dies with its test', async () => {
    const script = `
      import { startController, received } from 'mcp-fixture-server/control';
      import { spawn } from 'node:child_process';
      const controller = await startController();
      const server = controller.serve('a', { scenario: 1, rules: [{ when: { method: 'ping' }, do: [{ ignoreTerm: true }, { hang: true }] }] });
      const child = spawn(server.command, server.args, { stdio: ['pipe', 'inherit', 'inherit'], detached: true });
      child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\\n');
      await server.waitFor(received('ping'));
      console.log(JSON.stringify({ id: child.pid }));
      process.kill(process.pid, 'SIGKILL');
    `;
    const test = startClient(process.execPath, ['--input-type=module', '-e', script]);
    // Its pipes are inherited by the fixture: they close when both are gone.
    await test.ended;
    const pid = test.messages[0]?.id;
    expect(typeof pid).toBe('number');
    expect(isRunning(identify(Number(pid)))).toBe(false);
  });

  it('leaves a grandchild to its fixture until then: it holds the pipes of a dead parent', async () => {
    const server = controller.serve('a', { scenario: 1, rules: [{ when: { method: 'ping' }, do: [{ spawn: { holdStdio: true } }, { exit: 1 }] }] });
    const client = startClient(server.command, server.args);
    const exited = new Promise((resolve) => {
      client.process.on('exit', resolve);
    });
    client.send({ id: 1, method: 'ping' });
    expect(await exited).toBe(1);
    await server.waitForProcessEnd();
    const record = server.records.find(({ kind, ...rest }) => kind === 'process' && 'childPid' in rest);
    expect(record?.kind === 'process' && isRunning(identify(record.childPid ?? 0))).toBe(true);
    expect(client.process.stdout.readableEnded).toBe(false);
    await controller.close();
    await client.ended;
  });
});
