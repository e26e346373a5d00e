// Queues emails, and waits until they are sent.
import type { TransactionSql } from 'postgres';
import type { Sql } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { type Database, type Relay, type Trigger, until, VOLUME } from './harness.ts';

const A_REQUEST = 1000;

/** Queues emails that are due now in one transaction, so that the worker sees all of them at once. */
export async function queueEmails(
  { sql }: Database,
  { hash }: Trigger,
  emails: number,
  { reminders, withoutJobs = false, zones = [] }: { reminders?: number[]; withoutJobs?: boolean; zones?: readonly string[] } = {},
): Promise<void> {
  await sql.begin(async (transaction: TransactionSql) => {
    const store = createStore(transaction as unknown as Sql);
    for (let queued = 0; queued < emails; queued += A_REQUEST) {
      const recipients = Array.from({ length: Math.min(A_REQUEST, emails - queued) }, (_, index) => ({
        email: `person${queued + index}@example.com`,
        time_zone: zones[index % zones.length],
      }));
      await acceptTrigger(store, hash, { recipients, reminders }, VOLUME);
    }
    if (withoutJobs) await transaction`delete from graphile_worker._private_jobs`;
  });
}

/** Does the same with one request per email. As in the server, one call takes a request of each token. */
export async function queueSingles({ sql }: Database, triggers: readonly Trigger[], emails: number): Promise<void> {
  await sql.begin(async (transaction: TransactionSql) => {
    const store = createStore(transaction as unknown as Sql);
    for (let queued = 0; queued < emails; queued += triggers.length) {
      const calls = triggers.slice(0, emails - queued).map(({ hash }, index) => ({
        secretHash: hash,
        request: { recipients: [{ email: `person${queued + index}@example.com` }], reminders: [7] },
      }));
      await store.acceptTriggers(calls, VOLUME);
    }
  });
}

/** Waits until this many emails are relayed and settled. Returns the time of the end, in milliseconds. */
export async function settled({ sql }: Database, relay: Relay, emails: number): Promise<number> {
  await until('all emails are relayed', async () => (await relay.ask('count')).emails >= emails);
  // The database is asked only now: reading a large table would slow down what is measured.
  await until('all emails are settled', async () => {
    const open = await sql`select from invite.messages where number = 0 and status in ('queued', 'sending') limit 1`;
    return open.length === 0;
  });
  return Date.now();
}

/**
 * Returns emails per second, from the first email at the relay until all are settled. The worker must be running.
 * @param queue Queues the emails in empty tables.
 */
export async function delivered(database: Database, relay: Relay, emails: number, queue: () => Promise<void>): Promise<number> {
  await database.sql`truncate invite.invitations, invite.messages, invite.addresses, invite.batches cascade`;
  await relay.ask('reset');
  await queue();
  const finished = await settled(database, relay, emails);
  const { first } = await relay.ask('count');
  return emails / ((finished - first) / 1000);
}

/**
 * Writes a large number of invitations of one batch into the tables.
 * @param status `waiting`: they have waited since now. `queued`: they are due tomorrow and have jobs.
 */
export async function seedInvitations(
  { sql, store }: Database,
  { hash, surveyId }: Trigger,
  count: number,
  status: 'waiting' | 'queued',
): Promise<void> {
  const answer = await acceptTrigger(
    store,
    hash,
    { recipients: [{ email: 'first@example.com' }], sendInSeconds: 86_400 },
    VOLUME,
  );
  if (answer.outcome !== 'accepted') throw new Error(`the batch was rejected: ${answer.outcome}`);
  const { batchId } = answer;
  await sql`delete from invite.invitations where batch_id = ${batchId}`;
  await sql`delete from graphile_worker._private_jobs`;
  await sql`
    with invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email)
      select b.id, b.workspace_id, b.survey_id, 'person' || n || '@example.com'
      from invite.batches as b, generate_series(1, ${count}) as n
      where b.id = ${batchId}
      returning id, batch_id, survey_id
    )
    insert into invite.messages (invitation_id, survey_id, status, due_at, not_before, sweep_at)
    select i.id, i.survey_id, ${status}::invite.message_status, d.at, d.at, case when ${status} = 'queued' then d.at + interval '1 hour' end
    from invited as i
    join invite.batches as b on b.id = i.batch_id
    cross join lateral (select case when ${status} = 'queued' then b.scheduled_at else b.accepted_at end as at) as d`;
  if (status === 'queued') {
    await sql`
      select invite.queue_sends(array_agg(row(m.invitation_id, m.not_before)::invite.job_request))
      from invite.messages as m where m.survey_id = ${surveyId}`;
  }
  await sql`vacuum analyze invite.invitations, invite.messages`;
}
