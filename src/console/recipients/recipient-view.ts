// One recipient: all of the workspace's invitations to this address, and their history.
import { type ChoiceLine, isAtLeast, type OwnWorkspace, type RecipientEvent, type RecipientLine } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { checkbox, confirmation, facts, form, fullMoment, moment, NONE, notice, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { detailOf, lineStatus, nextStep, unsentNote } from '../invitations/parts-view.ts';
import { REASONS } from '../reasons.ts';
import { HISTORY_EVENTS } from '../words.ts';
import { canUnblock, removePath } from './suppressions-view.ts';

/**
 * @param lines At least one, newest first.
 * @param maxEvents If the list has this many events, earlier ones may be missing.
 */
export function recipientMain(
  page: PageContext,
  workspace: Pick<OwnWorkspace, 'id' | 'role'>,
  lines: readonly RecipientLine[],
  choices: readonly ChoiceLine[],
  events: readonly RecipientEvent[],
  maxEvents: number,
): Html {
  const [newest] = lines;
  const { now } = page;
  // If the address is on the do-not-email list, the notice above already says what to do.
  const next = newest && newest.listedReason === null && nextStep(newest);
  return html`${newest && listed(page, workspace, newest)}
<section class="card panel" aria-label="Recipient">
${facts([
  newest?.name && ['Name', newest.name],
  newest && ['Newest invitation', lineStatus(newest)],
  ['Invitations', lines.length],
  ['Responses', lines.filter(({ respondedAt }) => respondedAt !== null).length],
  newest && ['Last invited', fullMoment(newest.acceptedAt, now)],
  choices.length > 0 && [
    'Chosen by the recipient',
    html`${choices.map((one, index) => html`${index > 0 && '; '}${chosen(one, now)}`)}`,
    'wide',
  ],
  next && ['What to do', next, 'wide'],
])}
${newest && rights(workspace, newest)}
</section>
<h2>Invitations</h2>
${table(
  'Invitations to this recipient, newest first',
  [['Survey', 'text'], 'Status', ['Invited', 'time'], ['Sent', 'time'], ['Responded', 'time']],
  lines.map((line) => [
    html`<a href="/surveys/${line.surveyId}/invitations/${line.id}">${line.surveyTitle}</a>`,
    html`${lineStatus(line)}${unsentNote(line, now) && html`<span class="sub">${unsentNote(line, now)}</span>`}`,
    moment(line.acceptedAt, now),
    line.sentAt === null
      ? NONE
      : html`${moment(line.sentAt, now)}${line.remindedAt && html`<span class="sub">reminder ${moment(line.remindedAt, now)}</span>`}`,
    line.respondedAt === null
      ? NONE
      : html`<a href="/surveys/${line.surveyId}/invitations/${line.id}#answers">${moment(line.respondedAt, now)}</a>`,
  ]),
)}
<h2>History</h2>
${table(
  'What happened to this recipient, newest first',
  ['Event', ['Time', 'time'], ['Survey', 'text'], 'Details'],
  events.map((event) => [
    HISTORY_EVENTS[event.event],
    fullMoment(event.at, now),
    html`<a href="${surveyOf(lines, event)}">${event.surveyTitle}</a>`,
    detailOf(event),
  ]),
)}
${events.length === maxEvents && html`<p class="note">Only the newest ${maxEvents} events are shown. Older ones are on the pages of the invitations.</p>`}`;
}

/** For roles that may: what the person may be given, and what the person may have erased. */
const rights = (workspace: Pick<OwnWorkspace, 'id' | 'role'>, { id, email }: RecipientLine): Html | false =>
  isAtLeast(workspace.role, 'admin') &&
  html`<p class="actions"><a class="button quiet" href="/workspaces/${workspace.id}/recipients/${id}/export.json" download>Download all data</a>${email !== null && html` <a class="button quiet danger" href="/workspaces/${workspace.id}/recipients/${id}/erase">Erase…</a>`}</p>`;

/** What erasing does, and what else may go. */
export const eraseMain = ({ csrf }: PageContext, { id }: Pick<OwnWorkspace, 'id'>, line: RecipientLine): Html => {
  const path = `/workspaces/${id}/recipients/${line.id}`;
  return confirmation(csrf, {
    title: `Erase ${line.email}?`,
    content: html`<p>The address and the name are erased from every invitation in this workspace, and emails that haven't left are cancelled. This can't be undone, and afterwards nothing tells whose answers were whose.</p>`,
    inputs: html`${checkbox('answers', 'Also erase what the person answered', false, 'The responses stay as empty ones, so that the response rate stays true.')}${checkbox('block', 'Never email the address again', false, 'For this, the address stays on the do-not-email list.')}`,
    button: 'Erase the recipient',
    danger: true,
    keep: [path, 'Cancel'],
  });
};

const chosen = ({ surveyTitle, chosenAt }: ChoiceLine, now: Date): Html =>
  html`${surveyTitle === null ? 'at most one invitation a month' : `no email about “${surveyTitle}”`} (${moment(chosenAt, now)})`;

const surveyOf = (lines: readonly RecipientLine[], { invitationId }: RecipientEvent): string =>
  `/surveys/${lines.find(({ id }) => id === invitationId)?.surveyId}/invitations/${invitationId}`;

/** The button in the header that adds the recipient to the do-not-email list. */
export const listing = ({ csrf }: PageContext, { id }: Pick<OwnWorkspace, 'id'>, line: RecipientLine): Html | false =>
  line.email !== null &&
  line.listedReason === null &&
  form(
    csrf,
    html`<input type="hidden" name="action" value="add"><input type="hidden" name="email" value="${line.email}"><input type="hidden" name="back" value="${line.id}"><button class="quiet" type="submit">Add to the do-not-email list</button>`,
    { action: `/workspaces/${id}/do-not-email`, class: 'actions' },
  );

function listed({ now }: PageContext, { id }: Pick<OwnWorkspace, 'id'>, line: RecipientLine): Html | false {
  const { email, listedReason: reason, listedAt: at } = line;
  if (email === null || reason === null) return false;
  const { meaning, next } = REASONS.suppression_reason[reason];
  return notice(
    'warn',
    html`<p><strong>On the do-not-email list:</strong> ${meaning} (${moment(at, now)}). ${next}</p>${canUnblock(reason) && html`<p><a href="${removePath(id, email)}">Take it off the list…</a></p>`}`,
  );
}
