// The languages in which the service speaks to recipients, and the choice among them. Pure.
import { type Html, html } from '../html/html.ts';
import { ar } from './ar.ts';
import { cs } from './cs.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { deCH } from './de-CH.ts';
import { en, type Strings } from './en.ts';
import { es } from './es.ts';
import { es419 } from './es-419.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { frCA } from './fr-CA.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nb } from './nb.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ptPT } from './pt-PT.ts';
import { questionTextIn } from './question-texts.ts';
import { sv } from './sv.ts';
import { canonicalTag, type Direction, directionOf, nearestTag, remembered } from './tags.ts';
import { tr } from './tr.ts';
import { zhHans } from './zh-Hans.ts';
import { zhHant } from './zh-Hant.ts';

export { canonicalTag, type Direction, directionOf, MAX_TAG_LENGTH, nearestTag } from './tags.ts';

/** The languages by their tags (BCP 47). */
export const LANGUAGES = {
  en,
  de,
  'de-CH': deCH,
  fr,
  'fr-CA': frCA,
  es,
  'es-419': es419,
  pt,
  'pt-PT': ptPT,
  it,
  nl,
  nb,
  sv,
  da,
  fi,
  pl,
  cs,
  ja,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  ko,
  tr,
  ar,
} satisfies Record<string, Strings>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

/** The language in which the service can speak to readers of this tag. Undefined: there is none. */
export const knownLanguage = remembered((tag): Language | undefined => nearestTag(tag, LANGUAGE_TAGS));

/**
 * The first tag that the service speaks, or English.
 * @param tags The recipient's tag, the request's and the survey's, in this order.
 */
export function languageOf(...tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const known = typeof tag === 'string' ? knownLanguage(tag) : undefined;
    if (known !== undefined) return known;
  }
  return 'en';
}

/** The tags that a browser asks for (RFC 9110, section 12.5.4), best first. */
export const acceptedTags = (header: string | undefined): string[] =>
  (header ?? '')
    .slice(0, 500)
    .split(',')
    .slice(0, MAX_ACCEPTED)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
      return { tag: canonicalTag(tag), quality: quality > 0 ? quality : 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => tag ?? []);
const MAX_ACCEPTED = 20;

/** The language that a browser asks for. English if the service speaks none of those. */
export const acceptedLanguage = (header: string | undefined): Language => languageOf(...acceptedTags(header));

/** What a language calls itself, for example `Deutsch`. */
export const ownName = remembered((tag: string): string => {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
});

/** The scripts of the letters that run from right to left. */
const RTL = ['Arabic', 'Hebrew', 'Syriac', 'Thaana', 'Nko', 'Adlam'].map((script) => `\\p{Script=${script}}`).join('');
const AGAINST = { ltr: new RegExp(`[\\p{L}&&[${RTL}]]`, 'v'), rtl: new RegExp(`[\\p{L}--[${RTL}]]`, 'v') };

/** Whether a value has letters that run against the text around it. Unless it is isolated, it reorders that text. */
export const runsAgainst = (direction: Direction, value: string): boolean => AGAINST[direction].test(value);

/** Isolates a value in plain text, if it runs against the text. Never a link: email programs would open it with the mark at its end. */
export const isolateIn = (direction: Direction, value: string): string =>
  runsAgainst(direction, value) && !/^https?:/i.test(value) ? `\u2068${value}\u2069` : value;

/** The attributes of an element whose language isn't the document's. Empty if it is. */
export const languageAttributes = (tag: string, document: string): Html | false =>
  tag !== document && html` lang="${tag}" dir="${directionOf(tag)}"`;

/** Gives the service's texts in one recipient's language. */
export interface Voice {
  readonly language: Language;
  readonly direction: Direction;
  number(value: number): string;
  say(name: keyof Strings, values?: Readonly<Record<string, string | number>>): string;
  /** The text as HTML. Each value keeps its own direction, even within a text of the other direction. */
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
        return typeof value === 'number' ? number.format(value) : isolateIn(direction, value);
      }),
    put: (name, values) =>
      html`${strings[name].split(/\{(\w+)\}/).map((piece, index) => {
        if (index % 2 === 0) return piece;
        const value = values[piece];
        const isApart = direction === 'rtl' || (typeof value === 'string' && runsAgainst(direction, value));
        return isApart ? html`<bdi>${value}</bdi>` : value;
      })}`,
  };
}

const VOICES = new Map(LANGUAGE_TAGS.map((tag) => [tag, voiceOf(tag)]));

/** Each voice is created once. */
export const speak = (language: Language): Voice => VOICES.get(language) ?? voiceOf(language);

/** The tables' default texts. Emails show them in the recipient's language as long as nobody has changed them. */
const DEFAULTS = [
  'defaultSubject',
  'defaultMessage',
  'recommend',
  'leastLikely',
  'mostLikely',
  'mainReason',
] as const satisfies (keyof Strings)[];

/** Undefined: the text is not a default text. */
export function translateDefault(text: string, language: Language): string | undefined {
  const name = DEFAULTS.find((key) => en[key] === text);
  return name === undefined ? questionTextIn(text, language) : LANGUAGES[language][name];
}
