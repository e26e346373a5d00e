// Suppressed addresses, which get no email. People unsubscribe by the token of an unsubscribe link. Null: the token is unknown.
import type { Queries, Row } from './mapping.ts';
import type { PageLanguage } from './surveys.ts';

/** What recipients can choose instead of unsubscribing. */
export const RECIPIENT_CHOICES = ['once_a_month', 'not_this_survey'] as const;
export type RecipientChoice = (typeof RECIPIENT_CHOICES)[number];

export interface UnsubscribePage extends PageLanguage {
  readonly workspaceName: string;
  /** Null: the address was erased. */
  readonly email: string | null;
  readonly unsubscribed: boolean;
  readonly canResubscribe: boolean;
  /** The survey's, in this language. */
  readonly title: string;
  readonly titleLanguage: string;
  readonly choices: readonly RecipientChoice[];
  /** For the log. */
  readonly workspaceId: string;
  readonly surveyId: string;
  readonly invitationId: string;
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

    /** Returns whether the address is new on the list. */
    suppressEmail: (workspaceId: string, email: string) =>
      value<boolean>(sql`select invite.suppress_email(${workspaceId}, ${email})`),

    /**
     * Returns whether the address is off the list now. False: it stays, because the recipient has also unsubscribed. Null: it wasn't on the
     * list.
     */
    liftSuppression: (workspaceId: string, email: string) =>
      value<boolean | null>(sql`select invite.lift_suppression(${workspaceId}, ${email})`),

    findSuppression: async (workspaceId: string, email: string): Promise<Row | undefined> =>
      (
        await sql<Row[]>`
          select * from invite.suppressed_addresses where workspace_id = ${workspaceId} and email = lower(btrim(${email}) collate "C")`
      )[0],

    /** Call it before listSuppressions. */
    recordAddressesExport: (workspaceId: string) => sql`select invite.record_export('addresses_exported', ${workspaceId})`,

    listSuppressions: (workspaceId: string, maxRows: number) =>
      sql<Row[]>`
        select * from invite.suppressed_addresses where workspace_id = ${workspaceId} order by created_at desc, email limit ${maxRows}`,

    /** Ends an unsubscription. Other suppressions stay. */
    async resubscribe(unsubscribeToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.resubscribe(${unsubscribeToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    async choose(unsubscribeToken: string, choice: RecipientChoice): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.choose(${unsubscribeToken}, ${choice})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    async takeBack(unsubscribeToken: string, choice: RecipientChoice): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.take_back(${unsubscribeToken}, ${choice})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },
  };
}
