import { array, assert, base64String, constant, constantFrom, integer, jsonValue, oneof, property, record, string, webUrl } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalValue } from '../src/canonical-value.ts';
import type { ContentBlock, JsonValue } from '../src/host-services.ts';
import { renderCanonical } from '../src/render-canonical.ts';
import { IMAGES_NOT_SHOWN, NOTHING_TO_SHOW, projectError, projectResult } from '../src/result-projection.ts';

const OPTIONS = { maxChars: 100_000, images: IMAGES_NOT_SHOWN };

/** The text of a result without images. */
function textOf(value: CanonicalValue, maxChars = OPTIONS.maxChars): string {
  const blocks = projectResult(value, { ...OPTIONS, maxChars });
  expect(blocks).toHaveLength(1);
  const [block] = blocks;
  return block?.type === 'text' ? block.text : '';
}

const render = (value: JsonValue): ContentBlock[] => renderCanonical(value, projectResult, 1_000);
const text = (value: string): JsonValue => ({ type: 'text', text: value });
const PAYLOAD = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODk='.repeat(3);

describe('projectResult', () => {
  it('joins text, links and diagnostics in order with newlines (S40, S41, S42)', () => {
    const content: JsonValue[] = [
      text('one'),
      { type: 'resource_link', name: 'my file', uri: 'file:///a b' },
      { type: 'audio', data: PAYLOAD, mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'mem://x', mimeType: 'text/plain', text: 'body' } },
      { type: 'image', data: PAYLOAD, mimeType: 'image/png' },
      { type: 'hologram', data: PAYLOAD },
      { type: 'text' },
      'bare',
      { no: 'type' },
      text('two'),
    ];
    expect(textOf({ content }).split('\n')).toEqual([
      'one',
      'Resource link: my file (file:///a b)',
      '[audio left out (audio/wav)]',
      '[embedded resource left out (mem://x, text/plain)]',
      '[image left out (image/png): only a program that calls the tool gets it]',
      '[content block of the unknown type "hologram" left out]',
      '[malformed text block left out: its text is missing]',
      '[malformed content block left out: it is no object]',
      '[malformed content block left out: it has no type]',
      'two',
    ]);
  });

  it('puts stored images where they were, between runs of text (S40, S43)', () => {
    const image = { type: 'image', data: PAYLOAD, mimeType: 'image/png' };
    const references = [{ sha256: 'a' }, { sha256: 'b' }];
    const blocks = projectResult({ content: [text('1'), text('2'), image, image, text('3')] }, { ...OPTIONS, images: { kind: 'stored', references } });
    expect(blocks).toEqual<ContentBlock[]>([
      { type: 'text', text: '1\n2' },
      { type: 'image', attachment: { sha256: 'a' } },
      { type: 'image', attachment: { sha256: 'b' } },
      { type: 'text', text: '3' },
    ]);
  });

  it('lets no image disappear and shows none, should a reference be missing (S42, S45)', () => {
    const image = { type: 'image', data: PAYLOAD, mimeType: 'image/png' };
    const blocks = projectResult({ content: [image, image] }, { ...OPTIONS, images: { kind: 'stored', references: [{ sha256: 'a' }] } });
    const line = '[image left out (image/png): it was not stored]';
    expect(blocks).toEqual<ContentBlock[]>([{ type: 'text', text: `${line}\n${line}` }]);
  });

  it.each<readonly [string, JsonValue[]]>([
    ['no blocks', []],
    ['an empty text', [text('')]],
    ['blank texts', [text(' '), text('\n')]],
  ])('says that there is nothing to show for %s (S50)', (_what, content) => {
    expect(textOf({ content })).toBe(NOTHING_TO_SHOW);
  });

  it('shows structured content where there is no other, without payloads (S46, S50, R56)', () => {
    const shown = textOf({ content: [], structuredContent: { rows: [1, 2], file: { data: PAYLOAD }, note: 'x'.repeat(300) } });
    expect(shown).toContain('"rows":[1,2]');
    expect(shown).not.toContain(PAYLOAD);
    expect(shown).not.toContain('x'.repeat(256));
  });

  it('does not repeat structured content beside content', () => {
    expect(textOf({ content: [text('a')], structuredContent: { secret: 1 } })).toBe('a');
  });

  it('removes a payload that a server repeats as text (S46, R64)', () => {
    const content: JsonValue[] = [text(`see {"data":"${PAYLOAD}"} and ${PAYLOAD}.`), { type: 'image', data: PAYLOAD, mimeType: PAYLOAD }];
    const shown = textOf({ content });
    expect(shown).toContain('see {"data":"[payload left out]"} and [payload left out].');
    expect(shown).not.toContain(PAYLOAD.slice(0, 64));
  });

  it('cuts long text with a visible marker, never inside a character, and stays within the bound (B16)', () => {
    const shown = textOf({ content: [text('😀'.repeat(1_000))] }, 501);
    expect(shown.length).toBeLessThanOrEqual(501);
    expect(shown).toMatch(/^(😀)+\n\[cut here: the first \d+ of 2000 characters are shown\]$/u);
  });

  it.each([
    ['short ones', 300, text('a'), /^\n\[cut here: the first 0 of 399 characters are shown\]\n\[cut here: 100 more content blocks after the first 200 are left out\]$/],
    ['empty ones', 300, text(''), /^\[cut here: 100 more content blocks after the first 200 are left out\]$/],
    ['exactly as many as characters', 200, text(''), /^\[the tool returned nothing to show\]$/],
    ['a million', 1_000_000, {}, /^\n\[cut here: the first 0 of \d+ characters are shown\]\n\[cut here: 999800 more content blocks after the first 200 are left out\]$/],
  ])('looks at no more blocks than there can be room for, and says how many it leaves out: %s (B01, B16)', (_what, count, block, shown) => {
    const all = textOf({ content: Array.from({ length: count }, () => block) }, 200);
    expect(all).toMatch(shown);
    expect(all.length).toBeLessThanOrEqual(200);
  });

  it('shows what there is room for before the two marks', () => {
    expect(textOf({ content: Array.from({ length: 1_100 }, () => text('a')) }, 1_000)).toMatch(/^(a\n){380}\n\[cut here: the first 760 of 1999 characters are shown\]\n\[cut here: 100 more content blocks after the first 1000 are left out\]$/);
  });

  it('says what it leaves out behind an image, in a block of its own', () => {
    const reference = { attachmentId: 'i' };
    const content: JsonValue[] = [{ type: 'image', data: PAYLOAD, mimeType: 'image/png' }, ...Array.from({ length: 200 }, () => text(' '))];
    const blocks = projectResult({ content }, { maxChars: 200, images: { kind: 'stored', references: [reference] } });
    expect(blocks).toEqual([{ type: 'image', attachment: reference }, { type: 'text', text: '[cut here: 1 more content blocks after the first 200 are left out]' }]);
  });

  it('replaces broken Unicode and nothing else (B16)', () => {
    expect(textOf({ content: [text('a\uD800b\uDC00😀\u0000é')] })).toBe('a\uFFFDb\uFFFD😀\u0000é');
  });

  const block = oneof(
    record({ type: constant('text'), text: string({ unit: 'binary' }) }),
    record({ type: constantFrom('image', 'audio', 'other'), data: base64String({ minLength: 64 }), mimeType: string() }),
    record({ type: constant('resource'), resource: record({ uri: webUrl(), blob: base64String({ minLength: 64 }) }) }),
    record({ type: constant('resource_link'), name: string(), uri: webUrl() }),
    jsonValue(),
  );

  it('gives any result one well-formed, bounded, payload-free text that mentions every block (S40, S42, S46, B16)', () => {
    assert(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fast-check's JSON values are JSON values
      property(array(block as unknown as import('fast-check').Arbitrary<JsonValue>, { maxLength: 8 }), integer({ min: 200, max: 2_000 }), (content, maxChars) => {
        const shown = textOf({ content }, maxChars);
        expect(shown.length).toBeLessThanOrEqual(maxChars);
        expect(shown).toBe(Buffer.from(shown, 'utf8').toString('utf8'));
        expect(shown).not.toBe('');
        const payloads = JSON.stringify(content).match(/"(?:data|blob)":"([^"]{64,})"/g) ?? [];
        for (const payload of payloads) expect(shown).not.toContain(payload.slice(8, -1));
        if (!shown.includes('[cut here') && shown !== NOTHING_TO_SHOW) expect(shown.split('\n').length).toBeGreaterThanOrEqual(content.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('renders whatever a policy put in place of the value (S47)', () => {
    expect(render('words')).toEqual([{ type: 'text', text: 'words' }]);
    expect(render({ ok: true })).toEqual([{ type: 'text', text: '{"ok":true}' }]);
    expect(render(null)).toEqual([{ type: 'text', text: 'null' }]);
    expect(render({ content: [text('a')] })).toEqual([{ type: 'text', text: 'a' }]);
  });
});

describe('projectError', () => {
  it('says so when a tool fails without a word (S36, S50)', () => {
    expect(projectError({ content: [] }, 1_000)).toBe('[the tool reported an error without any text]');
    expect(projectError({ content: [text('')], structuredContent: { a: 1 } }, 1_000)).toBe('[the tool reported an error without any text]');
  });

  it('is the text of the tool, with words for what is no text (S36)', () => {
    expect(projectError({ content: [text('no such file'), { type: 'image', data: PAYLOAD, mimeType: 'image/png' }] }, 1_000)).toBe('no such file\n[image left out (image/png): the call failed]');
  });

  it('is bounded too (B16)', () => {
    expect(projectError({ content: [text('x'.repeat(5_000))] }, 1_000).length).toBeLessThanOrEqual(1_000);
  });
});
