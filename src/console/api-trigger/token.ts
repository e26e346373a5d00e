// The pages of a trigger token. Only the response to the form that creates a token shows its secret.
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
import { editsIn } from '../stale.ts';
import { variableError } from '../variables.ts';
import { TOKEN_FIELD_NAMES, TOKEN_FIELDS } from './token-fields.ts';
import {
  deleteTokenMain,
  KEEPS,
  newTokenMain,
  replaceSecretMain,
  type SentToken,
  secretMain,
  type TokenErrors,
  tokenMain,
  tokenTexts,
} from './token-view.ts';

const BY_RULE = new Map(TOKEN_FIELD_NAMES.flatMap((name) => TOKEN_FIELDS[name].rules.map((rule) => [rule, name] as const)));

/** Finds the field that a database error is about. Undefined: no single field. */
function tokenError(error: unknown): TokenErrors | undefined {
  const field = BY_RULE.get((error as { constraint_name?: string }).constraint_name ?? '');
  const text = constraintMessage(error);
  return field === undefined || text === undefined ? undefined : { [field]: text };
}

/** @throws An error with the name of the table's constraint, as if the database had checked it. */
function readSetting<F extends keyof TokenFields>(name: F, texts: SentToken['texts']): TokenFields[F] {
  const { parse = (text: string) => text, rules } = TOKEN_FIELDS[name];
  const value = parse(texts[name]);
  if (value === undefined) throw Object.assign(new Error(rules[0]), { constraint_name: rules[0] });
  return value as TokenFields[F];
}

/** Reads the texts with LF line ends, because browsers send CR LF. */
export const readTexts = ({ form }: PageRequest) =>
  Object.fromEntries(
    TOKEN_FIELD_NAMES.map((name) => [name, TOKEN_FIELDS[name].read(fieldText(form, name))]),
  ) as SentToken['texts'];

export const readQuestionInEmail = ({ form }: PageRequest): boolean => form.get('questionInEmail') === 'yes';

/** Of the texts that are given. @throws The table's constraint, as if the database had checked it. */
const readSettings = (changed: Partial<SentToken['texts']>, texts: SentToken['texts']): Partial<TokenFields> =>
  Object.fromEntries(
    TOKEN_FIELD_NAMES.filter((name) => changed[name] !== undefined).map((name) => [name, readSetting(name, texts)]),
  );

/** The first field with a misspelt variable. */
function misspelt(texts: SentToken['texts']): TokenErrors | undefined {
  for (const field of TOKEN_FIELD_NAMES.filter((name) => TOKEN_FIELDS[name].isTemplate)) {
    const text = variableError(texts[field]);
    if (text !== undefined) return { [field]: text };
  }
  return undefined;
}

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
    const { secret, hash, hint } = createSecret(request.workspace(survey.workspaceId).home, request.isTest);
    const id = readUuid(request.form.get('token')) ?? randomUUID();
    try {
      const cooldownSeconds = readSetting('cooldownSeconds', texts);
      const token = { id, name: texts.name, cooldownSeconds, secretHash: hash, secretHint: hint };
      await store.console.createTriggerToken(request.session, survey.surveyId, token);
    } catch (error) {
      // The page was reloaded and sent the form again, so don't create a second token.
      if ((error as { constraint_name?: string }).constraint_name === 'trigger_tokens_pkey') {
        return done(`/surveys/${survey.surveyId}/api-trigger`, 'token_created_before');
      }
      const wrong = tokenError(error);
      if (wrong === undefined) throw error;
      const main = newTokenMain(request, survey, id, { texts, errors: wrong });
      return request.page({ title: 'Create a token', survey, tab: 'api-trigger' }, main, 422);
    }
    const main = secretMain(request, { survey, id, name: texts.name, secret, endpoint: endpoint(context) });
    // The new token changes the survey's next step, so read the survey again.
    const after = await store.console.surveyFrame(request.session, survey.surveyId, 'editor');
    return request.page({ title: 'Token created', survey: after, tab: 'api-trigger' }, main);
  };

async function show(context: ConsoleContext, request: PageRequest, sent?: Parameters<typeof tokenMain>[2]) {
  const { survey, token } = await findToken(context, request);
  const rejections = await context.store.console.listRejections(request.session, survey.surveyId, token.id);
  const shown = { survey, token, rejections, endpoint: endpoint(context) };
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
    const sent = { ...readTexts(request), questionInEmail: readQuestionInEmail(request) ? 'yes' : '' };
    const { changed, texts, errors = misspelt(texts) } = editsIn(request.form, tokenTexts(token), sent);
    if (errors !== undefined) return show(context, request, { texts, errors });
    try {
      checkMessages(texts);
      await context.store.console.updateTriggerToken(request.session, survey.surveyId, token.id, {
        ...readSettings(changed, texts),
        ...(changed.questionInEmail !== undefined && { questionInEmail: changed.questionInEmail === 'yes' }),
      });
    } catch (error) {
      const errors = tokenError(error);
      if (errors === undefined) throw error;
      return show(context, request, { texts, errors });
    }
    return done(`/surveys/${survey.surveyId}/api-trigger/${token.id}`, 'token_changed');
  };

/** Changes whether the token's secret can also read batches and events. */
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

/** Changes whether the token's invitations leave in spite of the workspace's rest. */
export const changeTokenRest =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const ignoresRest = request.form.get('ignore') === 'yes';
    await context.store.console.updateTriggerToken(request.session, survey.surveyId, token.id, { ignoresRest });
    return done(`/surveys/${survey.surveyId}/api-trigger/${token.id}`, 'token_changed');
  };

export const showReplaceSecret =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const above = [`/surveys/${survey.surveyId}/api-trigger/${token.id}`, token.name] as const;
    return request.page(
      { title: `Replace the secret of ${token.name}`, survey, tab: 'api-trigger', above },
      replaceSecretMain(request, survey, token),
    );
  };

/** Like the form that creates a token, the response is the only page that shows the secret. */
export const replaceSecret =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const keep = KEEPS.find(([seconds]) => String(seconds) === request.form.get('keep'));
    if (keep === undefined) throw new ApiError('invalid_field', 'Choose how long the old secret is accepted.');
    const { secret, hash, hint } = createSecret(request.workspace(survey.workspaceId).home, request.isTest);
    try {
      const until = await context.store.console.replaceTriggerSecret(request.session, survey.surveyId, token.id, {
        ...{ secretHash: hash, secretHint: hint, keepSeconds: keep[0] },
        replaces: request.form.get('replaces'),
      });
      const shown = { survey, id: token.id, name: token.name, secret, endpoint: endpoint(context) };
      return request.page({ title: 'Secret replaced', survey, tab: 'api-trigger' }, secretMain(request, shown, until));
    } catch (error) {
      // The page was reloaded and sent the form again, so don't replace the new secret.
      if ((error as { constraint_name?: string }).constraint_name !== 'trigger_tokens_secret_replaced') throw error;
      return done(`/surveys/${survey.surveyId}/api-trigger/${token.id}`, 'token_secret_replaced_before');
    }
  };

export const endPreviousSecret =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    await context.store.console.endPreviousSecret(request.session, survey.surveyId, token.id);
    return done(`/surveys/${survey.surveyId}/api-trigger/${token.id}`, 'token_secret_ended');
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
