// What happened, as the customer's backend reads it.
import type { Queries } from './mapping.ts';

export interface Event {
  /** A bigint. */
  readonly position: string;
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly workspaceId: string;
  readonly surveyId: string;
  readonly batchId: string | null;
  readonly invitationId: string | null;
  readonly responseId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is read. Undefined: all. */
export interface EventFilter {
  readonly workspaceId?: string | undefined;
  readonly triggerTokenId?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

export function eventsCalls({ sql, value, records }: Queries) {
  return {
    /** One step. Returns how many it took; as many as maxRows: there are more. */
    publishEvents: (maxRows: number) => value<number>(sql`select invite.publish_events(${maxRows})`),

    /** Gives batches that were invited from SQL their place in the quota. */
    countBatches: () => value<number>(sql`select invite.count_batches()`),

    /** @param after The last position read; '0': from the start. */
    listEvents: (after: string, maxRows: number, filter: EventFilter = {}) =>
      records<Event>(sql`
        select * from invite.list_events(
          ${after}, ${maxRows}, ${filter.workspaceId ?? null}, ${filter.triggerTokenId ?? null},
          ${(filter.types as string[] | undefined) ?? null}::invite.event_type[])`),

    /** Drops the weeks of events past their retention, without stopping readers. Each statement is its own transaction. */
    async pruneEvents(): Promise<void> {
      const partitions = await sql<{ name: string; attached: boolean; pending: boolean }[]>`
        select * from invite.expired_event_partitions()`;
      for (const { name, attached, pending } of partitions) {
        const how = pending ? 'finalize' : 'concurrently';
        if (attached) await sql.unsafe(`alter table invite.events detach partition invite.${name} ${how}`);
        await sql.unsafe(`drop table invite.${name}`);
      }
    },
  };
}
