// Says the service's texts in one language, with values in them. Pure.
import { type Html, html } from '../html/html.ts';
import type { Strings } from './en.ts';
import { type Direction, directionOf } from './tags.ts';

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
  /** The tag of the language that is really spoken. */
  readonly language: string;
  readonly direction: Direction;
  number(value: number): string;
  say(name: keyof Strings, values?: Readonly<Record<string, string | number>>): string;
  /** The text as HTML. Each value keeps its own direction, even within a text of the other direction. */
  put(name: keyof Strings, values: Readonly<Record<string, Html | string>>): Html;
  /** The text with its placeholders. */
  text(name: keyof Strings): string;
}

export function createVoice(language: string, strings: Strings): Voice {
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
    text: (name) => strings[name],
  };
}
