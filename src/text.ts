// Text: what can be stored, and numbers, plurals and times as people read them. Imports nothing of ours. Pure.

/** 12345 → `12,345`. */
export const formatNumber = (number: number): string => number.toLocaleString('en-US');

/** `1 email`, `2 emails`. @param nouns Where the plural isn't the noun with an s. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : nouns}`;

const LENGTHS = { minute: 16, second: 19, millisecond: 23 } as const;

/** `2030-01-31 12:00:00`, in UTC. */
export const formatUtc = (at: Date, to: keyof typeof LENGTHS = 'second'): string =>
  at.toISOString().slice(0, LENGTHS[to]).replace('T', ' ');

/** Whether PostgreSQL can store a text: it takes no zero byte and no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** A text without what PostgreSQL can't store. */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A text on one line, without control characters, for a header, a log or a table. */
export const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

/** Edits (insert, delete, replace) from one word to the other: the Levenshtein distance. */
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

/** The known name that a misspelled one probably means: at most two edits away (two swapped letters), or a third of its letters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  // A name as long as a message isn't a misspelling, and not worth the time.
  if (name.length > 40) return undefined;
  const plain = name.toLowerCase().replaceAll('-', '_');
  const [best] = known.map((one) => ({ one, edits: distance(plain, one) })).sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(2, best.one.length / 3) ? best.one : undefined;
}
