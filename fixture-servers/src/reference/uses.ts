import { parse } from 'yaml';
import { completed, type Example } from './examples.ts';
import { FRAMES } from './frames.ts';
import { SECTIONS } from './sections.ts';
import { usedIn } from './words.ts';

/** The ids of the words that an example uses, its frame aside unless the frame is all there is to them. */
export function usedBy(example: Pick<Example, 'frame' | 'yaml'>): Set<string> {
  const text = completed(example);
  const value: unknown = parse(text);
  const isCase = typeof value === 'object' && value !== null && Object.hasOwn(value, 'case');
  const section = SECTIONS.find(({ id }) => id === (isCase ? 'case' : 'scenario'));
  return section === undefined ? new Set() : usedIn(section, value);
}

/** The words that the frame of an example uses by itself. */
export function usedByFrame(frame: Example['frame']): Set<string> {
  return FRAMES[frame].text === '' ? new Set() : usedBy({ frame, yaml: '' });
}
