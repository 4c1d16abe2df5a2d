/** The reference page, made of the schemas and the examples. */
import { parseEither } from '../case/parse-file.ts';
import { ScenarioError } from '../scenario/error.ts';
import { BOUNDS } from './bounds.ts';
import { carriersOf, withoutCarrier } from './carriers.ts';
import { examplesOf, wrongFiles, type Example } from './examples.ts';
import { FRAMES } from './frames.ts';
import { SECTIONS, type Section } from './sections.ts';
import { told } from './told.ts';
import { BOOLEAN, typeOf } from './types.ts';
import { usedBy, usedByFrame } from './uses.ts';
import { wordsOf, type Word } from './words.ts';

/** The text of REFERENCE.md. Deterministic. */
export function referencePage(): string {
  const examples = [...examplesOf('scenario'), ...examplesOf('case')];
  const found = new Map(examples.map((example) => [example, wordsShown(example)]));
  const lines = [
    '<!-- Generated from the schemas and from reference/*.yaml: `npm run snapshots` writes it anew. -->', '', '# The languages of scenarios and cases', '',
    'A **scenario** is a script for one server, a **case** is servers, host and steps of one bug report. Both are YAML 1.2 or JSON.',
    '`mcp-fixture-server lint <file>` checks either; `schemas/scenario.schema.json` and `schemas/case.schema.json` are for editors.',
    'Every example here is linted, served and talked to, or run against the reference bridge, by the tests. What stands after `→` a',
    'client says, after `←` it sees, other members of an answer left out. A word without a carrier works on both.', '',
    ...SECTIONS.map(({ title }) => `- [${title}](#${anchor(title)})`), '- [Frames of the examples](#frames-of-the-examples)', '- [Bounds](#bounds)', '- [Wrong files](#wrong-files)', '',
    ...SECTIONS.flatMap((section) => sectionLines(section, examples, found)),
    ...frameLines(), ...boundLines(), ...wrongLines(),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The words of an example that its frame does not have anyway, and then those. */
function wordsShown(example: Example): { readonly own: ReadonlySet<string>; readonly all: ReadonlySet<string> } {
  const all = usedBy(example);
  const framed = usedByFrame(example.frame);
  return { own: new Set([...all].filter((id) => !framed.has(id))), all };
}

function sectionLines(section: Section, examples: readonly Example[], found: ReadonlyMap<Example, ReturnType<typeof wordsShown>>): string[] {
  const rows = wordsOf(section).map((word) => row(word, exampleOf(word, examples, found)));
  return [
    `## ${section.title}`, '', section.intro, '', '| word | value | default | meaning | example |', '|---|---|---|---|---|', ...rows, '',
    ...examples.filter(({ shows }) => shows === section.id).flatMap((example) => exampleLines(example)),
  ];
}

/** An example of the word: of its own section if there is one, with the word itself rather than in its frame. */
function exampleOf(word: Word, examples: readonly Example[], found: ReadonlyMap<Example, ReturnType<typeof wordsShown>>): Example | undefined {
  const near = [...examples.filter(({ shows }) => shows === word.section.id), ...examples];
  return near.find((example) => found.get(example)?.own.has(word.id)) ?? near.find((example) => found.get(example)?.all.has(word.id));
}

function row(word: Word, example: Example | undefined): string {
  const { meaning, fallback } = apart(withoutCarrier(word.description));
  const carriers = word.section.language === 'case' || word.section.id === 'http' ? 'both' : carriersOf(word);
  const only = carriers === 'both' ? '' : ` *${carriers}*`;
  const link = example === undefined ? '' : `[${example.id}](#${example.id})`;
  return `| \`${word.name}\`${only} | ${cell(typeOf(word))} | ${cell(fallbackOf(word, fallback))} | ${cell(meaning)} | ${link} |`;
}

function fallbackOf(word: Word, said: string | undefined): string {
  if (word.isRequired) return word.isChoice ? 'one of these' : 'required';
  if (word.defaultValue !== undefined) return `\`${JSON.stringify(word.defaultValue)}\``;
  return said ?? (typeOf(word) === BOOLEAN ? '`false`' : 'none');
}

/** What a description says of the default, and the rest of it. */
export function apart(description: string): { readonly meaning: string; readonly fallback: string | undefined } {
  const sentences = description.split(/(?<=[.!?]) (?=[A-Z`])/);
  const at = sentences.findIndex((sentence) => /^Default:? /.test(sentence));
  if (at < 0) return { meaning: description, fallback: undefined };
  const fallback = (sentences[at] ?? '').replace(/^Default:? /, '').replace(/\.$/, '');
  return { meaning: sentences.filter((_, index) => index !== at).join(' '), fallback };
}

function exampleLines(example: Example): string[] {
  const frame = example.frame === 'whole' ? [] : [` In the frame [${example.frame}](#frames-of-the-examples).`];
  return [
    `### ${example.id}`, '', `${example.says}${frame.join('')}`, '', '```yaml', example.yaml.trimEnd(), '```', '',
    ...(example.talk.length === 0 ? [] : ['```text', ...example.talk.flatMap((step) => told(step)), '```', '']),
  ];
}

function frameLines(): string[] {
  return [
    '## Frames of the examples', '', 'What stands around an example that is no whole file.', '',
    ...Object.entries(FRAMES).filter(([, { text }]) => text !== '').flatMap(([name, { text, indent }]) => [`**${name}**`, '', '```yaml', `${text}${' '.repeat(indent)}…`, '```', '']),
  ];
}

function boundLines(): string[] {
  return [
    '## Bounds', '', 'What a file may ask for beside the bounds of single words above. A file that passes one is refused before anything is served.', '',
    '| bound | at most | why |', '|---|---|---|', ...BOUNDS.map(({ what, most, why }) => `| ${what} | ${most} | ${why} |`), '',
  ];
}

function wrongLines(): string[] {
  const blocks = wrongFiles().flatMap(({ says, yaml }) => [`**${says}**`, '', '```yaml', yaml.trimEnd().replaceAll('\t', '→'), '```', '', '```text', lintOf(yaml), '```', '']);
  return ['## Wrong files', '', 'What `lint` says: file, line and column, the place, what is wrong and the fix. `→` stands for a tab.', '', ...blocks];
}

/** What `lint` says of a wrong file. */
function lintOf(text: string): string {
  try {
    parseEither(text, 'file.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
    throw error;
  }
  throw new Error(`nothing is wrong with ${text}`);
}

function cell(text: string): string {
  // Within backticks Markdown takes every character as it is, but for the bar that ends a cell.
  return text.split('`').map((piece, index) => (index % 2 === 0 ? piece.replaceAll('<', '&lt;') : piece)).join('`').replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function anchor(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
