// The page that translates a survey's or a token's texts: the texts of one language, each beside its original.
import { type Html, html } from '../../html/html.ts';
import { directionOf, LANGUAGE_TAGS } from '../../languages/languages.ts';
import { field, form, refusal } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { languageName } from '../words.ts';

/** A text that can be translated. */
export interface Original {
  readonly name: string;
  readonly label: string;
  /** Empty: there is no original, but the translation can have this text. */
  readonly text: string;
  readonly maxLength: number;
  readonly rows?: number;
}

interface Shown {
  /** The language of the originals. */
  readonly original: string;
  /** The languages that have a translation. */
  readonly translated: readonly string[];
  /** The languages in which an original has changed since its translation. */
  readonly outdated?: readonly string[];
  /** Undefined: no language is chosen yet. */
  readonly language: string | undefined;
  readonly originals: readonly Original[];
  /** The translations, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** What an original said when it was translated, by name. */
  readonly changed?: Readonly<Record<string, string>>;
  readonly error?: string | undefined;
  /** Another form, shown above this one. */
  readonly above?: Html;
  readonly back: Html;
}

export function translationsMain({ csrf }: PageContext, shown: Shown): Html {
  const { original, translated, outdated = [], language, error, above, back } = shown;
  const choices = [...new Set([...LANGUAGE_TAGS, ...translated])].filter((tag) => tag !== original);
  return html`${error && refusal(error)}
${above}
<section class="card panel" aria-labelledby="languages"><h2 id="languages">Translations</h2>
<p class="note">${translated.length === 0 ? 'There are none yet.' : html`Into ${translated.map((tag, index) => [index > 0 && ', ', html`<a href="?language=${tag}"${tag === language && html` aria-current="true"`}>${languageName(tag)}</a>${outdated.includes(tag) && ' (has changed texts)'}`])}.`} Recipients get their own language; texts without a translation stay as they are.</p>
<form method="get">${field({ name: 'language', label: 'Language', value: language, options: choices.map((tag) => [tag, languageName(tag)]) })}<p class="actions"><button class="quiet" type="submit">Translate</button> ${back}</p></form>
</section>
${
  language !== undefined &&
  html`<section class="card panel" aria-labelledby="texts"><h2 id="texts">${languageName(language)}</h2>
${form(csrf, html`<input type="hidden" name="action" value="translate"><input type="hidden" name="language" value="${language}">${textFields(shown, language)}<p class="actions"><button type="submit">Save translation</button></p>`)}
</section>`
}`;
}

const textFields = ({ original, originals, values, changed = {} }: Shown, language: string): Html[] =>
  originals.map(({ name, label, text, maxLength, rows }) =>
    field({
      name,
      label,
      value: values[name] ?? '',
      hint: text === '' ? 'The original has none.' : inOriginal(text, original),
      warning:
        changed[name] !== undefined && html`Changed since it was translated. It read: ${inOriginal(changed[name], original)}`,
      ...(rows !== undefined && { rows }),
      more: html` maxlength="${maxLength}" autocomplete="off" lang="${language}" dir="${directionOf(language)}"`,
    }),
  );

const inOriginal = (text: string, original: string): Html =>
  html`<span class="text" lang="${original}" dir="${directionOf(original)}">${text}</span>`;
