// Batches.
import type { CancelResult, InvitationStatus, RemindResult, RetryResult } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';

export interface BatchLine {
  readonly id: string;
  readonly tokenName: string;
  readonly tokenDeleted: boolean;
  readonly status: string;
  readonly subject: string;
  readonly acceptedAt: Date;
  readonly scheduledAt: Date;
  readonly reminders: readonly number[];
  readonly recipients: number;
  readonly responded: number;
  readonly counts: Readonly<
    Record<InvitationStatus | 'reminders_pending' | 'reminders_failed' | 'deferred' | 'delivered' | 'bounced', number>
  >;
  /** Null in a list, like all fields below. */
  readonly message: string | null;
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

export function batchesCalls({ sql, value, one }: Queries) {
  return {
    cancelBatch: (batchId: string) => one<CancelResult>(sql`select * from invite.cancel_batch(${batchId})`),

    sendBatchAnyway: (batchId: string) => one<RetryResult>(sql`select * from invite.send_batch_anyway(${batchId})`),

    retryBatch: (batchId: string) => one<RetryResult>(sql`select * from invite.retry_batch(${batchId})`),

    remindBatch: (batchId: string) => one<RemindResult>(sql`select * from invite.remind_batch_now(${batchId})`),

    /** Moves what is still to be sent. Returns how many emails it moved. */
    rescheduleBatch: (batchId: string, sendAt: string) =>
      value<number>(sql`select invite.reschedule_batch(${batchId}, ${sendAt})`),

    listBatches: (surveyId: string, limit: number) =>
      sql<Row[]>`
        select * from invite.batch_overview where survey_id = ${surveyId} order by accepted_at desc, id desc limit ${limit}`,

    async findBatch(batchId: string): Promise<Row | null> {
      const [row] = await sql<Row[]>`select * from invite.batch_overview where id = ${batchId}`;
      return row ?? null;
    },
  };
}

export function consoleBatchesCalls({ sql, value, one, records }: Queries) {
  return {
    /** @param beforeId Undefined: the first page. */
    listBatches: (session: Buffer, surveyId: string, beforeId: string | undefined, maxRows: number) =>
      records<BatchLine>(sql`
        select * from console.batches(${session}, ${surveyId}, before_id => ${beforeId ?? null}, max_rows => ${maxRows})`),

    findBatch: (session: Buffer, surveyId: string, batchId: string) =>
      one<BatchLine>(sql`select * from console.batches(${session}, ${surveyId}, ${batchId})`),

    cancelBatch: (session: Buffer, surveyId: string, batchId: string) =>
      value<number>(sql`select console.cancel_batch(${session}, ${surveyId}, ${batchId})`),

    retryBatch: (session: Buffer, surveyId: string, batchId: string) =>
      value<number>(sql`select console.retry_batch(${session}, ${surveyId}, ${batchId})`),

    remindBatch: (session: Buffer, surveyId: string, batchId: string) =>
      value<number>(sql`select console.remind_batch_now(${session}, ${surveyId}, ${batchId})`),
  };
}
