import { suggest } from 'mcp-fixture-server';

/** The end of a message about unknown words: the known ones that are near, if any are, and where all are listed. */
export function didYouMean(words: readonly string[], known: readonly string[]): string {
  const near = words.flatMap((word) => suggest(word, known) ?? []);
  return near.length === 0
    ? 'see the list: mcp-bridge-conformance list'
    : `did you mean ${near.join(', ')}? See the list: mcp-bridge-conformance list`;
}
