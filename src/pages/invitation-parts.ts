// The pieces that the pages of the tab Invitations share. Pure.
import { type InvitationLine, type InvitationStatus, MAX_COUNT, type SurveyFrame } from '../functions.ts';
import { type Html, html } from './html.ts';
import { badge, moment } from './parts.ts';

/** The pages of this tab. */
export const subTabs = ({ surveyId }: SurveyFrame, current: 'invitations' | 'batches' | 'test-invitation'): Html =>
  html`<nav class="segments" aria-label="Invitations">${(
    [
      ['invitations', 'All invitations'],
      ['batches', 'Batches'],
      ['test-invitation', 'Send a test'],
    ] as const
  ).map(
    ([path, label]) => html`<a href="/surveys/${surveyId}/${path}"${path === current && html` aria-current="page"`}>${label}</a>`,
  )}</nav>`;

const KINDS = {
  sent: 'good',
  failed: 'bad',
  suppressed: 'bad',
  waiting: 'wait',
  queued: 'wait',
  sending: 'wait',
  cancelled: 'plain',
} as const;

/** @param list Of the invitations: the badge then leads to those of this status. */
export const statusBadge = (status: InvitationStatus, count?: number, list?: string): Html =>
  badge(
    count === undefined ? status : `${count} ${status}`,
    KINDS[status],
    list && `${list}${list.includes('?') ? '&' : '?'}status=${status}`,
  );

/** A count that went no further than one above MAX_COUNT: `10,000+`. */
export const countUpTo = (count: number): string =>
  count > MAX_COUNT ? `${MAX_COUNT.toLocaleString('en')}+` : count.toLocaleString('en');

/** When the next mail is due, and which. */
export const nextMail = ({ dueAt, mail, cancelledAt }: InvitationLine, now: Date): Html =>
  html`${dueAt !== null && cancelledAt === null && html`${mail === 'reminder' && html`<span class="sub">reminder</span>`}${moment(dueAt, now)}`}`;
