// Fields in which people write a text beside its original: a translation, or a workspace's own words. Pure.
import { type Html, html } from '../../html/html.ts';
import { canonicalTag, directionOf } from '../../languages/languages.ts';
import { field } from '../components.ts';
import { languageName } from '../words.ts';

export interface TextPair {
  /** Of the form's field. */
  readonly name: string;
  readonly label: string;
  /** Empty: there is none. */
  readonly original: string;
  readonly value: string;
  /** Whether recipients don't get this language without it. */
  readonly isMissing?: boolean;
  /** What is said without a text. Empty: nothing. */
  readonly said: string;
  /** What the original said when the text was written; empty: that isn't known. Undefined: it says so still, or there is no text. */
  readonly before?: string | undefined;
  readonly error?: string | undefined;
  /** What others have saved meanwhile; empty: they removed it. Undefined: nothing. */
  readonly theirs?: string | undefined;
  readonly maxLength: number;
  /** How many lines a text area has. */
  readonly rows?: number | undefined;
}

/** The name of the checkbox by which a person says that an outdated text still fits. */
export const stillFits = (name: string): string => `fits.${name}`;

/**
 * @param original The language of the originals.
 * @param language The language of the texts.
 */
export const textPairs = (pairs: readonly TextPair[], original: string, language: string): Html =>
  html`<div class="text-pairs">${pairs.map((pair) => row(pair, original, language))}</div>`;

const THEIRS = 'Somebody else has changed this text since you opened it. Save again to put yours in its place, or copy theirs.';

function row(pair: TextPair, from: string, to: string): Html {
  const { name, label, original, value, isMissing, said, before, theirs, maxLength, rows } = pair;
  const error = pair.error ?? (theirs === undefined ? undefined : THEIRS);
  const described = [
    `${name}-original`,
    error && `${name}-error`,
    theirs !== undefined && `${name}-theirs`,
    before !== undefined && `${name}-before`,
  ]
    .filter(Boolean)
    .join(' ');
  const attributes = html`id="${name}" name="${name}" lang="${to}" dir="${directionOf(to)}" maxlength="${maxLength}" autocomplete="off" placeholder="${said}" aria-describedby="${described}"${error && html` aria-invalid="true" autofocus`}`;
  return html`<div class="text-pair${before !== undefined && ' outdated'}">
<div class="original"><label for="${name}">${label}${isMissing && html` <strong class="warning">missing</strong>`}</label>
<p class="text" id="${name}-original"${original !== '' && languageOf(from)}>${original === '' ? html`<span class="dim">The original has none.</span>` : original}</p></div>
<div class="own">${
    rows === undefined
      ? html`<input type="text" value="${value}" ${attributes}>`
      : // HTML drops a line break right after the tag, so add one.
        html`<textarea rows="${rows}" ${attributes}>\n${value}</textarea>`
  }
${error && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
${
  theirs !== undefined &&
  html`<div class="warning" id="${name}-theirs"><p>Theirs: ${theirs === '' ? html`<span class="dim">none</span>` : html`<span class="text"${languageOf(to)}>${theirs}</span>`}</p></div>`
}
${
  before !== undefined &&
  html`<div class="warning" id="${name}-before"><p>${before === '' ? 'The original was changed while this was translated.' : html`The original has changed. It read: <span class="text"${languageOf(from)}>${before}</span>`}</p>
<label><input type="checkbox" name="${stillFits(name)}" value="yes"> My text still fits</label></div>`
}</div>
</div>
`;
}

const languageOf = (tag: string): Html => html` lang="${tag}" dir="${directionOf(tag)}"`;

interface LanguageField {
  readonly name?: string;
  readonly label?: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** Tags that are suggested while a person types. */
  readonly suggested: readonly string[];
}

/** A field for any language. */
export const languageField = ({ name = 'language', label = 'Language', value, hint, error, suggested }: LanguageField): Html =>
  html`${field({
    name,
    label,
    value,
    error,
    hint: `${hint === undefined ? '' : `${hint} `}A tag such as sv, de-AT or zh-Hant: choose one, or enter any other.`,
    more: html` list="${name}-list" maxlength="35" autocomplete="off" required`,
  })}<datalist id="${name}-list">${suggested.map((tag) => html`<option value="${tag}">${languageName(tag)}</option>`)}</datalist>`;

export const NO_TAG = 'Enter a language tag such as sv or de-AT';

/** Undefined: it is no tag. No language has more than three letters in a tag, so the name `german` is none, though its form is allowed. */
export function enteredTag(text: string | undefined): string | undefined {
  const tag = canonicalTag(text);
  return tag !== undefined && /^[a-z]{2,3}(-|$)/.test(tag) ? tag : undefined;
}
