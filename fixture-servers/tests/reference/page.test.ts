import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEither } from '../../src/case/parse-file.ts';
import { ScenarioError } from '../../src/scenario/error.ts';
import { BOUNDS } from '../../src/reference/bounds.ts';
import { examplesOf, wrongFiles } from '../../src/reference/examples.ts';
import { referencePage } from '../../src/reference/page.ts';
import { SECTIONS } from '../../src/reference/sections.ts';
import { wordsOf } from '../../src/reference/words.ts';

const page = readFileSync(new URL('../../REFERENCE.md', import.meta.url), 'utf8');

/** What is said of a wrong file, line by line. */
function said(text: string): string[] {
  try {
    parseEither(text, 'file.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('REFERENCE.md', () => {
  it('is what the schemas and the examples make of it', () => {
    expect(page).toBe(referencePage());
  });

  it('has a row for every word, with what may stand there, its default, its meaning and an example', () => {
    const rows = page.split('\n').filter((line) => /^\| `[\w.<>]+`/.test(line));
    expect(rows).toHaveLength(SECTIONS.flatMap((section) => wordsOf(section)).length);
    expect(rows.filter((line) => !/^\| `[^`]+`( \*[\w-]+\*)?( \| \S.*){3} \| \[[a-z-]+\]\(#[a-z-]+\) \|$/.test(line))).toEqual([]);
  });

  it('leads nowhere that is not there', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
    const links = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, to = '']) => to);
    expect(links.length).toBeGreaterThan(200);
    expect([...new Set(links)].filter((to) => !anchors.includes(to))).toEqual([]);
  });

  it('shows every example as it is run', () => {
    for (const { yaml } of [...examplesOf('scenario'), ...examplesOf('case')]) expect(page).toContain(`\`\`\`yaml\n${yaml.trimEnd()}\n\`\`\``);
  });
});

describe('a wrong file on the page', () => {
  it.each(wrongFiles())('$says: one line with file, line, column and what to do', ({ yaml }) => {
    const lines = said(yaml);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^file\.yaml:\d+:\d+: .{20,}/);
  });

  it.each(BOUNDS)('that passes the $what is refused, and told the bound', ({ passes, says }) => {
    expect(said(passes()).join('\n')).toContain(says);
  });
});
