// Text: what can be stored, and how people read numbers, plurals and times. Pure.

/** 12345 → `12,345`. */
export const formatNumber = (number: number): string => number.toLocaleString('en-US');

/** @param nouns If not the noun with an s. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : nouns}`;

/** What a field of a form holds, empty if there is none: browsers end lines with CR LF. */
export const fieldText = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').replaceAll('\r\n', '\n');

/** What a record from outside has under a name, which may be constructor or __proto__. */
export const ownValue = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

const LENGTHS = { minute: 16, second: 19, millisecond: 23 } as const;

/** `2030-01-31 12:00:00`. */
export const formatUtc = (at: Date, to: keyof typeof LENGTHS = 'second'): string =>
  at.toISOString().slice(0, LENGTHS[to]).replace('T', ' ');

/** PostgreSQL takes no zero byte and no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Without what PostgreSQL can't store. */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Without control characters, for a header, a log or a table. */
export const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

/** An address as it is compared: only A to Z in lower case, as in SQL, so that it is the same in every locale. */
export const foldEmail = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The Levenshtein distance. */
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

/** At most two edits away (two swapped letters), one from a short name, or a third of its letters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  // Not a misspelling, and not worth the time.
  if (name.length > 40) return undefined;
  const plain = name.toLowerCase().replaceAll('-', '_');
  const [best] = known.map((one) => ({ one, edits: distance(plain, one) })).sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(best.one.length > 4 ? 2 : 1, best.one.length / 3) ? best.one : undefined;
}
