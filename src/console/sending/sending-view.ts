// Shows whether email goes out, for a workspace or a survey.
import type { Cap, Guard, OwnWorkspace, Sending, SendingStatus, SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { confirmation, form, fullMoment, NONE, notice, status, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { REASONS } from '../reasons.ts';
import { actorName } from '../words.ts';
import { limitsLine } from './caps-view.ts';
import { guardLine } from './guard-view.ts';
import { actsIn, firstLine, statusParts } from './status-view.ts';

const PAUSED =
  'Email goes out when it is due. While sending is paused, requests are accepted and emails that come due wait. Sign-in emails and tests go out anyway.';
const RESUMED = 'What came due meanwhile goes out at once, reminders too.';

const next = (pausedAt: Date | null) => (pausedAt === null ? 'Pause' : 'Resume');
const action = (pausedAt: Date | null) => (pausedAt === null ? 'pause' : 'resume');

/** @param by An actor of the audit log. */
const effect = (pausedAt: Date | null, now: Date, by: string | null = null): Html =>
  pausedAt === null
    ? html`<p>${PAUSED}</p>`
    : html`<p>Paused since ${fullMoment(pausedAt, now)}${by !== null && `, by ${actorName(by)}`}. ${RESUMED}</p>`;

export const workspaceSendingMain = (
  page: PageContext,
  workspace: OwnWorkspace,
  sending: Sending,
  sendingStatus: SendingStatus,
  guard: Guard,
  caps: readonly Cap[],
): Html => {
  const { csrf, realNow: now } = page;
  const { name } = workspace;
  const { workspacePausedAt: pausedAt } = sending;
  return html`${firstLine(actsIn(sendingStatus, workspace, page.now), sending, guard)}
${!page.isTest && guardLine(guard, workspace, now)}
${limitsLine(caps, workspace, page.now)}
${sending.servicePausedAt && notice('warn', html`<strong>Sending is paused for everyone.</strong> ${REASONS.hold_reason.sending_paused.next}`)}
<section class="card panel" aria-labelledby="state"><h2 id="state">${pausedAt === null ? status('on', 'good') : status('paused', 'warn')}</h2>
${effect(pausedAt, now, sending.workspacePausedBy)}
${form(csrf, html`<input type="hidden" name="action" value="${action(pausedAt)}"><button class="quiet" type="submit">${next(pausedAt)} sending for ${name}</button>`)}
</section>
${
  sending.pausedSurveys.length > 0 &&
  html`<h2>Surveys for which sending is paused</h2>
${table(
  'Surveys for which sending is paused',
  ['Survey', 'By', ['Since', 'time']],
  sending.pausedSurveys.map(({ id, title, paused_at, paused_by }) => [
    html`<a href="/surveys/${id}/sending">${title}</a>`,
    paused_by === null ? NONE : actorName(paused_by),
    fullMoment(new Date(paused_at), now),
  ]),
)}`
}
${statusParts(sendingStatus, page.now)}`;
};

export const surveySendingMain = (
  { csrf, realNow: now }: PageContext,
  { surveyId, title, pausedAt, pausedBy }: SurveyFrame,
): Html =>
  confirmation(csrf, {
    title: `${next(pausedAt)} sending for “${title}”?`,
    content: effect(pausedAt, now, pausedBy),
    button: `${next(pausedAt)} sending for “${title}”`,
    fields: { action: action(pausedAt) },
    keep: [`/surveys/${surveyId}/invitations`, pausedAt === null ? 'Keep sending' : 'Keep paused'],
  });
