import { describe, expect, it } from 'vitest';
import { assertCaseBuilt, checkCase } from '../../src/case/check.ts';
import { parseCase } from '../../src/case/parse.ts';
import { parseEither } from '../../src/case/parse-file.ts';
import { caseFile } from '../../src/case/schema.ts';

/** A case with one server `a`, the rest of it as given. */
const text = (rest: string): string =>
  `case: 1\nid: X\ntitle: t\narea: naming\nservers: { a: { scenario: { scenario: 1 } } }\n${rest}`;

/** The warnings about rules, with their lines. */
const warnings = (rules: string, rest = ''): string[] =>
  parseEither(`scenario: 1\ntools: [{ name: read }, { generate: { count: 2, name: 'n_{n}' } }]\n${rest}rules:\n${rules}`, 'f').warnings.map(({ line, message }) => `${line}: ${message}`);
/** A rule on its line. */
const rule = (when: string): string => `- { when: { ${when} }, do: [{ exit: 1 }] }\n`;
/** A case in which a step sets the tool `write`. */
const stepped = (tool: string): string =>
  `case: 1\nid: X\ntitle: t\narea: naming\nservers: { a: { scenario: { scenario: 1, rules: [{ when: { method: tools/call, tool: ${tool} }, do: [{ exit: 1 }] }] } } }\n` +
  'steps: [{ open: true }, { advance: { server: a, do: [{ setTools: { tools: [{ name: write }] } }] } }]\njudge: [N-001]\n';

/** What is wrong with a small case with these members. */
function issue(more: object, step: object = { open: true }): string {
  try {
    checkCase({ case: 1, id: 'X', title: 't', area: 'wire', servers: { a: { scenario: { scenario: 1 } } }, steps: [step], judge: ['N-001'], ...more }, 'c');
    return 'fine';
  } catch (error) {
    return String(error);
  }
}

describe('parsing a case', () => {
  it('fills in the defaults of the case and of its scenarios', () => {
    const parsed = parseCase(text('steps: [{ open: true }]\njudge: [NAMING-001]\n'));
    expect(parsed.servers['a']).toMatchObject({ carrier: 'stdio', open: true, scenario: { countFrom: 'initialize', rules: [] } });
  });

  it.each([
    ['steps: [{ opne: true }]\njudge: [N-001]\n', 'c:6:11: steps[0]: unknown key `opne`; did you mean `open`?'],
    ['steps: [{ call: { server: b, tool: x } }]\njudge: [N-001]\n', 'c:6:27: steps[0].call.server: no server `b` in `servers`; did you mean `a`?'],
    ['steps: [{ await: { call: first } }]\njudge: [N-001]\n', 'c:6:26: steps[0].await.call: no call before has the id `first`'],
    ['steps: [{ await: { server: a, recieved: x } }]\njudge: [N-001]\n', 'unknown key `recieved`; did you mean `received`?'],
    ['steps: [{ advance: { server: a, do: [{ hlod: x }] } }]\njudge: [N-001]\n', 'steps[0].advance.do[0]: unknown key `hlod`; did you mean `hold`?'],
    ['steps: [{ open: true }]\njudge: [naming]\n', 'c:7:9: judge[0]: `naming` is no invariant\'s id'],
    ['steps: []\njudge: [N-001]\n', 'c:6:8: steps: expected at least 1 entry, found 0'],
    ['steps: 3\njudge: [N-001]\n', 'c:6:8: steps: expected a list such as `[{ open: true }]`, found 3'],
  ])('says place and fix for %j', (rest, message) => {
    expect(() => parseCase(text(rest), 'c')).toThrow(message);
  });

  it('places the trouble of a server\'s scenario in the case', () => {
    const file = 'case: 1\nid: X\ntitle: t\narea: naming\nservers:\n  a:\n    scenario:\n      scenario: 1\n      tolos: []\nsteps: [{ open: true }]\njudge: [N-001]\n';
    expect(() => parseCase(file, 'c')).toThrow('c:9:7: servers.a.scenario: unknown key `tolos`; did you mean `tools`?');
  });

  it.each([
    ['steps: [{ call: { server: a, tool: x, expect: { outcome: done } } }]\n', 'steps[0].call.expect.outcome'],
    ['steps: [{ call: { server: a, tool: x, expect: { shows: [y], for: [N-002] } } }]\n', 'steps[0].call.expect.for[0]: `N-002` is not in `judge`; add it there'],
    ['steps: [{ expect: { server: b, started: 1 } }]\n', 'steps[0].expect.server: no server `b` in `servers`; did you mean `a`?'],
    ['steps: [{ await: { step: first } }]\n', 'steps[0].await.step: no step before has the id `first`'],
    ['steps: [{ open: { servers: [b] } }]\n', 'steps[0].open.servers[0]: no server `b`'],
    ['steps: [{ advance: { server: a, program: { scenario: 1, rules: [{ when: { spawn: true }, do: [{ default: {} }] }] } } }]\n', 'steps[0].advance.program.rules[0]'],
  ])('says what is wrong with an expectation or a newer step: %j', (rest, message) => {
    expect(() => parseCase(text(`${rest}judge: [N-001]\n`), 'c')).toThrow(message);
  });

  it('takes every word for hosts, expectations and steps', () => {
    const words = text(
      'host: { proxy: "http://127.0.0.1:1", attachmentStore: memory, routes: { r: { inputModalities: [image] } }, nativeTools: [n], environment: { E: v } }\n' +
      'steps:\n- open: { servers: [a], host: { attachmentStore: none }, id: opening }\n- await: { step: opening }\n- configure: { server: a, options: { x: 1 } }\n' +
      '- reload: { server: a }\n- await: { server: a, started: 2, as: again, withinMs: 50 }\n- advance: { server: a, program: { scenario: 1 } }\n- look: true\n' +
      '- environment: a\n- gate: { gate: store, action: hold }\n- host: { attachmentStore: refusing }\n- input: [1]\n' +
      '- call: { server: a, tool: t, probe: false, via: program, agent: r, policy: { block: no }, expect: { outcome: [ok, failed], shows: [x], images: 1, for: [N-001] } }\n' +
      '- expect: { server: a, received: tools/call, times: { to: 1 } }\n- expect: { told: [lost], levels: [warn, error] }\n- expect: { untold: [secret] }\n' +
      '- expect: { server: a, environment: { E: null } }\n- expect: { server: a, status: [ready] }\n- close: true\njudge: [N-001]\ncheck: N-001/word\n');
    expect(parseCase(words).steps).toHaveLength(18);
  });

  it('refuses what is not built, and what the carrier cannot do, however the case was made', () => {
    const value = {
      case: 1, id: 'X', title: 't', area: 'wire',
      servers: { a: { carrier: 'streamable-http', scenario: { scenario: 1, tools: [{ fromTrace: 1 }] } } }, steps: [{ open: true }], judge: ['N-001'],
    };
    expect(() => checkCase(value, 'c')).toThrow('servers.a.scenario.tools[0]: tools `fromTrace` come from a trace');
    expect(() => assertCaseBuilt(caseFile.parse(value))).toThrow('give it with --tools-from');
    const rules = [{ when: { http: 'GET' }, do: [{ respond: { status: 405 } }] }];
    const http = { ...value, servers: { a: { carrier: 'streamable-http', scenario: { scenario: 1, rules } } } };
    expect(checkCase(http).servers['a']?.carrier).toBe('streamable-http');
    expect(() => checkCase({ ...http, servers: { a: { scenario: { scenario: 1, rules } } } })).toThrow(
      'servers.a.scenario.rules[0].when.http: is for the carrier streamable-http; serve it there, or use `method`',
    );
  });

  it('refuses what would let a case run a program, write a file or reach the network', () => {
    for (const name of ['NODE_OPTIONS', 'node_options', 'LD_PRELOAD', 'PYTHONPATH', 'PATH', 'BASH_ENV', 'JAVA_TOOL_OPTIONS', 'SSLKEYLOGFILE', 'HTTPS_PROXY', 'MCP_CONFORMANCE_ONLY']) {
      expect(issue({ host: { environment: { [name]: 'x' } } })).toContain(`host.environment.${name}: is a name that steers programs`);
      expect(issue({ servers: { a: { scenario: { scenario: 1 }, options: { env: { [name]: 'x' } } } } })).toContain(`servers.a.options.env.${name}: is a name that steers programs`);
    }
    expect(issue({}, { configure: { server: 'a', options: { env: { NODE_OPTIONS: 'x' } } } })).toContain('steps[0].configure.options.env.NODE_OPTIONS');
    expect(issue({}, { open: { host: { environment: { PATH: '/x' }, proxy: 'http://10.0.0.1' } } })).toContain('steps[0].open.host.proxy: leads away from this machine');
    for (const proxy of ['http://proxy.example:3128', 'http://127.0.0.1@evil.example', 'http://127.0.0.1.evil.example', 'nonsense']) expect(issue({ host: { proxy } })).toContain('host.proxy: leads away');
    for (const proxy of ['suite', 'http://127.0.0.1:1', 'http://[::1]:1', 'http://localhost:1']) expect(issue({ host: { proxy } })).toBe('fine');
    for (const name of ['command', 'args', 'url', 'transport']) expect(issue({ servers: { a: { scenario: { scenario: 1 }, options: { [name]: 'x' } } } })).toContain(`servers.a.options.${name}: says how`);
    expect(issue({ host: { environment: { DEPLOY_SECRET: 'x', PLAIN_SETTING: 'x' } }, servers: { a: { scenario: { scenario: 1 }, options: { env: { OWN_TOKEN: 'x' }, toolCallTimeoutMs: 5 } } } })).toBe('fine');
  });

  it('tells a scenario from a case by its first key', () => {
    expect(parseEither('scenario: 1', 'f').kind).toBe('scenario');
    expect(parseEither(text('steps: [{ open: true }]\njudge: [N-001]\n'), 'f').kind).toBe('case');
    expect(() => parseEither('tools: []', 'f')).toThrow('neither a scenario nor a case: it needs `scenario: 1` or `case: 1`');
    expect(() => parseEither('- tools', 'f')).toThrow('f:1:1: is a list, must be a mapping that begins with `scenario: 1` or `case: 1`');
    expect(() => parseEither('tools', 'f')).toThrow('f:1:1: is "tools", must be a mapping');
  });

  it('explains a wrong area and servers that are no mapping', () => {
    const wrong = 'case: 1\nid: X\ntitle: t\narea: discovry\nservers: 5\nsteps: [{ open: true }]\njudge: [N-001]\n';
    expect(() => parseCase(wrong, 'c')).toThrow('found "discovry"; did you mean `discovery`?');
    expect(() => parseCase(wrong, 'c')).toThrow('c:5:10: servers: expected a mapping such as `{ files: { scenario: { scenario: 1 } } }`, found 5');
  });

  it('warns of rules that can never fire, and takes the tools of answers, of generators and of steps for listed', () => {
    expect(warnings(rule('method: tools/cal'))).toEqual(['4: no MCP client sends `tools/cal`, so the rule never applies; did you mean `tools/call`?']);
    expect(warnings(rule('method: tools/call, tool: raed'))[0]).toContain('no list has the tool `raed`');
    expect(warnings(rule('method: tools/call, tool: n_2'))[0]).toContain('did you mean `n_0`?');
    expect(warnings(rule('method: tools/call, tool: n_1') + rule('method: vendor/own') + rule('method: tools/call, tool: read'))).toEqual([]);
    const answered = '- { when: { method: tools/list }, do: [{ reply: { result: { tools: [{ name: own }] } } }] }\n';
    expect(warnings(answered + rule('method: tools/call, tool: own'))).toEqual([]);
    expect(warnings(rule('method: tools/call, tool: later'), 'toolLists: { next: [{ name: later }] }\n')).toEqual([]);
    expect(parseEither(stepped('write'), 'f').warnings).toEqual([]);
    expect(parseEither(stepped('nosuch'), 'f').warnings[0]).toMatchObject({ line: 5, path: ['servers', 'a', 'scenario', 'rules', 0, 'when', 'tool'] });
  });
});
