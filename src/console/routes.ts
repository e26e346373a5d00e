// The console's routes and assets.
import type { Polka } from 'polka';
import { ASSETS } from '../html/assets.ts';
import type { Handler } from '../http/answer.ts';
import { compressOnce } from '../http/compress.ts';
import { handle } from '../http/handler.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import { showEmailPreview } from './api-trigger/email-preview.ts';
import {
  addToken,
  changeToken,
  changeTokenReading,
  changeTokenRest,
  deleteToken,
  endPreviousSecret,
  replaceSecret,
  showDeleteToken,
  showNewToken,
  showReplaceSecret,
  showToken,
} from './api-trigger/token.ts';
import { showApiTrigger } from './api-trigger/tokens.ts';
import { showForecast } from './forecast/forecast.ts';
import { changeBatch, showBatches } from './invitations/batches.ts';
import { changeInvitation, showInvitation } from './invitations/invitation.ts';
import { changeSurveyInvitations, showInvitations } from './invitations/invitations.ts';
import { sendTest, showPreview, showTest } from './invitations/test-email.ts';
import { chooseSurvey, type InviteContext, showInvite, takeList } from './invite/invite.ts';
import { changeUpload, downloadLeftOut, showUpload, showUploadEmail } from './invite/upload.ts';
import {
  askStop,
  changeReport,
  changeScoreAlert,
  showNotifications,
  showSurveyNotifications,
  stopNotifications,
} from './notifications/notifications.ts';
import { consolePage, notFound, type PageHandler } from './page.ts';
import { eraseRecipient, exportRecipient, showEraseRecipient } from './recipients/erase.ts';
import { showRecipient, showRecipients } from './recipients/recipients.ts';
import { askRemoveSuppression, changeSuppressions, showSuppressions } from './recipients/suppressions.ts';
import { downloadResults } from './results/csv.ts';
import { showResponse } from './results/response.ts';
import { showResults } from './results/results.ts';
import { showWorkspaceResponses } from './results/workspace-responses.ts';
import {
  changeSurveyRules,
  changeWorkspaceRules,
  type RulesContext,
  showSurveyRules,
  showWorkspaceRules,
} from './rules/rules.ts';
import { showSearch, suggest } from './search/search.ts';
import { changeTokenSender, changeWorkspaceSender, showTokenSender, showWorkspaceSender } from './sender/sender.ts';
import { changeLimit, showLimits } from './sending/caps.ts';
import { releaseGuard, showGuard } from './sending/guard.ts';
import { changeSurveySending, changeWorkspaceSending, showSurveySending, showWorkspaceSending } from './sending/sending.ts';
import { signInAgain } from './sign-in/again.ts';
import { endSessions, showSessions } from './sign-in/sessions.ts';
import { askForLink, type SignInContext, showSignedOut, showSignIn, showSignInLink, signIn, signOut } from './sign-in/sign-in.ts';
import { addSurvey, showNewSurvey } from './surveys/new-survey.ts';
import { showQuestionPreview } from './surveys/question-preview.ts';
import { showQuestions, submitQuestions } from './surveys/questions.ts';
import { changeSurvey, deleteSurvey, showDeleteSurvey, showSurveySettings } from './surveys/survey-settings.ts';
import { showOutbox, showTestEmail, showTestEmailPreview } from './tests/outbox.ts';
import { moveTestClock, showTestClock } from './tests/test-clock.ts';
import {
  changeSurveyTranslation,
  downloadSurveyTranslation,
  showSurveyTranslations,
} from './translations/survey-translations.ts';
import { changeTokenTranslation, downloadTokenTranslation, showTokenTranslations } from './translations/token-translations.ts';
import {
  addWebhook,
  changeWebhook,
  showDeleteWebhook,
  showWebhook,
  showWebhooks,
  type WebhooksContext,
} from './webhooks/webhooks.ts';
import { changeWording, downloadWording, showWording } from './wording/wording.ts';
import { downloadAudit, showAudit } from './workspace/audit.ts';
import { askRemoveMember, changeMember, showMembers } from './workspace/members.ts';
import { changeWorkspace, createTestWorkspace, showWorkspaceSettings } from './workspace/settings.ts';
import { showStart, showSurveys } from './workspace/surveys.ts';

export interface ConsoleRoutesContext extends InviteContext, RulesContext, SignInContext, WebhooksContext {
  readonly log: Log;
  readonly recorder: Recorder | undefined;
}

const OPEN: Route<(context: ConsoleRoutesContext) => Handler>[] = [
  ['GET', '/', showStart],
  ['GET', '/sign-in', showSignIn],
  ['POST', '/sign-in', askForLink],
  ['GET', '/sign-in/:key', showSignInLink],
  ['POST', '/sign-in/:key', signIn],
  ['GET', '/signed-out', showSignedOut],
  ['GET', '/notifications/:token/:kind', askStop],
  ['POST', '/notifications/:token/:kind', stopNotifications],
];

const SIGNED_IN: Route<(context: ConsoleRoutesContext) => PageHandler>[] = [
  ['POST', '/sign-out', signOut],
  ['POST', '/sign-in-again', signInAgain],
  ['GET', '/sessions', showSessions],
  ['POST', '/sessions', endSessions],
  ['GET', '/workspaces/:workspace', showSurveys],
  ['GET', '/workspaces/:workspace/search', showSearch],
  ['POST', '/workspaces/:workspace/search', showSearch],
  ['POST', '/workspaces/:workspace/search/suggestions', suggest],
  ['GET', '/workspaces/:workspace/responses', showWorkspaceResponses],
  ['GET', '/workspaces/:workspace/recipients', showRecipients],
  ['GET', '/workspaces/:workspace/recipients/:invitation', showRecipient],
  ['GET', '/workspaces/:workspace/recipients/:invitation/export.json', exportRecipient],
  ['GET', '/workspaces/:workspace/recipients/:invitation/erase', showEraseRecipient],
  ['POST', '/workspaces/:workspace/recipients/:invitation/erase', eraseRecipient],
  ['GET', '/workspaces/:workspace/do-not-email', showSuppressions],
  ['POST', '/workspaces/:workspace/do-not-email', changeSuppressions],
  ['GET', '/workspaces/:workspace/do-not-email/remove', askRemoveSuppression],
  ['GET', '/workspaces/:workspace/sending', showWorkspaceSending],
  ['POST', '/workspaces/:workspace/sending', changeWorkspaceSending],
  ['GET', '/workspaces/:workspace/limits', showLimits],
  ['POST', '/workspaces/:workspace/limits', changeLimit],
  ['GET', '/workspaces/:workspace/guard', showGuard],
  ['POST', '/workspaces/:workspace/guard', releaseGuard],
  ['GET', '/workspaces/:workspace/webhooks', showWebhooks],
  ['POST', '/workspaces/:workspace/webhooks', addWebhook],
  ['GET', '/workspaces/:workspace/webhooks/:webhook', showWebhook],
  ['POST', '/workspaces/:workspace/webhooks/:webhook', changeWebhook],
  ['GET', '/workspaces/:workspace/webhooks/:webhook/delete', showDeleteWebhook],
  ['GET', '/workspaces/:workspace/notifications', showNotifications],
  ['POST', '/workspaces/:workspace/notifications', changeReport],
  ['GET', '/workspaces/:workspace/members', showMembers],
  ['POST', '/workspaces/:workspace/members', changeMember],
  ['GET', '/workspaces/:workspace/members/remove', askRemoveMember],
  ['GET', '/workspaces/:workspace/audit', showAudit],
  ['GET', '/workspaces/:workspace/audit.csv', downloadAudit],
  ['GET', '/workspaces/:workspace/settings', showWorkspaceSettings],
  ['POST', '/workspaces/:workspace/settings', changeWorkspace],
  ['POST', '/workspaces/:workspace/test-workspaces', createTestWorkspace],
  ['GET', '/workspaces/:workspace/clock', showTestClock],
  ['POST', '/workspaces/:workspace/clock', moveTestClock],
  ['GET', '/workspaces/:workspace/outbox', showOutbox],
  ['GET', '/workspaces/:workspace/outbox/:email', showTestEmail],
  ['GET', '/workspaces/:workspace/outbox/:email/preview', showTestEmailPreview],
  ['GET', '/workspaces/:workspace/sender', showWorkspaceSender],
  ['POST', '/workspaces/:workspace/sender', changeWorkspaceSender],
  ['GET', '/workspaces/:workspace/wording', showWording],
  ['POST', '/workspaces/:workspace/wording', changeWording],
  ['GET', '/workspaces/:workspace/wording.csv', downloadWording],
  ['GET', '/workspaces/:workspace/rules', showWorkspaceRules],
  ['POST', '/workspaces/:workspace/rules', changeWorkspaceRules],
  ['GET', '/workspaces/:workspace/surveys/new', showNewSurvey],
  ['POST', '/workspaces/:workspace/surveys/new', addSurvey],
  ['GET', '/surveys/:survey/questions', showQuestions],
  ['POST', '/surveys/:survey/questions', submitQuestions],
  ['GET', '/surveys/:survey/notifications', showSurveyNotifications],
  ['POST', '/surveys/:survey/notifications', changeScoreAlert],
  ['GET', '/surveys/:survey/page', showQuestionPreview],
  ['GET', '/surveys/:survey/settings', showSurveySettings],
  ['POST', '/surveys/:survey/settings', changeSurvey],
  ['GET', '/surveys/:survey/rules', showSurveyRules],
  ['POST', '/surveys/:survey/rules', changeSurveyRules],
  ['GET', '/surveys/:survey/languages', showSurveyTranslations],
  ['POST', '/surveys/:survey/languages', changeSurveyTranslation],
  ['GET', '/surveys/:survey/languages.csv', downloadSurveyTranslation],
  ['GET', '/surveys/:survey/delete', showDeleteSurvey],
  ['POST', '/surveys/:survey/delete', deleteSurvey],
  ['GET', '/surveys/:survey/invitations', showInvitations],
  ['POST', '/surveys/:survey/invitations', changeSurveyInvitations],
  ['GET', '/surveys/:survey/invitations/:invitation', showInvitation],
  ['POST', '/surveys/:survey/invitations/:invitation', changeInvitation],
  ['GET', '/workspaces/:workspace/invite', chooseSurvey],
  ['GET', '/surveys/:survey/invite', showInvite],
  ['POST', '/surveys/:survey/invite', takeList],
  ['GET', '/surveys/:survey/invite/:upload', showUpload],
  ['POST', '/surveys/:survey/invite/:upload', changeUpload],
  ['GET', '/surveys/:survey/invite/:upload/email', showUploadEmail],
  ['GET', '/surveys/:survey/invite/:upload/not-invited.csv', downloadLeftOut],
  ['GET', '/surveys/:survey/forecast', showForecast],
  ['GET', '/surveys/:survey/sending', showSurveySending],
  ['POST', '/surveys/:survey/sending', changeSurveySending],
  ['GET', '/surveys/:survey/batches', showBatches],
  ['POST', '/surveys/:survey/batches/:batch', changeBatch],
  ['GET', '/surveys/:survey/test-invitation', showTest],
  ['POST', '/surveys/:survey/test-invitation', sendTest],
  ['GET', '/surveys/:survey/preview', showPreview],
  ['GET', '/surveys/:survey/api-trigger', showApiTrigger],
  ['GET', '/surveys/:survey/api-trigger/new', showNewToken],
  ['POST', '/surveys/:survey/api-trigger/new', addToken],
  ['GET', '/surveys/:survey/api-trigger/:token', showToken],
  ['POST', '/surveys/:survey/api-trigger/:token', changeToken],
  ['GET', '/surveys/:survey/api-trigger/:token/preview', showEmailPreview],
  ['POST', '/surveys/:survey/api-trigger/:token/preview', showEmailPreview],
  ['GET', '/surveys/:survey/api-trigger/:token/sender', showTokenSender],
  ['POST', '/surveys/:survey/api-trigger/:token/sender', changeTokenSender],
  ['GET', '/surveys/:survey/api-trigger/:token/translations', showTokenTranslations],
  ['POST', '/surveys/:survey/api-trigger/:token/translations', changeTokenTranslation],
  ['GET', '/surveys/:survey/api-trigger/:token/translations.csv', downloadTokenTranslation],
  ['POST', '/surveys/:survey/api-trigger/:token/reading', changeTokenReading],
  ['POST', '/surveys/:survey/api-trigger/:token/rest', changeTokenRest],
  ['GET', '/surveys/:survey/api-trigger/:token/secret', showReplaceSecret],
  ['POST', '/surveys/:survey/api-trigger/:token/secret', replaceSecret],
  ['POST', '/surveys/:survey/api-trigger/:token/secret/end', endPreviousSecret],
  ['GET', '/surveys/:survey/api-trigger/:token/delete', showDeleteToken],
  ['POST', '/surveys/:survey/api-trigger/:token/delete', deleteToken],
  ['GET', '/surveys/:survey/results', showResults],
  ['GET', '/surveys/:survey/results.csv', downloadResults],
  ['GET', '/surveys/:survey/responses/:response', showResponse],
];

type Route<H> = [method: 'GET' | 'POST', path: string, handler: H];

const FILES = new Map(
  [...ASSETS.values()].map(({ name, path, type, body }) => [
    name,
    { path, answer: { status: 200, type, body, ...(typeof body === 'string' && { compressed: compressOnce(body) }) } },
  ]),
);

/**
 * If the address has the hash of another version, as can happen during a deployment, the response is the current file. Only an address with
 * the right hash may be cached.
 */
const showAsset: Handler = ({ path, params }) => {
  const name = (params.file ?? 'favicon.svg').replace(/\.[\w-]{12}(?=\.)/, '');
  const file = FILES.get(name);
  if (file === undefined) throw notFound();
  const cacheControl = path === file.path ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  return { ...file.answer, headers: { 'cache-control': cacheControl } };
};

/** For the tests of access rights. */
export const CONSOLE_ROUTES = [...OPEN, ...SIGNED_IN].map(([method, path]) => [method, path] as const);

export function addConsoleRoutes(app: Polka, context: ConsoleRoutesContext): void {
  const watch = { recorder: context.recorder, client: context.clientAddress };
  const pages = (route: string, handler: Handler) => handle(context.log, route, 'page', handler, watch);
  for (const [method, path, make] of OPEN) app.add(method, path, pages(path, context.pageLimit.before(make(context))));
  for (const [method, path, make] of SIGNED_IN) app.add(method, path, pages(path, consolePage(context, make(context), path)));
  app.get('/assets/:file', pages('/assets/:file', showAsset));
  // Browsers request this address without a link to it.
  app.get('/favicon.ico', pages('/favicon.ico', showAsset));
}
