import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RECONNECT_OPTIONS, TRANSPORT_OPTIONS, TUNING_OPTIONS, type OptionSpec } from '../src/config-options.ts';
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

  it('shows names as they are', () => {
    const rows = [...readme.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| `(mcp__[^`]+)` \|$/gm)];
    expect(rows).toHaveLength(3);
    for (const [, serverName = '', rawName = '', publicName] of rows) expect(publicToolName(serverName, rawName)).toBe(publicName);
  });
});
