// Events, which a customer's backend reads.
import type { Queries, Row } from './mapping.ts';

export interface Event {
  /** A bigint, as text. */
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

/** Which events are read. An undefined field filters nothing. */
export interface EventFilter {
  readonly workspaceId?: string | undefined;
  readonly surveyId?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** A page of the events of a token's survey. openapi.json describes the events. */
export interface EventPage {
  readonly events: readonly object[];
  /** The cursor after which the next page starts. */
  readonly next: string;
  /** The same, as the feed knows it. It never leaves the server. */
  readonly nextPosition: string;
  /** The workspace whose share of the places a wait takes. It never leaves the server. */
  readonly workspaceId: string;
}

export interface BatchPage {
  readonly batch: { readonly workspace: string; readonly survey: string };
  readonly recipients: readonly { readonly invitation: string }[];
}

export function eventsCalls({ sql, value, one, records }: Queries) {
  return {
    /** Runs one step. Returns how many events it took. If that is maxRows, there are more. */
    publishEvents: (maxRows: number) => value<number>(sql`select invite.publish_events(${maxRows})`),

    /** Whether a worker that has nothing left to publish may sleep until a writer wakes one. */
    restPublisher: () => value<boolean>(sql`select invite.rest_publisher()`),

    /** Wakes a worker to publish events. */
    wakePublisher: () => sql`select invite.wake_publisher()`,

    /** Wakes workers for events and webhook deliveries that no worker was woken for. */
    healEvents: () => sql`select invite.heal_events()`,

    /** Lists the workspaces that have batches from SQL without a place in the quota yet. */
    uncountedWorkspaces: () => value<string[]>(sql`select invite.uncounted_workspaces()`),

    countBatches: (workspaceId: string) => value<number>(sql`select invite.count_batches(${workspaceId})`),

    /** @param after The last position that was read. '0': start with the oldest event. */
    listEvents: (after: string, maxRows: number, filter: EventFilter = {}) =>
      records<Event>(sql`
        select * from invite.list_events(
          ${after}, ${maxRows}, ${filter.workspaceId ?? null}, ${filter.surveyId ?? null},
          ${(filter.types as string[] | undefined) ?? null}::invite.event_type[])`),

    /** Counts events for the metrics. */
    countEvents: async (): Promise<{ state: string; count: number }[]> =>
      (await sql<{ state: string; count: string }[]>`select * from invite.count_events()`).map(({ state, count }) => ({
        state,
        count: Number(count),
      })),

    listConsumers: () => sql<Row[]>`select * from invite.event_consumer_lag order by name`,

    /** Returns how many events follow. @param since Undefined: start with the oldest event. */
    replayEvents: (consumer: string, since?: Date) =>
      value<string>(sql`select invite.replay_events(${consumer}, coalesce(${since ?? null}::timestamptz, '-infinity'))`),

    /** False: there was no such consumer. */
    deleteConsumer: (consumer: string) => value<boolean>(sql`select invite.delete_event_consumer(${consumer})`),

    /** @param home Whose events are waited for, where several databases stand behind one address. */
    publishedTo: (home?: string) => value<string>(sql`select invite.published_to(${home ?? null})`),

    /** Undefined: there is no such token, or it may not read events. */
    async tokenEvents(
      secretHash: Buffer,
      after: string | undefined,
      maxRows: number,
    ): Promise<EventPage | 'unknown_cursor' | undefined> {
      const { events, next, nextPosition, workspaceId } = await one<{ [Key in keyof EventPage]: EventPage[Key] | null }>(
        sql`select * from invite.token_events(${secretHash}, ${after ?? null}, ${maxRows})`,
      );
      if (events === null || nextPosition === null || workspaceId === null) return undefined;
      return next === null ? 'unknown_cursor' : { events, next, nextPosition, workspaceId };
    },

    /** Undefined: there is no such token, it may not read, or the batch belongs to another survey. */
    tokenBatch: async (secretHash: Buffer, batchId: string, afterId: string, maxRows: number): Promise<BatchPage | undefined> =>
      (await value<BatchPage | null>(sql`select invite.token_batch(${secretHash}, ${batchId}, ${afterId}, ${maxRows})`)) ??
      undefined,

    /**
     * Drops one week of events whose retention has ended, without blocking readers. Each statement is its own transaction. Returns whether
     * more weeks can be dropped.
     */
    async pruneEvents(): Promise<boolean> {
      const [partition, next] = await sql<{ name: string; attached: boolean; pending: boolean }[]>`
        select * from invite.expired_event_partitions()`;
      if (partition === undefined) return false;
      const { name, attached, pending } = partition;
      const how = pending ? 'finalize' : 'concurrently';
      if (attached) await sql.unsafe(`alter table invite.events detach partition invite.${name} ${how}`);
      await sql.unsafe(`drop table invite.${name}`);
      return next !== undefined;
    },
  };
}
