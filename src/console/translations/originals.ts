// The texts that can be translated, and which of them a translator saw: another editor may change an original while its translation is made. Forms
// carry a digest of each, because all the texts could be too large for a form. Pure.
import { createHash } from 'node:crypto';
import { type Html, html } from '../../html/html.ts';
import { ownValue, textsInJson } from '../../text.ts';

/** A text that can be translated. */
export interface Original {
  readonly name: string;
  /** In a file and in SQL, if it isn't the name: a choice's place may change before the file comes back. */
  readonly fileName?: string;
  readonly label: string;
  /** Empty: there is no original, but the translation can have this text. */
  readonly text: string;
  readonly maxLength: number;
  readonly rows?: number;
}

export const fileNameOf = ({ fileName, name }: Original): string => fileName ?? name;

type Digests = Readonly<Record<string, string>>;

/** The SQL function translated_original makes the same. */
export const digestOf = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 8);

/** By the names of the form's fields. */
export const digestsOf = (originals: readonly Original[]): Digests =>
  Object.fromEntries(originals.map(({ name, text }) => [name, digestOf(text)]));

const FIELD = 'saw';

export const sawField = (saw: Digests): Html => html`<input type="hidden" name="${FIELD}" value="${JSON.stringify(saw)}">`;

export const sawIn = (form: URLSearchParams): Digests => textsInJson(form.get(FIELD));

/** By the names that SQL knows. */
export const sawByName = (originals: readonly Original[], form: URLSearchParams): Digests => {
  const saw = sawIn(form);
  return Object.fromEntries(
    originals.flatMap((one) => {
      const digest = ownValue(saw, one.name);
      return digest === undefined ? [] : [[fileNameOf(one), digest]];
    }),
  );
};
