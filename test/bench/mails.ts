// Mails in the queue, and the wait until they have left it.
import type { TransactionSql } from 'postgres';
import type { Sql } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { type Database, type Relay, type Trigger, until, VOLUME } from './harness.ts';

const A_REQUEST = 1000;

/** Queues mails, due now, in one transaction: the worker sees all of them at once. */
export async function queueMails(
  { sql }: Database,
  { hash }: Trigger,
  mails: number,
  { reminderDays = 0, withoutJobs = false } = {},
): Promise<void> {
  await sql.begin(async (transaction: TransactionSql) => {
    const store = createStore(transaction as unknown as Sql);
    for (let queued = 0; queued < mails; queued += A_REQUEST) {
      const recipients = Array.from({ length: Math.min(A_REQUEST, mails - queued) }, (_, index) => ({
        email: `person${queued + index}@example.com`,
      }));
      await store.acceptTrigger(hash, { recipients, reminderDays }, VOLUME);
    }
    if (withoutJobs) await transaction`delete from graphile_worker._private_jobs`;
  });
}

/** The same, with a request for each mail, as the server accepts them together: so many tokens, a call for all of them. */
export async function queueSingles({ sql }: Database, triggers: readonly Trigger[], mails: number): Promise<void> {
  await sql.begin(async (transaction: TransactionSql) => {
    const store = createStore(transaction as unknown as Sql);
    for (let queued = 0; queued < mails; queued += triggers.length) {
      const calls = triggers.slice(0, mails - queued).map(({ hash }, index) => ({
        secretHash: hash,
        request: { recipients: [{ email: `person${queued + index}@example.com` }], reminderDays: 7 },
      }));
      await store.acceptTriggers(calls, VOLUME);
    }
  });
}

/** Waits until so many mails were relayed and settled. Returns when: milliseconds of the clock. */
export async function settled({ sql }: Database, relay: Relay, mails: number): Promise<number> {
  await until('all mails are relayed', async () => (await relay.ask('count')).mails >= mails);
  // The database is asked only now: a look at a large table costs what is measured.
  await until('all mails are settled', async () => {
    const open = await sql`select from invite.invitations where mail = 'invitation' and status in ('queued', 'sending') limit 1`;
    return open.length === 0;
  });
  return Date.now();
}

/**
 * Mails per second, from the first at the relay until all are settled. The worker runs already; the mails become visible at once.
 * @param queue Queues them, in tables that are empty.
 */
export async function delivered(database: Database, relay: Relay, mails: number, queue: () => Promise<void>): Promise<number> {
  await database.sql`truncate invite.invitations, invite.batches cascade`;
  await relay.ask('reset');
  await queue();
  const finished = await settled(database, relay, mails);
  const { first } = await relay.ask('count');
  return mails / ((finished - first) / 1000);
}

/**
 * Writes invitations of one batch into the tables, without the endpoint: for what lies in wait in large numbers.
 * @param status waiting: since now. queued: for tomorrow, with the jobs that the endpoint would have made.
 */
export async function seedInvitations(
  { sql, store }: Database,
  { hash, surveyId }: Trigger,
  count: number,
  status: 'waiting' | 'queued',
): Promise<void> {
  const answer = await store.acceptTrigger(hash, { recipients: [{ email: 'first@example.com' }], sendInSeconds: 86_400 }, VOLUME);
  if (answer.outcome !== 'accepted') throw new Error(`the batch was refused: ${answer.outcome}`);
  const { batchId } = answer;
  await sql`delete from invite.invitations where batch_id = ${batchId}`;
  await sql`delete from graphile_worker._private_jobs`;
  await sql`
    insert into invite.invitations (batch_id, survey_id, email, status, due_at, sweep_at)
    select b.id, b.survey_id, 'person' || n || '@example.com', ${status}::invite.invitation_status,
      case when ${status} = 'queued' then b.scheduled_at else b.accepted_at end,
      case when ${status} = 'queued' then b.scheduled_at + interval '1 hour' end
    from invite.batches as b, generate_series(1, ${count}) as n
    where b.id = ${batchId}`;
  if (status === 'queued') {
    await sql`
      select invite.queue_sends(array_agg(row(i.id, i.due_at)::invite.wake))
      from invite.invitations as i where i.survey_id = ${surveyId}`;
  }
  await sql`vacuum analyze invite.invitations`;
}
