// Whether email goes out: of a workspace, and of a survey.
import type { OwnWorkspace, Sending, SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { confirmation, fullMoment, notice, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { REASONS } from '../reasons.ts';

const PAUSED =
  'Email goes out when it is due. While sending is paused, requests are accepted and emails that come due wait. Sign-in emails and tests go out anyway.';
const RESUMED = 'What came due meanwhile goes out at once, reminders too.';

/** @param of The workspace or survey by its name. */
const question = (csrf: string, of: string, pausedAt: Date | null, now: Date, keep: readonly [string, string]): Html =>
  confirmation(csrf, {
    title: pausedAt === null ? `Pause sending for ${of}?` : `Resume sending for ${of}?`,
    content: pausedAt === null ? html`<p>${PAUSED}</p>` : html`<p>Paused since ${fullMoment(pausedAt, now)}. ${RESUMED}</p>`,
    button: pausedAt === null ? `Pause sending for ${of}` : `Resume sending for ${of}`,
    fields: { action: pausedAt === null ? 'pause' : 'resume' },
    keep,
  });

export const workspaceSendingMain = ({ csrf, now }: PageContext, { id, name }: OwnWorkspace, sending: Sending): Html =>
  html`${sending.servicePausedAt && notice('warn', html`<strong>Sending is paused for everyone.</strong> ${REASONS.hold_reason.sending_paused.next}`)}
${question(csrf, name, sending.workspacePausedAt, now, [`/workspaces/${id}`, sending.workspacePausedAt === null ? 'Keep sending' : 'Keep paused'])}
${
  sending.pausedSurveys.length > 0 &&
  html`<h2>Surveys for which sending is paused</h2>
${table(
  'Surveys for which sending is paused',
  ['Survey', ['Since', 'time']],
  sending.pausedSurveys.map(({ id, title, paused_at }) => [
    html`<a href="/surveys/${id}/sending">${title}</a>`,
    fullMoment(new Date(paused_at), now),
  ]),
)}`
}`;

export const surveySendingMain = ({ csrf, now }: PageContext, { surveyId, title, pausedAt }: SurveyFrame): Html =>
  question(csrf, `“${title}”`, pausedAt, now, [
    `/surveys/${surveyId}/invitations`,
    pausedAt === null ? 'Keep sending' : 'Keep paused',
  ]);
