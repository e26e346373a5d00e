// Translates the texts of a trigger token.
import { constraintMessage } from '../../constraint-messages.ts';
import type { SurveyFrame, TokenCard, TokenTranslation } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import type { Answer } from '../../http/answer.ts';
import { SERVICE } from '../../languages/languages.ts';
import { checkMessages } from '../../mail/size.ts';
import { ownValue } from '../../text.ts';
import { findToken } from '../api-trigger/token.ts';
import { tokenPath } from '../api-trigger/tokens-view.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { variableError } from '../variables.ts';
import { languageName } from '../words.ts';
import { editsIn, onTopOfOthers } from './edits.ts';
import { importMain } from './import-view.ts';
import { type Original, sawByName } from './originals.ts';
import { saidWithout } from './survey-texts.ts';
import { enteredTag, NO_TAG } from './text-pairs.ts';
import { changesIn, textsIn, translationFile } from './translation-file.ts';
import { type Translated, translationsMain } from './translations-view.ts';

const originalsOf = (token: TokenCard): Original[] => [
  { name: 'subject', label: 'Subject', text: token.defaultSubject, maxLength: 255 },
  { name: 'message', label: 'Message', text: token.defaultMessage, maxLength: 65_536, rows: 9 },
  { name: 'reminder_subject', label: 'Reminder subject', text: token.defaultReminderSubject ?? '', maxLength: 255 },
  { name: 'reminder_message', label: 'Reminder message', text: token.defaultReminderMessage ?? '', maxLength: 65_536, rows: 4 },
  {
    name: 'recipient_word',
    label: 'Word for a recipient without a name',
    text: token.sender?.recipient_word ?? token.workspaceSender?.recipient_word ?? '',
    maxLength: 100,
  },
  {
    name: 'greeting_without_name',
    label: 'Greeting for a recipient without a name',
    text: token.sender?.greeting_without_name ?? token.workspaceSender?.greeting_without_name ?? '',
    maxLength: 100,
  },
  {
    name: 'subject_without_name',
    label: 'Subject for a recipient without a name',
    text: token.sender?.subject_without_name ?? token.workspaceSender?.subject_without_name ?? '',
    maxLength: 255,
  },
  {
    name: 'button_text',
    label: 'Button',
    text: token.sender?.button_text ?? token.workspaceSender?.button_text ?? '',
    maxLength: 100,
  },
  {
    name: 'preheader',
    label: 'Line beside the subject',
    text: token.sender?.preheader ?? token.workspaceSender?.preheader ?? '',
    maxLength: 255,
  },
];

interface Refused {
  readonly values?: TokenTranslation;
  readonly saw?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly theirs?: Readonly<Record<string, string>>;
  readonly error?: string;
  readonly fileError?: string;
}

const valuesOf = (translation: TokenTranslation | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(translation ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** What the originals of outdated texts said when they were translated, by name. */
const changedSince = (token: TokenCard, language: string): Record<string, string> => {
  const values = valuesOf(token.translations?.[language]);
  const from = token.translatedFrom?.[language] ?? {};
  return Object.fromEntries(
    originalsOf(token).flatMap(({ name, text }) => {
      const before = ownValue(from, name);
      return values[name] === undefined || before === undefined || before === text ? [] : [[name, before]];
    }),
  );
};

/** A token's texts that recipients need: what has no original can be left out. */
const neededOf = (token: TokenCard): Original[] =>
  originalsOf(token).filter(({ text }) => text !== '' && SERVICE.translateDefault(text, 'en') === undefined);

const translatedOf = (token: TokenCard): Translated[] => {
  const needed = neededOf(token);
  return Object.entries(token.translations ?? {}).map(([language, translation]) => {
    const values = valuesOf(translation);
    const missing = needed.filter(({ name }) => values[name] === undefined).length;
    return { language, missing, outdated: Object.keys(changedSince(token, language)).length };
  });
};

async function show(context: ConsoleContext, request: PageRequest, wanted: string | undefined, refused?: Refused) {
  const { survey, token } = await findToken(context, request);
  const path = tokenPath(survey.surveyId, token.id);
  const language = enteredTag(wanted);
  const tagError = wanted !== undefined && language === undefined ? NO_TAG : undefined;
  const { values = token.translations?.[language ?? ''], ...errors } = refused ?? {};
  const main = translationsMain(request, {
    original: token.surveyLanguage,
    translated: translatedOf(token),
    language,
    originals: originalsOf(token),
    needed: new Set(neededOf(token).map(({ name }) => name)),
    changed: changedSince(token, language ?? ''),
    values: valuesOf(values),
    said: ({ text }) => saidWithout(text, language ?? ''),
    csv: `${path}/translations.csv`,
    tagError,
    ...errors,
    back: html`<a class="button quiet" href="${path}">Back to the email</a>`,
  });
  return request.page(
    { ...partsOf(survey, token), title: `Translations of ${token.name}` },
    main,
    refused === undefined && tagError === undefined ? 200 : 422,
  );
}

const partsOf = (survey: SurveyFrame, token: TokenCard) =>
  ({
    survey,
    tab: 'api-trigger',
    above: [tokenPath(survey.surveyId, token.id), token.name],
  }) as const;

export const showTokenTranslations =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request, request.query.get('language') ?? undefined);

export const changeTokenTranslation =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    await findToken(context, request);
    const language = enteredTag(request.form.get('language') ?? undefined);
    if (language === undefined) throw notFound();
    if (request.form.get('action') === 'import') return preview(context, request, language);
    return onTopOfOthers(() => save(context, request, language));
  };

async function save(context: ConsoleContext, request: PageRequest, language: string): Promise<Answer | undefined> {
  const { survey, token } = await findToken(context, request);
  const before = token.translations?.[language] ?? {};
  const originals = originalsOf(token);
  const { changed, theirs, checked, saw } = editsIn(request.form, originals, valuesOf(before));
  const values = { ...before, ...changed };
  const errors = Object.fromEntries(
    Object.entries(changed).flatMap(([name, text]) => {
      const error = variableError(text);
      return error === undefined ? [] : [[name, error]];
    }),
  );
  if (Object.keys({ ...errors, ...theirs }).length > 0) return show(context, request, language, { values, saw, errors, theirs });
  const { session } = request;
  try {
    checkMessages({ defaultMessage: changed.message, defaultReminderMessage: changed.reminder_message });
    const digests = sawByName(originals, saw);
    const { setTokenTranslation } = context.store.console;
    if (!(await setTokenTranslation(session, survey.surveyId, token.id, language, changed, checked, digests, before)))
      return undefined;
  } catch (error) {
    const message = constraintMessage(error);
    if (message === undefined) throw error;
    return show(context, request, language, { values, saw, error: message });
  }
  return done(`${tokenPath(survey.surveyId, token.id)}/translations?language=${language}`, 'translation_saved');
}

async function preview(context: ConsoleContext, request: PageRequest, language: string) {
  const texts = await textsIn(request);
  if (typeof texts === 'string') return show(context, request, language, { fileError: texts });
  const { survey, token } = await findToken(context, request);
  const found = changesIn(texts, originalsOf(token), valuesOf(token.translations?.[language]), (_, text) => variableError(text));
  const main = importMain(request, {
    ...found,
    language,
    back: `${tokenPath(survey.surveyId, token.id)}/translations?language=${language}`,
  });
  const isWrong = found.changes.some(({ error }) => error !== undefined);
  return request.page({ ...partsOf(survey, token), title: `Import into ${languageName(language)}` }, main, isWrong ? 422 : 200);
}

export const downloadTokenTranslation =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { token } = await findToken(context, request);
    const language = enteredTag(request.query.get('language') ?? undefined);
    if (language === undefined) throw notFound();
    return translationFile(
      request,
      token.name,
      token.id,
      `email-${language}`,
      originalsOf(token),
      valuesOf(token.translations?.[language]),
      changedSince(token, language),
    );
  };
