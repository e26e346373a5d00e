// For each code that the database gives as a reason: what it means, and what to do next. Pure.
import type { DeliveryOutcome, HoldReason, InvitationOutcome, SuppressionReason, UnsentReason } from '../database/store.ts';

export interface Reason {
  /** Text that can follow a colon. */
  readonly meaning: string;
  /** Whole sentences. */
  readonly next: string;
}

type Reasons<Code extends string> = Readonly<Record<Code, Reason>>;

const WAIT = 'Nothing to do: it goes out by itself.';
const OPERATOR = 'Ask the people who run this service.';
const AGAIN = 'Nothing to do: it is tried again by itself.';
const SEND_ANYWAY = 'To send it all the same, choose "Send anyway".';
const RETRY = 'Once that is fixed, send the invitation again.';

const hold_reason: Reasons<HoldReason> = {
  workspace_suspended: {
    meaning: 'the workspace is suspended',
    next: `${OPERATOR} Held emails go out once it isn't suspended any more.`,
  },
  plan_required: {
    meaning: "the workspace's plan doesn't include the API trigger",
    next: `${OPERATOR} Held emails go out once the plan includes it.`,
  },
  survey_disabled: { meaning: 'the survey is disabled', next: `${OPERATOR} Held emails go out once it is enabled.` },
  survey_draft: { meaning: 'the survey is a draft', next: 'Activate the survey. Held emails then go out.' },
  survey_closed: {
    meaning: 'the survey is closed',
    next: 'Reopen the survey if this should still go out. Otherwise cancel it.',
  },
  sending_paused: {
    meaning: 'sending is paused',
    next: 'The people who run this service paused it for everyone. Held emails go out when they resume it.',
  },
  workspace_guarded: {
    meaning: "too much of the workspace's email bounced or was reported as spam",
    next: "An owner or admin sees why on the workspace's page Sending, and can release it. Held emails then go out.",
  },
  workspace_paused: {
    meaning: 'sending is paused for the workspace',
    next: "An owner or admin can resume it on the workspace's page Sending. Held emails then go out.",
  },
  survey_paused: {
    meaning: 'sending is paused for the survey',
    next: "An owner or admin can resume it in the survey's menu. Held emails then go out.",
  },
};

const unsent_reason: Reasons<UnsentReason> = {
  failed: { meaning: 'sending failed', next: 'See why below. Fix the cause, then send it again.' },
  suppressed: {
    meaning: 'the address is on the do-not-email list',
    next: 'The list says why, and who can take it off. To invite this person after that, send a new request.',
  },
  cancelled: { meaning: 'it was cancelled', next: 'To invite this person again, send a new request.' },
  sending: { meaning: 'it is being sent now', next: 'Reload this page in a minute.' },
  held: { meaning: 'it is held', next: 'It goes out once the reason is gone.' },
  requeueing: { meaning: 'it is about to be sent', next: WAIT },
  retry_later: { meaning: 'the last attempt failed', next: 'Nothing to do: it is tried again by itself, for up to a day.' },
  not_due: { meaning: 'it is not due yet', next: WAIT },
  responded: { meaning: 'the recipient has responded', next: 'Nothing to do: it is not sent any more.' },
  content_rejected: {
    meaning: 'the mail server rejects the text of its request',
    next: 'It is about to fail. Then correct the text, and send it again.',
  },
  declined: {
    meaning: 'the recipient wants no email about this survey',
    next: 'Only the recipient can take this back, by the unsubscribe link in any of your emails.',
  },
  survey_ended: { meaning: 'the survey has ended', next: 'Nothing to do: a survey that has ended sends nothing more.' },
  link_expired: { meaning: 'its link would expire within a day', next: 'Nothing to do: the recipient could hardly use it.' },
  too_late: { meaning: 'it could not go out in time', next: SEND_ANYWAY },
  rests_too_long: { meaning: 'the recipient was invited recently, and the rest ends too late', next: SEND_ANYWAY },
  opens_too_late: { meaning: 'the next sending hours come too late', next: SEND_ANYWAY },
  capped_too_long: { meaning: 'the sending limits would have let it go out too late', next: SEND_ANYWAY },
  resting: { meaning: 'the recipient was invited recently', next: 'It goes out by itself once the rest ends, or send it now.' },
  outside_hours: { meaning: 'it waits for sending hours', next: 'It goes out by itself once they begin.' },
  capped: {
    meaning: 'it waits for its turn under a sending limit',
    next: 'It goes out by itself. The page Sending shows the limits of the workspace.',
  },
  no_worker: {
    meaning: 'no worker is running',
    next: `${OPERATOR} It goes out once a worker runs again.`,
  },
  relay_paused: {
    meaning: 'the mail server is paused',
    next: `${OPERATOR} It goes out once the mail server accepts email again.`,
  },
  job_running: { meaning: 'it is being sent now', next: 'Reload this page in a minute.' },
  job_lost: { meaning: 'it is about to be sent', next: WAIT },
  job_postponed: { meaning: 'it is about to be sent', next: WAIT },
  ready: { meaning: 'it is about to be sent', next: WAIT },
};

const suppression_reason: Reasons<SuppressionReason> = {
  unsubscribe: {
    meaning: 'the recipient unsubscribed',
    next: 'Only the recipient can take this back, by the unsubscribe link in any of your emails.',
  },
  hard_bounce: {
    meaning: 'an email bounced: the address refused it for good',
    next: 'Check the spelling. If the address works again, take it off the list, and off the list of your mail service if it has one.',
  },
  complaint: {
    meaning: 'the recipient reported an email as spam',
    next: "This can't be taken back. Ask this person in another way.",
  },
  manual: {
    meaning: 'it was added by hand',
    next: 'Take it off the list if this person agrees to get email again.',
  },
};

const invitation_outcome: Reasons<InvitationOutcome> = {
  soft_bounced: {
    meaning: "the recipient's mail server refused it for now",
    next: 'Your mail service may try again. If it never says "delivered", ask this person in another way.',
  },
  delivered: {
    meaning: "the recipient's mail server accepted it",
    next: "If this person can't find it, ask them to look in the spam folder.",
  },
  unsubscribed: {
    meaning: 'the recipient unsubscribed',
    next: 'They get no more email. Only they can take this back.',
  },
  bounced: {
    meaning: 'the address refused it for good',
    next: 'Check the spelling. A bounce puts the address on the do-not-email list: if it works again, take it off there and send a new request.',
  },
  responded: { meaning: 'the recipient responded', next: 'Nothing to do: no reminder follows.' },
  complained: {
    meaning: 'the recipient reported it as spam',
    next: 'They get no more email. Check that they had agreed to be asked.',
  },
};

const delivery_outcome: Reasons<DeliveryOutcome> = {
  accepted: { meaning: 'the mail server accepted it', next: "If it doesn't arrive, look in the spam folder." },
  retry: { meaning: "the mail server couldn't take it", next: AGAIN },
  unknown: { meaning: "the mail server didn't answer, so it may have been sent", next: AGAIN },
  unconfirmed: {
    meaning: 'it may have arrived, but the mail server never confirmed it',
    next: 'Look for it before you send it again.',
  },
  config: { meaning: "the mail server refuses this service's key, domain or settings", next: OPERATOR },
  released: { meaning: 'it has not been tried, because the worker was stopping', next: AGAIN },
  suppressed: {
    meaning: 'the mail service sends nothing to this address',
    next: 'It bounced, complained or unsubscribed there: take it off the list of the mail service.',
  },
  rejected: { meaning: 'the mail server rejected it', next: 'Change the texts or the sender, and send it again.' },
};

/** Why an email failed, for the service's own codes. Relays have many more codes, which are shown as they are. */
const delivery_error = {
  gave_up: { meaning: 'every delivery attempt failed', next: `The mail server's reply says why. ${RETRY}` },
  too_late: { meaning: 'overdue by more than the limit', next: 'If it still makes sense, send the invitation again.' },
  unconfirmed: {
    meaning: 'it may have arrived, but the mail server never confirmed it',
    next: 'Ask the recipient before you send it again: they could get it twice.',
  },
  render_failed: { meaning: "the email couldn't be created", next: `Fix the token's texts, and send a new request.` },
  invalid_recipient: {
    meaning: 'the mail server rejected the address',
    next: 'Fix the address where it comes from, and send a new request.',
  },
  content_rejected: {
    meaning: 'the mail server rejected five emails of this request in a row, so the rest were not tried',
    next: `Read the mail server's reply, and change the texts or the sender. ${RETRY}`,
  },
  message_too_large: { meaning: 'the email is larger than 256 KiB', next: "Shorten the token's texts, and send a new request." },
} as const satisfies Reasons<string>;

/** Reasons by the database's enum, and delivery_error. A test compares them with the database. */
export const REASONS = {
  hold_reason,
  unsent_reason,
  suppression_reason,
  invitation_outcome,
  delivery_outcome,
  delivery_error,
} as const;

/** What to do about an email that failed with one of the service's codes or a relay's code. */
export const nextOfError = (code: string | null): string =>
  (delivery_error as Reasons<string>)[code ?? '']?.next ?? `The mail server's reply says why. ${RETRY}`;

/** The meanings by code, without the advice. */
export const meanings = <Code extends string>(reasons: Reasons<Code>): Readonly<Record<Code, string>> =>
  Object.fromEntries(Object.entries<Reason>(reasons).map(([code, { meaning }]) => [code, meaning])) as Record<Code, string>;
