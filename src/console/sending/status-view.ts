// What is going on with the email of a workspace: what must be done first, then what is accepted, sent, waiting and failing. Pure.
import type { Guard, HoldReason, OwnWorkspace, Sending, SendingStatus, UnsentReason } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { capital, facts, figures, fullMoment, moment, NONE, notice, status, table } from '../components.ts';
import { countUpTo, emails } from '../invitations/parts-view.ts';
import { nextOfError, REASONS, type Reason } from '../reasons.ts';
import { webhookPath } from '../webhooks/webhooks-view.ts';
import { deliveryError } from '../words.ts';

/** What has been due for longer is late, as in the command status. */
const LATE_SECONDS = 300;
/** As many failures are too many if they are also more than a tenth of the emails. */
const MANY_FAILURES = 3;

const OPERATOR = 'Ask the people who run this service.';
/** Only they can end these. */
const OF_OPERATORS: readonly (HoldReason | null)[] = ['workspace_suspended', 'plan_required', 'survey_disabled'];
/** Somebody holds these emails, or what stops them is said once for all. */
const NOT_LATE: readonly (UnsentReason | null)[] = [null, 'held', 'no_worker', 'relay_paused'];

type Unsent = SendingStatus['unsent'][number];

const NOT_JUDGED: Reason = { meaning: 'due as well', next: 'So many are due that only the first are looked at one by one.' };

function reasonOf({ reason, hold_reason }: Unsent, { relays }: Pick<SendingStatus, 'relays'>): Reason {
  if (reason === null) return NOT_JUDGED;
  if (hold_reason !== null) return REASONS.hold_reason[hold_reason];
  const { meaning, next } = REASONS.unsent_reason[reason];
  // A pause that the relay asked for ends by itself.
  const isBusy = reason === 'relay_paused' && relays?.every(({ condition }) => condition === 'busy');
  return { meaning, next: isBusy ? REASONS.unsent_reason.ready.next : next };
}

/** What somebody must look at, each as sentences. */
export function actsIn(sendingStatus: SendingStatus, { id }: Pick<OwnWorkspace, 'id'>, now: Date): Html[] {
  const { since, sent, failed, unsent, hasWorker, relays, webhooks } = sendingStatus;
  // A test workspace sends only while its clock moves.
  const couldSend = hasWorker === true && relays?.length === 0;
  const late = unsent
    .filter(
      ({ reason, oldest_due_at }) =>
        !NOT_LATE.includes(reason) &&
        oldest_due_at !== null &&
        now.getTime() - new Date(oldest_due_at).getTime() > LATE_SECONDS * 1000,
    )
    .reduce((sum, line) => sum + line.emails, 0);
  return [
    ...(hasWorker === false ? [html`No email goes out: no worker is running. ${OPERATOR}`] : []),
    ...(relays ?? [])
      .filter(({ condition }) => condition === 'fault')
      .map(
        ({ since, code }) =>
          html`No email gets through the mail server since ${moment(new Date(since), now)}${code !== null && ` (${code})`}. ${OPERATOR}`,
      ),
    ...unsent
      .filter(({ hold_reason }) => OF_OPERATORS.includes(hold_reason))
      .map((line) => ({ count: emails(line.emails), ...reasonOf(line, sendingStatus) }))
      .map(({ count, meaning, next }) => html`${capital(count)} held: ${meaning}. ${next}`),
    ...(late > 0 && couldSend
      ? [html`${capital(emails(late))} should have gone out more than five minutes ago. ${OPERATOR}`]
      : []),
    ...(failed >= MANY_FAILURES && failed * 10 > sent + failed
      ? [
          html`Many emails fail: ${formatNumber(failed)} since ${moment(since, now)}. See below why, fix that, and send them again.`,
        ]
      : []),
    ...webhooks.map(({ id: webhook, url, failing_since, disabled_at }) => {
      const link = html`<a href="${webhookPath(id, webhook)}">${new URL(url).host}</a>`;
      return disabled_at === null
        ? html`The webhook ${link} has failed since ${moment(failing_since === null ? null : new Date(failing_since), now)}. Its log says why.`
        : html`The webhook ${link} is disabled, because it answered that it is gone. Resume or delete it.`;
    }),
  ];
}

/** The first line of the page. */
export function firstLine(
  acts: readonly Html[],
  { servicePausedAt, workspacePausedAt }: Sending,
  { guardedAt }: Pick<Guard, 'guardedAt'>,
): Html | '' {
  if (acts.length > 0) return notice('warn', html`${acts.map((act) => html`<p>${act}</p>`)}`);
  if (servicePausedAt !== null || guardedAt !== null) return '';
  return workspacePausedAt === null
    ? html`<p>${status('all is well', 'good')} <span class="dim">Nobody has to do anything.</span></p>`
    : html`<p>Nothing is wrong, but sending is paused: resume it when email should go out.</p>`;
}

export function statusParts(sendingStatus: SendingStatus, now: Date): Html {
  const { since, requests, recipients, sent, failed, sending, unsent, failures } = sendingStatus;
  const oldest = unsent.flatMap(({ oldest_due_at }) => (oldest_due_at === null ? [] : new Date(oldest_due_at)));
  const [first] = oldest.sort((one, other) => one.getTime() - other.getTime());
  return html`<h2>Since ${moment(since, now)}</h2>
${figures([
  {
    name: 'Accepted',
    value: countUpTo(requests),
    note: `${requests === 1 ? 'request' : 'requests'} for ${plural(recipients, 'person', 'people')}`,
  },
  { name: 'Sent', value: formatNumber(sent), note: `${sent === 1 ? 'invitation' : 'invitations'}, without reminders` },
  { name: 'Failed', value: countUpTo(failed), note: failed === 1 ? 'email' : 'emails' },
  { name: 'Being sent', value: formatNumber(sending), note: 'now' },
])}
<h2>Now</h2>
${facts([
  ['Mail server', mailServer(sendingStatus, now), 'wide'],
  ['Oldest email that is due', first === undefined ? NONE : fullMoment(first, now)],
])}
${
  unsent.length === 0
    ? html`<p class="note">No email waits.</p>`
    : table(
        'Emails that wait, and why',
        ['Waits because', ['Emails', 'number'], ['Due', 'time']],
        unsent.map((line) => {
          const { meaning, next } = reasonOf(line, sendingStatus);
          return [html`${capital(meaning)}<span class="sub">${next}</span>`, countUpTo(line.emails), due(line, now)];
        }),
      )
}
${
  failures.length > 0 &&
  html`<h2>Failed since yesterday</h2>
${table(
  'Emails that failed since yesterday, and why',
  ['Survey', ['Why', 'text'], ['Emails', 'number']],
  failures.map(({ survey_id, title, code, emails }) => [
    html`<a href="/surveys/${survey_id}/invitations?status=failed">${title}</a>`,
    html`${capital(deliveryError(code))}<span class="sub">${nextOfError(code)}</span>`,
    countUpTo(emails),
  ]),
)}`
}`;
}

function due({ oldest_due_at, next_due_at }: Unsent, now: Date): Html {
  if (oldest_due_at !== null) return html`since ${moment(new Date(oldest_due_at), now)}`;
  return next_due_at === null ? NONE : html`from ${moment(new Date(next_due_at), now)}`;
}

/** The installation's relay, which its workspaces know as their mail server. */
function mailServer({ hasWorker, relays }: SendingStatus, now: Date): Html {
  if (hasWorker === null || relays === null) return html`none: the emails of a test workspace go to its outbox`;
  if (!hasWorker) return status('no worker is running', 'bad');
  if (relays.length === 0) return status('takes email', 'good');
  return html`${relays.map(({ condition, since, paused_until, code }) => {
    const reply = code === null ? '' : ` (${code})`;
    return condition === 'fault'
      ? html`${status('nothing gets through', 'bad')} since ${moment(new Date(since), now)}${reply}. It is tried again and again. `
      : html`${status('busy', 'info')} It asked for a pause${paused_until !== null && html` until ${moment(new Date(paused_until), now)}`}${reply}. It goes on by itself. `;
  })}`;
}
