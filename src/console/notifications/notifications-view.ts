// What a member gets by email: the weekly report and the rules for low scores, the rule of one survey, and the page of the link that stops them. Pure.
import type { NotificationKind, Notifications, OwnWorkspace, ScoreAlert, SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { empty, field, form, formSection, moment, notice, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { openNotice } from '../sign-in/open-page.ts';

export const notificationsPath = (workspaceId: string): string => `/workspaces/${workspaceId}/notifications`;

const NOT_IN_TESTS = 'A test workspace sends no notifications.';

export interface SentReport {
  readonly zone: string;
  readonly error: string;
}

/** @param zone The reader's time zone, which the form suggests. */
export function notificationsMain(
  { csrf, realNow: now }: PageContext,
  workspace: OwnWorkspace,
  chosen: Notifications,
  { zone, zones }: { readonly zone: string; readonly zones: readonly string[] },
  sent?: SentReport,
): Html {
  if (workspace.test !== null) return notice('warn', NOT_IN_TESTS);
  const alerts = chosen.alerts ?? [];
  return html`<p class="note">These emails go to ${chosen.email}, and each has a link that stops it.</p>
${formSection(
  'report',
  'Weekly report',
  [
    html`Every Monday at 8:00: scores and how they changed, response rates, the best and worst comments, and what needs attention.${
      chosen.reportDueAt !== null && html` The next one comes ${moment(chosen.reportDueAt, now)}.`
    }`,
  ],
  form(
    csrf,
    html`${field({ name: 'timeZone', label: 'Time zone', value: sent?.zone ?? chosen.timeZone ?? zone, error: sent?.error, hint: 'In which your week begins.', more: html` list="zones" maxlength="64" autocomplete="off" autocapitalize="off" spellcheck="false"` })}
<datalist id="zones">${zones.map((name) => html`<option value="${name}"></option>`)}</datalist>
<p class="actions">${
      chosen.weeklyReport
        ? html`<button class="quiet" type="submit" name="report" value="yes">Save the time zone</button> <button class="quiet" type="submit" name="report" value="no">Stop the report</button>`
        : html`<button type="submit" name="report" value="yes">Send me the report</button>`
    }</p>`,
  ),
)}
<h2>Low scores</h2>
<p class="note">An email at once for each, at most five an hour; what is more comes together in one. You choose the limit of a survey on its tab Notifications.</p>
${
  alerts.length === 0
    ? empty(
        'No rules yet',
        html`Open a survey from <a href="/workspaces/${workspace.id}">Surveys</a>, and choose its tab Notifications.`,
      )
    : table(
        'Low scores',
        ['Survey', 'Question', ['Below', 'number']],
        alerts.map(({ survey_id: id, title, label, below }) => [
          html`<a href="/surveys/${id}/notifications">${title}</a>`,
          label ?? 'not asked now',
          below,
        ]),
      )
}`;
}

export interface SentAlert {
  readonly question: string;
  readonly below: string;
  readonly error: string;
}

export function surveyNotificationsMain(
  { csrf, isTest }: PageContext,
  survey: SurveyFrame,
  { question, below, scores, low }: ScoreAlert,
  sent?: SentAlert,
): Html {
  if (isTest) return notice('warn', NOT_IN_TESTS);
  const [first] = scores;
  if (first === undefined || low === null) return empty('Nothing to be told of', 'No question of this survey has a score.');
  const chosen = scores.find(({ id }) => id === (sent?.question ?? question ?? low.question)) ?? first;
  const range = ({ min, max }: typeof first) => `${min} to ${max}`;
  return formSection(
    'scores',
    'Tell me of low scores',
    [
      html`${
        below === null
          ? 'You get an email at once for each score below your limit, at most five an hour; what is more comes together in one.'
          : html`You get an email at once for each score below ${below}, at most five an hour.`
      } Only you get it: others choose for themselves.`,
      html`See <a href="${notificationsPath(survey.workspaceId)}">all that you get by email</a>.`,
    ],
    form(
      csrf,
      html`${
        scores.length === 1
          ? html`<input type="hidden" name="question" value="${first.id}"><p>${first.label} <span class="dim">(${range(first)})</span></p>`
          : field({
              name: 'question',
              label: 'Question',
              value: chosen.id,
              options: scores.map((score): [string, string] => [score.id, `${score.label} (${range(score)})`]),
            })
      }
${field({ name: 'below', label: 'Scores below', type: 'number', value: sent?.below ?? String(below ?? low.below), error: sent?.error, more: html` required step="1" min="${Math.min(...scores.map(({ min }) => min)) + 1}" max="${Math.max(...scores.map(({ max }) => max)) + 1}"` })}
<p class="actions"><button type="submit" name="action" value="save">${below === null ? 'Tell me' : 'Save'}</button>${below !== null && html` <button class="quiet" type="submit" name="action" value="stop">Stop</button>`}</p>`,
    ),
  );
}

const STOPPED = {
  low_scores: [
    'Stop the emails about low scores?',
    'You get no more emails about low scores',
    'You get no email about a low score of any survey of this workspace any more.',
  ],
  weekly_report: [
    'Stop the weekly report?',
    'You get no more weekly reports',
    'You get no weekly report of this workspace any more.',
  ],
} as const satisfies Record<NotificationKind, unknown>;

/** Tells nobody whether the link is a member's. */
export function stopPage(kind: NotificationKind, address: string, isDone: boolean): string {
  const [question, title, sentence] = STOPPED[kind];
  return isDone
    ? openNotice('done', title, html`<p>${sentence}</p>\n<p class="note">Sign in to choose again what you get.</p>`)
    : openNotice('mail', question, html`<form method="post" action="${address}"><button type="submit">Stop them</button></form>`);
}
