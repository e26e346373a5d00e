// The batches of a survey: their list, one of them above its invitations, and the question before it is cancelled or sent again. Pure.
import { type BatchLine, STATUSES, type SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { badge, empty, ended, form, moment, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { hiddenMetadata, statusBadge, subTabs } from './parts-view.ts';
import { mails } from './survey-state-view.ts';

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

/** @param pageSize Batches of a full page: after it there may be more. @param paged Whether this is not the first page. */
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
      : empty('No batches yet', 'Each accepted request to the API trigger is a batch. They appear here.')
    : table(
        'Batches, newest first',
        ['Batch', 'Accepted', 'Send at', 'Token', 'Recipients', 'Actions'],
        batches.map((batch) => [
          html`<a href="${pageOf(survey, batch)}">…${batch.id.slice(-6)}</a> ${batchBadge(batch.status)}`,
          moment(batch.acceptedAt, now),
          batch.scheduledAt > batch.acceptedAt ? moment(batch.scheduledAt, now) : html`<span class="none">at once</span>`,
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
  return html`<span class="badges">${STATUSES.filter((status) => counts[status] > 0).map((status) => statusBadge(status, counts[status], pageOf(survey, batch)))}${responded > 0 && badge(`${responded} answered`, 'good')}</span>`;
};

const pending = ({ counts }: BatchLine): number => counts.queued + counts.waiting + counts.sending + counts.reminders_pending;
const failed = ({ counts }: BatchLine): number => counts.failed + counts.reminders_failed;

/** Links to the questions: whatever there is to cancel or to send again. */
const questions = (survey: SurveyFrame, batch: BatchLine): Html =>
  html`<span class="actions">${pending(batch) > 0 && html`<a class="button quiet danger" href="${pageOf(survey, batch)}&amp;confirm=cancel#ask">Cancel…<span class="hidden"> the batch ${batch.id.slice(-6)}</span></a>`}${failed(batch) > 0 && html`<a class="button quiet" href="${pageOf(survey, batch)}&amp;confirm=retry#ask">Send again…<span class="hidden"> what failed of the batch ${batch.id.slice(-6)}</span></a>`}</span>`;

/** A batch above the list of its invitations. */
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
<div><dt>Reminder</dt><dd>${batch.reminderDays === 0 ? 'none' : `after ${batch.reminderDays} ${batch.reminderDays === 1 ? 'day' : 'days'}`}</dd></div>
<div><dt>Recipients</dt><dd>${recipients(survey, batch)}</dd></div>
</dl>
${text('Message', batch.message)}${text('Subject of the reminder', batch.reminderSubject)}${text('Message of the reminder', batch.reminderMessage)}
${ask && pending(batch) + failed(batch) > 0 && html`<p>${questions(survey, batch)}</p>`}
</section>
${hiddenMetadata(batch.metadata, 'Results show it beside the answers of these recipients, together with metadata of their own.')}`;

/** A text of a mail, as it was accepted, folded up. */
const text = (name: string, content: string | null): Html | false =>
  content !== null && html`<details><summary>${name}</summary><p class="text">${content}</p></details>`;

/** The question before mails of a batch are cancelled or sent again: what that does, and its button. */
export function batchQuestion(csrf: string, survey: SurveyFrame, batch: BatchLine, action: 'cancel' | 'retry'): Html {
  const cancel = action === 'cancel';
  return html`<section class="panel ask" aria-labelledby="ask">
<h2 id="ask">${cancel ? 'Cancel this batch?' : 'Send again what has failed?'}</h2>
${cancel ? cancelling(batch) : html`<p>${mails(failed(batch), 'failed mail')} ${failed(batch) === 1 ? 'is' : 'are'} sent again, at once. Whoever has answered meanwhile gets none.</p>`}
${form(csrf, html`<input type="hidden" name="action" value="${action}"><button${cancel && html` class="danger"`} type="submit">${cancel ? 'Cancel the batch' : 'Send again'}</button> <a class="button quiet" href="${pageOf(survey, batch)}">Keep as it is</a>`, { action: `/surveys/${survey.surveyId}/batches/${batch.id}`, class: 'actions' })}
</section>`;
}

function cancelling({ counts }: BatchLine): Html {
  const invitations = counts.queued + counts.waiting;
  if (invitations + counts.sending + counts.reminders_pending === 0) return html`<p>There is nothing left to cancel.</p>`;
  const what = [
    invitations > 0 && mails(invitations, 'invitation'),
    counts.reminders_pending > 0 && mails(counts.reminders_pending, 'reminder'),
  ];
  const shown = what.filter(Boolean).join(' and ') || 'No mail';
  return html`<p><strong>${shown}</strong> that had not left will not be sent. This cannot be undone.${counts.sending > 0 && ` ${mails(counts.sending)} on the way at this moment may still arrive.`}</p>`;
}
