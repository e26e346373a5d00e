// The languages in which the service speaks to recipients, and which of them a person gets. Pure.
import { type Html, html } from '../html/html.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { deCH } from './de-CH.ts';
import { en, type Strings } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nb } from './nb.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import { ptPT } from './pt-PT.ts';

/** By their tags (BCP 47). */
export const LANGUAGES = { en, de, 'de-CH': deCH, fr, es, pt, 'pt-PT': ptPT, it, nl, nb, ar } satisfies Record<string, Strings>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

/** Of a tag. */
export const MAX_TAG_LENGTH = 35;

/** The tag in its usual spelling, as `pt-BR` for `pt_br`; undefined: none. */
export function canonicalTag(text: string | undefined): string | undefined {
  if (!text || text.length > MAX_TAG_LENGTH) return undefined;
  try {
    const [tag] = Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'));
    // The usual spelling of a subtag may be longer.
    return tag && tag.length <= MAX_TAG_LENGTH ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** Written alike: `no` is mostly Bokmål, and readers of Nynorsk read it. */
const ALIASES: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };

const primary = (tag: string): string => {
  const [subtag = ''] = tag.toLowerCase().split('-');
  return ALIASES[subtag] ?? subtag;
};

/** In lower case, with the script of regions that write Chinese in another one than the rest. */
const comparable = (tag: string): string => tag.toLowerCase().replace(/^zh-(?=(tw|hk|mo)(-|$))/, 'zh-hant-');

const scriptOf = (tag: string): string | undefined => /^[a-z]{2,3}-([a-z]{4})(?:-|$)/.exec(comparable(tag))?.[1];

/**
 * Lookup (RFC 4647, section 3.4): the tag itself, then without its last subtag, and so on; at the end any of the same language, of the same
 * script if there is one. As nearest_translation.
 * @param tag Canonical.
 */
export function nearestTag<T extends string>(tag: string, available: readonly T[]): T | undefined {
  for (let range = comparable(tag); range !== ''; range = range.slice(0, Math.max(0, range.lastIndexOf('-')))) {
    const found = available.find((one) => comparable(one) === range);
    if (found !== undefined) return found;
  }
  const related = available.filter((one) => primary(one) === primary(tag));
  return related.find((one) => scriptOf(one) === scriptOf(tag)) ?? related[0];
}

/** Whose readers write as those of another region do, by region. */
const REGIONS: readonly (readonly [RegExp, Language])[] = [
  [/^pt-(?!br)[a-z]{2}(-|$)/i, 'pt-PT'],
  [/^de-li(-|$)/i, 'de-CH'],
];

/** In which the service can speak; undefined: no such language. */
export const knownLanguage = (tag: string): Language | undefined =>
  nearestTag(REGIONS.find(([region]) => region.test(tag))?.[1] ?? tag, LANGUAGE_TAGS);

/**
 * The first that the service speaks, else English.
 * @param tags The recipient's, the request's, the survey's.
 */
export function languageOf(...tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const known = typeof tag === 'string' ? knownLanguage(tag) : undefined;
    if (known !== undefined) return known;
  }
  return 'en';
}

/** Of a browser (RFC 9110, section 12.5.4); English if it wants none that there is. */
export function acceptedLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((one) => {
      const [tag = '', ...parameters] = one.split(';').map((part) => part.trim());
      const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
      return { tag: canonicalTag(tag), quality: quality > 0 ? quality : 0 };
    });
  return languageOf(
    ...wanted
      .filter(({ quality }) => quality > 0)
      .sort((a, b) => b.quality - a.quality)
      .map(({ tag }) => tag),
  );
}

/** Scripts that run from right to left, and the languages that are written in one unless their tag says otherwise. */
const RIGHT_TO_LEFT = ['arab', 'hebr', 'syrc', 'thaa', 'ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'];

export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(scriptOf(tag) ?? primary(tag)) ? 'rtl' : 'ltr';

/** The attributes of an element whose language isn't the document's; nothing if it is. */
export const languageAttributes = (tag: string, document: string): Html | false =>
  tag !== document && html` lang="${tag}" dir="${directionOf(tag)}"`;

/** Speaks to one recipient. */
export interface Voice {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  number(value: number): string;
  say(name: keyof Strings, values?: Readonly<Record<string, string | number>>): string;
  /** As HTML: values keep their direction within a text of another one. */
  put(name: keyof Strings, values: Readonly<Record<string, Html | string>>): Html;
}

function voiceOf(language: Language): Voice {
  const strings: Strings = LANGUAGES[language];
  const direction = directionOf(language);
  const number = new Intl.NumberFormat(language);
  return {
    language,
    direction,
    number: (value) => number.format(value),
    say: (name, values = {}) =>
      strings[name].replace(/\{(\w+)\}/g, (_, key: string) => {
        const value = values[key] ?? '';
        return typeof value === 'number' ? number.format(value) : value;
      }),
    put: (name, values) =>
      html`${strings[name].split(/\{(\w+)\}/).map((piece, index) => {
        if (index % 2 === 0) return piece;
        return direction === 'rtl' ? html`<bdi>${values[piece]}</bdi>` : values[piece];
      })}`,
  };
}

const VOICES = new Map(LANGUAGE_TAGS.map((tag) => [tag, voiceOf(tag)]));

/** Each is made once. */
export const speak = (language: Language): Voice => VOICES.get(language) ?? voiceOf(language);

/** What tables say by default: said in the recipient's language, as long as nobody has changed it. */
const DEFAULTS = [
  'defaultSubject',
  'defaultMessage',
  'recommend',
  'leastLikely',
  'mostLikely',
  'mainReason',
] as const satisfies (keyof Strings)[];

/** Undefined: somebody's own words. */
export function translateDefault(text: string, language: Language): string | undefined {
  const name = DEFAULTS.find((one) => en[one] === text);
  return name === undefined ? undefined : LANGUAGES[language][name];
}
