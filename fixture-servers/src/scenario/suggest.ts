/** The known word nearest to a wrong one, if one is near enough to be meant. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = (word.length <= 3 ? 1 : Math.max(2, Math.floor(word.length / 3))) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The message for a key the language does not have. */
export function unknownKey(key: string, known: readonly string[]): string {
  const near = suggest(key, known);
  const listed = known.map((name) => `\`${name}\``).join(', ');
  return near === undefined
    ? `unknown key \`${key}\`; known here: ${listed || 'none'}`
    : `unknown key \`${key}\`; did you mean \`${near}\`? Known here: ${listed}`;
}

/** Levenshtein's distance, rows only. Words are cut: a key of a megabyte must not cost its square. */
function editDistance(left: string, right: string): number {
  const a = left.slice(0, 64);
  const b = right.slice(0, 64);
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
