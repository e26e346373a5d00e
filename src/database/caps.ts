// Caps: how many emails may leave in an hour and in a day.
import type { Queries, Row } from './mapping.ts';

/** Which emails a cap counts. */
export type CapScope = 'workspace' | 'sender' | 'recipient';

/** Null: no limit. */
export interface CapNumbers {
  readonly perHour: number | null;
  readonly perDay: number | null;
}

export function capsCalls({ sql, value }: Queries) {
  return {
    /** As the operator. Returns false if nothing changed. @param domain Empty for the whole workspace. */
    setCap: (workspaceId: string, scope: CapScope, domain: string, { perHour, perDay }: CapNumbers) =>
      value<boolean>(sql`select invite.set_cap(${workspaceId}, ${scope}::invite.cap_scope, ${domain}, ${perHour}, ${perDay})`),

    /** For all workspaces together. Returns false if nothing changed. */
    setSharedCap: (domain: string, { perHour, perDay }: CapNumbers) =>
      value<boolean>(sql`select invite.set_shared_cap(${domain}, ${perHour}, ${perDay})`),

    /** With what has left in this hour and today, and until when places are given. @param workspaceId Undefined: of all. */
    listCaps: (workspaceId?: string) => sql<Row[]>`
      select
        workspace_id, scope, domain, per_hour, per_day, own_per_hour, own_per_day, sent_this_hour, sent_today, waiting, waits_until
      from invite.cap_overview
      where ${workspaceId ?? null}::text is null or workspace_id = ${workspaceId ?? null}
      order by workspace_id nulls first, scope, domain`,
  };
}
