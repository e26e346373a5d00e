// Translations of a survey or a token's texts: the texts of one language, each beside its original.
import { type Html, html } from '../../html/html.ts';
import { directionOf, LANGUAGE_TAGS } from '../../languages/languages.ts';
import { field, form, refusal } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { languageName } from '../words.ts';

/** A text that can be translated. */
export interface Original {
  readonly name: string;
  readonly label: string;
  /** Empty: none; the translation has one of its own. */
  readonly text: string;
  readonly maxLength: number;
  readonly rows?: number;
}

interface Shown {
  /** In which the originals are written. */
  readonly original: string;
  /** Of the translations that there are. */
  readonly translated: readonly string[];
  /** Those with texts that have changed since. */
  readonly outdated?: readonly string[];
  /** Undefined: none is chosen yet. */
  readonly language: string | undefined;
  readonly originals: readonly Original[];
  /** By name. */
  readonly values: Readonly<Record<string, string>>;
  /** By name, what an original read when it was translated. */
  readonly changed?: Readonly<Record<string, string>>;
  readonly error?: string | undefined;
  /** Another form above. */
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
