// A workspace's own words: the languages that it words itself, and the texts of one language beside the service's.
import type { OwnWording, WordingLanguage, WordingLine } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { LANGUAGE_TAGS, PLACES } from '../../languages/languages.ts';
import { plural } from '../../text.ts';
import { capital, form, NONE, notice, refusal, status, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { type Digests, sawField } from '../saw.ts';
import { csvPanel } from '../translations/import-view.ts';
import { digestsOf, type Original } from '../translations/originals.ts';
import { languageField, type TextPair, textPairs } from '../translations/text-pairs.ts';
import { languageName } from '../words.ts';

/** `onceAMonthChosen` → `Once a month chosen`. */
export const labelOf = (name: string): string => capital(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** In the order in which recipients meet them. */
const ORDER = Object.values(PLACES).flat() as readonly string[];
export const inOrder = (lines: readonly WordingLine[]): WordingLine[] =>
  lines.toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));

export const isOutdated = ({ ownText, originalText, serviceText }: WordingLine): boolean =>
  ownText !== null && originalText !== serviceText;

export function languagesMain(languages: readonly WordingLanguage[], error?: string, value?: string): Html {
  const own = languages.map(({ language }) => language);
  const tags = [...new Set([...own, ...LANGUAGE_TAGS])];
  return html`<section class="card panel" aria-labelledby="own"><h2 id="own">Your own words</h2>
<p class="note">What the service itself says in emails and on the pages of surveys and unsubscribing. Your words replace ours, in any language, also in one that the service doesn't speak yet. They apply to emails that haven't been sent and to pages from now on. Pages for wrong addresses and errors stay ours: nobody knows whose they are.</p>
${
  languages.length === 0
    ? html`<p>You have no words of your own yet.</p>`
    : table(
        'Languages with your own words',
        ['Language', 'Address', ['Your texts', 'number'], ['Missing', 'number'], ['Outdated', 'number'], 'Used'],
        languages.map(({ language, informal, own, missing, outdated, spoken }) => [
          html`<a href="?language=${language}">${languageName(language)}</a>`,
          informal ? 'informal' : NONE,
          own,
          missing,
          outdated === 0 ? 0 : html`<strong>${outdated}</strong>`,
          spoken ? status('yes', 'good') : status('once complete', 'warn'),
        ]),
      )
}
<form method="get">${languageField({ value, error, suggested: tags })}<p class="actions"><button class="quiet" type="submit">Word this language</button></p></form>
</section>`;
}

interface Shown {
  readonly language: string;
  readonly wording: OwnWording;
  /** Of a form that was refused, by the names of its fields. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly saw?: Digests | undefined;
  readonly errors?: Readonly<Record<string, string>> | undefined;
  /** What others have saved meanwhile. */
  readonly theirs?: Readonly<Record<string, string>> | undefined;
  /** About no single text. */
  readonly error?: string | undefined;
  readonly fileError?: string | undefined;
  /** The form of address that was entered. Undefined: the stored one. */
  readonly informal?: boolean | undefined;
  readonly path: string;
}

/** A text's field in the form, which has other fields too. */
export const fieldOf = (name: string): string => `text.${name}`;

/** Our text is the original of the workspace's. */
export const originalOf = ({ name, serviceText }: WordingLine): Original => ({
  name: fieldOf(name),
  fileName: name,
  label: labelOf(name),
  text: serviceText,
  maxLength: name === 'defaultMessage' ? 5000 : name.endsWith('Subject') ? 255 : 1000,
  ...(name === 'defaultMessage' ? { rows: 8 } : serviceText.length > 70 && { rows: 3 }),
});

/** The workspace's texts, by the names of the fields. */
export const valuesOf = (lines: readonly WordingLine[]): Record<string, string> =>
  Object.fromEntries(lines.map(({ name, ownText }) => [fieldOf(name), ownText ?? '']));

function pairOf(line: WordingLine, { values, errors, theirs, wording }: Shown): TextPair {
  const { name, label, text, maxLength, rows } = originalOf(line);
  return {
    ...{ name, label, original: text, maxLength, rows },
    value: values?.[name] ?? line.ownText ?? '',
    said: wording.base === null && !wording.spoken ? '' : text,
    before: isOutdated(line) ? (line.originalText ?? '') : undefined,
    error: errors?.[line.name],
    theirs: theirs?.[name],
  };
}

/** What a person should know before the texts: whether they are used, and what is missing. */
function stateOf({ wording: { base, spoken, lines }, language }: Shown): Html | false {
  const missing = lines.filter(({ ownText }) => ownText === null).length;
  const outdated = lines.filter(isOutdated).length;
  const name = languageName(language);
  return html`${base === null && !spoken && notice('warn', html`The service doesn't speak ${name}. Recipients read ${name} once all ${lines.length} texts are here: ${plural(missing, 'text is', 'texts are')} missing.`)}${base === null && spoken && missing > 0 && notice('warn', html`${plural(missing, 'text')} that the service has added since ${missing === 1 ? 'is' : 'are'} missing, and in English.`)}${outdated > 0 && notice('warn', html`${plural(outdated, 'text')} of the service ${outdated === 1 ? 'has' : 'have'} changed since you worded ${outdated === 1 ? 'it' : 'them'}.`)}`;
}

/** The words for the reader, formal and informal. */
const ADDRESSES: Readonly<Record<string, readonly [string, string]>> = {
  de: ['Sie', 'du'],
  es: ['usted', 'tú'],
  fr: ['vous', 'tu'],
  it: ['Lei', 'tu'],
  nl: ['u', 'je'],
};

export const WAS_INFORMAL = 'was_informal';

/** @param informal What is chosen. The form also says what there was: see changeWording. */
const address = (
  { informal: wasInformal, hasInformal, base }: OwnWording,
  informal: boolean,
  [formalWord, informalWord] = ADDRESSES[base?.split('-')[0] ?? ''] ?? ['', ''],
): Html | false =>
  hasInformal &&
  html`<fieldset><legend>How our texts address the reader</legend><input type="hidden" name="${WAS_INFORMAL}" value="${wasInformal ? 'yes' : 'no'}">
${[
  ['no', `Formally: ${formalWord}`],
  ['yes', `Informally: ${informalWord}`],
].map(
  ([value, label]) =>
    html`<label class="choice"><input type="radio" name="informal" value="${value}"${(value === 'yes') === informal && html` checked`}> ${label}</label> `,
)}
</fieldset>`;

export function wordingMain(page: PageContext, shown: Shown): Html {
  const { language, wording, errors, error, fileError, informal = wording.informal, path } = shown;
  const original = wording.base ?? 'en';
  const lines = inOrder(wording.lines);
  const { theirs, saw = digestsOf(lines.map(originalOf), valuesOf(lines)) } = shown;
  const unsaved = errors !== undefined || error !== undefined || theirs !== undefined;
  const group = ([title, names]: [string, readonly string[]]) =>
    html`<h3>${title}</h3>
${textPairs(
  lines.filter(({ name }) => names.includes(name)).map((line) => pairOf(line, shown)),
  original,
  language,
)}`;
  return html`${error && refusal(error)}
${stateOf(shown)}
<section class="card panel" aria-labelledby="texts"><h2 id="texts">${languageName(language)}</h2>
<p class="note">On the left, what the service says${wording.base === null && ', in English'}; on the right, your words. An empty field leaves ours. Keep placeholders such as {workspace} and {{survey_link}} as they are: each text needs the same as the original.</p>
${form(
  page.csrf,
  html`<input type="hidden" name="action" value="save"><input type="hidden" name="language" value="${language}">${sawField(saw)}${address(wording, informal)}${Object.entries(PLACES).map(group)}<p class="actions"><button type="submit">Save</button> <a class="button quiet" href="${path}">All languages</a></p>`,
  { unsaved },
)}
</section>
${csvPanel(page, language, `${path}.csv?language=${language}`, fileError)}`;
}
