// Unsubscribing, by the token of an unsubscribe link. Null: unknown.
import type { Queries } from './mapping.ts';

export interface UnsubscribePage {
  readonly workspaceName: string;
  /** Null: erased. */
  readonly email: string | null;
  readonly unsubscribed: boolean;
  readonly canResubscribe: boolean;
}

export function subscriptionsCalls({ sql, record }: Queries) {
  return {
    async unsubscribePage(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe_page(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    async unsubscribe(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Lifts an unsubscription, and no other suppression. */
    async resubscribe(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.resubscribe(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },
  };
}
