// The words that members see for the database's codes. Pure.

import { MAX_ATTEMPTS } from '../database/deliveries.ts';
import type {
  AuditAction,
  DeliveryOutcome,
  HistoryEvent,
  InvitationLine,
  InvitationOutcome,
  InvitationStatus,
  SuppressionReason,
  UnsentReason,
} from '../database/store.ts';
import type { EVENT_TYPES } from '../events/schema.ts';
import { type Html, html } from '../html/html.ts';
import { canonicalTag } from '../languages/languages.ts';
import { age, capital, day, type Kind, moment } from './components.ts';
import { meanings, REASONS } from './reasons.ts';

export const INVITATION_STATUSES: Readonly<Record<InvitationStatus, string>> = {
  queued: 'queued',
  waiting: 'waiting',
  sending: 'sending',
  sent: 'sent',
  failed: 'failed',
  suppressed: 'suppressed',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

export const STATUS_KINDS: Readonly<Record<InvitationStatus, Kind>> = {
  queued: 'info',
  waiting: 'warn',
  sending: 'info',
  sent: 'info',
  failed: 'bad',
  suppressed: 'off',
  cancelled: 'off',
  skipped: 'off',
};

/** What came back about a sent invitation, as shown beside it. */
export const INVITATION_OUTCOMES: Readonly<Record<InvitationOutcome, string>> = {
  soft_bounced: 'delayed',
  delivered: 'delivered',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  responded: 'responded',
  complained: 'reported as spam',
};

export const OUTCOME_KINDS: Readonly<Record<InvitationOutcome, Kind>> = {
  soft_bounced: 'warn',
  delivered: 'good',
  unsubscribed: 'off',
  bounced: 'bad',
  responded: 'good',
  complained: 'bad',
};

export const HOLD_REASONS = meanings(REASONS.hold_reason);

export const SUPPRESSION_REASONS: Readonly<Record<SuppressionReason, string>> = {
  unsubscribe: 'unsubscribed',
  hard_bounce: 'bounced',
  complaint: 'reported as spam',
  manual: 'added by hand',
};

/** Relays have many codes. One without an entry is shown as it is. */
const DELIVERY_ERRORS: Readonly<Record<string, string>> = meanings(REASONS.delivery_error);
const RETRY_ERRORS: Readonly<Record<string, string>> = {
  relay_busy: 'Mail server busy',
  http_429: 'Mail server busy',
  rate_limit_exceeded: 'Mail server busy',
  timeout: 'Mail server too slow',
  worker_lost: 'Delivery interrupted',
};

/** For example `overdue by more than the limit (too_late)`. */
export function deliveryError(code: string | null): string {
  const meaning = DELIVERY_ERRORS[code ?? ''];
  return meaning === undefined ? (code ?? 'unknown error') : `${meaning} (${code})`;
}

/** One attempt, for example `The mail server rejected the address (invalid_recipient)`. */
export const attempt = (outcome: DeliveryOutcome, code: string | null): string =>
  `${capital(DELIVERY_ERRORS[code ?? ''] ?? REASONS.delivery_outcome[outcome].meaning)}${code === null ? '' : ` (${code})`}`;

/** For example `on the do-not-email list (added by hand, 18 Nov 2026)`. */
export const suppression = ({ suppressionReason, suppressedAt }: Unsent): string =>
  suppressionReason === null || suppressedAt === null
    ? 'the address was on the do-not-email list'
    : `on the do-not-email list (${SUPPRESSION_REASONS[suppressionReason]}, ${day(suppressedAt)})`;

type Unsent = Pick<
  InvitationLine,
  | 'dueAt'
  | 'attempts'
  | 'lastErrorCode'
  | 'holdReason'
  | 'suppressionReason'
  | 'suppressedAt'
  | 'relay'
  | 'relayCode'
  | 'restSurvey'
  | 'restSince'
>;

/** For example `was invited to “How was your order?” on 3 Nov 2026`. */
const restCause = ({ restSurvey, restSince }: Unsent): string =>
  restSurvey == null || restSince == null
    ? 'the recipient was invited recently'
    : `was invited to “${restSurvey}” on ${day(restSince)}`;

export const UNSENT_REASONS: Readonly<Record<UnsentReason, (email: Unsent, now: Date) => Html | string>> = {
  failed: ({ lastErrorCode }) => `Not sent: ${deliveryError(lastErrorCode)}`,
  suppressed: (email) => `Not sent: ${suppression(email)}`,
  cancelled: () => 'Cancelled',
  sending: () => 'Being sent now',
  held: ({ holdReason }) => `Held: ${holdReason === null ? 'unknown' : HOLD_REASONS[holdReason]}`,
  requeueing: () => 'About to be sent',
  retry_later: ({ lastErrorCode, dueAt, attempts }, now) =>
    html`${RETRY_ERRORS[lastErrorCode ?? ''] ?? `Mail server error (${lastErrorCode})`}. Retrying${dueAt !== null && html` at ${moment(dueAt, now)}`}, attempt ${attempts + 1} of ${MAX_ATTEMPTS}`,
  not_due: ({ dueAt }, now) => (dueAt === null ? 'Not due yet' : `Due ${age(dueAt, now)}`),
  responded: () => 'Not sent: the recipient has responded',
  content_rejected: () => 'Not sent: the mail server rejects its text',
  declined: () => 'Not sent: the recipient wants no email about this survey',
  survey_ended: () => 'Not sent: the survey has ended',
  link_expired: () => 'Not sent: its link would expire within a day',
  too_late: () => 'Not sent: it could not go out in time',
  rests_too_long: (email) => `Not sent in time: ${restCause(email)}`,
  opens_too_late: () => 'Not sent: the next sending hours come too late',
  capped_too_long: () => 'Not sent: the sending limits would have let it go out too late',
  resting: (email, now) => html`Rests${email.dueAt !== null && html` until ${moment(email.dueAt, now)}`}: ${restCause(email)}`,
  outside_hours: ({ dueAt }, now) => html`Waits for sending hours${dueAt !== null && html`: goes out ${moment(dueAt, now)}`}`,
  capped: ({ dueAt }, now) =>
    html`Waits for its turn under a sending limit${dueAt !== null && html`: goes out ${moment(dueAt, now)}`}`,
  no_worker: () => 'Waiting: no worker is running',
  relay_paused: ({ relay, relayCode }) => `Waiting: sending through ${relay} is paused (${relayCode})`,
  job_running: () => 'Being sent now',
  job_lost: () => 'About to be sent',
  job_postponed: () => 'About to be sent',
  ready: () => 'About to be sent',
};

export const HISTORY_EVENTS: Readonly<Record<HistoryEvent, string>> = {
  accepted: 'Request accepted',
  invitation_due: 'Invitation due',
  invitation_sent: 'Invitation sent',
  reminder_due: 'Reminder due',
  reminder_sent: 'Reminder sent',
  response_recorded: 'Response received',
  failed: 'Sending failed',
  suppressed: 'Not sent: on the do-not-email list',
  cancelled: 'Cancelled',
  erased: 'Recipient erased',
  unsubscribed: 'Unsubscribed',
  relay_delivered: 'Delivered',
  relay_soft_bounce: 'Delayed: soft bounce',
  relay_hard_bounce: 'Not delivered: hard bounce',
  relay_complaint: 'Reported as spam',
  relay_unsubscribe: 'Unsubscribed',
};

/** What happened in a test workspace. */
export const EVENTS: Readonly<Record<(typeof EVENT_TYPES)[number], string>> = {
  'batch.accepted': 'Request accepted',
  'invitation.sent': 'Invitation sent',
  'invitation.delivered': 'Delivered',
  'invitation.bounced': 'Not delivered: hard bounce',
  'invitation.complained': 'Reported as spam',
  'invitation.suppressed': 'Not sent: on the do-not-email list',
  'invitation.failed': 'Sending failed',
  'invitation.cancelled': 'Cancelled',
  'invitation.skipped': 'Skipped by a rule',
  'invitation.deferred': 'Put off by a rule',
  'invitation.reminded': 'Reminder sent',
  'invitation.unsubscribed': 'Unsubscribed',
  'response.submitted': 'Response received',
  'response.low_score': 'Low score',
  'survey.activated': 'Survey activated',
  'survey.closed': 'Survey closed',
  'survey.held': 'Emails held by the guard',
  'survey.released': 'Emails released',
};

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** For example `German` or `Brazilian Portuguese`. If the text only looks like a tag, it is returned as it is. */
export const languageName = (tag: string): string => (canonicalTag(tag) === undefined ? tag : (LANGUAGE_NAMES.of(tag) ?? tag));

/** Actors of the audit log who are no members. */
export const ACTORS: Readonly<Record<string, string>> = { cli: 'Command line', service: 'Automatic' };

/** An actor of the audit log within a sentence. */
export const actorName = (actor: string): string => ACTORS[actor]?.toLowerCase() ?? actor;

export const AUDIT_ACTIONS: Readonly<Record<AuditAction, string>> = {
  member_added: 'Member added',
  member_changed: 'Role changed',
  member_removed: 'Member removed',
  token_created: 'Token created',
  token_changed: 'Token changed',
  token_deleted: 'Token deleted',
  token_secret_replaced: 'Secret replaced',
  token_secret_ended: 'Replaced secret ended',
  workspace_moved: 'Workspace moved to another database',
  notifications_changed: 'Notifications changed',
  survey_state_changed: 'Survey state changed',
  batch_cancelled: 'Batch cancelled',
  batch_retried: 'Batch sent again',
  invitation_cancelled: 'Invitation cancelled',
  rules_changed: 'Rules about when emails leave changed',
  test_workspace_created: 'Test workspace created',
  invitation_sent_anyway: 'Sent in spite of a rule',
  reminded_now: 'Reminder sent early',
  invitation_retried: 'Invitation sent again',
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  answers_exported: 'Answers exported',
  addresses_exported: 'Addresses exported',
  audit_exported: 'Audit log exported',
  access_refused: 'Access refused',
  survey_disabled: 'Survey disabled',
  survey_enabled: 'Survey enabled',
  workspace_suspended: 'Workspace suspended',
  workspace_resumed: 'Workspace resumed',
  plan_changed: 'Plan changed',
  survey_created: 'Survey created',
  survey_changed: 'Survey changed',
  workspace_renamed: 'Workspace renamed',
  sending_paused: 'Sending paused',
  sending_resumed: 'Sending resumed',
  guard_warned: 'Guard warned',
  guard_domain_warned: 'Guard warned of a domain',
  guard_paused: 'Guard paused sending',
  guard_released: 'Guard released',
  guard_limit_changed: 'Guard limit changed',
  cap_changed: 'Sending limit changed',
  batch_rescheduled: 'Batch rescheduled',
  survey_cancelled: "Survey's emails cancelled",
  survey_retried: "Survey's emails sent again",
  address_cancelled: 'Emails to an address cancelled',
  address_erased: 'Address erased',
  sign_in_link_created: 'Sign-in link created',
  deletion_started: 'Deletion started',
  survey_deleted: 'Survey deleted',
  workspace_deleted: 'Workspace deleted',
  retention_changed: 'Retention changed',
  sender_changed: 'Sender changed',
  wording_changed: 'Wording changed',
  address_blocked: 'Address added to the do-not-email list',
  address_unblocked: 'Address taken off the do-not-email list',
  events_enabled: 'Recording of events begun',
  events_disabled: 'Recording of events ended',
  webhook_created: 'Webhook endpoint created',
  webhook_rotated: 'Webhook secret replaced',
  webhook_paused: 'Webhook endpoint paused',
  webhook_resumed: 'Webhook endpoint resumed',
  webhook_deleted: 'Webhook endpoint deleted',
  list_sent: 'People invited from a list',
  list_cancelled: 'List of people cancelled',
};
