import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BIN, startClient } from '../client.ts';

const folder = mkdtempSync(join(tmpdir(), 'fixture-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], env: NodeJS.ProcessEnv = process.env): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', input: '', env });
  return { code: status, out: stdout, err: stderr };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the command line', () => {
  it('shows the same help whatever the terminal', () => {
    const narrow = run(['--help'], { ...process.env, COLUMNS: '40', FORCE_COLOR: '1' });
    expect(narrow).toEqual(run(['--help'], { ...process.env, COLUMNS: '200' }));
    expect(narrow.code).toBe(0);
    for (const command of ['serve', 'lint', 'list', 'schema', 'record', 'scrub', 'show', 'replay', 'from-trace']) {
      expect(narrow.out).toContain(`  ${command} `);
      expect(run([command, '--help']).code).toBe(0);
    }
    expect(run(['--version']).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [[], 'no command was given'],
    [['serv'], "unknown command 'serv'"],
    [['serve'], "missing required argument 'source'"],
    [['serve', 'no/such.yaml'], 'there is no file no/such.yaml'],
    [['serve', 'R8'], 'no case `R8` in the library; did you mean `R08`?'],
    [['serve', 'R08', '--server', 'x'], 'the case R08 has no server x — choose one of: pages'],
    [['serve', 'R05'], 'the case R05 has 3 servers: left, right, dots — choose one with --server <name>'],
    [['serve', 'R08', '--secret', 'x'], '--secret goes with --control'],
    [['serve', 'R08', '--trace', '/no/such/folder/t'], 'the trace cannot be written'],
    [['serve', 'R08', '--run', '/proc/x'], 'the run folder /proc/x cannot be used'],
    [['serve', 'R08', '--run', '/proc/x/y'], 'give --run a folder that can be created and written'],
    [['serve', 'R08', '--run', BIN], `the run folder ${BIN} cannot be used`],
    [['list', '--area', 'x'], 'there is no area x'],
    [['schema', 'x'], 'Allowed choices are scenario, case, trace'],
    [['lint', '--x'], "unknown option '--x'"],
    [['record'], 'no server was given'],
    [['record', '--http', 'http://127.0.0.1:1/', '--', 'cat'], '--http takes no command'],
    [['record', '--http', 'ftp://x'], '--http ftp://x is no http or https URL'],
    [['record', '--http', 'http://u:p@x/'], '--http takes no user and password in the URL'],
    [['record', '--max-bytes', '0', '--', 'cat'], '--max-bytes 0 is no whole number from 1'],
    [['record', '--port', '1', '--', 'cat'], '--port goes with --http'],
    [['record', '--run', '/proc/x', '--', 'cat'], 'the run folder /proc/x cannot be used'],
    [['scrub', 'x'], "required option '-o, --out <file>' not specified"],
  ])('answers the wrong arguments %j in one line with a hint, and exit code 2', (args, message) => {
    const { code, out, err } = run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toMatch(/^mcp-fixture-server: .+ — .+\n$/);
  });

  it('lints: place and fix of every issue, exit code 1; nothing wrong, exit code 0', () => {
    const good = file('good.yaml', 'scenario: 1\n');
    const bad = file('bad.yaml', 'scenario: 1\ncapabilites: {}\ntools: 3\n');
    expect(run(['lint', good])).toEqual({ code: 0, out: `${good}: scenario is fine\n`, err: '' });
    const { code, out, err } = run(['lint', good, bad, join(folder, 'none.yaml')]);
    expect([code, err]).toEqual([2, '']);
    expect(run(['lint', good, bad]).code).toBe(1);
    expect(out.split('\n')).toEqual([
      `${good}: scenario is fine`,
      expect.stringContaining(`${bad}:2:1: unknown key \`capabilites\`; did you mean \`capabilities\`?`),
      `${bad}:3:8: tools: expected a list such as \`[{ name: read }]\`, found 3`,
      expect.stringContaining('none.yaml: cannot be read: there is no file'),
      '',
    ]);
  });

  it('lints cases of the library by name, says what a path is instead of a text, and only warns of a rule that never fires', () => {
    expect(run(['lint', 'r08'])).toEqual({ code: 0, out: 'r08: case is fine\n', err: '' });
    expect(run(['lint', 'R8']).out).toContain('did you mean `R08`?');
    expect(run(['lint', folder])).toEqual({ code: 2, out: `${folder}: cannot be read: it is a folder; name a file in it\n`, err: '' });
    expect(run(['serve', folder])).toEqual({ code: 2, out: '', err: `mcp-fixture-server: ${folder}: cannot be read: it is a folder; name a file in it\n` });
    const bytes = join(folder, 'bytes');
    writeFileSync(bytes, Buffer.from([0xff, 0xfe, 0x00]));
    expect(run(['lint', bytes])).toEqual({ code: 1, out: `${bytes}: is not UTF-8 text; save it as UTF-8, or name another file\n`, err: '' });
    const idle = file('idle.yaml', 'scenario: 1\nrules:\n- { when: { method: tools/cal }, do: [{ exit: 1 }] }\n');
    const { code, out } = run(['lint', idle]);
    expect(code).toBe(0);
    expect(out).toBe(`${idle}:3:21: rules[0].when.method: warning: no MCP client sends \`tools/cal\`, so the rule never applies; did you mean \`tools/call\`?\n${idle}: scenario is fine, with 1 warning\n`);
  });

  it('refuses to serve a wrong file, without a stack trace', () => {
    const bad = file('wrong.yaml', 'scenario: 1\nrules: [{ when: { method: x }, do: [{ respond: { status: 404 } }] }]\n');
    const { code, out, err } = run(['serve', bad]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(`${bad}:2:39: rules[0].do[0]: \`respond\` is for the carrier streamable-http; serve it there, or remove it\n`);
  });

  it('lists the library, whole or by area', () => {
    expect(run(['list']).out).toContain('R08   discovery    Every page of a listing is drained\n');
    const wire = run(['list', '--area', 'wire']).out.trim().split('\n');
    expect(wire).toEqual(wire.filter((line) => /^R\d\d +wire +\S/.test(line)).sort());
    expect(wire).toEqual(expect.arrayContaining([expect.stringMatching(/^R15 /), expect.stringMatching(/^R51 /)]));
  });

  it('prints the schemas', () => {
    const schema: { $id?: string } = JSON.parse(run(['schema', 'case']).out);
    expect(schema.$id).toBe('urn:mcp-fixture-server:case:1');
  });

  it('serves one server of a case of the library by its name', async () => {
    const client = startClient(process.execPath, [BIN, 'serve', 'r05', '--server', 'right']);
    await client.handshake();
    expect((await client.ask('tools/call', { name: 'read_node' })).result?.content?.[0]?.text).toBe('from right');
    client.process.stdin.end();
    expect((await client.ended).code).toBe(0);
  });
});
