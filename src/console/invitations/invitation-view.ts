// One invitation. The page never shows its link.
import type { InvitationEvent, InvitationLine, ResponseDetail, SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { capital, facts, form, fullMoment, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { REASONS } from '../reasons.ts';
import { answersSection } from '../results/response-view.ts';
import { deliveryError, HISTORY_EVENTS, suppression } from '../words.ts';
import { detailOf, lineStatus, metadataSection, nextEmail, nextStep, unsentNote } from './parts-view.ts';

export const invitationMain = (
  { csrf, now }: PageContext,
  survey: SurveyFrame,
  line: InvitationLine,
  response: ResponseDetail | null,
  events: readonly InvitationEvent[],
  remindable: boolean,
): Html => html`<div class="split"><h2>${line.email ?? 'Erased recipient'}</h2>${lineStatus(line)}</div>
<section class="card panel" aria-label="Invitation">
${facts([
  line.name && ['Name', line.name],
  whatNow(line, now),
  line.outcome && line.sentAt && ['What came back', capital(REASONS.invitation_outcome[line.outcome].meaning), 'wide'],
  nextStep(line) && ['What to do', nextStep(line) ?? '', 'wide'],
  line.lastError && ["Mail server's reply", line.lastError, 'wide'],
  line.attempts > 0 && ['Delivery attempts', line.attempts],
  line.dueAt !== null && line.cancelledAt === null && ['Next email', nextEmail(line, now)],
  line.dueAt !== null && line.leaveBy != null && ['Skipped if not sent by', moment(line.leaveBy, now)],
  ['Recipient', html`<a href="/workspaces/${survey.workspaceId}/recipients/${line.id}">All invitations to this recipient</a>`],
  ['Batch', html`<a href="/surveys/${survey.surveyId}/invitations?batch=${line.batchId}">…${line.batchId.slice(-6)}</a>`],
])}
${canCancel(line) && action(csrf, 'cancel', html`<button class="quiet danger" type="submit">Cancel the ${line.messageKind}</button>`, cancelling(line))}
${canSendAnyway(line) && action(csrf, 'anyway', html`<button type="submit">Send anyway</button>`, 'It goes out as soon as possible, within the sending hours.')}
${canRetry(line) && action(csrf, 'retry', html`<button type="submit">Send the ${line.messageKind} again</button>`, 'It goes out as soon as possible. If an earlier attempt did arrive, the recipient gets it twice.')}
${remindable && action(csrf, 'remind', html`<button class="quiet" type="submit">Remind now</button>`, remindingNow(line))}
</section>
${response && html`${answersSection(response)}<p><a href="/surveys/${survey.surveyId}/responses/${response.id}">The whole response</a></p>`}
${metadataSection(line.metadata, "Results show it beside this recipient's response.")}
<h2>History</h2>
${table(
  'What happened to this invitation, newest first',
  ['Event', ['Time', 'time'], 'Details'],
  events.toReversed().map((event) => [HISTORY_EVENTS[event.event], fullMoment(event.at, now), detailOf(event)]),
)}`;

function whatNow(line: InvitationLine, now: Date): readonly [string, Html | string] | false {
  const note = unsentNote(line, now);
  if (line.messageKind === 'reminder') return note !== undefined && ['Reminder', note];
  if (line.status === 'failed') return ["Why it wasn't sent", capital(deliveryError(line.lastErrorCode))];
  if (line.status === 'suppressed') return ["Why it wasn't sent", capital(suppression(line))];
  if (line.status === 'cancelled') return ['Cancelled', moment(line.cancelledAt, now)];
  return note !== undefined && ["Why it hasn't been sent", note];
}

const canCancel = ({ messageStatus, cancelledAt }: InvitationLine): boolean =>
  cancelledAt === null && (messageStatus === 'queued' || messageStatus === 'waiting' || messageStatus === 'sending');

const canRetry = ({ messageStatus, respondedAt, cancelledAt, email }: InvitationLine): boolean =>
  messageStatus === 'failed' && respondedAt === null && cancelledAt === null && email !== null;

const canSendAnyway = ({ messageStatus, unsentReason, respondedAt, email }: InvitationLine): boolean =>
  (unsentReason === 'resting' ||
    (messageStatus === 'skipped' && !['declined', 'survey_ended', 'link_expired'].includes(unsentReason ?? ''))) &&
  respondedAt === null &&
  email !== null;

const cancelling = ({ messageKind, messageStatus }: InvitationLine): string => {
  if (messageStatus === 'sending') return 'It is being sent and may still arrive. No reminder follows it.';
  return `This can't be undone.${messageKind === 'invitation' ? ' To invite this person again, send a new request.' : ''}`;
};

const remindingNow = ({ dueAt }: InvitationLine): string =>
  dueAt === null
    ? 'A reminder goes out as soon as possible.'
    : 'The next reminder goes out as soon as possible, instead of on its day.';

const action = (csrf: string, name: 'cancel' | 'retry' | 'remind' | 'anyway', button: Html, note: string): Html =>
  form(csrf, html`<input type="hidden" name="action" value="${name}">${button} <span class="note">${note}</span>`, {
    class: 'actions',
  });
