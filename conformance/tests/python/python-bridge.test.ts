import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { startController } from 'mcp-fixture-server/control';
import { expect, it } from 'vitest';
import { isRunning } from '../../src/bench/processes.ts';
import { runProgram } from '../support/run-program.ts';
import { PYTHON_SUBJECT, withoutPython } from './python.ts';

const source = (file: string): Promise<string> => readFile(`${PYTHON_SUBJECT}${file}`, 'utf8');

it('is small enough to read: the bridge at most 400 lines, the driver at most 120', async () => {
  expect((await source('bridge.py')).trimEnd().split('\n').length).toBeLessThanOrEqual(400);
  expect((await source('driver.py')).trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

it.skipIf(withoutPython)('needs nothing but Python 3.9 and its standard library', async () => {
  const check = [
    'import ast, sys',
    'for file in sys.argv[1:]:',
    '    tree = ast.parse(open(file).read(), feature_version=(3, 9))',
    '    for node in ast.walk(tree):',
    '        if isinstance(node, (ast.Import, ast.ImportFrom)):',
    '            print(*([one.name for one in node.names] if isinstance(node, ast.Import) else [node.module]))',
  ].join('\n');
  const { code, stdout, stderr } = await runProgram('python3', ['-c', check, `${PYTHON_SUBJECT}bridge.py`, `${PYTHON_SUBJECT}driver.py`]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const modules = new Set(stdout.trim().split(/\s+/));
  const known = await runProgram('python3', ['-c', 'import sys; print(*getattr(sys, "stdlib_module_names", []))']);
  const standard = new Set(known.stdout.trim().split(' '));
  // Python 3.9 itself cannot list them.
  if (standard.size > 1) expect([...modules].filter((name) => name !== 'bridge' && !standard.has(name.split('.')[0] ?? ''))).toEqual([]);
});

it.skipIf(withoutPython)('works as its first lines say: tools of every page, a call, no process left', async () => {
  const controller = await startController();
  const names = Array.from({ length: 101 }, (_, n) => `tool_${n}`);
  const server = controller.serve('pages', { scenario: 1, tools: names.map((name) => ({ name })), pagination: { pageSize: 50 } });
  const script = [
    'import asyncio, json, sys',
    'sys.dont_write_bytecode = True',
    `sys.path.insert(0, ${JSON.stringify(PYTHON_SUBJECT)})`,
    'from bridge import Bridge, ServerConfig',
    'async def main():',
    '    bridge = Bridge(on_change=lambda: None, on_log=lambda level, server, message: print(message))',
    `    await bridge.add(ServerConfig("pages", ${JSON.stringify(server.command)}, json.loads(sys.argv[1])))`,
    '    offered = len(bridge.tools)',
    '    outcome = await bridge.call(next(iter(bridge.tools)), {"path": "README.md"})',
    '    await bridge.close()',
    '    print(offered, len(bridge.tools), outcome.status, outcome.executed, (await bridge.call("gone", {})).executed)',
    'asyncio.run(main())',
  ];
  const ended = await runProgram('python3', ['-c', script.join('\n'), JSON.stringify(server.args)]);
  expect(ended.stderr).toBe('');
  expect(ended.stdout).toBe('101 0 ok yes no\n');
  const listed = server.records.filter((record) => record.kind === 'frame' && record.raw.includes('"tools/list"'));
  expect(listed).toHaveLength(3);
  expect(server.processes.map(({ alive }) => alive)).toEqual([false]);
  await controller.close();
});

it.skipIf(withoutPython).each(['end of input', 'SIGTERM'] as const)('leaves no server when its driver ends by %s', async (how) => {
  const controller = await startController();
  const server = controller.serve('left', { scenario: 1, tools: [{ name: 'one' }] });
  const driver = spawn('python3', [`${PYTHON_SUBJECT}driver.py`], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: driver.stdout })[Symbol.asyncIterator]();
  const entry = { name: 'left', transport: 'stdio', command: server.command, args: server.args };
  driver.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'open', params: { servers: [entry] } })}\n`);
  let answer: { id?: number; result?: unknown } = {};
  while (answer.id !== 1) answer = JSON.parse(String((await lines.next()).value));
  expect(answer.result).toEqual({ servers: [{ name: 'left', status: 'ready' }] });
  const [pid] = server.processes.map((one) => one.pid);
  if (how === 'SIGTERM') driver.kill('SIGTERM');
  else driver.stdin.end();
  const [code] = await once(driver, 'exit');
  expect(code).toBe(0);
  expect(await isRunning(pid ?? 0)).toBe(false);
  await controller.close();
});
