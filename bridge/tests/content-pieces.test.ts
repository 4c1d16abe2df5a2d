import { describe, expect, it } from 'vitest';
import { contentPieces, imagePieces, refusedImage } from '../src/content-pieces.ts';
import type { JsonValue } from '../src/host-services.ts';

/** What the model reads of one block. */
function wordsOf(block: JsonValue): string {
  const [piece] = contentPieces([block], (words) => words.replaceAll('hush', '[out]'));
  return piece?.kind === 'text' ? piece.text : 'an image';
}

describe('contentPieces', () => {
  it.each<readonly [JsonValue, string]>([
    [{ type: 'resource_link', uri: 'file:///a' }, 'Resource link: file:///a'],
    [{ type: 'resource_link', uri: 'file:///a', name: '' }, 'Resource link: file:///a'],
    [{ type: 'resource_link', uri: 'file:///a', name: 'A' }, 'Resource link: A (file:///a)'],
    [{ type: 'resource_link', name: 'A' }, '[malformed resource_link block left out: its uri is missing]'],
    [{ type: 'resource_link', uri: 5 }, '[malformed resource_link block left out: its uri is missing]'],
    [{ type: 'resource', resource: { uri: 'mem://hush' } }, '[embedded resource left out (mem://[out])]'],
    [{ type: 'resource', resource: {} }, '[embedded resource left out]'],
    [{ type: 'resource', resource: 'text' }, '[malformed resource block left out: its resource is missing]'],
    [{ type: 'resource' }, '[malformed resource block left out: its resource is missing]'],
    [{ type: 'audio', mimeType: 5 }, '[audio left out]'],
    [{ type: 'audio', mimeType: '' }, '[audio left out]'],
    [{ type: 'hush' }, '[content block of the unknown type "[out]" left out]'],
  ])('makes of %j: %s (S41, S42)', (block, words) => {
    expect(wordsOf(block)).toBe(words);
  });
});

it.each<readonly [JsonValue, string]>([
  [{ type: 'image', data: 'x', mimeType: 'image/png' }, '[image left out (image/png): why]'],
  [{ type: 'image', data: 'x' }, '[malformed image block left out: its mimeType is missing]'],
  [{ type: 'image', mimeType: 'image/png' }, '[malformed image block left out: its data is missing]'],
])('says of an image %j that is not shown: %s (S42)', (block, words) => {
  const pieces = imagePieces([block, { type: 'text', text: 'x' }, 'odd']);
  expect(pieces.map((piece) => refusedImage(piece, 'why', (text) => text).text)).toEqual([words]);
});
