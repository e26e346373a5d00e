// Invitations.
import type { Queries, Row } from './mapping.ts';

/** Type invite.hold_reason. */
export type HoldReason =
  | 'workspace_suspended'
  | 'plan_required'
  | 'survey_disabled'
  | 'survey_draft'
  | 'survey_closed'
  | 'sending_paused'
  | 'workspace_paused'
  | 'survey_paused';

/** In the order shown. */
export const STATUSES = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'] as const;

export type InvitationStatus = (typeof STATUSES)[number];

/** Type invite.invitation_outcome: from what says least to what says most. */
export const OUTCOMES = ['soft_bounced', 'delivered', 'unsubscribed', 'bounced', 'responded', 'complained'] as const;

/** What came back about a sent invitation. */
export type InvitationOutcome = (typeof OUTCOMES)[number];

/** Of a status; more are not counted. */
export const MAX_COUNT = 10_000;

/** Type invite.unsent_reason. */
export type UnsentReason =
  | 'failed'
  | 'suppressed'
  | 'cancelled'
  | 'sending'
  | 'held'
  | 'requeueing'
  | 'retry_later'
  | 'not_due'
  | 'no_worker'
  | 'relay_paused'
  | 'job_running'
  | 'job_lost'
  | 'job_postponed'
  | 'ready';

/** Type invite.suppression_reason. */
export type SuppressionReason = 'unsubscribe' | 'hard_bounce' | 'complaint' | 'manual';

export interface InvitationLine {
  readonly id: string;
  readonly batchId: string;
  /** Null: erased. */
  readonly email: string | null;
  readonly name: string | null;
  /** Sent while its reminder is pending. */
  readonly status: InvitationStatus;
  readonly messageKind: 'invitation' | 'reminder';
  readonly messageStatus: InvitationStatus;
  /** Null: it was sent. */
  readonly unsentReason: UnsentReason | null;
  /** With held. */
  readonly holdReason: HoldReason | null;
  /** With suppressed; null: no longer on the list. */
  readonly suppressionReason: SuppressionReason | null;
  readonly suppressedAt: Date | null;
  readonly relay: string | null;
  readonly relayCode: string | null;
  /** What says most; null: nothing came back. */
  readonly outcome: InvitationOutcome | null;
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly remindedAt: Date | null;
  readonly respondedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly attempts: number;
  readonly lastErrorCode: string | null;
  /** In the relay's words. */
  readonly lastError: string | null;
  /** Of the response; null: none, or a row of a list. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

export interface InvitationFilter {
  readonly status?: InvitationStatus | undefined;
  readonly outcome?: InvitationOutcome | undefined;
  /** How the address begins. */
  readonly search?: string | undefined;
  readonly batch?: string | undefined;
  /** The last invitation of the previous page. */
  readonly before?: string | undefined;
}

/** Type invite.history_event. */
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
  /** Of failed the code, of a relay's report its words, of a sent email the relay's id. */
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

export interface EraseResult {
  readonly erased: number;
  readonly cancelled: number;
  readonly stillSending: number;
}

export function invitationsCalls({ sql, value, one }: Queries) {
  return {
    cancelInvitation: (invitationId: string) => one<CancelResult>(sql`select * from invite.cancel_invitation(${invitationId})`),

    cancelEmail: (workspaceId: string, email: string) =>
      one<CancelResult>(sql`select * from invite.cancel_email(${workspaceId}, ${email})`),

    /** One step; more: call again. */
    cancelSurvey: (surveyId: string) => one<CancelResult>(sql`select * from invite.cancel_survey(${surveyId})`),

    retryInvitation: (invitationId: string) => one<RetryResult>(sql`select * from invite.retry_invitation(${invitationId})`),

    /** One step; nextId: the next step's afterId. */
    retrySurvey: (surveyId: string, afterId = '0') =>
      one<RetryResult>(sql`select * from invite.retry_survey(${surveyId}, ${afterId})`),

    /** stillSending: call again. */
    eraseEmail: (workspaceId: string, email: string, suppress: boolean) =>
      one<EraseResult>(sql`select * from invite.erase_email(${workspaceId}, ${email}, ${suppress})`),

    /** One step; queues the next itself. Returns how many it erased. */
    eraseExpired: (retentionDays: number) => value<number>(sql`select invite.erase_expired(${retentionDays})`),

    listInvitations: (batchId: string) =>
      sql<Row[]>`select * from invite.invitation_overview where batch_id = ${batchId} order by id`,
  };
}

export function consoleInvitationsCalls({ sql, value, one, records }: Queries) {
  return {
    listInvitations: (session: Buffer, surveyId: string, filter: InvitationFilter, maxRows: number) =>
      records<InvitationLine>(sql`
        select * from console.invitations(
          ${session}, ${surveyId}, ${filter.status ?? null}::invite.invitation_status, ${filter.search ?? null},
          ${filter.batch ?? null}, ${filter.before ?? null}, ${maxRows}, ${filter.outcome ?? null}::invite.invitation_outcome)`),

    /** With its history, in one statement, because a worker may change it between two. */
    async findInvitation(session: Buffer, surveyId: string, invitationId: string) {
      const { events, ...line } = await one<
        InvitationLine & { events: readonly (Omit<InvitationEvent, 'at'> & { at: string })[] }
      >(sql`
        select l.*, array(select to_jsonb(e) from console.invitation_events(${session}, ${surveyId}, ${invitationId}) as e) as events
        from console.invitation(${session}, ${surveyId}, ${invitationId}) as l`);
      return { line, events: events.map((event): InvitationEvent => ({ ...event, at: new Date(event.at) })) };
    },

    cancelInvitation: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.cancel_invitation(${session}, ${surveyId}, ${invitationId})`),

    retryInvitation: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.retry_invitation(${session}, ${surveyId}, ${invitationId})`),
  };
}
