import { spawn } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withoutPython } from '../python/python.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
/** What the page calls the clone of this repository. */
const CLONE = 'mcp-bridge-kit';
/** For all commands of the page together; each alone takes seconds, and the installation depends on the network. */
const PAGE_LIMIT_MS = 600_000;

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

let folder: string;
beforeAll(async () => {
  // A path without links, and nothing above it that Node could find packages in.
  folder = await mkdtemp(path.join(tmpdir(), 'certify-your-bridge-'));
  await mkdir(path.join(folder, CLONE));
  // Only what is packed: it has to work without the bridge of this repository.
  for (const room of ['fixture-servers', 'conformance']) await symlink(path.join(REPOSITORY, room), path.join(folder, CLONE, room));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs one command of the page as a person does, in the one folder. */
function shell(command: string): Promise<Ended> {
  // What npm and vitest tell the programs they start would make these a part of the run around them.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|INIT_CWD)/i.test(name));
  const { NPM_EXTRA_CA_CERTS: NODE_EXTRA_CA_CERTS, ...others } = Object.fromEntries(own);
  const env = { ...others, NODE_EXTRA_CA_CERTS, NO_COLOR: '1', npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text }));
  });
}

/** One step of the page: a block of commands, a file to save, or a change of the one saved before. */
interface Block {
  readonly language: string;
  readonly text: string;
}

/** The blocks of the chapter, in order. */
async function blocksOf(readme: string): Promise<Block[]> {
  const page = await readFile(path.join(REPOSITORY, readme), 'utf8');
  const chapter = /\n## Certify your bridge\n([^]*?)\n## /.exec(page)?.[1] ?? '';
  return [...chapter.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language = '', text = '']) => ({ language, text }));
}

/** A command with the exit code that the page promises, 0 where it says nothing. */
function promised(line: string): { readonly command: string; readonly code: number } {
  const [, command = line, code = '0'] = /^(.*?)(?:\s+# ends with (\d))?$/.exec(line) ?? [];
  return { command, code: Number(code) };
}

async function save(text: string): Promise<void> {
  await writeFile(path.join(folder, text.includes('describeBridgeConformance') ? 'my-bridge.test.mjs' : 'my-adapter.mjs'), text);
}

async function change(diff: string): Promise<void> {
  const side = (sign: string): string => diff.split('\n').filter((line) => line.startsWith(sign)).map((line) => `${line.slice(1)}\n`).join('');
  const file = path.join(folder, 'my-adapter.mjs');
  const before = await readFile(file, 'utf8');
  expect(before).toContain(side('-'));
  await writeFile(file, before.replace(side('-'), () => side('+')));
}

/** What a person would read on the way, by the command that prints it. */
const TOLD: readonly (readonly [RegExp, RegExp])[] = [
  [/smoke --subject/, /DISCOVERY-001 failed: [^]*NOT CERTIFIED/],
  [/smoke --driver/, /python-bridge[^]*HELD/],
  [/vitest run/, /2 passed/],
  [/report$/, /python-bridge/],
  [/--fix/, /AS KNOWN/],
];

it.skipIf(withoutPython)('each command of "Certify your bridge" does what the page says, from the packed packages in an empty folder', { timeout: PAGE_LIMIT_MS }, async () => {
  const npm = await shell('npm --version');
  if (Number(npm.text.split('.')[0]) < 11) {
    // As the page says; not into the system of whoever runs the tests.
    expect(await shell('npm install --no-save --prefix newer-npm npm@11')).toMatchObject({ code: 0 });
    process.env['PATH'] = `${path.join(folder, 'newer-npm', 'node_modules', '.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
  }
  const seen = new Set<RegExp>();
  for (const { language, text } of await blocksOf('conformance/README.md')) {
    if (language === 'js') await save(text);
    if (language === 'diff') await change(text);
    if (language === 'yaml') await checkWorkflow(text);
    if (language !== 'sh') continue;
    for (const { command, code } of text.trim().split('\n').map(promised)) {
      const ended = await shell(command);
      expect(ended, command).toMatchObject({ code });
      for (const [asked, told] of TOLD.filter(([asks]) => asks.test(command))) {
        expect(ended.text, command).toMatch(told);
        seen.add(asked);
      }
    }
  }
  expect([...seen]).toHaveLength(TOLD.length);
});

/** The workflow is YAML of that shape, and what it runs of the suite works in this folder. */
async function checkWorkflow(text: string): Promise<void> {
  const workflow: { jobs: { certify: { steps: { run?: string; uses?: string }[] } } } = parse(text);
  const commands = workflow.jobs.certify.steps.flatMap(({ run }) => run ?? []);
  expect(commands.filter((command) => !command.startsWith('npx mcp-bridge-conformance'))).toEqual(['npm install --global npm@11', 'npm install']);
  expect(await shell('npm install')).toMatchObject({ code: 0 });
  for (const command of commands.filter((one) => one.startsWith('npx'))) {
    // All of it takes a minute and more; one check shows that the words are right.
    const part = command.includes(' certify ') ? `${command} --only NAMING-009` : command;
    expect(await shell(part), part).toMatchObject({ code: 0 });
  }
  expect(await readFile(path.join(folder, 'reports', 'junit.xml'), 'utf8')).toMatch(/<testsuites/);
}
