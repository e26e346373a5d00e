// Changes, duplicates and deletes surveys.
import { randomUUID } from 'node:crypto';
import { constraintMessage } from '../../constraint-messages.ts';
import type { SurveyEnds } from '../../database/store.ts';
import { readUuid } from '../../http/ids.ts';
import { servicePage } from '../../mail/links.ts';
import { fieldText, parseUtc } from '../../text.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { editsIn } from '../stale.ts';
import { BUTTON_FIELDS, type ButtonField, buttonTexts, type SentButton } from './button-view.ts';
import { END_FIELDS, type EndField, endTexts, type SentEnds } from './ends-view.ts';
import {
  deleteSurveyMain,
  SETTINGS_FIELDS,
  type SentSettings,
  type SettingsField,
  settingsTexts,
  surveySettingsMain,
} from './survey-settings-view.ts';

const FIELDS: Readonly<Record<string, SettingsField>> = {
  surveys_title_length: 'title',
  surveys_title_marks: 'title',
  surveys_public_url_http: 'publicUrl',
  surveys_thanks_length: 'thanks',
  surveys_thanks_marks: 'thanks',
};

async function show(
  { store, publicUrl }: ConsoleContext,
  request: PageRequest,
  sent?: SentSettings,
  sentEnds?: SentEnds,
  sentButton?: SentButton,
) {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const settings = await store.console.surveySettings(request.session, survey.surveyId);
  const ends = await store.console.surveyEnds(request.session, survey.surveyId);
  const rules = await store.console.surveyRules(request.session, survey.surveyId);
  const address = settings.publicUrl ?? servicePage(publicUrl(), survey.surveyId);
  const main = surveySettingsMain(
    request,
    { survey, settings, ends, rules, address, copyId: randomUUID() },
    sent,
    sentEnds,
    sentButton,
  );
  return request.page(
    { title: 'Settings', survey, tab: 'settings' },
    main,
    sent === undefined && sentEnds === undefined && sentButton === undefined ? 200 : 422,
  );
}

export const showSurveySettings =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const changeSurvey =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { session, form } = request;
    const { surveyId, title } = await context.store.console.surveyFrame(session, request.param('survey'), 'editor');
    if (form.get('action') === 'duplicate') {
      const copy = readUuid(form.get('copy')) ?? randomUUID();
      const copyTitle = (form.get('copyTitle') ?? '').trim() || title;
      try {
        await context.store.console.duplicateSurvey(session, surveyId, copy, copyTitle);
      } catch (error) {
        if ((error as { constraint_name?: string }).constraint_name !== 'surveys_pkey') throw error;
      }
      return done(`/surveys/${copy}/questions`, 'survey_created');
    }
    if (form.get('action') === 'button') return changeButton(context, request, surveyId);
    if (form.get('action') === 'ends') return changeEnds(context, request, surveyId);
    const stored = settingsTexts(await context.store.console.surveySettings(session, surveyId));
    const { changed, texts, errors } = editsIn(form, stored, textsIn(form, SETTINGS_FIELDS));
    if (errors !== undefined) return show(context, request, { texts, errors });
    const { openResponses, ...changes } = changed;
    try {
      await context.store.console.updateSurvey(session, surveyId, {
        ...changes,
        ...(openResponses !== undefined && { openResponses: openResponses === 'yes' }),
      });
    } catch (error) {
      const field = FIELDS[(error as { constraint_name?: string }).constraint_name ?? ''];
      const text = constraintMessage(error);
      if (field === undefined || text === undefined) throw error;
      return show(context, request, { texts, errors: { [field]: text } });
    }
    return done(`/surveys/${surveyId}/settings`, 'settings_saved');
  };

const textsIn = <F extends string>(form: URLSearchParams, names: readonly F[]) =>
  Object.fromEntries(names.map((name) => [name, fieldText(form, name).trim()])) as Record<F, string>;

const BUTTON_RULES: Readonly<Record<string, ButtonField>> = {
  surveys_button_both: 'buttonUrl',
  surveys_button_label_line: 'buttonLabel',
  surveys_button_url_https: 'buttonUrl',
};

async function changeButton(context: ConsoleContext, request: PageRequest, surveyId: string) {
  const { session, form } = request;
  const stored = buttonTexts(await context.store.console.surveySettings(session, surveyId));
  const { changed, texts, errors } = editsIn(form, stored, textsIn(form, BUTTON_FIELDS));
  if (errors !== undefined) return show(context, request, undefined, undefined, { texts, errors });
  try {
    await context.store.console.setSurveyButton(session, surveyId, changed.buttonLabel, changed.buttonUrl);
  } catch (error) {
    const constraint = (error as { constraint_name?: string }).constraint_name ?? '';
    const field = constraint === 'surveys_button_both' && texts.buttonLabel === '' ? 'buttonLabel' : BUTTON_RULES[constraint];
    const text = constraintMessage(error);
    if (field === undefined || text === undefined) throw error;
    return show(context, request, undefined, undefined, { texts, errors: { [field]: text } });
  }
  return done(`/surveys/${surveyId}/settings`, 'settings_saved');
}

const END_RULES: Readonly<Record<string, EndField>> = {
  surveys_closes_at_past: 'closesAt',
  surveys_closes_at_range: 'closesAt',
  surveys_response_limit_positive: 'responseLimit',
  surveys_link_days_range: 'linkDays',
};

/** What a field holds. Null: nothing. Undefined: no time, or no number. */
const END_VALUES: Readonly<Record<EndField, (text: string) => Date | number | null | undefined>> = {
  closesAt: (text) => (text === '' ? null : (parseUtc(text.length === 16 ? `${text}:00` : text) ?? undefined)),
  responseLimit: (text) => wholeNumber(text),
  linkDays: (text) => wholeNumber(text),
};
const wholeNumber = (text: string) => (text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : undefined);
const NO_VALUE: Readonly<Record<EndField, string>> = {
  closesAt: 'Enter a date and a time.',
  responseLimit: 'Enter a whole number.',
  linkDays: 'Enter a whole number.',
};

/** Saves only what was changed: a date that is past may stay, and its seconds too. */
async function changeEnds(context: ConsoleContext, request: PageRequest, surveyId: string) {
  const { session, form } = request;
  const shown = endTexts(await context.store.console.surveyEnds(session, surveyId));
  const sent = textsIn(
    form,
    END_FIELDS.filter((name) => form.has(name)),
  );
  const { changed, texts, errors } = editsIn(form, shown, sent, (name) => shown[name].replace('T', ' '));
  const refuse = (errors: SentEnds['errors']) => show(context, request, undefined, { texts, errors });
  if (errors !== undefined) return refuse(errors);
  const ends: Partial<Record<EndField, Date | number | null>> = {};
  for (const name of END_FIELDS.filter((name) => changed[name] !== undefined)) {
    const value = END_VALUES[name](texts[name]);
    if (value === undefined) return refuse({ [name]: NO_VALUE[name] });
    ends[name] = value;
  }
  try {
    await context.store.console.setSurveyEnds(session, surveyId, ends as Partial<SurveyEnds>);
  } catch (error) {
    const field = END_RULES[(error as { constraint_name?: string }).constraint_name ?? ''];
    const text = constraintMessage(error);
    if (field === undefined || text === undefined) throw error;
    return refuse({ [field]: text });
  }
  return done(`/surveys/${surveyId}/settings`, 'settings_saved');
}

async function askDelete({ store }: ConsoleContext, request: PageRequest, error?: string) {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'admin');
  const settings = await store.console.surveySettings(request.session, survey.surveyId);
  return request.page(
    { title: 'Delete survey', survey, tab: 'settings' },
    deleteSurveyMain(request, survey, settings, error),
    error === undefined ? 200 : 422,
  );
}

export const showDeleteSurvey =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    askDelete(context, request);

export const deleteSurvey =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const survey = await context.store.console.surveyFrame(request.session, request.param('survey'), 'admin');
    if ((request.form.get('title') ?? '').trim() !== survey.title.trim()) {
      return askDelete(context, request, 'This is not its title. Nothing was deleted.');
    }
    const isDone = await context.store.console.deleteSurvey(request.session, survey.surveyId);
    return done(`/workspaces/${survey.workspaceId}`, isDone ? 'survey_deleted' : 'survey_deleting');
  };
