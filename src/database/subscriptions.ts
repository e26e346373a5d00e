// Unsubscribing and resubscribing by a tracked link.
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
    async unsubscribePage(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe_page(${invitationToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Suppresses the address behind a tracked link; null if the token is unknown. */
    async unsubscribe(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe(${invitationToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Lifts an unsubscription, and no other suppression of the address; null if the token is unknown. */
    async resubscribe(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.resubscribe(${invitationToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },
  };
}
