// The pieces that the pages of the tab Invitations share. Pure.
import { type InvitationLine, type InvitationStatus, MAX_COUNT, type SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { age, badge, moment } from '../components.ts';

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

/** What the reminder of a sent invitation does: `reminder due in 2 days`. Null: there is none, or it has been sent. */
function reminderNote({ mailStatus, why, dueAt, lastErrorCode }: InvitationLine, now: Date): string | null {
  if (why === null) return null;
  if (mailStatus === 'failed') return `reminder failed: ${lastErrorCode ?? 'unknown'}`;
  if (mailStatus === 'cancelled') return 'reminder cancelled';
  if (mailStatus === 'suppressed') return `reminder not sent: ${why}`;
  if (mailStatus === 'sending') return 'reminder is being sent';
  if (mailStatus === 'queued' && dueAt !== null && dueAt > now) {
    return lastErrorCode === null
      ? `reminder due ${age(dueAt, now)}`
      : `reminder tried again ${age(dueAt, now)}: ${lastErrorCode}`;
  }
  return why.startsWith('it is ') ? `reminder ${why.slice('it '.length)}` : `reminder held: ${why}`;
}

/** What an invitation that ended, or has not ended, is up to, in words for a member. Undefined: its badge says it all. */
export function mailNote(line: InvitationLine, now: Date): string | undefined {
  if (line.mail === 'reminder') return reminderNote(line, now) ?? undefined;
  return line.status === 'cancelled' ? undefined : (line.why ?? undefined);
}

/** When the next mail is due, and which. */
export const nextMail = ({ dueAt, mail, cancelledAt }: InvitationLine, now: Date): Html =>
  html`${dueAt !== null && cancelledAt === null && html`${mail === 'reminder' && html`<span class="sub">reminder</span>`}${moment(dueAt, now)}`}`;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The metadata that Results show beside a response, as it was sent with the request. @param what When it shows there. */
export const hiddenMetadata = (metadata: InvitationLine['metadata'], what: string): Html | false =>
  metadata !== null &&
  Object.keys(metadata).length > 0 &&
  html`<section class="panel" aria-labelledby="metadata">
<h2 id="metadata">Hidden metadata</h2>
<p class="note">Of the request that invited; recipients never see it. ${what}</p>
<dl class="facts">${Object.entries(metadata).map(([key, value]) => html`<div><dt>${key}</dt><dd>${asText(value)}</dd></div>`)}</dl>
</section>`;
