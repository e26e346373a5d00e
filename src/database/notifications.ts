// What members are told by email, and what needs attention in a workspace.
import type { Queries, Row } from './mapping.ts';
import type { Role } from './members.ts';

export type NotificationKind = 'low_scores' | 'weekly_report';

export interface ClaimedNotification {
  readonly id: string;
  readonly attempts: number;
}

/** A response that a member is told of. */
export interface LowScore {
  readonly response_id: string;
  readonly survey_id: string;
  readonly survey_title: string;
  readonly submitted_at: string;
  readonly label: string | null;
  readonly score: number;
  readonly highest: number | null;
  readonly below: number;
  readonly comments: readonly { readonly label: string; readonly text: string }[];
  /** Null: nobody was invited, the address is erased, or the member's role sees no addresses. */
  readonly email: string | null;
  readonly name: string | null;
}

export interface LowScores {
  /** How many there are; `scores` has the lowest. */
  readonly total: number;
  readonly scores: readonly LowScore[];
}

/** An NPS or an average. Null: nobody gave a score. */
interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly responses: number | null;
}

export interface ReportedSurvey {
  readonly survey_id: string;
  readonly title: string;
  readonly responses: number;
  readonly responses_before: number;
  readonly invited: number;
  readonly responded: number;
  /** Null: no question has a score. */
  readonly score: (Estimate & { readonly label: string; readonly nps: boolean; readonly before: Estimate | null }) | null;
}

export interface ReportedComment {
  readonly response_id: string;
  readonly survey_id: string;
  readonly survey_title: string;
  readonly score: number;
  readonly highest: number;
  readonly comment: string;
}

/** What needs attention. What the fields mean depends on the kind: see the type in SQL. */
export interface Attention {
  readonly kind: 'low_scores' | 'emails_failed' | 'sending_paused' | 'survey_closing' | 'links_expiring' | 'rate_fell';
  readonly survey_id: string | null;
  readonly title: string | null;
  readonly number: number | null;
  /** ISO 8601. */
  readonly at: string | null;
  readonly detail: {
    readonly scope?: 'service' | 'workspace' | 'survey';
    readonly question?: string;
    readonly below?: number;
    readonly values?: readonly string[];
    /** Shares, from 0 to 1. */
    readonly rate?: number;
    readonly before?: number;
  };
}

export interface WeeklyReport {
  /** `YYYY-MM-DD`, in the member's time zone. */
  readonly first_day: string;
  readonly last_day: string;
  readonly surveys: readonly ReportedSurvey[];
  readonly more_surveys: number;
  readonly best: readonly ReportedComment[];
  readonly worst: readonly ReportedComment[];
  readonly attention: readonly Attention[];
}

interface NotifiedMember {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  readonly timeZone: string;
  /** Of the link that stops the emails. */
  readonly token: string;
}

export type NotificationContent = NotifiedMember &
  (
    | { readonly kind: 'low_scores'; readonly content: LowScores }
    | { readonly kind: 'weekly_report'; readonly content: WeeklyReport }
  );

export function notificationsCalls({ sql, one, records }: Queries) {
  return {
    prepareNotifications: () => sql`select invite.prepare_notifications()`,

    claimNotifications: (maxRows: number, leaseSeconds: number) =>
      records<ClaimedNotification>(sql`select * from invite.claim_notifications(${maxRows}, ${leaseSeconds})`),

    /** Null: there is nothing to tell any more. */
    async notificationContent(id: string): Promise<NotificationContent | null> {
      const found = await one<NotificationContent | { content: null }>(sql`select * from invite.notification_content(${id})`);
      return found.content === null ? null : (found as NotificationContent);
    },

    /** @param code `sent`, `nothing`, or the relay's code. */
    settleNotification: ({ id, attempts }: ClaimedNotification, code: string, triedAgain: boolean) =>
      sql`select invite.settle_notification(${id}, ${attempts}, ${code}, ${triedAgain})`,

    /** By the link in an email. Of a wrong token it does nothing. */
    stopNotifications: (token: string, kind: NotificationKind) =>
      sql`select invite.stop_notifications(${token}, ${kind}::invite.notification_kind)`,

    listNotifications: (workspaceId: string) =>
      sql<Row[]>`select * from invite.notification_overview where workspace_id = ${workspaceId} order by email`,

    /** @param below Null: no longer. */
    setScoreAlert: (workspaceId: string, email: string, surveyId: string, question: string | null, below: number | null) =>
      sql`select invite.set_score_alert(${workspaceId}, ${email}, ${surveyId}, ${question}, ${below})`,

    /** @param timeZone Undefined: the workspace's. */
    setWeeklyReport: (workspaceId: string, email: string, wanted: boolean, timeZone: string | undefined) =>
      sql`select invite.set_weekly_report(${workspaceId}, ${email}, ${wanted}, ${timeZone ?? null})`,
  };
}

/** What a member has chosen. */
export interface Notifications {
  readonly email: string;
  readonly role: Role;
  readonly weeklyReport: boolean;
  readonly reportDueAt: Date | null;
  /** Null: the workspace's. */
  readonly timeZone: string | null;
  /** Null: none yet. */
  readonly alerts:
    | readonly {
        readonly survey_id: string;
        readonly title: string;
        readonly label: string | null;
        readonly below: number;
      }[]
    | null;
}

export interface ScoreAlert {
  /** Nulls: the member has no rule for this survey. */
  readonly question: string | null;
  readonly below: number | null;
  readonly scores: readonly { readonly id: string; readonly label: string; readonly min: number; readonly max: number }[];
  /** Null: no question has a score. */
  readonly low: { readonly question: string; readonly below: number } | null;
}

export function consoleNotificationsCalls({ sql, one, records }: Queries) {
  return {
    notifications: (session: Buffer, workspaceId: string) =>
      one<Notifications>(sql`select * from console.notifications(${session}, ${workspaceId})`),

    scoreAlert: (session: Buffer, surveyId: string) =>
      one<ScoreAlert>(sql`select * from console.score_alert(${session}, ${surveyId})`),

    /** @param below Null: no longer. */
    setScoreAlert: (session: Buffer, surveyId: string, question: string | null, below: number | null, timeZone: string) =>
      sql`select console.set_score_alert(${session}, ${surveyId}, ${question}, ${below}, ${timeZone})`,

    setWeeklyReport: (session: Buffer, workspaceId: string, wanted: boolean, timeZone: string | undefined) =>
      sql`select console.set_weekly_report(${session}, ${workspaceId}, ${wanted}, ${timeZone ?? null})`,

    /** The newest surveys first. */
    attention: async (session: Buffer, workspaceId: string): Promise<Attention[]> =>
      (
        await records<{ found: Attention }>(
          sql`select to_jsonb(a) as found from console.attention(${session}, ${workspaceId}) as a`,
        )
      ).map(({ found }) => found),
  };
}
