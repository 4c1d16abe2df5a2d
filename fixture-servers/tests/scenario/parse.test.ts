import { describe, expect, it } from 'vitest';
import { ScenarioError } from '../../src/scenario/error.ts';
import { parseScenario } from '../../src/scenario/parse.ts';

/** The error that a text gives, as a person sees it. */
function wrong(text: string): ScenarioError {
  try {
    parseScenario(text, 'f.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error;
    throw error;
  }
  throw new Error(`was taken: ${text}`);
}

describe('parsing a scenario', () => {
  it('takes YAML and JSON alike and fills in the defaults', () => {
    const fromYaml = parseScenario('scenario: 1\ntools:\n  - name: a\n');
    expect(fromYaml).toEqual(parseScenario('{"scenario": 1, "tools": [{"name": "a"}]}'));
    expect(fromYaml).toEqual({ scenario: 1, protocolVersion: 'mirror', tools: [{ name: 'a' }], countFrom: 'initialize', rules: [] });
  });

  it.each([
    ['scenario: 1\ncapabilites: {}\n', 'f.yaml:2:1: unknown key `capabilites`; did you mean `capabilities`?'],
    ['tools: []\n', 'f.yaml:1:1: `scenario` is missing: expected 1'],
    ['scenario: 2\n', 'f.yaml:1:11: scenario: expected 1, found 2'],
    ['- scenario: 1\n', 'f.yaml:1:1: expected a mapping, found a list'],
    ['scenario: 1\ntools:\n  - nme: x\n', 'f.yaml:3:5: tools[0]: unknown key `nme`; did you mean `name`?'],
    ['scenario: 1\ntools: [{ title: x }]\n', 'f.yaml:2:9: tools[0]: `name` is missing: expected string'],
    ['scenario: 1\nrules:\n  - when: { method: x }\n    do:\n      - repyl: {}\n', 'f.yaml:5:9: rules[0].do[0]: unknown key `repyl`; did you mean `reply`? Known here: `default`, `reply`,'],
    ['scenario: 1\nrules: [{ when: { method: x }, do: [{ delay: 1, drop: true }] }]\n', 'f.yaml:2:37: rules[0].do[0]: takes exactly one of its keys, found `delay` and `drop`'],
    ['scenario: 1\nrules: [{ when: { method: x }, do: [exit] }]\n', 'f.yaml:2:37: rules[0].do[0]: expected a mapping with one of the keys `default`'],
    ['scenario: 1\nrules: [{ when: { method: x }, do: [{ exit: 256 }] }]\n', 'f.yaml:2:45: rules[0].do[0].exit: expected at most 255, found 256'],
    ['scenario: 1\nrules: [{ when: { method: x, nth: 0 }, do: [{ exit: 1 }] }]\n', 'f.yaml:2:35: rules[0].when.nth:'],
    ['scenario: 1\nrules: [{ when: {}, do: [{ exit: 1 }] }]\n', 'give exactly one of method, spawn, inputEnd, after, signal, http; found none'],
    ['scenario: 1\nrules: [{ when: { spawn: true }, do: [{ reply: { result: 1 } }] }]\n', 'f.yaml:2:41: rules[0].do[0]: `reply` answers a request, and this rule has none'],
    ['scenario: 1\nrules: [{ when: { spawn: true, incarnation: 2 }, do: [{ exit: 1 }] }]\n', 'add `countFrom: spawn`'],
    ['scenario: 1\nrules: [{ when: { method: x }, do: [{ setTools: { list: l } }] }]\n', 'no list `l` in `toolLists`; there: none'],
    ['scenario: 1\nrules: [{ when: { method: x }, do: [{ raw: {} }] }]\n', 'give exactly one of `text` and `base64`'],
    ['scenario: 1\nrules:\n- { id: a, when: { spawn: true }, do: [{ exit: 1 }] }\n- { id: a, when: { spawn: true }, do: [{ exit: 1 }] }\n', 'f.yaml:4:9: rules[1].id: rule 0 is called `a` already'],
    ['scenario: 1\ntoolLists: { a: [{ name: 3 }] }\n', 'f.yaml:2:26: toolLists.a[0].name: expected string, found 3'],
    ['scenario: 1\ntools: [{ generate: { count: 60000 } }, { generate: { count: 60000 } }]\n', 'f.yaml:2:8: tools: lists 120000 tools; at most 100000 are served'],
    ['scenario: 1\ntools: [{ generate: { count: 1, levels: 9, inputSchema: true } }]\n', 'tools[0].generate.levels: give either `levels` or `inputSchema`'],
    ['scenario: 1\ntools: [{ generate: { count: 200, levels: 100000 } }]\n', 'f.yaml:2:8: tools: comes to some'],
    [`scenario: 1\ntools: [{ generate: { count: 100000, description: ${'x'.repeat(1000)} } }]\n`, 'f.yaml:2:8: tools: comes to some'],
  ])('says place and fix for %j', (text, message) => {
    expect(wrong(text).message).toContain(message);
    expect(wrong(text).code).toBe('invalid');
  });

  it.each([
    ['', 'the file is empty'],
    ['scenario: 1\nscenario: 1\n', 'f.yaml:2:1: the same key stands twice'],
    ['scenario: &a 1\nname: *a\n', 'f.yaml:2:7: aliases (`*a`) are not taken; write the value out'],
    ['scenario: 1\nname: !!binary abc\n', 'tags are not taken'],
    ['scenario: 1\nname: !mine abc\n', 'f.yaml:2:7: tags are not taken'],
    ['scenario: 1\n---\nscenario: 1\n', 'more than one document'],
    ['scenario: 1\n\ttools: []\n', 'f.yaml:2:'],
    ['scenario: [1\n', 'f.yaml:'],
    ['scenario: 1\ntools:\n  - name: a\n  name: b\n', 'indent the entries'],
  ])('refuses the syntax of %j', (text, message) => {
    expect(wrong(text).message).toContain(message);
    expect(wrong(text).code).toBe('syntax');
  });

  it.each([
    ['scenario: 1\nserverInfo: { version: .nan }\n', 'is no JSON number'],
    ['scenario: 1\nserverInfo: { id: 9007199254740993 }\n', 'f.yaml:2:19: 9007199254740993 cannot be held exactly and would become 9007199254740992'],
  ])('refuses the number in %j', (text, message) => {
    expect(wrong(text).message).toContain(message);
  });

  it.each([
    'scenario: 1\nrules: [{ when: { tol: a }, do: [{ exit: 1 }] }]\n',
    'scenario: 1\ntools: [{ nme: a }]\n',
  ])('gives one error for the one typo in %j', (text) => {
    expect(wrong(text).issues.map(({ message }) => message)).toEqual([expect.stringContaining('did you mean')]);
  });

  it('reports every issue, in the order of the text, and the first in its fields', () => {
    const error = wrong('scenario: 1\nnames: x\ntools: 5\n');
    expect(error.issues.map(({ line, column }) => [line, column])).toEqual([[2, 1], [3, 8]]);
    expect(error).toMatchObject({ file: 'f.yaml', line: 2, column: 1, code: 'invalid' });
  });

  it.each([
    ['scenario: 1\ntools: [{ fromTrace: t.jsonl }]\n', 'f.yaml:2:11: tools[0]: tools `fromTrace` come from a trace beside the file'],
  ])('refuses what is not built: %j', (text, message) => {
    expect(wrong(text).message).toContain(message);
    expect(wrong(text).code).toBe('not-built');
  });
});

describe('a stranger\'s file', () => {
  it('keeps odd names as data and touches no prototype', () => {
    const scenario = parseScenario(
      'scenario: 1\ntools: [{ name: __proto__, inputSchema: { __proto__: { polluted: true }, constructor: 1 } }]\ntoolLists: { __proto__: [{ name: x }] }\n',
    );
    expect(JSON.stringify(scenario)).toContain('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.keys(scenario.toolLists ?? {})).toEqual(['__proto__']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('is bounded in size and depth', () => {
    expect(wrong(`scenario: 1\nname: ${'x'.repeat(5 * 1024 * 1024)}\n`).code).toBe('too-large');
    for (const deep of ['['.repeat(300), '{a: '.repeat(300), `${'['.repeat(300)}${']'.repeat(300)}`, '['.repeat(1_000_000)]) {
      expect(wrong(`scenario: 1\nserverInfo: ${deep}\n`).code).toBe('too-large');
    }
    const blocks = Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('');
    expect(['too-large', 'syntax']).toContain(wrong(blocks).code);
  });
});
