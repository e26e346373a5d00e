// One invitation: what it is, what happened to it, and what can be done. Never its link. Pure.
import type { InvitationEvent, InvitationLine, SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { eventName, form, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { hiddenMetadata, mailNote, nextMail, statusBadge, subTabs } from './parts-view.ts';

export const invitationMain = (
  { csrf, now }: PageContext,
  survey: SurveyFrame,
  line: InvitationLine,
  events: readonly InvitationEvent[],
): Html => html`${subTabs(survey, 'invitations')}
<section class="panel" aria-labelledby="who">
<h2 id="who">${line.email ?? 'Erased recipient'} ${statusBadge(line.status)}</h2>
<dl class="facts">
${line.name && html`<div><dt>Name</dt><dd>${line.name}</dd></div>`}
${whatNow(line, now)}
${line.lastError && html`<div><dt>What the relay said</dt><dd>${line.lastError}</dd></div>`}
${line.attempts > 0 && html`<div><dt>Attempts at this mail</dt><dd>${line.attempts}</dd></div>`}
${line.dueAt !== null && line.cancelledAt === null && html`<div><dt>Next mail</dt><dd>${nextMail(line, now)}</dd></div>`}
<div><dt>Batch</dt><dd><a href="/surveys/${survey.surveyId}/invitations?batch=${line.batchId}">…${line.batchId.slice(-6)}</a></dd></div>
</dl>
${canCancel(line) && action(csrf, 'cancel', html`<button class="quiet danger" type="submit">Cancel the ${line.mail}</button>`, cancelling(line))}
${canRetry(line) && action(csrf, 'retry', html`<button type="submit">Send the ${line.mail} again</button>`, 'It is sent as soon as possible, and tried as often as a new mail. If an earlier attempt did arrive, the recipient gets it twice.')}
</section>
${hiddenMetadata(line.metadata, 'Results show it beside the answers of this recipient.')}
<h2>History</h2>
${table(
  'What happened to this invitation',
  ['What', 'When', 'Details'],
  events.map(({ at, event, detail }) => [eventName(event), moment(at, now), detailOf(event, detail)]),
)}`;

/** What holds the mail up, or how it ended; of a reminder, what that does. */
function whatNow(line: InvitationLine, now: Date): Html | false {
  const said = mailNote(line, now);
  if (line.mail === 'reminder') {
    return said !== undefined && fact('Reminder', html`${said.replace(/^reminder /, '')}`);
  }
  if (line.status === 'failed') return fact('Why it failed', html`${line.lastErrorCode ?? 'unknown'}`);
  if (line.status === 'suppressed') return fact('Why it was not sent', html`${said}`);
  if (line.status === 'cancelled') return fact('Cancelled', moment(line.cancelledAt, now));
  return said !== undefined && fact('Why it has not left', html`${said}`);
}

const fact = (name: string, content: Html): Html => html`<div><dt>${name}</dt><dd>${content}</dd></div>`;

/** The relay's own id of a mail is an operator's: the view invitation_history has it. */
const detailOf = (event: string, detail: string | null): string => (event.endsWith(' sent') ? '' : (detail ?? ''));

const canCancel = ({ mailStatus, cancelledAt }: InvitationLine): boolean =>
  cancelledAt === null && (mailStatus === 'queued' || mailStatus === 'waiting' || mailStatus === 'sending');

const canRetry = ({ mailStatus, respondedAt, cancelledAt, email }: InvitationLine): boolean =>
  mailStatus === 'failed' && respondedAt === null && cancelledAt === null && email !== null;

const cancelling = ({ mail, mailStatus }: InvitationLine): string => {
  if (mailStatus === 'sending') return 'It is on its way and may still arrive; nothing follows it.';
  const anew = mail === 'invitation' ? ': the recipient would have to be invited anew' : '';
  return `It will not be sent. This cannot be undone${anew}.`;
};

const action = (csrf: string, name: 'cancel' | 'retry', button: Html, what: string): Html =>
  form(csrf, html`<input type="hidden" name="action" value="${name}">${button} <span class="note">${what}</span>`, {
    class: 'actions',
  });
