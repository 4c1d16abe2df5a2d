import type { Word } from './words.ts';
import { wordsOf } from './words.ts';

/** On which carriers a word works. */
export type WordCarriers = 'both' | 'stdio' | 'streamable-http';

const PREFIXES = [['HTTP only: ', 'streamable-http'], ['stdio only: ', 'stdio']] as const;

/** On which carriers a word works: its description begins with `HTTP only` or `stdio only`, or that of the word around it. */
export function carriersOf(word: Word): WordCarriers {
  if (word.section.id === 'http') return 'streamable-http';
  const around = wordsOf(word.section).filter(({ name }) => word.name === name || word.name.startsWith(`${name}.`));
  for (const { description } of around) {
    for (const [prefix, carrier] of PREFIXES) if (description.startsWith(prefix)) return carrier;
  }
  return 'both';
}

/** The description without what it says of carriers, begun as a sentence. */
export function withoutCarrier(description: string): string {
  const prefix = PREFIXES.map(([each]) => each).find((each) => description.startsWith(each)) ?? '';
  const rest = description.slice(prefix.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
