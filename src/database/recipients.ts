// A workspace's recipients across all its surveys, and its do-not-email list.
import type { EraseResult, HistoryEvent, InvitationLine, SuppressionReason } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';
import type { RecipientChoice } from './subscriptions.ts';

/** A recipient, with one of the recipient's invitations. */
export interface RecipientLine extends InvitationLine {
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly acceptedAt: Date;
  /** Why the address is on the do-not-email list. Null: it isn't on the list. */
  readonly listedReason: SuppressionReason | null;
  readonly listedAt: Date | null;
}

export interface RecipientEvent {
  readonly at: Date;
  readonly event: HistoryEvent;
  readonly detail: string | null;
  readonly invitationId: string;
  readonly surveyTitle: string;
}

/** What a recipient chose instead of unsubscribing. */
export interface ChoiceLine {
  readonly choice: RecipientChoice;
  /** Null: the choice isn't about a survey. */
  readonly surveyTitle: string | null;
  readonly chosenAt: Date;
}

export interface RecipientFilter {
  /** The start of the address, words of the name, or a value of the metadata. */
  readonly search?: string | undefined;
  readonly batch?: string | undefined;
  /** The last invitation of the previous page. */
  readonly before?: string | undefined;
}

/** An address on the do-not-email list. */
export interface SuppressionLine {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly createdAt: Date;
  /** The address of the member who added it. Null: it was added by the recipient, the relay, the command line or the product. */
  readonly addedBy: string | null;
  /** The newest invitation to this address. Null: none. */
  readonly invitationId: string | null;
  /** The relay's own message. */
  readonly detail: string | null;
}

export function recipientsCalls({ sql, value }: Queries) {
  return {
    /** Runs one step and queues the next one itself. Returns how many invitations it has read. */
    indexRecipients: () => value<number>(sql`select invite.index_recipients()`),
  };
}

/** What a search found. Ids are those of the newest invitation, the response or the survey. */
export interface SearchHit {
  readonly found: 'person' | 'invitation' | 'response' | 'survey';
  readonly id: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  /** Of the person. Null: erased, no invitation, or the reader is a viewer. */
  readonly email: string | null;
  readonly name: string | null;
  /** Of an invitation: the keys of the value. Of a response: its comments, each in a line. Of a survey: its state. */
  readonly detail: string | null;
  readonly at: Date;
}

export function consoleRecipientsCalls({ sql, one, value, records }: Queries) {
  return {
    /** Of each group at most maxRows, and of invitations, people and responses the newest. */
    search: (session: Buffer, workspaceId: string, search: string, maxRows: number) =>
      records<SearchHit>(sql`select * from console.search(${session}, ${workspaceId}, ${search}, ${maxRows})`),

    listRecipients: (session: Buffer, workspaceId: string, filter: RecipientFilter, maxRows: number) =>
      records<RecipientLine>(sql`
        select * from console.recipients(
          ${session}, ${workspaceId}, ${filter.search ?? null}, ${filter.batch ?? null}, ${filter.before ?? null}, ${maxRows})`),

    /** All invitations to the recipient of this invitation, newest first. */
    recipientInvitations: (session: Buffer, workspaceId: string, invitationId: string) =>
      records<RecipientLine>(sql`select * from console.recipient(${session}, ${workspaceId}, ${invitationId})`),

    recipientEvents: (session: Buffer, workspaceId: string, invitationId: string, maxRows: number) =>
      records<RecipientEvent>(sql`
        select * from console.recipient_events(${session}, ${workspaceId}, ${invitationId}, ${maxRows})`),

    recipientChoices: (session: Buffer, workspaceId: string, invitationId: string) =>
      records<ChoiceLine>(sql`select * from console.recipient_choices(${session}, ${workspaceId}, ${invitationId})`),

    /** In all surveys of the workspace. If stillSending isn't 0, call it again. */
    eraseRecipient: (session: Buffer, workspaceId: string, invitationId: string, suppress: boolean, withResponse: boolean) =>
      one<EraseResult>(
        sql`select * from console.erase_recipient(${session}, ${workspaceId}, ${invitationId}, ${suppress}, ${withResponse})`,
      ),

    /** Everything that the workspace knows of the recipient. The audit log records that it was read. */
    exportRecipient: (session: Buffer, workspaceId: string, invitationId: string) =>
      value<Row>(sql`select console.export_recipient(${session}, ${workspaceId}, ${invitationId})`),

    /** @param before The last address of the previous page. */
    listSuppressions: (
      session: Buffer,
      workspaceId: string,
      search: string | undefined,
      before: string | undefined,
      maxRows: number,
    ) =>
      records<SuppressionLine>(sql`
        select * from console.suppressions(${session}, ${workspaceId}, ${search ?? null}, ${before ?? null}, ${maxRows})`),

    /** Returns whether the address is new on the list. */
    addSuppression: (session: Buffer, workspaceId: string, email: string) =>
      value<boolean>(sql`select console.add_suppression(${session}, ${workspaceId}, ${email})`),

    /** Returns the same values as liftSuppression. Rejects with suppressions_of_recipient if the recipient complained or unsubscribed. */
    removeSuppression: (session: Buffer, workspaceId: string, email: string) =>
      value<boolean | null>(sql`select console.remove_suppression(${session}, ${workspaceId}, ${email})`),
  };
}
