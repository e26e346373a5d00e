// A survey's batches.
import { type BatchLine, STATUSES, type SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { remindersInWords } from '../../text.ts';
import { age, confirmation, empty, ended, facts, type Kind, menu, moment, pager, status, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { emails, invitationOutcome, invitationStatus, metadataFacts } from './parts-view.ts';

const KINDS: Record<string, Kind> = {
  sent: 'info',
  failed: 'bad',
  partly_failed: 'bad',
  scheduled: 'info',
  queued: 'info',
  waiting: 'warn',
  deferred: 'info',
  sending: 'info',
};
const batchStatus = (name: string): Html => status(name.replace('_', ' '), KINDS[name] ?? 'off');

/**
 * @param pageSize How many batches a full page has. After a full page there may be another.
 * @param paged Whether this isn't the first page.
 */
export function batchesMain(
  { now }: PageContext,
  survey: SurveyFrame,
  batches: readonly BatchLine[],
  pageSize: number,
  paged: boolean,
): Html {
  const last = batches.at(-1);
  return html`${
    last === undefined
      ? paged
        ? ended('batches')
        : empty('No batches yet', 'Each accepted request to the API trigger is a batch. Batches appear here.')
      : table(
          'Batches, newest first',
          ['Batch', 'Status', ['Accepted', 'time'], ['Send at', 'time'], 'Token', ['Recipients', 'wide'], ['Actions', 'menu']],
          batches.map((batch) => [
            html`<a href="${pageOf(survey, batch)}">…${batch.id.slice(-6)}</a>`,
            batchStatus(batch.status),
            moment(batch.acceptedAt, now),
            batch.scheduledAt > batch.acceptedAt ? moment(batch.scheduledAt, now) : html`<span class="dim">right away</span>`,
            token(batch),
            recipients(survey, batch),
            menu(`batch ${batch.id.slice(-6)}`, questions(survey, batch)),
          ]),
        )
  }
${pager('batches', paged ? '?' : undefined, last && batches.length === pageSize ? `?before=${last.id}` : undefined)}`;
}

const pageOf = ({ surveyId }: SurveyFrame, { id }: BatchLine): string => `/surveys/${surveyId}/invitations?batch=${id}`;

const token = ({ tokenName, tokenDeleted }: BatchLine): Html =>
  html`${tokenName}${tokenDeleted && html` <span class="dim">deleted</span>`}`;

const CAME_BACK = ['delivered', 'bounced', 'responded'] as const;

const recipients = (survey: SurveyFrame, batch: BatchLine): Html => {
  const { counts, responded } = batch;
  const cameBack = { delivered: counts.delivered, bounced: counts.bounced, responded };
  const list = pageOf(survey, batch);
  return html`<span class="list">${STATUSES.filter((name) => counts[name] > 0).map((name) => invitationStatus(name, counts[name], list))}${CAME_BACK.filter((name) => cameBack[name] > 0).map((name) => invitationOutcome(name, cameBack[name], list))}</span>`;
};

const pending = ({ counts }: BatchLine): number => counts.queued + counts.waiting + counts.sending + counts.reminders_pending;
const failed = ({ counts }: BatchLine): number => counts.failed + counts.reminders_failed;

const questions = (survey: SurveyFrame, batch: BatchLine, kind = ''): (Html | false)[] => [
  failed(batch) > 0 &&
    html`<a class="${kind}" href="${pageOf(survey, batch)}&amp;confirm=retry">Send again…<span class="hidden"> failed emails of batch ${batch.id.slice(-6)}</span></a>`,
  batch.counts.sent > batch.responded &&
    html`<a class="${kind}" href="${pageOf(survey, batch)}&amp;confirm=remind">Remind now…<span class="hidden"> batch ${batch.id.slice(-6)}</span></a>`,
  pending(batch) > 0 &&
    html`<a class="${kind} danger" href="${pageOf(survey, batch)}&amp;confirm=cancel">Cancel…<span class="hidden"> batch ${batch.id.slice(-6)}</span></a>`,
];

export const batchHead = (survey: SurveyFrame, batch: BatchLine): Html =>
  html`<div class="split"><h2>Batch …${batch.id.slice(-6)}</h2>${batchStatus(batch.status)}<div class="actions">${questions(survey, batch, 'button quiet')}</div></div>`;

export const batchPanel = (
  survey: SurveyFrame,
  batch: BatchLine,
  now: Date,
): Html => html`<section class="card panel" aria-label="Batch">
${facts([
  ['Accepted', moment(batch.acceptedAt, now)],
  ['Send at', moment(batch.scheduledAt, now)],
  ['Token', token(batch)],
  ['Subject', batch.subject],
  ['Reminders', remindersInWords(batch.reminders)],
  ['Recipients', recipients(survey, batch)],
  batch.counts.deferred > 0 && [
    'Delayed by a rule',
    html`<a href="${pageOf(survey, batch)}&amp;delayed=yes">${batch.counts.deferred} of those queued</a>: the list says until when`,
  ],
])}
${text('Message', batch.message)}${text('Reminder subject', batch.reminderSubject)}${text('Reminder message', batch.reminderMessage)}
${metadata(batch)}
</section>`;

const metadata = ({ metadata }: BatchLine): Html | false =>
  metadata !== null &&
  Object.keys(metadata).length > 0 &&
  html`<details><summary>Details</summary>${metadataFacts(metadata, 'Results show it beside the responses of these recipients, with any metadata of their own.')}</details>`;

const text = (name: string, content: string | null): Html | false =>
  content !== null && html`<details><summary>${name}</summary><p class="text">${content}</p></details>`;

/** The question names the batch, its count and its subject, because this page doesn't show the list. */
export function batchQuestion(csrf: string, survey: SurveyFrame, batch: BatchLine, action: 'cancel' | 'retry', now: Date): Html {
  const cancel = action === 'cancel';
  const count = cancel ? pending(batch) - batch.counts.sending : failed(batch);
  const nothing = html`<p>${cancel ? 'There is nothing left to cancel.' : 'There is nothing to send again.'}</p>`;
  const again = html`<p>“${batch.subject}”. ${count === 1 ? 'It goes' : 'They go'} out now, except to people who have responded.</p>`;
  return confirmation(csrf, {
    title: `${cancel ? `Cancel ${unsent(batch)}` : `Send ${emails(count, 'failed email')} again`} of batch …${batch.id.slice(-6)}?`,
    content: (cancel ? pending(batch) : count) === 0 ? nothing : cancel ? cancelling(batch, now) : again,
    button:
      (cancel ? pending(batch) : count) === 0 ? undefined : cancel ? `Cancel ${unsent(batch)}` : `Send ${emails(count)} again`,
    danger: cancel,
    action: `/surveys/${survey.surveyId}/batches/${batch.id}`,
    fields: { action },
    keep: [pageOf(survey, batch), cancel ? 'Keep sending' : "Don't send"],
  });
}

/** `900 unsent invitations and 12 reminders`. */
function unsent({ counts }: BatchLine): string {
  const invitations = counts.queued + counts.waiting;
  return (
    [
      invitations > 0 && emails(invitations, 'unsent invitation'),
      counts.reminders_pending > 0 && emails(counts.reminders_pending, 'reminder'),
    ]
      .filter(Boolean)
      .join(' and ') || 'what is left'
  );
}

function cancelling(batch: BatchLine, now: Date): Html {
  const { sending } = batch.counts;
  return html`<p>“${batch.subject}”, due ${age(batch.scheduledAt, now)}. This can't be undone.${sending > 0 && ` ${emails(sending)} being sent now may still arrive.`}</p>`;
}
