/**
 * Text of others, as it may be printed: bounded, and what moves a cursor, changes colours, turns the direction of writing or cannot be
 * seen is spelled out. A subject's name must not look like a line of the suite's own.
 */

/** Characters of a name or a version. */
const MAX_NAME = 200;
/** Characters of a message: an error of a driver carries the end of its stderr, 4 KB. */
const MAX_MESSAGE = 8_000;

/** A word on one line, such as a name. */
export function printableName(text: string): string {
  return cut(spelled(text), MAX_NAME);
}

/** A message; its line feeds stay, each new line is indented. */
export function printable(text: string, indent = ''): string {
  return cut(text.split(/\r?\n/).map((line) => spelled(line.replaceAll('\t', '  '))).join(`\n${indent}`), MAX_MESSAGE);
}

/** Name and version of a subject or suite. */
export function nameAndVersion({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${printableName(name)} ${printableName(version)}`;
}

/** Spells out what is not visible, as JSON does. */
export function spelled(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}

/** At most so many characters, and how many there were. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}… (${text.length} characters)` : text;
}
