// Unsubscribing and resubscribing by the token of an invitation's unsubscribe link.
import type { Queries } from './mapping.ts';

export interface UnsubscribePage {
  readonly workspaceName: string;
  /** Null: it is erased. */
  readonly email: string | null;
  readonly unsubscribed: boolean;
  /** Whether the recipient unsubscribed, and may resubscribe. */
  readonly canResubscribe: boolean;
}

export function subscriptionsCalls({ sql, record }: Queries) {
  return {
    /** What the unsubscribe page shows; null if the token is unknown. */
    async unsubscribePage(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe_page(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Suppresses the recipient's address; null if the token is unknown. */
    async unsubscribe(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Lifts an unsubscription, and no other suppression of the address; null if the token is unknown. */
    async resubscribe(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.resubscribe(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },
  };
}
