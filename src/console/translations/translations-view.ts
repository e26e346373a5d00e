// The page that translates a survey's or a token's texts: the languages with what is missing and outdated, and the texts of one language, each beside
// its original.
import { type Html, html } from '../../html/html.ts';
import { LANGUAGE_TAGS } from '../../languages/languages.ts';
import { ownValue } from '../../text.ts';
import { form, refusal, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { sawField } from '../saw.ts';
import { languageName } from '../words.ts';
import { csvPanel } from './import-view.ts';
import { digestsOf, type Original } from './originals.ts';
import { languageField, textPairs } from './text-pairs.ts';

/** A language with a translation, and how many texts it lacks and has outdated. */
export interface Translated {
  readonly language: string;
  readonly missing: number;
  readonly outdated: number;
}

export interface Shown {
  /** The language of the originals. */
  readonly original: string;
  readonly translated: readonly Translated[];
  /** Undefined: no language is chosen yet. */
  readonly language: string | undefined;
  readonly originals: readonly Original[];
  /** The names of those that recipients need. */
  readonly needed: ReadonlySet<string>;
  /** The translations, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** What is said in the language without a translation. Empty: nothing. */
  said(original: Original): string;
  /** What an original said when it was translated, by name. */
  readonly changed?: Readonly<Record<string, string>>;
  /** What the translator saw before, when the form is shown again. */
  readonly saw?: Readonly<Record<string, string>> | undefined;
  readonly errors?: Readonly<Record<string, string>> | undefined;
  /** What others have saved meanwhile, by name. */
  readonly theirs?: Readonly<Record<string, string>> | undefined;
  /** About no single text. */
  readonly error?: string | undefined;
  readonly tagError?: string | undefined;
  readonly fileError?: string | undefined;
  /** The address of the CSV file. */
  readonly csv: string;
  /** Another form, shown above this one. */
  readonly above?: Html;
  readonly back: Html;
}

export function translationsMain(page: PageContext, shown: Shown): Html {
  const { original, translated, language, error, tagError, fileError, csv, above, back } = shown;
  const own = translated.map(({ language }) => language);
  const suggested = [...new Set([...own, ...LANGUAGE_TAGS])].filter((tag) => tag !== original);
  return html`${error && refusal(error)}
${above}
<section class="card panel" aria-labelledby="languages"><h2 id="languages">Translations</h2>
<p class="note">${translated.length === 0 && 'There are none yet. '}Recipients get their own language if none of its texts is missing, and otherwise ${languageName(original)}.</p>
${
  translated.length > 0 &&
  table(
    'Translations',
    ['Language', ['Missing', 'number'], ['Outdated', 'number']],
    translated.map(({ language: tag, missing, outdated }) => [
      html`<a href="?language=${tag}"${tag === language && html` aria-current="true"`}>${languageName(tag)}</a>`,
      missing,
      outdated,
    ]),
  )
}
<form method="get">${languageField({ value: tagError === undefined ? language : '', error: tagError, suggested })}<p class="actions"><button class="quiet" type="submit">Translate</button> ${back}</p></form>
</section>
${language !== undefined && textsPart(page, shown, language)}${language !== undefined && csvPanel(page, language, `${csv}?language=${language}`, fileError)}`;
}

function textsPart({ csrf }: PageContext, shown: Shown, language: string): Html {
  const { original, originals, values, changed = {}, errors, theirs, error } = shown;
  const pairs = originals.map((one) => ({
    ...{ name: one.name, label: one.label, original: one.text, maxLength: one.maxLength, rows: one.rows },
    value: values[one.name] ?? '',
    isMissing: shown.needed.has(one.name) && !values[one.name],
    said: shown.said(one),
    before: changed[one.name],
    error: errors?.[one.name],
    theirs: ownValue(theirs, one.name),
  }));
  return html`<section class="card panel" aria-labelledby="texts"><h2 id="texts">${languageName(language)}</h2>
${form(
  csrf,
  html`<input type="hidden" name="action" value="translate"><input type="hidden" name="language" value="${language}">${sawField(shown.saw ?? digestsOf(originals, values))}${textPairs(pairs, original, language)}<p class="actions"><button type="submit">Save translation</button></p>`,
  { unsaved: errors !== undefined || theirs !== undefined || error !== undefined },
)}
</section>
`;
}
