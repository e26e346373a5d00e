// The tab Invitations.
import {
  type BatchLine,
  type InvitationFilter,
  type InvitationLine,
  type InvitationStatus,
  STATUSES,
  type SurveyCounts,
  type SurveyForecast,
  type SurveyFrame,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { empty, ended, form, moment, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { HOLD_REASONS, INVITATION_STATUSES } from '../words.ts';
import { batchPanel, batchQuestion } from './batches-view.ts';
import { countUpTo, emails, nextEmail, statusBadge, subTabs, unsentNote } from './parts-view.ts';

type State = SurveyFrame['state'];

export type Confirmation = State | 'cancel' | 'retry';

export interface InvitationsView {
  readonly survey: SurveyFrame;
  readonly counts: SurveyCounts;
  readonly filter: InvitationFilter;
  readonly lines: readonly InvitationLine[];
  readonly batch: BatchLine | undefined;
  readonly confirm: Confirmation | undefined;
  readonly forecast: SurveyForecast | undefined;
  /** Of a full page, which may have another after it. */
  readonly pageSize: number;
}

export function invitationsMain(page: PageContext, view: InvitationsView): Html {
  const { survey, counts, filter, lines, batch, pageSize } = view;
  const last = lines.at(-1);
  return html`${subTabs(survey, batch === undefined ? 'invitations' : 'batches')}
${head(page, view)}
<section aria-labelledby="list"><h2 id="list" class="hidden">Invitations</h2>
${statusChips(batch === undefined ? counts.counts : undefined, filter)}
${searchForm(filter)}
${lines.length === 0 ? nothing(filter) : html`${invitationTable(page, survey, lines)}`}
${filter.search && !batch && lines.length < pageSize && html`<p class="note">Can't find someone? Enter the full address: a short search covers only the first 5,000 matches.</p>`}
${pager('invitations', filter.before && linkTo(filter, { before: undefined }), last && lines.length === pageSize ? linkTo(filter, { before: last.id }) : undefined)}
</section>`;
}

function head({ csrf, now }: PageContext, { survey, counts, batch, confirm, forecast }: InvitationsView): Html {
  if (batch !== undefined) {
    const asked = confirm === 'cancel' || confirm === 'retry' ? confirm : undefined;
    return html`${batchPanel(survey, batch, now, asked === undefined)}${asked && batchQuestion(csrf, survey, batch, asked, now)}`;
  }
  if (forecast === undefined || confirm === undefined || confirm === 'cancel' || confirm === 'retry')
    return statePanel(survey, counts);
  return stateQuestion(csrf, survey, counts, confirm, forecast);
}

function linkTo(filter: InvitationFilter, change: Partial<InvitationFilter>): string {
  const entries = Object.entries({ ...filter, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `?${new URLSearchParams(entries)}`;
}

/** @param counts Undefined: of a batch, which has its counts above. */
function statusChips(counts: SurveyCounts['counts'] | undefined, filter: InvitationFilter): Html {
  const chip = (status: InvitationStatus | undefined, label: string, count?: number) =>
    html`<a href="${linkTo(filter, { status, before: undefined })}"${status === filter.status && html` aria-current="true"`}>${label}${count !== undefined && html` <span class="count">${countUpTo(count)}</span>`}</a>`;
  return html`<nav class="chips" aria-label="Status">${chip(undefined, 'any status')}${STATUSES.map((status) => chip(status, INVITATION_STATUSES[status], counts?.[status]))}</nav>`;
}

const searchForm = ({ search, status, batch }: InvitationFilter): Html => html`<form class="toolbar" role="search">
${status && html`<input type="hidden" name="status" value="${status}">`}${batch && html`<input type="hidden" name="batch" value="${batch}">`}
<div class="field"><label for="search">Email starts with</label><input id="search" name="search" type="search" value="${search}" maxlength="254" autocomplete="off" spellcheck="false"></div>
<button class="quiet" type="submit">Search</button>
${search && html`<a href="${linkTo({ status, batch }, {})}">Clear search</a>`}
</form>`;

function nothing({ status, search, batch, before }: InvitationFilter): Html {
  if (before !== undefined) return ended('invitations');
  if (status === undefined && search === undefined && batch === undefined) {
    return empty('No invitations yet', 'Invitations appear here when a request to the API trigger is accepted.');
  }
  return html`<div class="empty"><h2>No invitations match</h2><p><a href="${batch !== undefined && (status ?? search) !== undefined ? linkTo({ batch }, {}) : '?'}">Clear filters</a></p></div>`;
}

/** Breaks before the domain if its column is too narrow. */
const breakable = (email: string): Html => {
  const at = email.lastIndexOf('@') + 1;
  return html`${email.slice(0, at)}<wbr>${email.slice(at)}`;
};

/** A reminder's is under its name. */
const note = (line: InvitationLine, now: Date): Html | undefined => {
  const text = unsentNote(line, now);
  return text === undefined
    ? undefined
    : html`<span class="sub">${line.messageKind === 'reminder' ? `Reminder: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text}</span>`;
};

const invitationTable = ({ now }: PageContext, { surveyId }: SurveyFrame, lines: readonly InvitationLine[]): Html =>
  table(
    'Invitations',
    ['Recipient', 'Status', 'Next email', 'Sent', 'Responded'],
    lines.map((line) => [
      html`<a href="/surveys/${surveyId}/invitations/${line.id}">${line.email === null ? 'erased' : breakable(line.email)}</a>${line.name && html`<span class="sub">${line.name}</span>`}<span class="sub">batch <a href="/surveys/${surveyId}/invitations?batch=${line.batchId}">…${line.batchId.slice(-6)}</a></span>`,
      html`${statusBadge(line.status)}${note(line, now)}`,
      nextEmail(line, now),
      html`${line.sentAt && moment(line.sentAt, now)}${line.remindedAt && html`<span class="sub">reminder</span>${moment(line.remindedAt, now)}`}`,
      html`${line.respondedAt && moment(line.respondedAt, now)}`,
    ]),
  );

const VERBS: Record<State, string> = { active: 'Activate survey', closed: 'Close survey', draft: 'Return to draft' };
const KEEP: Record<State, string> = { active: 'Keep active', closed: 'Keep closed', draft: 'Keep as draft' };
const OFFERS: Record<State, readonly State[]> = {
  draft: ['active', 'closed'],
  active: ['closed', 'draft'],
  closed: ['active', 'draft'],
};

/** Apart from the survey's state. */
const otherReason = ({ holdReason }: SurveyFrame): string | null =>
  holdReason === null || holdReason === 'survey_draft' || holdReason === 'survey_closed' ? null : HOLD_REASONS[holdReason];

function statePanel(survey: SurveyFrame, counts: SurveyCounts): Html {
  const other = otherReason(survey);
  return html`<section class="panel split" aria-label="State of the survey">
<div><p>${stateSentence(survey.state, counts, other)}</p>
${other && html`<p class="error">No email goes out: ${other}. Emails that are due are held until that changes.</p>`}</div>
<p class="actions">${OFFERS[survey.state].map((state) => html`<a class="button${state !== 'active' && ' quiet'}" href="?confirm=${state}#ask">${VERBS[state]}…</a>`)}</p>
</section>`;
}

function stateSentence(state: State, { counts }: SurveyCounts, other: string | null): Html | false {
  const held = counts.waiting + counts.reminders_waiting;
  const waiting = held > 0 && ` ${emails(held)} ${held === 1 ? 'is' : 'are'} waiting for you to activate it.`;
  if (state === 'draft') return html`<strong>Draft.</strong> No email goes out yet.${waiting}`;
  if (state === 'closed') return html`<strong>Closed.</strong> No email goes out, and nobody can respond.${waiting}`;
  return other === null && html`<strong>Active.</strong> Invitations and reminders go out when they are due.`;
}

function stateQuestion(csrf: string, survey: SurveyFrame, counts: SurveyCounts, to: State, forecast: SurveyForecast): Html {
  return html`<section class="panel ask" aria-labelledby="ask">
<h2 id="ask">${to === 'active' ? 'Activate the survey?' : to === 'closed' ? 'Close the survey?' : 'Return the survey to draft?'}</h2>
${to === 'active' ? activating(forecast, otherReason(survey)) : holding(survey, to, forecast, counts)}
${form(csrf, html`<input type="hidden" name="state" value="${to}"><button type="submit">${VERBS[to]}</button> <a class="button quiet" href="/surveys/${survey.surveyId}/invitations">${KEEP[survey.state]}</a>`, { action: `/surveys/${survey.surveyId}/invitations`, class: 'actions' })}
</section>`;
}

function activating({ atOnce, later }: SurveyForecast, other: string | null): Html {
  if (other !== null) {
    const then = atOnce > 0 && `Once that changes, ${atOnce === 1 ? '1 email goes' : `${emails(atOnce)} go`} out.`;
    return html`<p>Activating sends nothing yet: ${other}. ${then}</p>`;
  }
  if (atOnce + later === 0)
    return html`<p>No email is waiting or scheduled, so activating sends nothing now. People can respond once the survey is active.</p>`;
  const due = later > 0 && html` and <strong>${countUpTo(later)}</strong> when ${later === 1 ? 'it is' : 'they are'} due`;
  return html`<p>Activating sends <strong>${emails(atOnce)}</strong> now${due}. People can respond once the survey is active.</p>
<p class="note">Addresses on the do-not-email list are skipped.</p>`;
}

function holding(survey: SurveyFrame, to: State, { atOnce, later }: SurveyForecast, { counts }: SurveyCounts): Html {
  const held = atOnce + later;
  const leaving = counts.sending + counts.reminders_sending;
  const sending = leaving > 0 && ` ${emails(leaving)} being sent now may still arrive.`;
  const reopen = `if you ${survey.state === 'active' ? 'reopen' : 'activate'} the survey`;
  return html`<p>${
    held === 0
      ? 'No email is scheduled.'
      : html`<strong>${emails(held, 'scheduled email')}</strong> will be held. ${held === 1 ? 'It goes' : 'They go'} out ${reopen}.`
  }${sending} Links in emails will say that the survey ${to === 'closed' ? 'is closed' : "isn't open yet"}.</p>`;
}
