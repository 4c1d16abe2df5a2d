/** Whatever is wrong with a file, a person is told file, line, column and what to do. */
import { describe, expect, it } from 'vitest';
import { parseEither } from '../../src/case/parse-file.ts';
import { assertCarrier, type Carrier } from '../../src/scenario/carrier.ts';
import { formatIssue, ScenarioError } from '../../src/scenario/error.ts';

/** A case with the server `a` on stdio and what is done to it; its steps are on line 9. */
const caseText = (servers: string, steps: string): string =>
  `case: 1\nid: X\ntitle: t\narea: naming\nservers:\n  a: ${servers}\njudge: [NAMING-001]\nsteps:\n${steps}`;
const PLAIN = '{ scenario: { scenario: 1 } }';

/** What a person reads of a file, line by line: errors, also of the carrier that it is to be served on, else warnings. */
function told(text: string, carrier?: Carrier): string[] {
  try {
    const parsed = parseEither(text, 'f.yaml');
    const servers = parsed.kind === 'case' ? Object.entries(parsed.case.servers) : [['', { scenario: parsed.scenario }] as const];
    for (const [name, { scenario }] of servers) {
      const at = name === '' ? [] : ['servers', name, 'scenario'];
      if (carrier !== undefined) assertCarrier(scenario, carrier, { from: 'f.yaml', locate: parsed.locate, at });
    }
    return parsed.warnings.map((warning) => `warning ${formatIssue('f.yaml', warning)}`);
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
}

const deep = (levels: number): string => `${'{ a: '.repeat(levels)}1${' }'.repeat(levels)}`;

describe('a wrong file', () => {
  it.each([
    ['a typo in a key', 'scenario: 1\ntools:\n  - name: a\n    descripton: b\n', 'f.yaml:4:5: tools[0]: unknown key `descripton`; did you mean `description`?'],
    ['a typo in a value', 'scenario: 1\nhttp: { answers: jsno }\n', 'f.yaml:2:18: http.answers: expected "event-stream" or "json", found "jsno"; did you mean `json`?'],
    ['a wrong type', 'scenario: 1\npagination:\n  pageSize: ten\n', 'f.yaml:3:13: pagination.pageSize: expected number, found "ten"'],
    ['wrong nesting: an action beside its rule', 'scenario: 1\nrules:\n  - when: { method: ping }\n    reply: { result: 1 }\n', 'f.yaml:4:5: rules[0]: `reply` does not stand here; it belongs into `do[]`'],
    ['wrong nesting: a trigger outside `when`', 'scenario: 1\nrules:\n  - method: ping\n    do: [{ exit: 1 }]\n', 'f.yaml:3:5: rules[0]: `method` does not stand here; it belongs into `when`'],
    ['wrong nesting: too far in', 'scenario: 1\npagination:\n  pageSize: 2\n  countFrom: spawn\n', 'f.yaml:4:3: pagination: `countFrom` does not stand here; it belongs beside `pagination`'],
    ['wrong nesting: an action beside the rules', 'scenario: 1\nreply: { result: 1 }\n', 'f.yaml:2:1: `reply` does not stand here; it belongs into `rules[].do[]`'],
    ['wrong nesting: what judges in a server', caseText('{ scenario: { scenario: 1 }, host: {} }', '  - open: true\n'), 'f.yaml:6:35: servers.a: `host` does not stand here; it belongs beside `servers`'],
    ['an unknown list', 'scenario: 1\nrules:\n  - when: { method: ping }\n    do: [{ setTools: { list: later } }]\n', 'f.yaml:4:30: rules[0].do[0].setTools.list: no list `later` in `toolLists`; there: none'],
    ['an unknown origin', 'scenario: 1\nrules:\n  - when: { http: any }\n    do: [{ redirect: { to: other, status: 307 } }]\n', 'f.yaml:4:28: rules[0].do[0].redirect.to: no origin `other` in `http.origins`; there: `self`'],
    ['an unknown server', caseText(PLAIN, '  - reload: b\n'), 'f.yaml:9:13: steps[0].reload: no server `b` in `servers`; did you mean `a`?'],
    ['a duplicate id', 'scenario: 1\nrules:\n  - { id: a, when: { method: x }, do: [{ drop: true }] }\n  - { id: a, when: { method: y }, do: [{ drop: true }] }\n', 'f.yaml:4:11: rules[1].id: rule 0 is called `a` already; the trace could not tell them apart'],
    ['a duplicate key', 'scenario: 1\nname: a\nname: b\n', 'f.yaml:3:1: the same key stands twice in one mapping; keep one of them'],
    ['a tab', 'scenario: 1\ntools:\n\t- name: a\n', 'f.yaml:3:1: a tab cannot indent YAML; use spaces'],
    ['an alias', 'scenario: 1\ntools: &t []\ntoolLists: { a: *t }\n', 'f.yaml:3:17: aliases (`*t`) are not taken; write the value out'],
    ['a tag', 'scenario: 1\nname: !env HOME\n', 'f.yaml:2:7: tags are not taken'],
    ['a number that JSON cannot hold', 'scenario: 1\nserverInfo: { build: 12345678901234567890 }\n', 'f.yaml:2:22: 12345678901234567890 cannot be held exactly and would become 12345678901234567000; write it into a `raw` action, or in quotes'],
    ['a number without an end', 'scenario: 1\nserverInfo: { build: .inf }\n', 'f.yaml:2:22: .inf is no JSON number; put it in quotes if text is meant'],
    ['a number past its bound', 'scenario: 1\nrules:\n  - when: { method: x }\n    do: [{ delay: 9999999 }]\n', 'f.yaml:4:19: rules[0].do[0].delay: expected at most 60000, found 9999999'],
    ['deep nesting', `scenario: 1\nserverInfo: ${deep(300)}\n`, 'f.yaml:2:1293: nests deeper than 256 levels; make it flatter'],
    ['a prototype key of the language', 'scenario: 1\n__proto__: { tools: [] }\n', 'f.yaml:2:1: unknown key `__proto__`; '],
    ['a prototype key in a rule', 'scenario: 1\nrules:\n  - when: { constructor: 1, method: x }\n    do: [{ exit: 1 }]\n', 'f.yaml:3:13: rules[0].when: unknown key `constructor`; '],
    ['a prototype key for an action', 'scenario: 1\nrules:\n  - when: { method: x }\n    do: [{ toString: 1 }]\n', 'f.yaml:4:12: rules[0].do[0]: unknown key `toString`; '],
  ])('with %s is told where and how to mend it', (_what, text, message) => {
    const lines = told(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(0, message.length)).toBe(message);
  });

  it.each([
    ['an action of HTTP', 'scenario: 1\nrules:\n  - when: { method: x }\n    do:\n      - delay: 1\n      - cut: request\n', 'stdio',
      'f.yaml:6:9: rules[0].do[1]: `cut` is for the carrier streamable-http; serve it there, or remove it'],
    ['a trigger of HTTP', 'scenario: 1\nrules:\n  - when: { http: any }\n    do: [{ default: {} }]\n', 'stdio',
      'f.yaml:3:19: rules[0].when.http: is for the carrier streamable-http; serve it there, or use `method`'],
    ['a stream of HTTP', 'scenario: 1\nrules:\n  - when: { method: x }\n    do: [{ notify: { method: n, frame: { stream: listen } } }]\n', 'stdio',
      'f.yaml:4:50: rules[0].do[0].notify.frame.stream: is for the carrier streamable-http; serve it there, or remove it'],
    ['what holds the pipes of stdio', 'scenario: 1\nrules:\n  - when: { method: x }\n    do: [{ spawn: { holdStdio: true } }]\n', 'streamable-http',
      'f.yaml:4:32: rules[0].do[0].spawn.holdStdio: is for the carrier stdio: over HTTP no pipe of the client is held; remove it'],
    ['a server of a case', caseText('{ carrier: streamable-http, scenario: { scenario: 1, rules: [{ when: { method: x }, do: [{ cut: all }] }] } }', '  - open: true\n'), 'stdio',
      'f.yaml:6:97: servers.a.scenario.rules[0].do[0]: `cut` is for'],
  ] as const)('with %s is refused where it stands by the carrier that has not got it', (_what, text, carrier, message) => {
    expect(told(text, carrier).map((line) => line.slice(0, message.length))).toEqual([message]);
    expect(told(text)).toEqual([]);
  });

  it('is told so at once when it is a case, which names its carriers', () => {
    expect(told(caseText('{ scenario: { scenario: 1, rules: [{ when: { method: x }, do: [{ cut: all }] }] } }', '  - open: true\n'))).toEqual([
      'f.yaml:6:71: servers.a.scenario.rules[0].do[0]: `cut` is for the carrier streamable-http; serve it there, or remove it',
    ]);
    expect(told(caseText(PLAIN, '  - advance: { server: a, do: [{ delay: 1 }, { down: true }] }\n'))).toEqual([
      'f.yaml:9:48: steps[0].advance.do[1]: `down` is for the carrier streamable-http; serve it there, or remove it',
    ]);
    const program = '{ scenario: 1, rules: [{ when: { http: any }, do: [{ default: {} }] }] }';
    expect(told(caseText(PLAIN, `  - advance: { server: a, program: ${program} }\n`))).toEqual([
      'f.yaml:9:75: steps[0].advance.program.rules[0].when.http: is for the carrier streamable-http; serve it there, or use `method`',
    ]);
  });

  it('is warned of when no carrier can serve the whole of it', () => {
    expect(told('scenario: 1\nrules:\n  - when: { method: x }\n    do: [{ spawn: { holdStdio: true } }, { cut: all }]\n')).toEqual([
      'warning f.yaml:4:32: rules[0].do[0].spawn.holdStdio: is for the carrier stdio: over HTTP no pipe of the client is held; remove it; as it stands no carrier serves the whole file',
      'warning f.yaml:4:44: rules[0].do[1]: `cut` is for the carrier streamable-http; serve it there, or remove it; as it stands no carrier serves the whole file',
    ]);
  });
});
