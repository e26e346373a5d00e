// What a member gets by email, in a workspace and of a survey, and the link that stops it: a GET asks, and only a POST stops (RFC 8058), so it
// needs no cookie, can be repeated, and accepts any body.
import { constraintMessage } from '../../constraint-messages.ts';
import type { NotificationKind } from '../../database/store.ts';
import type { Handler } from '../../http/answer.ts';
import { isLinkToken } from '../../mail/links.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { openAnswer } from '../sign-in/open-page.ts';
import {
  notificationsMain,
  notificationsPath,
  type SentAlert,
  type SentReport,
  stopPage,
  surveyNotificationsMain,
} from './notifications-view.ts';

async function show({ store }: ConsoleContext, request: PageRequest, sent?: SentReport) {
  const workspace = request.workspace(request.param('workspace'));
  const chosen = await store.console.notifications(request.session, workspace.id);
  const zones = Intl.supportedValuesOf('timeZone');
  return request.page(
    { title: 'Notifications', workspace, tab: 'notifications' },
    notificationsMain(request, workspace, chosen, { zone: request.zone, zones }, sent),
    sent === undefined ? 200 : 422,
  );
}

export const showNotifications =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const changeReport =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const zone = (request.form.get('timeZone') ?? '').trim();
    const wanted = request.form.get('report') === 'yes';
    try {
      await context.store.console.setWeeklyReport(
        request.session,
        workspace.id,
        wanted,
        wanted && zone !== '' ? zone : undefined,
      );
    } catch (error) {
      const text = constraintMessage(error);
      if (text === undefined) throw error;
      return show(context, request, { zone, error: text });
    }
    return done(notificationsPath(workspace.id), wanted ? 'report_wanted' : 'report_stopped');
  };

async function showOfSurvey({ store }: ConsoleContext, request: PageRequest, sent?: SentAlert) {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'viewer');
  const alert = await store.console.scoreAlert(request.session, survey.surveyId);
  return request.page(
    { title: 'Notifications', survey, tab: 'notifications' },
    surveyNotificationsMain(request, survey, alert, sent),
    sent === undefined ? 200 : 422,
  );
}

export const showSurveyNotifications =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    showOfSurvey(context, request);

export const changeScoreAlert =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const survey = request.param('survey');
    const stops = request.form.get('action') === 'stop';
    const question = request.form.get('question') ?? '';
    const below = (request.form.get('below') ?? '').trim();
    if (!stops && !/^-?\d{1,4}$/.test(below))
      return showOfSurvey(context, request, { question, below, error: 'Enter a whole number.' });
    try {
      await context.store.console.setScoreAlert(
        request.session,
        survey,
        stops ? null : question,
        stops ? null : Number(below),
        request.zone,
      );
    } catch (error) {
      const text = constraintMessage(error);
      if (text === undefined) throw error;
      return showOfSurvey(context, request, { question, below, error: text });
    }
    return done(`/surveys/${survey}/notifications`, stops ? 'score_alert_stopped' : 'score_alert_set');
  };

const KINDS: Readonly<Record<string, NotificationKind>> = { 'low-scores': 'low_scores', 'weekly-report': 'weekly_report' };

/** @throws {ApiError} not_found. */
function asked({ token = '', kind = '' }: Record<string, string>): { token: string; kind: NotificationKind } {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known === undefined || !isLinkToken(token)) throw notFound();
  return { token, kind: known };
}

export const askStop =
  (_: ConsoleContext): Handler =>
  ({ params, path }) => {
    const { kind } = asked(params);
    return openAnswer(200, stopPage(kind, path, false));
  };

export const stopNotifications =
  ({ store }: ConsoleContext): Handler =>
  async ({ params, path }) => {
    const { token, kind } = asked(params);
    await store.stopNotifications(token, kind);
    return openAnswer(200, stopPage(kind, path, true));
  };
