// The pages of a trigger token. Only the answer to the form that creates it shows the secret.
import { randomUUID } from 'node:crypto';
import { constraintMessage } from '../../constraint-messages.ts';
import type { SurveyFrame, TokenCard, TokenFields } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { FRAMING_HEADERS } from '../../http/headers.ts';
import { readUuid } from '../../http/ids.ts';
import { checkMessages } from '../../mail/size.ts';
import { createSecret } from '../../secret.ts';
import { fieldText } from '../../text.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { variableWarning } from './email-preview-view.ts';
import { deleteTokenMain, newTokenMain, secretMain, type TokenError, type TokenWarnings, tokenMain } from './token-view.ts';

const FIELDS: Readonly<Record<string, keyof TokenFields>> = {
  trigger_tokens_name_length: 'name',
  trigger_tokens_cooldown_range: 'cooldownSeconds',
  trigger_tokens_subject_length: 'defaultSubject',
  trigger_tokens_message_length: 'defaultMessage',
  trigger_tokens_message_size: 'defaultMessage',
  trigger_tokens_reminder_range: 'defaultReminderDays',
  trigger_tokens_reminder_subject_length: 'defaultReminderSubject',
  trigger_tokens_reminder_message_length: 'defaultReminderMessage',
  trigger_tokens_reminder_message_size: 'defaultReminderMessage',
};

/** Undefined: not about a field. */
function tokenError(error: unknown): TokenError | undefined {
  const field = FIELDS[(error as { constraint_name?: string }).constraint_name ?? ''];
  const text = constraintMessage(error);
  return field === undefined || text === undefined ? undefined : { field, text };
}

/** @throws The table's constraint, as if the database had checked it. */
function readNumber(text: string | null, rule: string): number {
  if (!/^\s*\d{1,9}\s*$/.test(text ?? '')) throw Object.assign(new Error(rule), { constraint_name: rule });
  return Number(text);
}

/** Browsers end lines with CR LF. */
export const readTexts = ({ form }: PageRequest) => {
  const text = (name: keyof TokenFields) => fieldText(form, name);
  return {
    name: text('name').trim(),
    cooldownSeconds: text('cooldownSeconds'),
    defaultSubject: text('defaultSubject').trim(),
    defaultMessage: text('defaultMessage'),
    defaultReminderDays: text('defaultReminderDays'),
    defaultReminderSubject: text('defaultReminderSubject').trim(),
    defaultReminderMessage: text('defaultReminderMessage').trimEnd(),
  };
};

const TEXTS = ['defaultSubject', 'defaultMessage', 'defaultReminderSubject', 'defaultReminderMessage'] as const;

const textWarnings = (texts: { readonly [F in (typeof TEXTS)[number]]: string | null }): TokenWarnings =>
  Object.fromEntries(TEXTS.map((name) => [name, variableWarning(texts[name] ?? '')]));

/** @throws {ApiError} not_found. */
export async function findToken(
  { store }: ConsoleContext,
  request: PageRequest,
): Promise<{ survey: SurveyFrame; token: TokenCard }> {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const id = readUuid(request.param('token'));
  const token = id && (await store.console.findTriggerToken(request.session, survey.surveyId, id));
  if (!token) throw new ApiError('not_found', 'No such token.');
  return { survey, token };
}

const endpoint = (context: ConsoleContext): string => `${context.publicUrl()}/api/invitation-trigger`;

export const showNewToken =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    return request.page({ title: 'Create a token', survey, tab: 'api-trigger' }, newTokenMain(request, survey, randomUUID()));
  };

export const addToken =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { store } = context;
    const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const texts = readTexts(request);
    const { secret, hash, hint } = createSecret();
    const id = readUuid(request.form.get('token')) ?? randomUUID();
    try {
      const cooldownSeconds = readNumber(texts.cooldownSeconds, 'trigger_tokens_cooldown_range');
      const token = { id, name: texts.name, cooldownSeconds, secretHash: hash, secretHint: hint };
      await store.console.createTriggerToken(request.session, survey.surveyId, token);
    } catch (error) {
      // The page was reloaded: don't create a second token.
      if ((error as { constraint_name?: string }).constraint_name === 'trigger_tokens_pkey') {
        return done(`/surveys/${survey.surveyId}/api-trigger`, 'token_created_before');
      }
      const wrong = tokenError(error);
      if (wrong === undefined) throw error;
      const main = newTokenMain(request, survey, id, { texts, error: wrong });
      return request.page({ title: 'Create a token', survey, tab: 'api-trigger' }, main, 422);
    }
    const main = secretMain({ survey, id, name: texts.name, secret, endpoint: endpoint(context) });
    // Its next step is another one now.
    const after = await store.console.surveyFrame(request.session, survey.surveyId, 'editor');
    return request.page({ title: 'Token created', survey: after, tab: 'api-trigger' }, main);
  };

async function show(context: ConsoleContext, request: PageRequest, sent?: Parameters<typeof tokenMain>[2]) {
  const { survey, token } = await findToken(context, request);
  const rejections = await context.store.console.listRejections(request.session, survey.surveyId, token.id);
  const shown = { survey, token, rejections, endpoint: endpoint(context), warnings: textWarnings(sent?.texts ?? token) };
  const page = request.page({ title: token.name, survey, tab: 'api-trigger' }, tokenMain(request, shown, sent), sent ? 422 : 200);
  return { ...page, headers: FRAMING_HEADERS };
}

export const showToken =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const changeToken =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const texts = readTexts(request);
    try {
      checkMessages(texts);
      await context.store.console.updateTriggerToken(request.session, survey.surveyId, token.id, {
        ...texts,
        cooldownSeconds: readNumber(texts.cooldownSeconds, 'trigger_tokens_cooldown_range'),
        defaultReminderDays: readNumber(texts.defaultReminderDays, 'trigger_tokens_reminder_range'),
      });
    } catch (error) {
      const wrong = tokenError(error);
      if (wrong === undefined) throw error;
      return show(context, request, { texts, error: wrong });
    }
    return done(`/surveys/${survey.surveyId}/api-trigger/${token.id}`, 'token_changed');
  };

/** Whether its secret reads, too. */
export const changeTokenReading =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const allowReading = request.form.get('allow') === 'yes';
    await context.store.console.updateTriggerToken(request.session, survey.surveyId, token.id, { allowReading });
    return done(
      `/surveys/${survey.surveyId}/api-trigger/${token.id}`,
      allowReading ? 'token_reading_allowed' : 'token_reading_ended',
    );
  };

export const showDeleteToken =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    return request.page(
      {
        title: `Delete ${token.name}`,
        survey,
        tab: 'api-trigger',
        above: [`/surveys/${survey.surveyId}/api-trigger/${token.id}`, token.name],
      },
      deleteTokenMain(request, survey, token),
    );
  };

export const deleteToken =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    await context.store.console.deleteTriggerToken(request.session, survey.surveyId, token.id);
    return done(`/surveys/${survey.surveyId}/api-trigger`, 'token_deleted');
  };
