// Language tags (BCP 47): their spelling, which of several languages a reader reads best, and the direction of their text. What CLDR knows of
// them is in sql/languages.json, which `npm run -s languages` writes and migrate copies into the database, where SQL decides in the same way. Pure.
import TAGS from '../../sql/languages.json' with { type: 'json' };

/** By tag in lower case: the form in which it is compared, and the forms of other languages that its readers read, best first. */
const FORMS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(TAGS));

/** The longest tag, in characters. */
export const MAX_TAG_LENGTH = 35;

/** The tag in its usual spelling, for example `pt-BR` for `pt_br`. Undefined: the text is not a tag. */
export function canonicalTag(text: string | undefined): string | undefined {
  if (!text || text.length > MAX_TAG_LENGTH) return undefined;
  try {
    const [tag] = Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'));
    // The usual spelling may be longer than the text, so check the length again.
    return tag && tag.length <= MAX_TAG_LENGTH ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** The tag, then the tag without its last subtag, and so on. */
function* startsOf(tag: string): Generator<string> {
  for (let start = tag; start !== ''; start = start.slice(0, Math.max(0, start.lastIndexOf('-')))) yield start;
}

/** Remembers what was computed for tags. Recipients share few, but a sender can make up any number. */
export function remembered<T>(compute: (tag: string) => T): (tag: string) => T {
  const known = new Map<string, T>();
  return (tag) => {
    const found = known.get(tag);
    if (found !== undefined || known.has(tag)) return found as T;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const value = compute(tag);
    known.set(tag, value);
    return value;
  };
}
const MAX_REMEMBERED = 1000;

/** The form in which tags are compared: with the script, and without the main region. `pt-BR` is `pt-latn`, `zh-TW` is `zh-hant`. */
const formOf = remembered((tag) => {
  const lower = tag.toLowerCase();
  for (const start of startsOf(lower)) {
    const [form] = FORMS.get(start) ?? [];
    const rest = lower.slice(start.length);
    // A script that the tag names itself is kept.
    if (form !== undefined) return (/^-[a-z]{4}(-|$)/.test(rest) ? form.replace(/-.*/, '') : form) + rest;
  }
  return lower;
});

/** What the readers of a tag read, best first: `es-latn-mx`, `es-latn-419`, `es-latn`, `es` for `es-MX`. */
const rangesOf = remembered((tag): readonly string[] =>
  [...startsOf(formOf(tag))].flatMap((start) => [start, ...(FORMS.get(start)?.slice(1) ?? [])]),
);

/**
 * The tag that a reader reads best. A range fits each tag that begins with it, so that any Chinese is better than none; exactly that range is
 * preferred. The SQL function nearest_language does the same.
 */
export function nearestTag<T extends string>(tag: string, available: readonly T[]): T | undefined {
  for (const range of rangesOf(tag)) {
    const fitting = available.filter((offer) => formOf(offer) === range || formOf(offer).startsWith(`${range}-`));
    if (fitting.length === 0) continue;
    const exact = fitting.filter((offer) => formOf(offer) === range);
    const best = exact.length > 0 ? exact : fitting;
    const starts = best.filter((offer) => `${tag}-`.toLowerCase().startsWith(`${offer}-`.toLowerCase())).sort(byLength);
    return starts.at(-1) ?? best.sort(byLength)[0];
  }
  return undefined;
}

const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

export type Direction = 'ltr' | 'rtl';

/** Not in the types yet. Node 22 has the property, later ones the method. */
interface WithTextInfo {
  readonly textInfo?: { readonly direction?: string };
  getTextInfo?(): { readonly direction?: string };
}

/** The direction of a language's text, by its script or by that of its region: `pa-PK` runs from right to left. */
export const directionOf = remembered((tag): Direction => {
  const canonical = canonicalTag(tag);
  if (canonical === undefined) return 'ltr';
  const locale = new Intl.Locale(canonical) as WithTextInfo;
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction === 'rtl' ? 'rtl' : 'ltr';
});
