// Sets the language in which a survey is written, and translates the survey.
import { constraintMessage } from '../../constraint-messages.ts';
import type { SurveySettings, SurveyTranslation } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import { LANGUAGE_TAGS } from '../../languages/languages.ts';
import { THANKS_FIELDS } from '../../recipient/thanks.ts';
import { fieldText, ownValue, textsInJson } from '../../text.ts';
import { form } from '../components.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { languageName } from '../words.ts';
import { importMain, TAKEN } from './import-view.ts';
import { fileNameOf, sawByName, sawIn } from './originals.ts';
import { changedSince, choiceField, originalsOf, saidWithout, translatedLanguages, valuesOf } from './survey-texts.ts';
import { enteredTag, languageField, NO_TAG, stillFits } from './text-pairs.ts';
import { changesIn, textsIn, translationFile } from './translation-file.ts';
import { translationsMain } from './translations-view.ts';

/** Null: every field is empty. Translations that the page doesn't show are kept, such as those of questions that were removed. */
function translationOf(settings: SurveySettings, form: URLSearchParams, before: SurveyTranslation): SurveyTranslation | null {
  const text = (name: string) => fieldText(form, name).trim() || undefined;
  const questions = settings.questions.flatMap((question) => {
    const { id, choices = [] } = question;
    const translated = choices.flatMap((choice, index) => {
      const translatedChoice = text(choiceField(question, index));
      return translatedChoice === undefined ? [] : [[choice, translatedChoice] as const];
    });
    const texts = withoutMissing({
      label: text(`label.${id}`),
      min_label: text(`min_label.${id}`),
      max_label: text(`max_label.${id}`),
      ...Object.fromEntries(THANKS_FIELDS.map((field) => [field, text(`${field}.${id}`)])),
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
    button_label: settings.buttonLabel === null ? before.button_label : text('button_label'),
    questions: Object.keys(all).length === 0 ? undefined : all,
  });
  return Object.keys(translation).length === 0 ? null : (translation as SurveyTranslation);
}

const withoutMissing = (object: object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

interface Refused {
  readonly error?: string;
  readonly tagError?: string;
  readonly fileError?: string;
  readonly originalError?: string;
  /** What was entered. */
  readonly values?: Readonly<Record<string, string>>;
  readonly saw?: Readonly<Record<string, string>>;
}

async function show({ store }: ConsoleContext, request: PageRequest, wanted: string | undefined, refused?: Refused) {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const settings = await store.console.surveySettings(request.session, survey.surveyId);
  const translations = settings.translations ?? {};
  const language = enteredTag(wanted);
  const tagError = wanted !== undefined && language === undefined ? NO_TAG : undefined;
  const path = `/surveys/${survey.surveyId}`;
  const main = translationsMain(request, {
    original: settings.language,
    translated: translatedLanguages(settings),
    language: language === settings.language ? undefined : language,
    originals: originalsOf(settings),
    changed: language === undefined ? {} : changedSince(settings, language),
    values: valuesOf(settings, translations[language ?? ''] ?? {}),
    said: ({ text }) => saidWithout(text, language ?? ''),
    csv: `${path}/languages.csv`,
    tagError,
    ...refused,
    above: html`<section class="card panel" aria-labelledby="written"><h2 id="written">Language</h2>
${form(
  request.csrf,
  html`<input type="hidden" name="action" value="original">
${languageField({ name: 'original', label: 'Written in', value: settings.language, error: refused?.originalError, suggested: LANGUAGE_TAGS, hint: 'The language of the questions and the emails. Recipients whose language is unknown get it too.' })}
<p class="actions"><button type="submit">Save</button></p>`,
)}
</section>`,
    back: html`<a class="button quiet" href="${path}/settings">Back to the settings</a>`,
  });
  const isRefused = refused !== undefined || tagError !== undefined;
  return request.page({ title: 'Languages', survey, tab: 'settings' }, main, isRefused ? 422 : 200);
}

export const showSurveyTranslations =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request, request.query.get('language') ?? undefined);

/** The form as it would be if a person had entered the texts of a file. */
function formWith(settings: SurveySettings, values: Readonly<Record<string, string>>, taken: Readonly<Record<string, string>>) {
  const entered = originalsOf(settings).map(({ name }) => [name, ownValue(taken, name) ?? ownValue(values, name) ?? ''] as const);
  return new URLSearchParams(entered.map(([name, text]): [string, string] => [name, text]));
}

export const changeSurveyTranslation =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { store } = context;
    const { session, form: sent } = request;
    const { surveyId } = await store.console.surveyFrame(session, request.param('survey'), 'editor');
    const path = `/surveys/${surveyId}/languages`;
    const action = sent.get('action');
    const language = enteredTag(sent.get(action === 'original' ? 'original' : 'language') ?? undefined);
    if (language === undefined && action === 'original') return show(context, request, undefined, { originalError: NO_TAG });
    if (language === undefined) throw notFound();
    const settings = await store.console.surveySettings(session, surveyId);
    const before = settings.translations?.[language] ?? {};
    const values = valuesOf(settings, before);
    if (action === 'import') return preview(context, request, language, settings, values);
    const entered = action === 'take' ? formWith(settings, values, textsInJson(sent.get(TAKEN))) : sent;
    try {
      if (action === 'original') {
        await store.console.setSurveyLanguage(session, surveyId, language);
        return done(path, 'settings_saved');
      }
      const originals = originalsOf(settings);
      const checked = originals.filter(({ name }) => sent.get(stillFits(name)) === 'yes').map(fileNameOf);
      const saw = sawByName(originals, sent);
      await store.console.setSurveyTranslation(
        session,
        surveyId,
        language,
        translationOf(settings, entered, before),
        checked,
        saw,
      );
    } catch (error) {
      const message = constraintMessage(error);
      if (message === undefined) throw error;
      return show(context, request, action === 'original' ? undefined : language, {
        error: message,
        values: Object.fromEntries(entered),
        ...(action !== 'original' && { saw: sawIn(sent) }),
      });
    }
    return done(`${path}?language=${language}`, 'translation_saved');
  };

async function preview(
  context: ConsoleContext,
  request: PageRequest,
  language: string,
  settings: SurveySettings,
  values: Readonly<Record<string, string>>,
) {
  const texts = await textsIn(request);
  if (typeof texts === 'string') return show(context, request, language, { fileError: texts });
  const survey = await context.store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const found = changesIn(texts, originalsOf(settings), values, () => undefined);
  const main = importMain(request, { ...found, language, back: `/surveys/${survey.surveyId}/languages?language=${language}` });
  const isWrong = found.changes.some(({ error }) => error !== undefined);
  return request.page({ title: `Import into ${languageName(language)}`, survey, tab: 'settings' }, main, isWrong ? 422 : 200);
}

export const downloadSurveyTranslation =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const language = enteredTag(request.query.get('language') ?? undefined);
    const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    if (language === undefined) throw notFound();
    const settings = await store.console.surveySettings(request.session, survey.surveyId);
    const values = valuesOf(settings, settings.translations?.[language] ?? {});
    return translationFile(
      request,
      survey.title,
      survey.surveyId,
      `survey-${language}`,
      originalsOf(settings),
      values,
      changedSince(settings, language),
    );
  };
