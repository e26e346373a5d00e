// The tab Invitations of a survey: its state, its invitations by status, address or batch. Pure.
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
import { empty, ended, moment, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { batchPanel, batchQuestion } from './batches-view.ts';
import { countUpTo, mailNote, nextMail, statusBadge, subTabs } from './parts-view.ts';
import { statePanel, stateQuestion } from './survey-state-view.ts';

/** What the page asks before it is done. */
export type Confirmation = SurveyFrame['state'] | 'cancel' | 'retry';

export interface InvitationsView {
  readonly survey: SurveyFrame;
  readonly counts: SurveyCounts;
  readonly filter: InvitationFilter;
  readonly lines: readonly InvitationLine[];
  /** The batch whose invitations these are. */
  readonly batch: BatchLine | undefined;
  readonly confirm: Confirmation | undefined;
  readonly forecast: SurveyForecast | undefined;
  /** Lines of a full page: after it there may be more. */
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
${filter.search && !batch && lines.length < pageSize && html`<p class="note">A beginning of an address is looked for among the first 5,000 that begin so: if somebody is missing, type the whole address.</p>`}
${pager('invitations', filter.before && linkTo(filter, { before: undefined }), last && lines.length === pageSize ? linkTo(filter, { before: last.id }) : undefined)}
</section>`;
}

function head({ csrf, now }: PageContext, { survey, counts, batch, confirm, forecast }: InvitationsView): Html {
  if (batch !== undefined) {
    const asked = confirm === 'cancel' || confirm === 'retry' ? confirm : undefined;
    return html`${batchPanel(survey, batch, now, asked === undefined)}${asked && batchQuestion(csrf, survey, batch, asked)}`;
  }
  if (forecast === undefined || confirm === undefined || confirm === 'cancel' || confirm === 'retry')
    return statePanel(survey, counts);
  return stateQuestion(csrf, survey, counts, confirm, forecast);
}

/** This page with another filter. */
function linkTo(filter: InvitationFilter, change: Partial<InvitationFilter>): string {
  const entries = Object.entries({ ...filter, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `?${new URLSearchParams(entries)}`;
}

/** Links that filter by status. @param counts Undefined: of a batch, which has its counts above. */
function statusChips(counts: SurveyCounts['counts'] | undefined, filter: InvitationFilter): Html {
  const chip = (status: InvitationStatus | undefined, label: string, count?: number) =>
    html`<a href="${linkTo(filter, { status, before: undefined })}"${status === filter.status && html` aria-current="true"`}>${label}${count !== undefined && html` <span class="count">${countUpTo(count)}</span>`}</a>`;
  return html`<nav class="chips" aria-label="Status">${chip(undefined, 'any status')}${STATUSES.map((status) => chip(status, status, counts?.[status]))}</nav>`;
}

const searchForm = ({ search, status, batch }: InvitationFilter): Html => html`<form class="toolbar" role="search">
${status && html`<input type="hidden" name="status" value="${status}">`}${batch && html`<input type="hidden" name="batch" value="${batch}">`}
<div class="field"><label for="search">Address, or how it begins</label><input id="search" name="search" type="search" value="${search}" maxlength="254" autocomplete="off" spellcheck="false"></div>
<button class="quiet" type="submit">Search</button>
${search && html`<a href="${linkTo({ status, batch }, {})}">Show all</a>`}
</form>`;

function nothing({ status, search, batch, before }: InvitationFilter): Html {
  if (before !== undefined) return ended('invitations');
  if (status === undefined && search === undefined && batch === undefined) {
    return empty('No invitations yet', 'Each request to the API trigger queues a batch of invitations. They appear here.');
  }
  return empty('Nothing found', 'No invitation of this survey is like that.');
}

/** An address that is too long for its column breaks before its domain. */
const breakable = (email: string): Html => {
  const at = email.lastIndexOf('@') + 1;
  return html`${email.slice(0, at)}<wbr>${email.slice(at)}`;
};

const note = (line: InvitationLine, now: Date): Html | undefined => {
  const said = mailNote(line, now);
  return said === undefined ? undefined : html`<span class="sub">${said}</span>`;
};

const invitationTable = ({ now }: PageContext, { surveyId }: SurveyFrame, lines: readonly InvitationLine[]): Html =>
  table(
    'Invitations',
    ['Recipient', 'Status', 'Next mail', 'Sent', 'Answered'],
    lines.map((line) => [
      html`<a href="/surveys/${surveyId}/invitations/${line.id}">${line.email === null ? 'erased' : breakable(line.email)}</a>${line.name && html`<span class="sub">${line.name}</span>`}<span class="sub">batch <a href="/surveys/${surveyId}/invitations?batch=${line.batchId}">…${line.batchId.slice(-6)}</a></span>`,
      html`${statusBadge(line.status)}${note(line, now)}`,
      nextMail(line, now),
      html`${line.sentAt && moment(line.sentAt, now)}${line.remindedAt && html`<span class="sub">reminder</span>${moment(line.remindedAt, now)}`}`,
      html`${line.respondedAt && moment(line.respondedAt, now)}`,
    ]),
  );
