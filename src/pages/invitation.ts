// One invitation: what it is, what happened to it, and what can be done. Never its link. Pure.
import type { InvitationEvent, InvitationLine, SurveyFrame } from '../functions.ts';
import type { Viewing } from './frame.ts';
import { type Html, html } from './html.ts';
import { nextMail, statusBadge, subTabs } from './invitation-parts.ts';
import { eventName, form, moment, table } from './parts.ts';

export const invitationMain = (
  { csrf, now }: Viewing,
  survey: SurveyFrame,
  line: InvitationLine,
  events: readonly InvitationEvent[],
): Html => html`${subTabs(survey, 'invitations')}
<section class="panel" aria-labelledby="who">
<h2 id="who">${line.email ?? 'Erased recipient'} ${statusBadge(line.status)}</h2>
<dl class="facts">
${line.name && html`<div><dt>Name</dt><dd>${line.name}</dd></div>`}
${line.why && html`<div><dt>Why it has not left</dt><dd>${line.why}</dd></div>`}
${line.lastError && html`<div><dt>What the relay said</dt><dd>${line.lastError}</dd></div>`}
${line.attempts > 0 && html`<div><dt>Attempts at this mail</dt><dd>${line.attempts}</dd></div>`}
${line.dueAt !== null && line.cancelledAt === null && html`<div><dt>Next mail</dt><dd>${nextMail(line, now)}</dd></div>`}
<div><dt>Batch</dt><dd><a href="/surveys/${survey.surveyId}/invitations?batch=${line.batchId}">…${line.batchId.slice(-6)}</a></dd></div>
</dl>
${canCancel(line) && action(csrf, 'cancel', html`<button class="quiet danger" type="submit">Cancel the ${line.mail}</button>`, cancelling(line))}
${canRetry(line) && action(csrf, 'retry', html`<button type="submit">Send the ${line.mail} again</button>`, 'It is due at once, with all attempts before it. It may be a second mail to the recipient if an earlier attempt got through.')}
</section>
<h2>History</h2>
${table(
  'What happened to this invitation',
  ['What', 'When', 'Details'],
  events.map(({ at, event, detail }) => [eventName(event), moment(at, now), detail ?? '']),
)}`;

const canCancel = ({ status, cancelledAt }: InvitationLine): boolean =>
  cancelledAt === null && (status === 'queued' || status === 'waiting' || status === 'sending');

const canRetry = ({ status, respondedAt, cancelledAt, email }: InvitationLine): boolean =>
  status === 'failed' && respondedAt === null && cancelledAt === null && email !== null;

const cancelling = ({ status }: InvitationLine): string =>
  status === 'sending'
    ? 'It is on its way and may still arrive; nothing follows it.'
    : 'It will not be sent. This cannot be undone: the recipient would have to be invited anew.';

const action = (csrf: string, name: 'cancel' | 'retry', button: Html, what: string): Html =>
  form(csrf, html`<input type="hidden" name="action" value="${name}">${button} <span class="note">${what}</span>`, {
    class: 'actions',
  });
