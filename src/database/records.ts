// What goes into the SQL functions and comes out of them, typed. Column names are in camel case, except where SQL takes JSON.

export interface ClaimedInvitation {
  readonly id: string;
  readonly claimId: string;
  readonly mail: 'invitation' | 'reminder';
  readonly attempts: number;
  readonly email: string;
  readonly name: string | null;
  readonly linkToken: string;
  readonly batchId: string;
  readonly subject: string;
  readonly message: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly surveyPublicUrl: string | null;
  readonly workspaceName: string;
  /** Of a reminder that has one of its own; null: the invitation's. */
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
  /** Since when this mail may have been sent; null: none of its attempts ended so. */
  readonly unconfirmedSince: Date | null;
}

/** The relay as the database knows it. */
export interface RelayLimits {
  readonly name: string;
  /** Mails a second over all workers; undefined: no limit. */
  readonly rate: number | undefined;
}

export interface ClaimOptions {
  readonly relay?: RelayLimits | undefined;
  /** What has been due for longer is not sent but fails; undefined: no limit. */
  readonly lateSendHours?: number | undefined;
  readonly id?: string | undefined;
}

/** What became of one claimed mail; see sql/functions/delivery/settle_invitations.sql for the outcomes. */
export interface Settlement {
  readonly id: string;
  readonly claim_id: string;
  readonly outcome: 'accepted' | 'retry' | 'unknown' | 'unconfirmed' | 'config' | 'released' | 'suppressed' | 'rejected';
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly relay_message_id?: string | undefined;
  readonly retry_after_seconds?: number | undefined;
}

/** What cancelling did; see the type cancel_answer in sql/migrations/0004_cancel.sql. */
export interface CancelAnswer {
  readonly cancelled: number;
  readonly reminders: number;
  readonly alreadySending: number;
  readonly more: boolean;
}

/** What sending again did; see the type retry_answer in sql/migrations/0009_failed_invitations.sql. */
export interface RetryAnswer {
  readonly queued: number;
  readonly leftAlone: number;
  readonly nextId: string | null;
}

/** What erasing an address did; see the type erase_answer in sql/migrations/0010_erasure.sql. */
export interface EraseAnswer {
  readonly erased: number;
  readonly cancelled: number;
  readonly stillSending: number;
}

/** What a relay has reported of a mail; see sql/functions/relay/record_relay_events.sql. */
export interface RelayEventRecord {
  readonly event_id: string;
  readonly type: 'hard_bounce' | 'soft_bounce' | 'complaint' | 'delivered' | 'unsubscribe';
  /** ISO 8601. */
  readonly occurred_at: string;
  readonly invitation_id?: string | undefined;
  readonly relay_message_id?: string | undefined;
  readonly email?: string | undefined;
  readonly detail?: string | undefined;
}

/** The queue at one moment; see sql/functions/delivery/queue_metrics.sql. */
export interface QueueState {
  readonly due: number;
  readonly overdueSeconds: number;
  readonly waiting: number;
  readonly sending: number;
  readonly workers: number;
}

/** A relay that is not healthy; see sql/functions/relay/relay_conditions.sql. Times are ISO 8601. */
export interface RelayCondition {
  readonly relay: string;
  readonly condition: 'busy' | 'fault';
  readonly since: string;
  readonly paused_until: string | null;
  readonly code: string | null;
}

export interface Question {
  readonly id: string;
  readonly type: 'score' | 'choice' | 'text';
  readonly label: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** What the ends of a score mean. */
  readonly min_label?: string;
  readonly max_label?: string;
  readonly choices?: readonly string[];
}

export interface SurveyPage {
  readonly surveyId: string;
  readonly workspaceName: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly questions: readonly Question[];
  /** The product's own survey page, if it has one. */
  readonly publicUrl: string | null;
  readonly link: 'none' | 'open' | 'answered' | 'unknown';
}

export interface ResponseAnswer {
  readonly outcome:
    | 'recorded'
    | 'already_answered'
    | 'unknown_invitation'
    | 'unknown_survey'
    | 'survey_not_open'
    | 'survey_closed';
  readonly responseId: string | null;
}

export interface UnsubscribePage {
  readonly workspaceName: string;
  /** Null: it is erased. */
  readonly email: string | null;
  readonly unsubscribed: boolean;
  /** Whether the recipient did it, and may take it back. */
  readonly undoable: boolean;
}

export interface TokenSettings {
  readonly name?: string | undefined;
  readonly cooldownSeconds?: number | undefined;
  readonly defaultSubject?: string | undefined;
  readonly defaultMessage?: string | undefined;
  readonly defaultReminderDays?: number | undefined;
  /** Null in the database: the invitation's. An empty text takes it back to that. */
  readonly defaultReminderSubject?: string | undefined;
  readonly defaultReminderMessage?: string | undefined;
}

export type Row = Record<string, unknown>;
