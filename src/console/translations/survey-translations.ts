// Sets the language in which a survey is written, and translates the survey.
import { constraintMessage } from '../../constraint-messages.ts';
import type { SurveyFrame, SurveySettings, SurveyTranslation } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import type { Answer } from '../../http/answer.ts';
import { LANGUAGE_TAGS } from '../../languages/languages.ts';
import { THANKS_FIELDS } from '../../recipient/thanks.ts';
import { ownValue } from '../../text.ts';
import { form } from '../components.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { languageName } from '../words.ts';
import { editsIn, onTopOfOthers } from './edits.ts';
import { importMain } from './import-view.ts';
import { sawByName } from './originals.ts';
import {
  changedSince,
  choiceField,
  neededOf,
  originalsOf,
  saidWithout,
  translatedLanguages,
  valuesOf,
  withDraft,
} from './survey-texts.ts';
import { enteredTag, languageField, NO_TAG } from './text-pairs.ts';
import { changesIn, textsIn, translationFile } from './translation-file.ts';
import { translationsMain } from './translations-view.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * Null: every text is empty. Translations that the page doesn't show are kept, such as those of questions that were removed.
 * @param texts By the names of the form's fields.
 */
function translationOf(settings: SurveySettings, texts: Texts, before: SurveyTranslation): SurveyTranslation | null {
  const text = (name: string) => ownValue(texts, name) || undefined;
  const questions = settings.questions.flatMap((question) => {
    const { id, choices = [] } = question;
    const translated = choices.flatMap((choice, index) => {
      const translatedChoice = text(choiceField(question, index));
      return translatedChoice === undefined ? [] : [[choice, translatedChoice] as const];
    });
    const own = withoutMissing({
      label: text(`label.${id}`),
      min_label: text(`min_label.${id}`),
      max_label: text(`max_label.${id}`),
      ...Object.fromEntries(THANKS_FIELDS.map((field) => [field, text(`${field}.${id}`)])),
      choices: translated.length === 0 ? undefined : Object.fromEntries(translated),
    });
    return Object.keys(own).length === 0 ? [] : [[id, own] as const];
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

/** The settings, with the questions that are translated. */
async function settingsOf({ store }: ConsoleContext, { session }: PageRequest, survey: SurveyFrame): Promise<SurveySettings> {
  const settings = await store.console.surveySettings(session, survey.surveyId);
  const drafts = survey.hasDraft ? await store.console.questionDrafts(session, survey.surveyId) : [];
  return withDraft(
    settings,
    survey,
    drafts.find(({ replacedAt }) => replacedAt === null),
  );
}

interface Refused {
  readonly error?: string;
  readonly tagError?: string;
  readonly fileError?: string;
  readonly originalError?: string;
  /** What was entered. */
  readonly values?: Texts;
  readonly saw?: Texts;
  readonly theirs?: Texts;
}

async function show(context: ConsoleContext, request: PageRequest, wanted: string | undefined, refused?: Refused) {
  const survey = await context.store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const settings = await settingsOf(context, request, survey);
  const translations = settings.translations ?? {};
  const language = enteredTag(wanted);
  const tagError = wanted !== undefined && language === undefined ? NO_TAG : undefined;
  const path = `/surveys/${survey.surveyId}`;
  const main = translationsMain(request, {
    original: settings.language,
    translated: translatedLanguages(settings),
    language: language === settings.language ? undefined : language,
    originals: originalsOf(settings),
    needed: new Set(neededOf(settings).map(({ name }) => name)),
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

export const changeSurveyTranslation =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const action = request.form.get('action');
    if (action === 'original') return changeLanguage(context, request);
    const survey = await context.store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const language = enteredTag(request.form.get('language') ?? undefined);
    if (language === undefined) throw notFound();
    if (action === 'import') return preview(context, request, survey, language);
    return onTopOfOthers(() => save(context, request, survey, language));
  };

async function changeLanguage(context: ConsoleContext, request: PageRequest): Promise<Answer> {
  const { store } = context;
  const { surveyId } = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const language = enteredTag(request.form.get('original') ?? undefined);
  if (language === undefined) return show(context, request, undefined, { originalError: NO_TAG });
  try {
    await store.console.setSurveyLanguage(request.session, surveyId, language);
  } catch (error) {
    const message = constraintMessage(error);
    if (message === undefined) throw error;
    return show(context, request, undefined, { error: message });
  }
  return done(`/surveys/${surveyId}/languages`, 'settings_saved');
}

async function save(
  context: ConsoleContext,
  request: PageRequest,
  survey: SurveyFrame,
  language: string,
): Promise<Answer | undefined> {
  const { store } = context;
  const { surveyId } = survey;
  const settings = await settingsOf(context, request, survey);
  const before = settings.translations?.[language] ?? {};
  const originals = originalsOf(settings);
  const now = valuesOf(settings, before);
  const { changed, theirs, checked, saw } = editsIn(request.form, originals, now);
  const values = { ...now, ...changed };
  if (Object.keys(theirs).length > 0) {
    return show(context, request, language, { values, theirs, saw });
  }
  const translation = translationOf(settings, values, before);
  try {
    const digests = sawByName(originals, saw);
    if (!(await store.console.setSurveyTranslation(request.session, surveyId, language, translation, checked, digests, before)))
      return undefined;
  } catch (error) {
    const message = constraintMessage(error);
    if (message === undefined) throw error;
    return show(context, request, language, { error: message, values, saw });
  }
  return done(`/surveys/${surveyId}/languages?language=${language}`, 'translation_saved');
}

async function preview(context: ConsoleContext, request: PageRequest, survey: SurveyFrame, language: string): Promise<Answer> {
  const texts = await textsIn(request);
  if (typeof texts === 'string') return show(context, request, language, { fileError: texts });
  const settings = await settingsOf(context, request, survey);
  const values = valuesOf(settings, settings.translations?.[language] ?? {});
  const found = changesIn(texts, originalsOf(settings), values, () => undefined);
  const main = importMain(request, { ...found, language, back: `/surveys/${survey.surveyId}/languages?language=${language}` });
  const isWrong = found.changes.some(({ error }) => error !== undefined);
  return request.page({ title: `Import into ${languageName(language)}`, survey, tab: 'settings' }, main, isWrong ? 422 : 200);
}

export const downloadSurveyTranslation =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const language = enteredTag(request.query.get('language') ?? undefined);
    const survey = await context.store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    if (language === undefined) throw notFound();
    const settings = await settingsOf(context, request, survey);
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
