// Finds the known name that a misspelt one was probably meant to be. Pure.

/** Edits (insert, delete, replace) from one word to the other: Levenshtein's distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** @returns The nearest known name, if it is near enough to be meant: two edits (two letters in the wrong order), or a third of its letters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  // A name as long as a message is no misspelling, and not worth the time.
  if (name.length > 40) return undefined;
  const plain = name.toLowerCase().replaceAll('-', '_');
  const [best] = known.map((one) => ({ one, edits: distance(plain, one) })).sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(2, best.one.length / 3) ? best.one : undefined;
}
