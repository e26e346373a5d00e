// Who gets no email. Unsubscribing is by the token of an unsubscribe link; null: unknown.
import type { Queries, Row } from './mapping.ts';
import type { PageLanguage } from './surveys.ts';

export interface UnsubscribePage extends PageLanguage {
  readonly workspaceName: string;
  /** Null: erased. */
  readonly email: string | null;
  readonly unsubscribed: boolean;
  readonly canResubscribe: boolean;
}

export function subscriptionsCalls({ sql, record, value }: Queries) {
  return {
    async unsubscribePage(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe_page(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    async unsubscribe(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Returns whether it was not on the list. */
    suppressEmail: (workspaceId: string, email: string) =>
      value<boolean>(sql`select invite.suppress_email(${workspaceId}, ${email})`),

    /** Returns whether it is off the list: false: the recipient has unsubscribed too; null: it was not on it. */
    liftSuppression: (workspaceId: string, email: string) =>
      value<boolean | null>(sql`select invite.lift_suppression(${workspaceId}, ${email})`),

    findSuppression: async (workspaceId: string, email: string): Promise<Row | undefined> =>
      (
        await sql<Row[]>`
          select * from invite.suppressed_addresses where workspace_id = ${workspaceId} and email = lower(btrim(${email}) collate "C")`
      )[0],

    listSuppressions: (workspaceId: string, maxRows: number) =>
      sql<Row[]>`
        select * from invite.suppressed_addresses where workspace_id = ${workspaceId} order by created_at desc, email limit ${maxRows}`,

    /** Lifts an unsubscription, and no other suppression. */
    async resubscribe(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.resubscribe(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },
  };
}
