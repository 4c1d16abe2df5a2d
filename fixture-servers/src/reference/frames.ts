/** What stands around an example that is a fragment. */

/** The names of the frames. */
export const frameNames = ['actions', 'rules', 'tools', 'members', 'steps', 'host', 'whole'] as const;

/** What stands before the fragment, and how far it is indented, in spaces. */
export interface Frame {
  readonly text: string;
  readonly indent: number;
}

const SCENARIO = 'scenario: 1\n';
const CASE = 'case: 1\nid: example\ntitle: An example\narea: call\njudge: [CALL-001]\n';
const FILES = 'servers: { files: { scenario: { scenario: 1, tools: [{ name: read }] } } }\n';

/** All frames. */
export const FRAMES: Readonly<Record<(typeof frameNames)[number], Frame>> = {
  actions: { text: `${SCENARIO}tools: [{ name: read }]\nrules:\n  - when: { method: tools/call }\n    do:\n`, indent: 6 },
  rules: { text: `${SCENARIO}tools: [{ name: read }]\nrules:\n`, indent: 2 },
  tools: { text: `${SCENARIO}tools:\n`, indent: 2 },
  members: { text: SCENARIO, indent: 0 },
  steps: { text: `${CASE}${FILES}steps:\n  - open: true\n`, indent: 2 },
  host: { text: `${CASE}${FILES}steps: [{ open: true }, { call: { server: files, tool: read } }, { close: true }]\nhost:\n`, indent: 2 },
  whole: { text: '', indent: 0 },
};
