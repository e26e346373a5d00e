// What the SQL functions of the tab Invitations give back, typed. Column names are in camel case, except inside JSON.

/** In the order in which they are shown. */
export const STATUSES = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'] as const;
export type InvitationStatus = (typeof STATUSES)[number];

/** Invitations of each status are counted so far, and no further. */
export const MAX_COUNT = 10_000;

export interface SurveyCounts {
  /** Why the survey's mail is held; null: it is not. */
  readonly heldBecause: string | null;
  /** By status as people see it; besides, the reminders that are held or on their way, whose invitations are sent. */
  readonly counts: Readonly<Record<InvitationStatus | 'reminders_waiting' | 'reminders_sending', number>>;
}

/** Mails that would leave at once if the survey were active now, and those that are due later. */
export interface SurveyForecast {
  readonly atOnce: number;
  readonly later: number;
}

export interface InvitationLine {
  readonly id: string;
  readonly batchId: string;
  /** Null: it is erased. */
  readonly email: string | null;
  readonly name: string | null;
  /** Of the invitation, as people see it: sent once its present mail is the reminder. */
  readonly status: InvitationStatus;
  /** Its present mail, and that mail's own status. */
  readonly mail: 'invitation' | 'reminder';
  readonly mailStatus: InvitationStatus;
  /** Why its present mail has not left; null: it has. */
  readonly why: string | null;
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly remindedAt: Date | null;
  readonly respondedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly attempts: number;
  readonly lastErrorCode: string | null;
  /** The relay's words. */
  readonly lastError: string | null;
  /** What its response will have as hidden data. Null: it has none, or this is a line of a list. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Which invitations of a survey are asked for. */
export interface InvitationFilter {
  readonly status?: InvitationStatus | undefined;
  /** Beginning of an address. */
  readonly search?: string | undefined;
  readonly batch?: string | undefined;
  /** The last invitation of the page before. */
  readonly before?: string | undefined;
}

export interface InvitationEvent {
  readonly at: Date;
  readonly event: string;
  readonly detail: string | null;
}

export interface BatchLine {
  readonly id: string;
  readonly tokenName: string;
  readonly tokenDeleted: boolean;
  readonly status: string;
  readonly subject: string;
  readonly acceptedAt: Date;
  readonly scheduledAt: Date;
  readonly reminderDays: number;
  readonly recipients: number;
  readonly responded: number;
  readonly counts: Readonly<Record<InvitationStatus | 'reminders_pending' | 'reminders_failed', number>>;
  /** From here on: null in a list. */
  readonly message: string | null;
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** A trigger token whose default texts can be sent as a test. */
export interface TestTemplate {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly subject: string;
  /** Whether it has texts of its own for reminders. */
  readonly hasReminder: boolean;
}

/** A test mail of the member, and what became of it. */
export interface TestLine {
  readonly id: string;
  readonly tokenName: string;
  readonly mail: 'invitation' | 'reminder';
  readonly requestedAt: Date;
  readonly state: 'queued' | 'retrying' | 'sent' | 'refused' | 'given_up';
  /** Why the last attempt did not succeed: the relay's code or ours. */
  readonly code: string | null;
  readonly attempts: number;
  readonly triedAt: Date | null;
}

/** What a worker needs to render a test mail. */
export interface TestMail {
  readonly id: string;
  readonly mail: 'invitation' | 'reminder';
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly workspaceName: string;
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
}
