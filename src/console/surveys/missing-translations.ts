// Which texts of a survey's translations are missing, said before people see the page. A page is never in two languages: while a text is missing, its
// readers get the survey's own language.
import type { SurveySettings } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { ownValue, plural } from '../../text.ts';
import { notice } from '../components.ts';
import { neededOf, valuesOf } from '../translations/survey-texts.ts';
import { languageName } from '../words.ts';

type Settings = Pick<SurveySettings, 'title' | 'thanks' | 'buttonLabel' | 'questions' | 'translations' | 'publicUrl'>;

export interface MissingTexts {
  readonly language: string;
  /** What they are called. */
  readonly missing: readonly string[];
  /** How many texts need a translation. */
  readonly texts: number;
}

const NAMED = 3;

/** By language, only those with which something is missing. A title may be in another language than the page. */
export function missingTexts(settings: Settings): MissingTexts[] {
  if (settings.publicUrl !== null) return [];
  const needed = neededOf(settings);
  return Object.entries(settings.translations ?? {}).flatMap(([language, translation]) => {
    const values = valuesOf(settings, translation);
    const missing = needed.filter(({ name }) => ownValue(values, name) === undefined).map(({ label }) => label);
    return missing.length === 0 ? [] : [{ language, missing, texts: needed.length }];
  });
}

/** A line for each language, with a link to where its texts are written. */
export const missingNotes = (surveyId: string, settings: Settings & Pick<SurveySettings, 'language'>): Html | false => {
  const all = missingTexts(settings);
  if (all.length === 0) return false;
  const line = ({ language, missing, texts }: MissingTexts) =>
    html`<li><strong>${languageName(language)}: ${missing.length} of ${plural(texts, 'text')} ${missing.length === 1 ? 'is' : 'are'} missing</strong> (${missing.slice(0, NAMED).join(', ')}${missing.length > NAMED && ' …'}). <a href="/surveys/${surveyId}/languages?language=${language}">Translate ${missing.length === 1 ? 'it' : 'them'}<span class="hidden"> into ${languageName(language)}</span></a></li>`;
  return notice(
    'warn',
    html`<ul>${all.map(line)}</ul><p>Until then, people who read ${all.length === 1 ? languageName(all[0]?.language ?? '') : 'these languages'} get the page in ${languageName(settings.language)}.</p>`,
  );
};
