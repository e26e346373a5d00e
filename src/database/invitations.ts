// Invitations: cancel, retry, erase, list.
import type { Queries, Row } from './mapping.ts';

/** Why the email of a survey is held: the type invite.hold_reason. */
export type HoldReason = 'workspace_suspended' | 'plan_required' | 'survey_disabled' | 'survey_draft' | 'survey_closed';

/** In the order in which they are shown. */
export const STATUSES = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'] as const;

export type InvitationStatus = (typeof STATUSES)[number];

/** Invitations of each status are counted up to this number. */
export const MAX_COUNT = 10_000;

/** Why an email hasn't been sent: the type invite.unsent_reason. */
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

/** How an address got on the do-not-email list: the type invite.suppression_reason. */
export type SuppressionReason = 'unsubscribe' | 'hard_bounce' | 'complaint' | 'manual';

export interface InvitationLine {
  readonly id: string;
  readonly batchId: string;
  /** Null: it is erased. */
  readonly email: string | null;
  readonly name: string | null;
  /** What people see: an invitation whose reminder is pending is sent. */
  readonly status: InvitationStatus;
  /** Its current message, and the status of that message. */
  readonly messageKind: 'invitation' | 'reminder';
  readonly messageStatus: InvitationStatus;
  /** Why its current message hasn't been sent; null: it was. */
  readonly unsentReason: UnsentReason | null;
  /** With held. */
  readonly holdReason: HoldReason | null;
  /** With suppressed; null: the address isn't on the list any more. */
  readonly suppressionReason: SuppressionReason | null;
  readonly suppressedAt: Date | null;
  /** The relay that is paused, and the code of why. */
  readonly relay: string | null;
  readonly relayCode: string | null;
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly remindedAt: Date | null;
  readonly respondedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly attempts: number;
  readonly lastErrorCode: string | null;
  /** The relay's words. */
  readonly lastError: string | null;
  /** The hidden data of its response. Null: none, or this is a row of a list. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Which invitations of a survey are asked for. */
export interface InvitationFilter {
  readonly status?: InvitationStatus | undefined;
  /** The beginning of an address. */
  readonly search?: string | undefined;
  readonly batch?: string | undefined;
  /** The last invitation of the previous page. */
  readonly before?: string | undefined;
}

/** What happened to an invitation: the type invite.history_event. */
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
  | 'relay_delivered'
  | 'relay_soft_bounce'
  | 'relay_hard_bounce'
  | 'relay_complaint'
  | 'relay_unsubscribe';

export interface InvitationEvent {
  readonly at: Date;
  readonly event: HistoryEvent;
  /** Of failed the error's code, of a relay's report its words, of an email that was sent the relay's id of it. */
  readonly detail: string | null;
}

/** What cancelling did; see the type cancel_result in sql/migrations/0001_schema.sql. */
export interface CancelResult {
  readonly cancelled: number;
  readonly reminders: number;
  readonly alreadySending: number;
  readonly more: boolean;
}

/** What a retry did; see the type retry_result in sql/migrations/0001_schema.sql. */
export interface RetryResult {
  readonly queued: number;
  readonly leftAlone: number;
  readonly nextId: string | null;
}

/** What erasing an address did; see the type erase_result in sql/migrations/0001_schema.sql. */
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

    /** One step of cancelling all that is pending of a survey; more: call again. */
    cancelSurvey: (surveyId: string) => one<CancelResult>(sql`select * from invite.cancel_survey(${surveyId})`),

    retryInvitation: (invitationId: string) => one<RetryResult>(sql`select * from invite.retry_invitation(${invitationId})`),

    /** One step of retrying a survey's failed messages; nextId: the afterId of the next step. */
    retrySurvey: (surveyId: string, afterId = '0') =>
      one<RetryResult>(sql`select * from invite.retry_survey(${surveyId}, ${afterId})`),

    /** Erases an address in a workspace; stillSending: call again. */
    eraseEmail: (workspaceId: string, email: string, suppress: boolean) =>
      one<EraseResult>(sql`select * from invite.erase_email(${workspaceId}, ${email}, ${suppress})`),

    /** One step of erasing invitations past their retention; queues the next step itself. Returns how many invitations. */
    eraseExpired: (retentionDays: number) => value<number>(sql`select invite.erase_expired(${retentionDays})`),

    listInvitations: (batchId: string) =>
      sql<Row[]>`select * from invite.invitation_overview where batch_id = ${batchId} order by id`,
  };
}

/** For members: each takes the hash of a session first, and SQL decides what that member may do. */
export function consoleInvitationsCalls({ sql, value, one, records }: Queries) {
  return {
    /** A page of a survey's invitations. */
    listInvitations: (session: Buffer, surveyId: string, filter: InvitationFilter, maxRows: number) =>
      records<InvitationLine>(sql`
        select * from console.invitations(
          ${session}, ${surveyId}, ${filter.status ?? null}::invite.invitation_status, ${filter.search ?? null},
          ${filter.batch ?? null}, ${filter.before ?? null}, ${maxRows})`),

    /** An invitation and what happened to it, in order. One statement, because a worker may change it between two. */
    async findInvitation(session: Buffer, surveyId: string, invitationId: string) {
      const { events, ...line } = await one<
        InvitationLine & { events: readonly (Omit<InvitationEvent, 'at'> & { at: string })[] }
      >(sql`
        select l.*, array(select to_jsonb(e) from console.invitation_events(${session}, ${surveyId}, ${invitationId}) as e) as events
        from console.invitation(${session}, ${surveyId}, ${invitationId}) as l`);
      return { line, events: events.map((event): InvitationEvent => ({ ...event, at: new Date(event.at) })) };
    },

    /** Cancels the pending message of an invitation. Returns how many. */
    cancelInvitation: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.cancel_invitation(${session}, ${surveyId}, ${invitationId})`),

    /** Sends the failed message of an invitation again. Returns how many. */
    retryInvitation: (session: Buffer, surveyId: string, invitationId: string) =>
      value<number>(sql`select console.retry_invitation(${session}, ${surveyId}, ${invitationId})`),
  };
}
