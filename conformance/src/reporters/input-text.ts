/** Characters of a counterexample that are printed; the saved history holds it whole. */
const MAX_INPUT = 2_000;

/** A counterexample for a person: cut, and invisible characters spelled out, so that it can be told apart and pasted. */
export function inputText(given: string): string {
  const text = visible(given);
  return text.length > MAX_INPUT ? `${text.slice(0, MAX_INPUT - 1)}… (${text.length} characters)` : text;
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}
