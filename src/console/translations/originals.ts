// The texts that can be translated, and what a translator saw of each: another editor may change an original while its translation is made, or make
// the same translation. Forms carry digests of both. Pure.
import { ownValue } from '../../text.ts';
import { DIGEST, type Digests, digestOf } from '../saw.ts';

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

/** Fields are read without spaces at their ends. */
export const translationDigest = (text = ''): string => (text.trim() === '' ? '' : digestOf(text.trim()));

/** What a form shows of a text: the digest of the original, and then of its translation, if there is one. */
export const shownDigest = (original: string, translation?: string): string =>
  digestOf(original) + translationDigest(translation);

/**
 * By the names of the form's fields.
 * @param saw What was seen of the originals before, when the form is shown again.
 */
export const digestsOf = (originals: readonly Original[], values: Readonly<Record<string, string>>, saw: Digests = {}): Digests =>
  Object.fromEntries(
    originals.map(({ name, text }) => [
      name,
      (ownValue(saw, name)?.slice(0, DIGEST) ?? digestOf(text)) + translationDigest(ownValue(values, name)),
    ]),
  );

/** What was seen of the originals, by the names that SQL knows. */
export const sawByName = (originals: readonly Original[], saw: Digests): Digests =>
  Object.fromEntries(
    originals.flatMap((one) => {
      const digest = ownValue(saw, one.name);
      return digest === undefined ? [] : [[fileNameOf(one), digest.slice(0, DIGEST)]];
    }),
  );

/** The digest of the translation that was seen. Undefined: the form doesn't say it. */
export const sawTranslation = (saw: Digests, name: string): string | undefined => ownValue(saw, name)?.slice(DIGEST);
