// A survey's batches.
import { type BatchLine, STATUSES, type SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { plural } from '../../text.ts';
import { age, badge, empty, ended, form, moment, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { emails, hiddenMetadata, statusBadge, subTabs } from './parts-view.ts';

const KINDS: Record<string, 'good' | 'wait' | 'bad'> = {
  sent: 'good',
  failed: 'bad',
  partly_failed: 'bad',
  scheduled: 'wait',
  queued: 'wait',
  waiting: 'wait',
  sending: 'wait',
};
const batchBadge = (status: string): Html => badge(status.replace('_', ' '), KINDS[status]);

/**
 * @param pageSize A full page may have another after it.
 * @param paged Whether it is a later page.
 */
export function batchesMain(
  { now }: PageContext,
  survey: SurveyFrame,
  batches: readonly BatchLine[],
  pageSize: number,
  paged: boolean,
): Html {
  const last = batches.at(-1);
  return html`${subTabs(survey, 'batches')}
<h2 class="hidden">Batches</h2>
${
  last === undefined
    ? paged
      ? ended('batches')
      : empty('No batches yet', 'Each accepted request to the API trigger is a batch. Batches appear here.')
    : table(
        'Batches, newest first',
        ['Batch', 'Accepted', 'Send at', 'Token', 'Recipients', 'Actions'],
        batches.map((batch) => [
          html`<a href="${pageOf(survey, batch)}">…${batch.id.slice(-6)}</a> ${batchBadge(batch.status)}`,
          moment(batch.acceptedAt, now),
          batch.scheduledAt > batch.acceptedAt ? moment(batch.scheduledAt, now) : html`<span class="none">right away</span>`,
          token(batch),
          recipients(survey, batch),
          questions(survey, batch),
        ]),
      )
}
${pager('batches', paged ? '?' : undefined, last && batches.length === pageSize ? `?before=${last.id}` : undefined)}`;
}

const pageOf = ({ surveyId }: SurveyFrame, { id }: BatchLine): string => `/surveys/${surveyId}/invitations?batch=${id}`;

const token = ({ tokenName, tokenDeleted }: BatchLine): Html =>
  html`${tokenName}${tokenDeleted && html` <span class="note">deleted</span>`}`;

const recipients = (survey: SurveyFrame, batch: BatchLine): Html => {
  const { counts, responded } = batch;
  return html`<span class="badges">${STATUSES.filter((status) => counts[status] > 0).map((status) => statusBadge(status, counts[status], pageOf(survey, batch)))}${responded > 0 && badge(`${responded} responded`, 'good')}</span>`;
};

const pending = ({ counts }: BatchLine): number => counts.queued + counts.waiting + counts.sending + counts.reminders_pending;
const failed = ({ counts }: BatchLine): number => counts.failed + counts.reminders_failed;

const questions = (survey: SurveyFrame, batch: BatchLine): Html =>
  html`<span class="actions">${pending(batch) > 0 && html`<a class="button quiet danger" href="${pageOf(survey, batch)}&amp;confirm=cancel#ask">Cancel…<span class="hidden"> batch ${batch.id.slice(-6)}</span></a>`}${failed(batch) > 0 && html`<a class="button quiet" href="${pageOf(survey, batch)}&amp;confirm=retry#ask">Send again…<span class="hidden"> failed emails of batch ${batch.id.slice(-6)}</span></a>`}</span>`;

export const batchPanel = (
  survey: SurveyFrame,
  batch: BatchLine,
  now: Date,
  ask: boolean,
): Html => html`<section class="panel" aria-labelledby="batch">
<h2 id="batch">Batch …${batch.id.slice(-6)} ${batchBadge(batch.status)}</h2>
<dl class="facts">
<div><dt>Accepted</dt><dd>${moment(batch.acceptedAt, now)}</dd></div>
<div><dt>Send at</dt><dd>${moment(batch.scheduledAt, now)}</dd></div>
<div><dt>Token</dt><dd>${token(batch)}</dd></div>
<div><dt>Subject</dt><dd>${batch.subject}</dd></div>
<div><dt>Reminder</dt><dd>${batch.reminderDays === 0 ? 'none' : `after ${plural(batch.reminderDays, 'day')}`}</dd></div>
<div><dt>Recipients</dt><dd>${recipients(survey, batch)}</dd></div>
</dl>
${text('Message', batch.message)}${text('Reminder subject', batch.reminderSubject)}${text('Reminder message', batch.reminderMessage)}
${ask && pending(batch) + failed(batch) > 0 && html`<p>${questions(survey, batch)}</p>`}
</section>
${hiddenMetadata(batch.metadata, 'Results show it beside the responses of these recipients, with any metadata of their own.')}`;

const text = (name: string, content: string | null): Html | false =>
  content !== null && html`<details><summary>${name}</summary><p class="text">${content}</p></details>`;

export function batchQuestion(csrf: string, survey: SurveyFrame, batch: BatchLine, action: 'cancel' | 'retry', now: Date): Html {
  const cancel = action === 'cancel';
  const count = failed(batch);
  return html`<section class="panel ask" aria-labelledby="ask">
<h2 id="ask">${cancel ? `Cancel ${unsent(batch)}?` : `Send ${emails(count, 'failed email')} again?`}</h2>
${cancel ? cancelling(batch, now) : html`<p>${count === 0 ? 'There is nothing to send again.' : `${count === 1 ? 'It goes' : 'They go'} out now, except to people who have responded.`}</p>`}
${form(csrf, html`<input type="hidden" name="action" value="${action}"><button${cancel && html` class="danger"`} type="submit">${cancel ? 'Cancel batch' : 'Send again'}</button> <a class="button quiet" href="${pageOf(survey, batch)}">${cancel ? 'Keep sending' : "Don't send"}</a>`, { action: `/surveys/${survey.surveyId}/batches/${batch.id}`, class: 'actions' })}
</section>`;
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
      .join(' and ') || 'this batch'
  );
}

function cancelling(batch: BatchLine, now: Date): Html {
  if (pending(batch) === 0) return html`<p>There is nothing left to cancel.</p>`;
  const { sending } = batch.counts;
  return html`<p>“${batch.subject}”, due ${age(batch.scheduledAt, now)}. This can't be undone.${sending > 0 && ` ${emails(sending)} being sent now may still arrive.`}</p>`;
}
