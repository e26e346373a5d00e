// Texts: what can be stored, and how numbers, plurals and times are written for people. Pure.

/** 12345 → `12,345`. */
export const formatNumber = (number: number): string => number.toLocaleString('en-US');

/** From 10,000 with one decimal at most: 1234567 → `1.2M`, where there is no room for all of it. */
export const formatShort = (number: number): string =>
  number < 10_000 ? formatNumber(number) : number.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** 0.0274 → `2.7%`; a share below a thousandth has two decimals. @param share From 0 to 1. */
export const formatShare = (share: number): string =>
  `${(100 * share).toFixed(share > 0 && share < 0.001 ? 2 : 1).replace(/\.0$/, '')}%`;

/** @param nouns The plural, if it isn't the noun with an s. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : nouns}`;

/** Days as people write them: 3,7,14 is a list and 0 is none. Undefined: they are no such list. Their order isn't checked. */
export function readReminders(text: string): number[] | undefined {
  if (!/^\s*\d{1,3}(\s*,\s*\d{1,3})*\s*$/.test(text)) return undefined;
  const days = text.split(',').map(Number);
  return days.length === 1 && days[0] === 0 ? [] : days;
}

/** `after 3, 7 and 14 days`, or `none`. */
export function remindersInWords(days: readonly number[]): string {
  if (days.length < 2) return days[0] === undefined ? 'none' : `after ${plural(days[0], 'day')}`;
  return `after ${days.slice(0, -1).join(', ')} and ${days.at(-1)} days`;
}

/** The value of a form's field, or an empty text. It gets LF line ends, because browsers send CR LF. */
export const fieldText = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').replaceAll('\r\n', '\n');

/** The record's own value under a name. The record comes from outside, and the name may be constructor or __proto__. */
export const ownValue = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

/** The texts of a field that has them by name as JSON. A page could send anything: what isn't a text by name is left out. */
export function textsInJson(json: string | null): Record<string, string> {
  try {
    const given: unknown = JSON.parse(json ?? '');
    if (typeof given !== 'object' || given === null) return {};
    return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

const LENGTHS = { minute: 16, second: 19, millisecond: 23 } as const;

/** `2030-01-31 12:00:00`. */
export const formatUtc = (at: Date, to: keyof typeof LENGTHS = 'second'): string =>
  at.toISOString().slice(0, LENGTHS[to]).replace('T', ' ');

// The zone is optional, because all times in the API are UTC.
const UTC_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2})(?: ?UTC|Z|\+00:00)?|T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|\+00:?00)?)$/;

/** Reads `2030-01-31 12:00:00 UTC` or `2030-01-31T12:00:00Z`. Undefined: another form. Null: a date and time that doesn't exist. */
export function parseUtc(text: string): Date | null | undefined {
  const parts = UTC_TIME.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts.filter((part) => part !== undefined).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC turns a date that doesn't exist into another one: February 30 becomes March 1 or 2. The parts then differ.
  const exists =
    time.getUTCFullYear() === year &&
    time.getUTCMonth() === month - 1 &&
    time.getUTCDate() === day &&
    time.getUTCHours() === hour &&
    time.getUTCMinutes() === minute &&
    time.getUTCSeconds() === second;
  return exists ? time : null;
}

/** PostgreSQL can't store zero bytes or unpaired surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Removes what PostgreSQL can't store. */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/**
 * Invisible characters that reorder the text after them, as part of a pattern: embeddings, overrides and isolates (UAX #9). A test compares
 * them with SQL, which removes them from recipients' names.
 */
export const DIRECTION_MARKS = '\\u202a-\\u202e\\u2066-\\u2069';

const DIRECTION_MARK = new RegExp(`[${DIRECTION_MARKS}]`);

export const hasDirectionMark = (text: string): boolean => DIRECTION_MARK.test(text);

/** Removes control characters, for a header, a log or a table. */
export const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

const CONTROLS = new RegExp(`[\\p{Cc}${DIRECTION_MARKS}]+`, 'gu');

/** What another server says, for a log or a page: in one line, without characters that control a terminal or turn the text after them around. */
export const toPlainLine = (text: string): string => text.toWellFormed().replace(CONTROLS, ' ').trim();

/** The first so many characters, with an ellipsis in the place of the rest. */
export const cutAfter = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;

/** At most so many characters, of which the last is an ellipsis if there are more. */
export const shortened = (text: string, length: number): string => (text.length > length ? cutAfter(text, length - 1) : text);

/** Characters of a label. */
const MAX_LABEL = 60;

/**
 * A name that its owner chose, for an email that strangers get from our own address. It is short and has nothing that a mail program makes a
 * link of or that turns text around: `Win at http://evil.example/x` becomes `Win at http evil example x`.
 */
export function toLabel(name: string): string {
  const text = name
    .toWellFormed()
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{C}\p{Z}:/\\@<>]+|\.(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return text.length > MAX_LABEL
    ? `${text
        .slice(0, MAX_LABEL - 1)
        .toWellFormed()
        .trim()}…`
    : text;
}

/** Only A to Z change to lower case, as in SQL, so that the result is the same in every locale. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** An address in the form in which addresses are compared. */
export const foldEmail = foldAscii;

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

/**
 * Finds a known name that differs by at most two edits. A swap of two letters counts as two edits. A name of up to four letters may differ
 * by one edit, and a long name by a third of its letters: `survey_link` by three.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  // So long a name is not a misspelling, and comparing it would take too much time.
  if (name.length > 40) return undefined;
  const plain = name.toLowerCase().replaceAll('-', '_');
  const [best] = known.map((candidate) => ({ candidate, edits: distance(plain, candidate) })).sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(best.candidate.length > 4 ? 2 : 1, best.candidate.length / 3)
    ? best.candidate
    : undefined;
}
