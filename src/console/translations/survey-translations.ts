// Sets the language in which a survey is written, and translates the survey.
import { constraintMessage } from '../../constraint-messages.ts';
import type { SurveySettings, SurveyTranslation } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import { canonicalTag, LANGUAGE_TAGS } from '../../languages/languages.ts';
import { fieldText } from '../../text.ts';
import { field, form } from '../components.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { languageName } from '../words.ts';
import { changedSince, originalsOf, outdatedLanguages, valuesOf } from './survey-texts.ts';
import { translationsMain } from './translations-view.ts';

/** Null: every field is empty. Translations that the page doesn't show are kept, such as those of questions that were removed. */
function translationOf(settings: SurveySettings, form: URLSearchParams, before: SurveyTranslation): SurveyTranslation | null {
  const text = (name: string) => fieldText(form, name).trim() || undefined;
  const questions = settings.questions.flatMap(({ id, choices = [] }) => {
    const translated = choices.flatMap((choice, index) => {
      const translatedChoice = text(`choice-${index}.${id}`);
      return translatedChoice === undefined ? [] : [[choice, translatedChoice] as const];
    });
    const texts = withoutMissing({
      label: text(`label.${id}`),
      min_label: text(`min_label.${id}`),
      max_label: text(`max_label.${id}`),
      choices: translated.length === 0 ? undefined : Object.fromEntries(translated),
    });
    return Object.keys(texts).length === 0 ? [] : [[id, texts] as const];
  });
  const known = new Set(settings.questions.map(({ id }) => id));
  const removed = Object.entries(before.questions ?? {}).filter(([id]) => !known.has(id));
  const all = Object.fromEntries([...removed, ...questions]);
  const translation = withoutMissing({
    title: text('title'),
    thanks: settings.thanks === null ? before.thanks : text('thanks'),
    questions: Object.keys(all).length === 0 ? undefined : all,
  });
  return Object.keys(translation).length === 0 ? null : (translation as SurveyTranslation);
}

const withoutMissing = (object: object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

async function show({ store }: ConsoleContext, request: PageRequest, error?: string) {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const settings = await store.console.surveySettings(request.session, survey.surveyId);
  const translations = settings.translations ?? {};
  const chosen = error === undefined ? request.query.get('language') : request.form.get('language');
  const language = canonicalTag(chosen ?? undefined);
  const tags = [...new Set([...LANGUAGE_TAGS, settings.language])];
  const main = translationsMain(request, {
    original: settings.language,
    translated: Object.keys(translations),
    outdated: outdatedLanguages(settings).map(([tag]) => tag),
    language,
    originals: originalsOf(settings),
    changed: language === undefined ? {} : changedSince(settings, language),
    values: error === undefined ? valuesOf(settings, translations[language ?? ''] ?? {}) : Object.fromEntries(request.form),
    error,
    above: html`<section class="card panel" aria-labelledby="written"><h2 id="written">Language</h2>
${form(
  request.csrf,
  html`<input type="hidden" name="action" value="original">
${field({ name: 'original', label: 'Written in', value: settings.language, options: tags.map((tag) => [tag, languageName(tag)]), hint: 'The language of the questions and the emails. Recipients whose language is unknown get it too.' })}
<p class="actions"><button type="submit">Save</button></p>`,
)}
</section>`,
    back: html`<a class="button quiet" href="/surveys/${survey.surveyId}/settings">Back to the settings</a>`,
  });
  return request.page({ title: 'Languages', survey, tab: 'settings' }, main, error === undefined ? 200 : 422);
}

export const showSurveyTranslations =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const changeSurveyTranslation =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { store } = context;
    const { session, form } = request;
    const { surveyId } = await store.console.surveyFrame(session, request.param('survey'), 'editor');
    const isOriginal = form.get('action') === 'original';
    const language = canonicalTag(form.get(isOriginal ? 'original' : 'language') ?? undefined);
    if (language === undefined) throw notFound();
    try {
      if (isOriginal) {
        await store.console.setSurveyLanguage(session, surveyId, language);
        return done(`/surveys/${surveyId}/languages`, 'settings_saved');
      }
      const settings = await store.console.surveySettings(session, surveyId);
      const translation = translationOf(settings, form, settings.translations?.[language] ?? {});
      await store.console.setSurveyTranslation(session, surveyId, language, translation);
    } catch (error) {
      const message = constraintMessage(error);
      if (message === undefined) throw error;
      return show(context, request, message);
    }
    return done(`/surveys/${surveyId}/languages?language=${language}`, 'translation_saved');
  };
