// Invitations.
import type { Queries, Row } from './mapping.ts';

/** The values of the type invite.hold_reason. */
export type HoldReason =
  | 'workspace_suspended'
  | 'plan_required'
  | 'survey_disabled'
  | 'survey_draft'
  | 'survey_closed'
  | 'sending_paused'
  | 'workspace_guarded'
  | 'workspace_paused'
  | 'survey_paused';

/** In the order in which the pages show them. */
export const STATUSES = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled', 'skipped'] as const;

export type InvitationStatus = (typeof STATUSES)[number];

/**
 * The values of the type invite.invitation_outcome, from least to most important. If several came back about an invitation, the most
 * important one counts.
 */
export const OUTCOMES = ['soft_bounced', 'delivered', 'unsubscribed', 'bounced', 'responded', 'complained'] as const;

/** What came back about a sent invitation. */
export type InvitationOutcome = (typeof OUTCOMES)[number];

/** Counts of a status stop here: 10,001 means "more than 10,000". */
export const MAX_COUNT = 10_000;

/** The values of the type invite.unsent_reason. */
export type UnsentReason =
  | 'failed'
  | 'cancelled'
  | 'sending'
  | 'not_due'
  | 'retry_later'
  | 'responded'
  | 'suppressed'
  | 'declined'
  | 'content_rejected'
  | 'survey_ended'
  | 'link_expired'
  | 'too_late'
  | 'rests_too_long'
  | 'opens_too_late'
  | 'capped_too_long'
  | 'held'
  | 'requeueing'
  | 'resting'
  | 'outside_hours'
  | 'capped'
  | 'no_worker'
  | 'relay_paused'
  | 'job_running'
  | 'job_lost'
  | 'job_postponed'
  | 'ready';

/** The values of the type invite.suppression_reason. */
export type SuppressionReason = 'unsubscribe' | 'hard_bounce' | 'complaint' | 'manual';

export interface InvitationLine {
  readonly id: string;
  readonly batchId: string;
  /** Null: the address was erased. */
  readonly email: string | null;
  readonly name: string | null;
  /** While its reminder is pending, an invitation has the status sent. */
  readonly status: InvitationStatus;
  readonly messageKind: 'invitation' | 'reminder';
  /** answered: the recipient had responded. */
  readonly messageStatus: InvitationStatus | 'answered';
  /** Null: the email was sent. */
  readonly unsentReason: UnsentReason | null;
  /** Why the email is on hold, if unsentReason is held. */
  readonly holdReason: HoldReason | null;
  /** Why the address is suppressed, if unsentReason is suppressed. Null: it is no longer on the list. */
  readonly suppressionReason: SuppressionReason | null;
  readonly suppressedAt: Date | null;
  readonly relay: string | null;
  readonly relayCode: string | null;
  /** The most important outcome. Null: nothing came back. */
  readonly outcome: InvitationOutcome | null;
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly remindedAt: Date | null;
  readonly respondedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly attempts: number;
  readonly lastErrorCode: string | null;
  /** The relay's own message. */
  readonly lastError: string | null;
  /** The metadata that the invitation's response gets. Null: none, or the row is part of a list. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** When it is skipped if it hasn't left. Null: never. */
  readonly leaveBy?: Date | null;
  /** What a message rests for. Null: nothing, or the row is part of a list. */
  readonly restSurvey?: string | null;
  readonly restSince?: Date | null;
}

export interface InvitationFilter {
  readonly status?: InvitationStatus | undefined;
  readonly outcome?: InvitationOutcome | undefined;
  /** Only those that a rule has put off. */
  readonly delayed?: 'yes' | undefined;
  /** The start of the email address. */
  readonly search?: string | undefined;
  readonly batch?: string | undefined;
  /** The last invitation of the previous page. */
  readonly before?: string | undefined;
}

/** The values of the type invite.history_event. */
export type HistoryEvent =
  | 'accepted'
  | 'invitation_due'
  | 'invitation_sent'
  | 'reminder_due'
  | 'reminder_sent'
  | 'response_recorded'
  | 'failed'
  | 'suppressed'
  | 'cancelled'
  | 'erased'
  | 'unsubscribed'
  | 'relay_delivered'
  | 'relay_soft_bounce'
  | 'relay_hard_bounce'
  | 'relay_complaint'
  | 'relay_unsubscribe';

export interface InvitationEvent {
  readonly at: Date;
  readonly event: HistoryEvent;
  /** If the email failed, the code. If the relay reported something, its message. If the email was sent, the relay's id of it. */
  readonly detail: string | null;
}

export interface CancelResult {
  readonly cancelled: number;
  readonly reminders: number;
  readonly alreadySending: number;
  readonly more: boolean;
}

export interface RetryResult {
  readonly queued: number;
  readonly leftAlone: number;
  readonly nextId: string | null;
}

export interface RemindResult {
  readonly reminded: number;
  readonly leftAlone: number;
  readonly nextId: string | null;
}

export interface EraseResult {
  readonly erased: number;
  readonly cancelled: number;
  readonly stillSending: number;
  /** Responses of which the answers are gone too. */
  readonly responses: number;
}

export function invitationsCalls({ sql, value, one }: Queries) {
  return {
    cancelInvitation: (invitationId: string) => one<CancelResult>(sql`select * from invite.cancel_invitation(${invitationId})`),

    cancelEmail: (workspaceId: string, email: string) =>
      one<CancelResult>(sql`select * from invite.cancel_email(${workspaceId}, ${email})`),

    /** Runs one step. If there is more, call it again. */
    cancelSurvey: (surveyId: string) => one<CancelResult>(sql`select * from invite.cancel_survey(${surveyId})`),

    retryInvitation: (invitationId: string) => one<RetryResult>(sql`select * from invite.retry_invitation(${invitationId})`),

    sendInvitationAnyway: (invitationId: string) =>
      one<RetryResult>(sql`select * from invite.send_invitation_anyway(${invitationId})`),

    /** Runs one step. Pass nextId as afterId to the next step. */
    retrySurvey: (surveyId: string, afterId = '0') =>
      one<RetryResult>(sql`select * from invite.retry_survey(${surveyId}, ${afterId})`),

    remindInvitation: (invitationId: string) => one<RemindResult>(sql`select * from invite.remind_now(${invitationId})`),

    /** Runs one step. Pass nextId as afterId to the next step. */
    remindSurvey: (surveyId: string, afterId = '0') =>
      one<RemindResult>(sql`select * from invite.remind_survey_now(${surveyId}, ${afterId})`),

    /** If stillSending isn't 0, call it again. */
    eraseEmail: (workspaceId: string, email: string, suppress: boolean, withResponse = false) =>
      one<EraseResult>(
        sql`select * from invite.erase_email(${workspaceId}, ${email}, ${suppress}, with_response => ${withResponse})`,
      ),

    /** Runs one step and queues the next one itself. Returns how many invitations it erased. */
    eraseExpired: (retentionDays: number) => value<number>(sql`select invite.erase_expired(${retentionDays})`),

    /** Call it before listInvitations. */
    recordAddressesExportOf: (batchId: string) =>
      sql`select invite.record_export('addresses_exported', b.workspace_id, b.id::text) from invite.batches as b where b.id = ${batchId}`,

    listInvitations: (batchId: string) =>
      sql<Row[]>`select * from invite.invitation_overview where batch_id = ${batchId} order by id`,
  };
}

export function consoleInvitationsCalls({ sql, value, one, records }: Queries) {
  return {
    listInvitations: (session: Buffer, surveyId: string, filter: InvitationFilter, maxRows: number) =>
      records<InvitationLine>(sql`
        select * from console.invitations(
          ${session}, ${surveyId}, ${filter.status ?? null}::invite.message_status, ${filter.search ?? null},
          ${filter.batch ?? null}, ${filter.before ?? null}, ${maxRows}, ${filter.outcome ?? null}::invite.invitation_outcome,
          ${filter.delayed === 'yes'})`),

    /** Finds the invitation and its history in one statement. A worker could change the invitation between two statements. */
    async findInvitation(session: Buffer, surveyId: string, invitationId: string) {
      const { events, ...line } = await one<
        InvitationLine & { events: readonly (Omit<InvitationEvent, 'at'> & { at: string })[] }
      >(sql`
        select l.*, array(select to_jsonb(e) from console.invitation_events(${session}, ${surveyId}, ${invitationId}) as e) as events
        from console.invitation(${session}, ${surveyId}, ${invitationId}) as l`);
      return { line, events: events.map((event): InvitationEvent => ({ ...event, at: new Date(event.at) })) };
    },

    invitationEvents: (session: Buffer, surveyId: string, invitationId: string) =>
      records<InvitationEvent>(sql`select * from console.invitation_events(${session}, ${surveyId}, ${invitationId})`),

    cancelInvitation: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.cancel_invitation(${session}, ${surveyId}, ${invitationId})`),

    retryInvitation: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.retry_invitation(${session}, ${surveyId}, ${invitationId})`),

    sendInvitationAnyway: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.send_invitation_anyway(${session}, ${surveyId}, ${invitationId})`),

    remindInvitation: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.remind_now(${session}, ${surveyId}, ${invitationId})`),

    /** Runs one step. Pass nextId as afterId to the next step. */
    remindSurvey: (session: Buffer, surveyId: string, afterId: string) =>
      one<RemindResult>(sql`select * from console.remind_survey_now(${session}, ${surveyId}, ${afterId})`),

    /**
     * How many people would get a reminder now.
     * @param of A batch or an invitation. Neither: the survey, of which the first MAX_COUNT sent invitations are looked at.
     */
    countRemindable: (session: Buffer, surveyId: string, of: { batch?: string | undefined; invitation?: string }) =>
      value<number>(sql`
        select console.remindable(${session}, ${surveyId}, ${of.batch ?? null}, ${of.invitation ?? null}, ${MAX_COUNT})`),
  };
}
