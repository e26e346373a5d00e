// Caps: how many emails may leave in an hour and in a day.
import type { Queries, Row } from './mapping.ts';

/** Which emails a cap counts. */
export type CapScope = 'workspace' | 'sender' | 'recipient';

/** Null: no limit. */
export interface CapNumbers {
  readonly perHour: number | null;
  readonly perDay: number | null;
}

/** A cap as its workspace sees it. Counts of a shared one are the workspace's own. */
export interface Cap {
  readonly scope: CapScope | 'shared';
  readonly domain: string;
  /** The operator's. */
  readonly perHour: number | null;
  readonly perDay: number | null;
  /** The owners'. */
  readonly ownPerHour: number | null;
  readonly ownPerDay: number | null;
  /** What the domain has earned. Null: it has nothing to earn. */
  readonly earnedPerDay: number | null;
  /** Days that count for the next step, which takes two. */
  readonly earnedDays: number | null;
  readonly sentThisHour: number;
  readonly sentToday: number;
  /** Emails that have a place for later, and when the last of these places ends. */
  readonly waiting: number;
  readonly waitsUntil: Date | null;
}

export function consoleCapsCalls({ sql, records, value }: Queries) {
  return {
    caps: (session: Buffer, workspaceId: string) => records<Cap>(sql`select * from console.caps(${session}, ${workspaceId})`),

    setCap: (session: Buffer, workspaceId: string, scope: CapScope, domain: string, { perHour, perDay }: CapNumbers) =>
      value<boolean>(
        sql`select console.set_cap(${session}, ${workspaceId}, ${scope}::invite.cap_scope, ${domain}, ${perHour}, ${perDay})`,
      ),
  };
}

export function capsCalls({ sql, value }: Queries) {
  return {
    /** As the operator. Returns false if nothing changed. @param domain Empty for the whole workspace. */
    setCap: (workspaceId: string, scope: CapScope, domain: string, { perHour, perDay }: CapNumbers) =>
      value<boolean>(sql`select invite.set_cap(${workspaceId}, ${scope}::invite.cap_scope, ${domain}, ${perHour}, ${perDay})`),

    /** A domain begins with 100 a day. Returns false if nothing changed. */
    setEarnedCap: (workspaceId: string, domain: string, isEarned: boolean) =>
      value<boolean>(sql`select invite.set_earned_cap(${workspaceId}, ${domain}, ${isEarned})`),

    /** Returns how many were raised. */
    earnCaps: () => value<number>(sql`select invite.earn_caps()`),

    /** For all workspaces together. Returns false if nothing changed. */
    setSharedCap: (domain: string, { perHour, perDay }: CapNumbers) =>
      value<boolean>(sql`select invite.set_shared_cap(${domain}, ${perHour}, ${perDay})`),

    /** With what has left in this hour and today, and until when places are given. @param workspaceId Undefined: of all. */
    listCaps: (workspaceId?: string) => sql<Row[]>`
      select
        workspace_id, scope, domain, per_hour, per_day, own_per_hour, own_per_day, earned_per_day, earned_days, sent_this_hour, sent_today, waiting, waits_until
      from invite.cap_overview
      where ${workspaceId ?? null}::text is null or workspace_id = ${workspaceId ?? null}
      order by workspace_id nulls first, scope, domain`,
  };
}
