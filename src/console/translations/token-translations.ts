// Translates the texts of a trigger token.
import { constraintMessage } from '../../constraint-messages.ts';
import type { TokenCard, TokenTranslation } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import { canonicalTag } from '../../languages/languages.ts';
import { checkMessages } from '../../mail/size.ts';
import { fieldText } from '../../text.ts';
import { findToken } from '../api-trigger/token.ts';
import { tokenPath } from '../api-trigger/tokens-view.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { type Original, translationsMain } from './translations-view.ts';

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

async function show(context: ConsoleContext, request: PageRequest, sent?: { texts: TokenTranslation; error: string }) {
  const { survey, token } = await findToken(context, request);
  const path = tokenPath(survey.surveyId, token.id);
  const language = canonicalTag(request.form.get('language') ?? request.query.get('language') ?? undefined);
  const main = translationsMain(request, {
    original: token.surveyLanguage,
    translated: Object.keys(token.translations ?? {}),
    language,
    originals: originalsOf(token),
    values: Object.fromEntries(Object.entries(sent?.texts ?? token.translations?.[language ?? ''] ?? {})),
    error: sent?.error,
    back: html`<a class="button quiet" href="${path}">Back to the email</a>`,
  });
  const parts = { title: `Translations of ${token.name}`, survey, tab: 'api-trigger', above: [path, token.name] } as const;
  return request.page(parts, main, sent === undefined ? 200 : 422);
}

export const showTokenTranslations =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const changeTokenTranslation =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const language = canonicalTag(request.form.get('language') ?? undefined);
    if (language === undefined) throw notFound();
    const texts: TokenTranslation = Object.fromEntries(
      originalsOf(token).map(({ name }) => [name, fieldText(request.form, name).trim()]),
    );
    try {
      checkMessages({ defaultMessage: texts.message, defaultReminderMessage: texts.reminder_message });
      await context.store.console.setTokenTranslation(request.session, survey.surveyId, token.id, language, texts);
    } catch (error) {
      const message = constraintMessage(error);
      if (message === undefined) throw error;
      return show(context, request, { texts, error: message });
    }
    return done(`${tokenPath(survey.surveyId, token.id)}/translations?language=${language}`, 'translation_saved');
  };
