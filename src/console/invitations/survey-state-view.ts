// The state of a survey on its tab Invitations: what it means for its mail, and the question before it is changed. Pure.
import { MAX_COUNT, type SurveyCounts, type SurveyForecast, type SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { form } from '../components.ts';
import { HOLD_REASONS } from '../words.ts';

type State = SurveyFrame['state'];

const VERBS: Record<State, string> = { active: 'Activate', closed: 'Close', draft: 'Back to draft' };
const OFFERS: Record<State, readonly State[]> = {
  draft: ['active', 'closed'],
  active: ['closed', 'draft'],
  closed: ['active', 'draft'],
};

/** A count that went no further than one above MAX_COUNT. */
const upTo = (count: number): string =>
  count > MAX_COUNT ? `more than ${MAX_COUNT.toLocaleString('en')}` : count.toLocaleString('en');

/** `1 mail`, `2 mails`. */
export const mails = (count: number, what = 'mail'): string => `${upTo(count)} ${what}${count === 1 ? '' : 's'}`;

/** Why email is held apart from the survey's state: it is disabled, its workspace suspended, or the plan too small. */
const otherReason = ({ holdReason }: SurveyFrame): string | null =>
  holdReason === null || holdReason === 'survey_draft' || holdReason === 'survey_closed' ? null : HOLD_REASONS[holdReason];

/** The survey's state, and links to the questions before it is changed. */
export function statePanel(survey: SurveyFrame, counts: SurveyCounts): Html {
  const other = otherReason(survey);
  return html`<section class="panel split" aria-label="State of the survey">
<div><p>${stateSentence(survey.state, counts, other)}</p>
${other && html`<p class="error">Nothing is mailed: ${other}. What is due waits, and leaves when that is over.</p>`}</div>
<p class="actions">${OFFERS[survey.state].map((state) => html`<a class="button${state !== 'active' && ' quiet'}" href="?confirm=${state}#ask">${VERBS[state]}…</a>`)}</p>
</section>`;
}

function stateSentence(state: State, { counts }: SurveyCounts, other: string | null): Html | false {
  const held = counts.waiting + counts.reminders_waiting;
  const waiting = held > 0 && ` ${mails(held)} ${held === 1 ? 'waits' : 'wait'} for it to be activated.`;
  if (state === 'draft') return html`<strong>Draft.</strong> Nothing is mailed yet.${waiting}`;
  if (state === 'closed') return html`<strong>Closed.</strong> Nothing is mailed, and nobody can answer.${waiting}`;
  return other === null && html`<strong>Active.</strong> Invitations and reminders are mailed when they are due.`;
}

/** The question before the state is changed: what that does, and its button. */
export function stateQuestion(
  csrf: string,
  survey: SurveyFrame,
  counts: SurveyCounts,
  to: State,
  forecast: SurveyForecast,
): Html {
  const other = otherReason(survey);
  return html`<section class="panel ask" aria-labelledby="ask">
<h2 id="ask">${to === 'active' ? 'Activate the survey?' : to === 'closed' ? 'Close the survey?' : 'Put the survey back to draft?'}</h2>
${to === 'active' ? activating(forecast, other) : holding(to, forecast, counts)}
${form(csrf, html`<input type="hidden" name="state" value="${to}"><button type="submit">${VERBS[to]}</button> <a class="button quiet" href="/surveys/${survey.surveyId}/invitations">Keep as it is</a>`, { action: `/surveys/${survey.surveyId}/invitations`, class: 'actions' })}
</section>`;
}

function activating({ atOnce, later }: SurveyForecast, other: string | null): Html {
  if (other !== null)
    return html`<p>Activating sends nothing yet: ${other}. ${atOnce > 0 && `When that is over, ${mails(atOnce)} will leave at once.`}</p>`;
  if (atOnce + later === 0)
    return html`<p>Activating sends no mail now: nothing waits, and nothing is scheduled. People can answer from then on.</p>`;
  return html`<p>Activating sends <strong>${mails(atOnce + later)}</strong>: ${upTo(atOnce)} at once, ${upTo(later)} when ${later === 1 ? 'it is' : 'they are'} due. People can answer from then on.</p>
<p class="note">Addresses that are suppressed by then get none.</p>`;
}

function holding(to: State, { atOnce, later }: SurveyForecast, { counts }: SurveyCounts): Html {
  const held = atOnce + later;
  const leaving = counts.sending + counts.reminders_sending;
  const sending = leaving > 0 && ` ${mails(leaving)} on the way at this moment may still arrive.`;
  const links =
    to === 'closed'
      ? 'The links in mails then say that the survey is closed.'
      : 'The links in mails then say that the survey is not open yet.';
  return html`<p>${
    held === 0
      ? 'No mail is pending.'
      : html`<strong>${mails(held)}</strong> that ${held === 1 ? 'has' : 'have'} not left will be held when due, and will leave if the survey becomes active again.`
  }${sending} ${links}</p>`;
}
