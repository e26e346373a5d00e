// Cancelling races with a claim, a settle and the recovery of a worker, interleaved by hand.
import t from 'tap';
import { idsOf, invitationsOf, jobsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker, until } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

const claimBy = (session: typeof sql, held: { survey: string; ids: number[]; worker: string }) =>
  session`select id from invite.claim_invitations(${held.ids}::bigint[], ${held.worker})`;
const cancelBy = (session: typeof sql, batch: string) => session`select * from invite.cancel_batch(${batch})`;

async function createQueued() {
  const fixture = await createBatch(store, { reminders: [3] });
  return { ...fixture, ids: await idsOf(sql, fixture.survey), worker: await createWorker(store) };
}

/** Creates a batch whose invitation is being sent. Returns functions that settle it with each outcome. */
async function createSending() {
  const queued = await createQueued();
  const [claimed] = await store.claimInvitations(queued.ids, queued.worker);
  const settleBy = (session: typeof sql, outcome: string) =>
    session`
      select settled, cardinality(locked) as locked
      from invite.settle_invitations(${sql.json([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome }])})`;
  return { ...queued, settleBy, jobs: await jobsOf(sql, queued.survey) };
}

t.test('a claim skips what is being cancelled', async (t) => {
  const queued = await createQueued();
  const [canceller, claimer] = [await openSession(database), await openSession(database)];
  await canceller.sql`begin`;
  await cancelBy(canceller.sql, queued.batch);
  await claimer.sql`set lock_timeout = '1s'`;
  t.equal((await claimBy(claimer.sql, queued)).length, 0);
  await canceller.sql`commit`;
  t.equal((await claimBy(claimer.sql, queued)).length, 0);
  t.match((await invitationsOf(sql, queued.survey))[0], { status: 'cancelled' });
});

t.test('a cancel that meets a claim waits for it, and says that the email is being sent', async (t) => {
  const queued = await createQueued();
  const [claimer, canceller] = [await openSession(database), await openSession(database)];
  await claimer.sql`begin`;
  t.equal((await claimBy(claimer.sql, queued)).length, 1);
  const answer = cancelBy(canceller.sql, queued.batch).execute();
  await canceller.untilBlocked();
  const [clock] = await claimer.sql`select clock_timestamp() as now`;
  await claimer.sql`commit`;
  t.match((await answer)[0], { cancelled: 0, already_sending: 1 });
  const [row] = await sql`select cancelled_at from test.invitations where survey_id = ${queued.survey}`;
  t.ok(row?.cancelled_at >= clock?.now, 'its time is read after the wait');
  t.match((await invitationsOf(sql, queued.survey))[0], { status: 'sending', worker_id: queued.worker });
});

t.test('a cancel that meets a claim which is rolled back cancels', async (t) => {
  const queued = await createQueued();
  const [claimer, canceller] = [await openSession(database), await openSession(database)];
  await claimer.sql`begin`;
  await claimBy(claimer.sql, queued);
  const answer = cancelBy(canceller.sql, queued.batch).execute();
  await canceller.untilBlocked();
  await claimer.sql`rollback`;
  t.match((await answer)[0], { cancelled: 1, already_sending: 0 });
});

t.test('a cancel locks messages by invitation, as settles do, so that they cannot block each other', async (t) => {
  const { survey, batch } = await createBatch(store, {
    recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
  });
  const [first = 0, second = 0] = await idsOf(sql, survey);
  const [holder, canceller, looker] = [await openSession(database), await openSession(database), await openSession(database)];
  await holder.sql`begin`;
  await holder.sql`select from invite.messages where invitation_id = ${second} for no key update`;
  const answer = cancelBy(canceller.sql, batch).execute();
  await canceller.untilBlocked();
  const look = looker.sql`select from invite.messages where invitation_id = ${first} for no key update nowait`;
  t.equal(await sqlstate(look), '55P03', 'the first is locked while it waits for the second');
  await holder.sql`commit`;
  t.match((await answer)[0], { cancelled: 2 });
});

for (const [outcome, after] of [
  ['accepted', { status: 'sent' }],
  ['retry', { status: 'cancelled' }],
] as const) {
  t.test(`a settle (${outcome}) that meets a cancel says so, and nothing follows when it is brought again`, async (t) => {
    const { survey, batch, settleBy, jobs } = await createSending();
    const [canceller, settler] = [await openSession(database), await openSession(database)];
    await canceller.sql`begin`;
    t.match(await cancelBy(canceller.sql, batch), [{ cancelled: 0, already_sending: 1 }]);
    t.match(await settleBy(settler.sql, outcome), [{ settled: 0, locked: 1 }]);
    await canceller.sql`commit`;
    t.match(await settleBy(settler.sql, outcome), [{ settled: 1, locked: 0 }]);
    t.match((await invitationsOf(sql, survey))[0], { ...after, due_at: null });
    t.strictSame(await jobsOf(sql, survey), jobs);
  });

  t.test(`a cancel that meets a settle (${outcome}) waits for it, and cancels what it has queued`, async (t) => {
    const { survey, batch, settleBy } = await createSending();
    const [settler, canceller] = [await openSession(database), await openSession(database)];
    await settler.sql`begin`;
    await settleBy(settler.sql, outcome);
    const answer = cancelBy(canceller.sql, batch).execute();
    await canceller.untilBlocked();
    await settler.sql`commit`;
    t.match((await answer)[0], { cancelled: 1, reminders: outcome === 'accepted' ? 1 : 0, already_sending: 0 });
    t.match((await invitationsOf(sql, survey))[0], { status: 'cancelled', due_at: null, claim_id: null });
  });
}

t.test(
  'the recovery of a worker that meets a cancel leaves the email to the next one, which does not send it again',
  async (t) => {
    const { survey, batch, worker, jobs } = await createSending();
    const [canceller, recoverer] = [await openSession(database), await openSession(database)];
    await canceller.sql`begin`;
    await cancelBy(canceller.sql, batch);
    t.match(await recoverer.sql`select invite.recover_workers(0, ${worker}) as workers`, [{ workers: 1 }]);
    await canceller.sql`commit`;
    t.match(await recoverer.sql`select invite.recover_workers(0, ${worker}) as workers`, [{ workers: 0 }]);
    t.match((await invitationsOf(sql, survey))[0], { status: 'cancelled', due_at: null });
    t.strictSame(await jobsOf(sql, survey), jobs);
  },
);

t.test('a requeueing that meets a cancel leaves it cancelled', async (t) => {
  const waiting = await createBatch(store, {}, { state: 'draft' });
  await store.claimInvitations(await idsOf(sql, waiting.survey), await createWorker(store));
  await store.setSurveyState(waiting.survey, 'active');
  const [canceller, requeuer] = [await openSession(database), await openSession(database)];
  await canceller.sql`begin`;
  await cancelBy(canceller.sql, waiting.batch);
  t.match(await requeuer.sql`select invite.requeue_waiting(${waiting.survey}) as requeued`, [{ requeued: 0 }]);
  await canceller.sql`commit`;
  t.match((await invitationsOf(sql, waiting.survey))[0], { status: 'cancelled' });
});

t.test('the recovery of workers never fails while emails are cancelled, and what was cancelled is not sent again', async (t) => {
  const recipients = Array.from({ length: 500 }, (_, index) => ({ email: `p${index}@example.com` }));
  const { survey } = await createBatch(store, { recipients });
  const ids = await idsOf(sql, survey);
  t.equal((await store.claimInvitations(ids, await createWorker(store))).length, 500);
  const [canceller, recoverer] = [await openSession(database), await openSession(database)];
  const cancelled = canceller.sql
    .unsafe(`
    do $$ begin
      for id in reverse ${ids.at(-1)}..${ids[0]} loop
        perform invite.cancel_invitation(id);
        commit;
      end loop;
    end $$`)
    .execute();
  const look = async () =>
    (
      await sql`
        select count(*) filter (where status = 'sending')::integer as sending, count(*) filter (where cancelled_at is not null)::integer as cancelled
        from invite.messages where survey_id = ${survey}`
    )[0];
  await until('the first are cancelled', async () => (await look())?.cancelled > 0);
  const failures = new Set<string>();
  await until('none is being sent', async () => {
    failures.add(await sqlstate(recoverer.sql`select invite.recover_workers(0)`));
    return (await look())?.sending === 0;
  });
  t.same([...failures], ['none']);
  await cancelled;
  t.same([...new Set((await invitationsOf(sql, survey)).map(({ status }) => status))], ['cancelled']);
});
