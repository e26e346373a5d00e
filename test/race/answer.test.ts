// Races on one invitation, interleaved by hand: a response against a claim, a settle and a requeueing, and a settle against the recovery of
// its worker.
import t from 'tap';
import { clearJobs, idsOf, invitationsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

const claimBy = (session: typeof sql, held: { survey: string; ids: number[]; worker: string }) =>
  session`select id from invite.claim_invitations(${held.ids}::bigint[], ${held.worker})`;

/** Creates a batch whose invitation has been sent and whose reminder is due. */
async function createReminder() {
  const queued = await createBatch(store, { reminders: [1] });
  const worker = await createWorker(store);
  const ids = await idsOf(sql, queued.survey);
  const [claimed] = await store.claimInvitations(ids, worker);
  const result = [{ id: claimed?.id, claim_id: claimed?.claimId, outcome: 'accepted' }];
  await sql`select invite.settle_invitations(${sql.json(result as never)}, at => '2020-01-01')`;
  return { ...queued, ids, worker, linkToken: claimed?.linkToken ?? '' };
}

t.test('a claim skips the reminder of someone whose response is being recorded', async (t) => {
  const reminder = await createReminder();
  const [respondent, claimer] = [await openSession(database), await openSession(database)];
  await respondent.sql`begin`;
  await respondent.sql`select invite.record_response(${reminder.survey}, '{"score": 9}', ${reminder.linkToken})`;
  await claimer.sql`set lock_timeout = '1s'`;
  t.equal((await claimBy(claimer.sql, reminder)).length, 0);
  await respondent.sql`commit`;
  t.equal((await claimBy(claimer.sql, reminder)).length, 0);
  t.match((await invitationsOf(sql, reminder.survey))[0], { status: 'answered', reminded_at: null, due_at: null, sent_at: Date });
});

t.test('a response that meets a claim of the reminder waits for it and is recorded; nothing follows that reminder', async (t) => {
  const reminder = await createReminder();
  const [claimer, respondent] = [await openSession(database), await openSession(database)];
  await claimer.sql`begin`;
  t.equal((await claimBy(claimer.sql, reminder)).length, 1);
  const answer = respondent.sql`
    select outcome from invite.record_response(${reminder.survey}, '{"score": 9}', ${reminder.linkToken})`.execute();
  await respondent.untilBlocked();
  const [clock] = await claimer.sql`select clock_timestamp() as now`;
  await claimer.sql`commit`;
  t.equal((await answer)[0]?.outcome, 'recorded');
  const [row] = await invitationsOf(sql, reminder.survey);
  t.match(row, { status: 'sending', message_kind: 'reminder', responded_at: Date });
  t.ok((row?.responded_at ?? 0) >= clock?.now, 'its time is read after the wait');
  await store.settleInvitations([{ id: row?.id ?? '', claim_id: row?.claim_id ?? '', outcome: 'retry' }]);
  t.match((await invitationsOf(sql, reminder.survey))[0], { status: 'answered', due_at: null }, 'it is not tried again');
});

t.test('of two answers through one link at once, one is recorded and the other is told so', async (t) => {
  const reminder = await createReminder();
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  const [recorded] = await first.sql`
    select * from invite.record_response(${reminder.survey}, '{"score": 9}', ${reminder.linkToken})`;
  const answer =
    second.sql`select * from invite.record_response(${reminder.survey}, '{"score": 1}', ${reminder.linkToken})`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.match((await answer)[0], { outcome: 'already_responded', response_id: recorded?.response_id });
  t.equal((await sql`select from invite.responses where survey_id = ${reminder.survey}`).length, 1);
});

/** Creates a batch with a reminder, whose invitation is being sent. */
async function createSending() {
  const queued = await createBatch(store, { reminders: [3] });
  const worker = await createWorker(store);
  const [claimed] = await store.claimInvitations(await idsOf(sql, queued.survey), worker);
  await clearJobs(sql);
  const accepted = sql.json([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
  return { ...queued, worker, accepted, linkToken: claimed?.linkToken ?? '' };
}

t.test('a settle that meets a response says so, and queues no reminder when it is brought again', async (t) => {
  const { survey, accepted, linkToken } = await createSending();
  const [respondent, settler] = [await openSession(database), await openSession(database)];
  await respondent.sql`begin`;
  await respondent.sql`select invite.record_response(${survey}, '{"score": 9}', ${linkToken})`;
  const settle = () => settler.sql`select settled, cardinality(locked) as locked from invite.settle_invitations(${accepted})`;
  t.match(await settle(), [{ settled: 0, locked: 1 }]);
  await respondent.sql`commit`;
  t.match(await settle(), [{ settled: 1, locked: 0 }]);
  t.match((await invitationsOf(sql, survey))[0], {
    status: 'sent',
    message_kind: 'invitation',
    due_at: null,
    responded_at: Date,
  });
});

t.test('a response that meets a settle waits for it, and drops the reminder that it has queued', async (t) => {
  const { survey, accepted, linkToken } = await createSending();
  const [settler, respondent] = [await openSession(database), await openSession(database)];
  await settler.sql`begin`;
  await settler.sql`select invite.settle_invitations(${accepted})`;
  const answer = respondent.sql`select outcome from invite.record_response(${survey}, '{"score": 9}', ${linkToken})`.execute();
  await respondent.untilBlocked();
  await settler.sql`commit`;
  t.equal((await answer)[0]?.outcome, 'recorded');
  t.match((await invitationsOf(sql, survey))[0], { status: 'answered', message_kind: 'reminder', due_at: null, sent_at: Date });
});

t.test('the recovery of a worker that is just settling leaves its email alone', async (t) => {
  const { survey, worker, accepted } = await createSending();
  const [settler, recoverer] = [await openSession(database), await openSession(database)];
  await settler.sql`begin`;
  await settler.sql`select invite.settle_invitations(${accepted})`;
  t.match(await recoverer.sql`select invite.recover_workers(0, ${worker}) as workers`, [{ workers: 1 }]);
  await settler.sql`commit`;
  t.match((await invitationsOf(sql, survey))[0], { status: 'queued', message_kind: 'reminder', last_error_code: null });
  t.strictSame(await jobsOf(sql, survey), []);
});

t.test('a settle that meets the recovery of its worker says so, and changes nothing when it is brought again', async (t) => {
  const { survey, worker, accepted } = await createSending();
  const [recoverer, settler] = [await openSession(database), await openSession(database)];
  await recoverer.sql`begin`;
  await recoverer.sql`select invite.recover_workers(0, ${worker})`;
  const settle = () => settler.sql`select settled, cardinality(locked) as locked from invite.settle_invitations(${accepted})`;
  t.match(await settle(), [{ settled: 0, locked: 1 }]);
  await recoverer.sql`commit`;
  t.match(await settle(), [{ settled: 0, locked: 0 }]);
  t.match((await invitationsOf(sql, survey))[0], {
    status: 'queued',
    message_kind: 'invitation',
    last_error_code: 'worker_lost',
  });
});

t.test('a requeueing that meets a response to a waiting invitation leaves it alone', async (t) => {
  const waiting = await createBatch(store, {}, { state: 'draft' });
  await store.claimInvitations(await idsOf(sql, waiting.survey), await createWorker(store));
  const [row] = await invitationsOf(sql, waiting.survey);
  await store.setSurveyState(waiting.survey, 'active');
  const [respondent, requeuer] = [await openSession(database), await openSession(database)];
  await respondent.sql`begin`;
  await respondent.sql`select invite.record_response(${waiting.survey}, '{"score": 9}', ${row?.link_token ?? ''})`;
  t.match(await requeuer.sql`select invite.requeue_waiting(${waiting.survey}) as requeued`, [{ requeued: 0 }]);
  await respondent.sql`commit`;
  t.match((await invitationsOf(sql, waiting.survey))[0], { status: 'answered', due_at: null, sent_at: null });
});

t.test('a sweep skips what another holds', async (t) => {
  const queued = await createBatch(store);
  const ids = await idsOf(sql, queued.survey);
  await sql`update invite.messages set sweep_at = '2020-01-01' where survey_id = ${queued.survey}`;
  const [claimer, sweeper] = [await openSession(database), await openSession(database)];
  await claimer.sql`begin`;
  await claimBy(claimer.sql, { survey: queued.survey, ids, worker: await createWorker(store) });
  await sweeper.sql`set lock_timeout = '1s'`;
  t.equal((await sweeper.sql`select invite.sweep_invitations(at => '2021-01-01') as swept`)[0]?.swept, 0);
  await claimer.sql`commit`;
});

t.test(
  'a bounce that meets the settle or the response of its invitation waits for it, and is counted once or not at all',
  async (t) => {
    for (const responds of [false, true]) {
      const queued = await createBatch(store);
      const [claimed] = await store.claimInvitations(await idsOf(sql, queued.survey), await createWorker(store));
      const results = [{ id: claimed?.id, claim_id: claimed?.claimId, outcome: 'accepted' }];
      const bounce = [
        {
          event_id: `bounce-${queued.survey}`,
          type: 'hard_bounce',
          occurred_at: '2030-01-31T09:00:00Z',
          invitation_id: claimed?.id,
          email: claimed?.email,
        },
      ];
      const [first, reporter] = [await openSession(database), await openSession(database)];
      if (responds) await store.settleInvitations(results as never);
      await first.sql`begin`;
      if (responds) await first.sql`select invite.record_response(${queued.survey}, '{"score": 9}', ${claimed?.linkToken ?? ''})`;
      else await first.sql`select invite.settle_invitations(${sql.json(results as never)})`;
      const reported = reporter.sql`select invite.record_relay_events('resend', ${sql.json(bounce as never)})`.execute();
      await reporter.untilBlocked();
      await first.sql`commit`;
      await reported;
      const counts = await sql`
      select value, sum(number)::integer as number from invite.result_changes
      where survey_id = ${queued.survey} and value in ('sent', 'responded', 'bounced') group by 1 order by 1`;
      t.match(
        counts,
        responds
          ? [
              { value: 'responded', number: 1 },
              { value: 'sent', number: 1 },
            ]
          : [
              { value: 'bounced', number: 1 },
              { value: 'sent', number: 1 },
            ],
      );
      t.same(await sql`select * from invite.miscounted_results where survey_id = ${queued.survey}`, []);
      if (!responds) await store.submitResponse(queued.survey, { score: 9 }, claimed?.linkToken);
      t.same(
        await sql`select * from invite.miscounted_results where survey_id = ${queued.survey}`,
        [],
        'and a response takes the bounce off',
      );
    }
  },
);
