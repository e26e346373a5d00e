// Sending again races with a second retry and with a response, interleaved by hand. A failed invitation has nothing left that a cancel
// could stop.
import t from 'tap';
import { clearJobs, idsOf, invitationsOf, jobsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

const retryBy = (session: typeof sql, batch: string) => session`select * from invite.retry_batch(${batch})`;
const cancelBy = (session: typeof sql, batch: string) => session`select * from invite.cancel_batch(${batch})`;

async function createFailed() {
  const failed = await createBatch(store);
  const [claimed] = await store.claimInvitations(await idsOf(sql, failed.survey), await createWorker(store));
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'rejected' }]);
  await clearJobs(sql);
  return { ...failed, linkToken: claimed?.linkToken ?? '' };
}

t.test('of two retries at once the second waits, and queues nothing: one job, one email', async (t) => {
  const { survey, batch } = await createFailed();
  const [one, two] = [await openSession(database), await openSession(database)];
  await one.sql`begin`;
  t.match(await retryBy(one.sql, batch), [{ queued: 1 }]);
  const second = retryBy(two.sql, batch).execute();
  await two.untilBlocked();
  await one.sql`commit`;
  t.match(await second, [{ queued: 0, left_alone: 0 }]);
  t.equal((await jobsOf(sql, survey)).length, 1);
});

t.test('a cancel that meets a retry waits for it, and cancels what it has queued', async (t) => {
  const { survey, batch } = await createFailed();
  const [retrier, canceller] = [await openSession(database), await openSession(database)];
  await retrier.sql`begin`;
  await retryBy(retrier.sql, batch);
  const cancelled = cancelBy(canceller.sql, batch).execute();
  await canceller.untilBlocked();
  await retrier.sql`commit`;
  t.match(await cancelled, [{ cancelled: 1 }]);
  t.match(await invitationsOf(sql, survey), [{ status: 'cancelled' }]);
});

t.test('a retry that meets a cancel waits for it, and leaves the cancelled one', async (t) => {
  const { survey, batch } = await createFailed();
  const [first, canceller, retrier] = [await openSession(database), await openSession(database), await openSession(database)];
  await retryBy(first.sql, batch);
  await canceller.sql`begin`;
  await cancelBy(canceller.sql, batch);
  const [id] = await idsOf(sql, survey);
  const retried = retrier.sql`select * from invite.retry_invitation(${id ?? 0})`.execute();
  await retrier.untilBlocked();
  await canceller.sql`commit`;
  t.match(await retried, [{ queued: 0, left_alone: 0 }]);
  t.match(await invitationsOf(sql, survey), [{ status: 'cancelled' }]);
});

t.test('a retry that meets a response waits for it, and emails nobody who has responded', async (t) => {
  const { survey, batch, linkToken } = await createFailed();
  const [answerer, retrier] = [await openSession(database), await openSession(database)];
  await answerer.sql`begin`;
  await answerer.sql`select invite.record_response(${survey}, '{"score": 9}', ${linkToken})`;
  const retried = retryBy(retrier.sql, batch).execute();
  await retrier.untilBlocked();
  await answerer.sql`commit`;
  t.match(await retried, [{ queued: 0, left_alone: 1 }]);
  t.match(await invitationsOf(sql, survey), [{ status: 'failed' }]);
});

t.test('a retry locks messages by invitation, as settles do, so that they cannot block each other', async (t) => {
  const { survey, batch } = await createBatch(store, {
    recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
  });
  const [first = 0, second = 0] = await idsOf(sql, survey);
  await sql`update invite.messages set status = 'failed', failed_at = now(), not_before = null, sweep_at = null where survey_id = ${survey}`;
  const [holder, retrier, looker] = [await openSession(database), await openSession(database), await openSession(database)];
  await holder.sql`begin`;
  await holder.sql`select from invite.messages where invitation_id = ${second} for no key update`;
  const answer = retryBy(retrier.sql, batch).execute();
  await retrier.untilBlocked();
  const look = looker.sql`select from invite.messages where invitation_id = ${first} for no key update nowait`;
  t.equal(await sqlstate(look), '55P03', 'the first is locked while it waits for the second');
  await holder.sql`commit`;
  t.match(await answer, [{ queued: 2 }]);
});
