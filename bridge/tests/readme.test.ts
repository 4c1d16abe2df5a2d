import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RECONNECT_OPTIONS, TRANSPORT_OPTIONS, TUNING_OPTIONS, type OptionSpec } from '../src/config-options.ts';
import { resolveConfig } from '../src/config.ts';
import type { JsonValue } from '../src/host-services.ts';
import { refuseImages } from '../src/image-batch.ts';
import { publicToolName } from '../src/naming.ts';
import { projectResult } from '../src/result-projection.ts';

const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');

/** The default as the table shows it. */
function shownDefault({ kind }: OptionSpec): string {
  if (kind.type === 'text') return kind.required ? 'required' : '–';
  if (kind.type === 'function') return '–';
  if (kind.type === 'number' && kind.defaultOption !== undefined) return `\`${kind.defaultOption}\``;
  return kind.type === 'texts' || kind.type === 'pairs' ? 'none' : `\`${String(kind.default)}\``;
}

/** One row of the table. */
function row(prefix: string, option: OptionSpec): string {
  return `| \`${prefix}${option.key}\` | ${option.scope} | ${shownDefault(option)} | ${option.description} |`;
}

describe('README', () => {
  it('lists every option with its transport, default and meaning, and no other', () => {
    const table = /<!-- config-table: begin -->\n([^]*?)\n<!-- config-table: end -->/.exec(readme)?.[1]?.split('\n') ?? [];
    expect(table.slice(4)).toEqual([
      ...[...TRANSPORT_OPTIONS, ...TUNING_OPTIONS].map((option) => row('', option)),
      ...RECONNECT_OPTIONS.map((option) => row('reconnect.', option)),
    ]);
  });

  it('shows the lines in place of blocks as they are', () => {
    const shown = /Everything else becomes a short line in its place:\n\n((?: {6}.*\n)+)/.exec(readme)?.[1]?.replaceAll(/^ {6}/gm, '').trimEnd();
    const content: JsonValue[] = [
      { type: 'resource_link', name: 'Q3 report', uri: 'file:///srv/q3.pdf' },
      { type: 'resource', resource: { uri: 'mem://notes', mimeType: 'text/plain', text: 'x' } },
      { type: 'audio', mimeType: 'audio/wav', data: 'x' },
      { type: 'image', mimeType: 'image/png', data: 'x' },
      { type: 'hologram' },
      { type: 'text' },
    ];
    const images = refuseImages('the model does not declare image input');
    expect(projectResult({ content }, { maxChars: 10_000, images })).toEqual([{ type: 'text', text: shown }]);
  });

  it('shows a call by hand that works, with the server of its example', () => {
    const shown = /## A call by hand\n[^]*?```js\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
    const code = shown.replace("command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', ", `command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(server)}, `);
    expect(code).not.toBe(shown);
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', timeout: 50_000 });
    expect({ status: run.status, stdout: run.stdout, stderr: run.status === 0 ? '' : run.stderr }).toEqual({ status: 0, stdout: expect.stringMatching(/^false \[.*Allowed directories:/m) as unknown, stderr: '' });
  });

  it('names only npm commands that there are', () => {
    const manifest: { scripts: Record<string, string> } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'));
    const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
    expect(named).toEqual(expect.arrayContaining(['test:containers', 'test:official', 'fuzz']));
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  it('quotes a refusal of a config as it is', () => {
    const quoted = /^ {4}(mcp-bridge "files" config\..*)$/m.exec(readme)?.[1] ?? 'the line is missing';
    expect(() => resolveConfig({ serverName: 'files', transport: 'stdio', command: 'x', reconnect: { maxAttempt: 3 } })).toThrow(quoted);
  });

  it('shows names as they are', () => {
    const rows = [...readme.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| `(mcp__[^`]+)` \|$/gm)];
    expect(rows).toHaveLength(3);
    for (const [, serverName = '', rawName = '', publicName] of rows) expect(publicToolName(serverName, rawName)).toBe(publicName);
  });
});
