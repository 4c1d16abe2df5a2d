import { cut, spelled } from './printable.ts';

/** Characters of a counterexample that are printed; the saved history holds it whole. */
const MAX_INPUT = 2_000;

/** A counterexample for a person: cut, and invisible characters spelled out, so that it can be told apart and pasted. */
export function inputText(given: string): string {
  return cut(spelled(given), MAX_INPUT);
}
