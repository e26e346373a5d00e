// What the SQL functions of the tab Invitations give back, typed. Column names are in camel case, except inside JSON.

/** In the order in which they are shown. */
export const STATUSES = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'] as const;
export type InvitationStatus = (typeof STATUSES)[number];

/** Invitations of each status are counted so far, and no further. */
export const MAX_COUNT = 10_000;

export interface SurveyCounts {
  /** Why the survey's mail is held; null: it is not. */
  readonly heldBecause: string | null;
  readonly counts: Readonly<Record<InvitationStatus, number>>;
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
  readonly status: InvitationStatus;
  /** Which of its mails the row is about. */
  readonly mail: 'invitation' | 'reminder';
  /** Why its mail has not left; null: it has. */
  readonly why: string | null;
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly remindedAt: Date | null;
  readonly respondedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly attempts: number;
  /** The relay's words. */
  readonly lastError: string | null;
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
}

/** A trigger token whose default texts can be sent as a test. */
export interface TestTemplate {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly subject: string;
  /** Whether it has texts of its own for reminders. */
  readonly hasReminder: boolean;
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
