// The guard: how much of a workspace's email bounces or is reported as spam, and what it does about that.
import type { Queries, Row } from './mapping.ts';

export type GuardOutcome = 'bounced' | 'complained';
/** few: too few emails or reports to judge. */
export type GuardVerdict = 'few' | 'good' | 'warn' | 'pause';

export interface GuardFigure {
  readonly outcome: GuardOutcome;
  /** Of the emails sent in so many last hours. */
  readonly hours: number;
  readonly sent: number;
  readonly reports: number;
  /** All that several workspaces send from this domain. Undefined: all that the workspace sends. */
  readonly domain?: string;
  readonly workspaces?: number;
}

/** A limit of the installation, and how the workspace stands to it. Shares are from 0 to 1. */
export interface GuardStanding extends GuardFigure {
  readonly verdict: GuardVerdict;
  readonly warn_share: number;
  readonly pause_share: number;
  readonly min_sent: number;
  readonly min_reports: number;
}

export interface Guard {
  /** When it paused the email. Null: it didn't. */
  readonly guardedAt: Date | null;
  readonly releasedAt: Date | null;
  /** Whether a member may release it, or only the operator. */
  readonly mayRelease: boolean;
  /** Whether a relay has reported anything within seven days. */
  readonly hasReports: boolean;
  readonly figures: readonly GuardStanding[];
  /** The last 24, the newest first. Times are ISO 8601. */
  readonly hours: readonly {
    readonly at: string;
    readonly sent: number;
    readonly bounced: number;
    readonly complained: number;
  }[];
  /** The newest bounces and complaints. */
  readonly reported: readonly {
    readonly invitation_id: string;
    /** Null: erased. */
    readonly email: string | null;
    readonly outcome: GuardOutcome;
    readonly at: string;
    readonly survey_id: string;
    readonly title: string;
  }[];
}

/** Null shares: there is no such limit. */
export interface GuardLimit {
  readonly warnShare: number | null;
  readonly pauseShare: number | null;
  readonly minSent: number | null;
  readonly minReports: number | null;
}

export function guardCalls({ sql, value, records }: Queries) {
  return {
    /** Returns what it did. Null: nothing. */
    checkGuard: (workspaceId: string) => value<'warn' | 'pause' | null>(sql`select invite.check_guard(${workspaceId})`),

    /** The workspace's name. Null: the email isn't to be sent any more. @param email Null: the operator's. */
    findGuardNotice: (workspaceId: string, email: string | null) =>
      value<string | null>(sql`select invite.find_guard_notice(${workspaceId}, ${email})`),

    /** Returns false if the guard hadn't paused it. */
    releaseGuard: (workspaceId: string, note: string) =>
      value<boolean>(sql`select invite.release_guard(${workspaceId}, ${note})`),

    setGuardLimit: (outcome: GuardOutcome, hours: number, { warnShare, pauseShare, minSent, minReports }: GuardLimit) =>
      sql`select invite.set_guard_limit(${outcome}, ${hours}, ${warnShare}, ${pauseShare}, ${minSent}, ${minReports})`,

    listGuardLimits: () => sql<Row[]>`
      select outcome, hours, warn_share::float8, pause_share::float8, min_sent, min_reports
      from invite.guard_limits order by outcome desc, hours`,

    readGuardFigures: (workspaceId: string) =>
      records<GuardFigure & { readonly verdict: GuardVerdict }>(sql`
        select outcome, hours, sent::integer, reports::integer, verdict from invite.guard_figures(${workspaceId})`),
  };
}

export function consoleGuardCalls({ sql, one, value }: Queries) {
  return {
    guard: (session: Buffer, workspaceId: string) => one<Guard>(sql`select * from console.guard(${session}, ${workspaceId})`),

    releaseGuard: (session: Buffer, workspaceId: string, note: string) =>
      value<boolean>(sql`select console.release_guard(${session}, ${workspaceId}, ${note})`),
  };
}
