// The functions that put invitations back in the queue: the triggers with requeue_waiting and requeue_workspace, sweep_invitations, and
// recover_workers.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { clearJobs, idsOf, invitationsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));

/** Creates a survey that isn't active, with waiting invitations and an empty queue. */
async function createWaiting(count = 1, state = 'draft') {
  const fixture = await createBatch(store, { recipients: people(count) }, { state });
  await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
  await clearJobs(sql);
  return fixture;
}

const statuses = async (survey: string) => (await invitationsOf(sql, survey)).map((row) => row.status);
const tasksOf = async (surveyOrWorkspace: string) => (await jobsOf(sql, surveyOrWorkspace)).map((job) => job.task);

t.test('a plain update that activates a survey queues one job, and the job requeues what waits', async (t) => {
  const { survey } = await createWaiting(3);
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  t.strictSame(await tasksOf(survey), ['requeue_waiting']);
  t.equal(await store.requeueWaiting(survey), 3);
  t.strictSame(await statuses(survey), ['queued', 'queued', 'queued']);
  const [, send, ...rest] = await jobsOf(sql, survey);
  t.match(send, { task: 'send_invitations', payload: { invitation_ids: await idsOf(sql, survey) } });
  t.strictSame(rest, [], 'three invitations are less than a step: no further one is queued');
  t.equal((await store.claimInvitations(await idsOf(sql, survey), await createWorker(store))).length, 3);
});

t.test('enabling a survey requeues, and so does reopening a closed one', async (t) => {
  const { survey } = await createWaiting(1, 'closed');
  await sql`update invite.surveys set disabled_at = now() where id = ${survey}`;
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  t.strictSame(await tasksOf(survey), [], 'active but disabled: not yet');
  await sql`update invite.surveys set disabled_at = null where id = ${survey}`;
  t.strictSame(await tasksOf(survey), ['requeue_waiting']);
});

t.test('an update that does not make a survey sendable queues nothing', async (t) => {
  const { survey } = await createWaiting();
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  await clearJobs(sql);
  await sql`update invite.surveys set state = 'active', title = 'Another title' where id = ${survey}`;
  await sql`update invite.surveys set state = 'closed' where id = ${survey}`;
  await sql`update invite.surveys set state = 'draft' where id = ${survey}`;
  t.strictSame(await tasksOf(survey), []);
});

t.test('what waits goes on waiting if the survey is not sendable after all', async (t) => {
  const { survey } = await createWaiting();
  t.equal(await store.requeueWaiting(survey), 0);
  t.strictSame(await statuses(survey), ['waiting']);
  t.strictSame(await tasksOf(survey), []);
  t.equal(await store.requeueWaiting('no-such-survey'), 0);
});

t.test('requeueing goes in bounded steps, each of which queues the next', async (t) => {
  const { survey } = await createWaiting(5);
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  let after: number | null = null;
  const step = async () => {
    await clearJobs(sql);
    const [row] = await sql`select invite.requeue_waiting(${survey}, max_rows => 2, after => ${after}) as requeued`;
    const next = (await jobsOf(sql, survey)).find(({ task }) => task === 'requeue_waiting');
    after = next?.payload.after ?? null;
    return [row?.requeued, ...(await tasksOf(survey))];
  };
  t.strictSame(await step(), [2, 'send_invitations', 'requeue_waiting']);
  t.strictSame(await statuses(survey), ['queued', 'queued', 'waiting', 'waiting', 'waiting']);
  const [first, second] = await invitationsOf(sql, survey);
  t.equal(after, Number(second?.id), 'it goes on behind the last one');
  await sql`update invite.messages set status = 'waiting', sweep_at = null where invitation_id = ${Number(first?.id)}`;
  t.strictSame(await step(), [2, 'send_invitations', 'requeue_waiting']);
  t.strictSame(await step(), [1, 'send_invitations', 'requeue_waiting']);
  t.equal(after, 0, 'and looks once more from the start');
  t.strictSame(await step(), [1, 'send_invitations']);
  t.strictSame(await statuses(survey), ['queued', 'queued', 'queued', 'queued', 'queued']);
});

t.test('a step waits while many of what was requeued before are still due', async (t) => {
  const { survey } = await createWaiting(5);
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  const [, second] = await invitationsOf(sql, survey);
  const after = Number(second?.id);
  await sql`select invite.requeue_waiting(${survey}, max_rows => 2, after => ${0})`;
  const step = async () => {
    await clearJobs(sql);
    const [row] =
      await sql`select invite.requeue_waiting(${survey}, max_rows => 2, after => ${after}, max_queued => 2) as requeued`;
    const [next] = (await jobsOf(sql, survey)).filter(({ task }) => task === 'requeue_waiting');
    return {
      requeued: row?.requeued,
      after: next?.payload.after,
      isLater: next !== undefined && next.run_at > next.created_at,
    };
  };
  t.same(await step(), { requeued: 0, after, isLater: true });
  t.strictSame(await statuses(survey), ['queued', 'queued', 'waiting', 'waiting', 'waiting']);
  await sql`update invite.messages set not_before = now() + interval '1 day' where invitation_id = ${after}`;
  t.match(await step(), { requeued: 2, isLater: false }, 'what is scheduled for later does not count');
});

t.test('requeued invitations are swept half a minute later if their job is lost', async (t) => {
  const { survey } = await createWaiting();
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  await sql`select invite.requeue_waiting(${survey}, at => '2040-01-01 10:00:00Z')`;
  t.equal((await invitationsOf(sql, survey))[0]?.sweep_at?.toISOString(), '2040-01-01T10:00:30.000Z');
  t.equal((await jobsOf(sql, survey)).at(-1)?.run_at.toISOString(), '2040-01-01T10:00:00.000Z');
});

t.test('a workspace that is resumed requeues those of its surveys that have waiting invitations', async (t) => {
  const { workspace, survey, hash } = await createBatch(store);
  const idle = await store.upsertSurvey({ workspaceId: workspace, title: 'Nothing waits here', state: 'active' });
  await store.setWorkspaceSuspended(workspace, true);
  await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  await clearJobs(sql);
  await sql`update invite.workspaces set suspended_at = null where id = ${workspace}`;
  t.strictSame(await tasksOf(workspace), ['requeue_workspace']);
  t.equal(await store.requeueWorkspace(workspace), 1);
  t.strictSame(await tasksOf(survey), ['requeue_waiting']);
  t.strictSame(await tasksOf(idle), []);
  t.equal(await store.requeueWaiting(survey), 1);
  t.equal((await acceptTrigger(store, hash, { recipients: people(1) }, 10_000)).outcome, 'accepted');
});

t.test('a change of plan queues the requeueing of the workspace, unless it is suspended', async (t) => {
  const { workspace } = await createSurvey(store, { plan: 'free' });
  await clearJobs(sql);
  await sql`update invite.workspaces set plan_id = 'pro' where id = ${workspace}`;
  t.strictSame(await tasksOf(workspace), ['requeue_workspace']);
  await store.setWorkspaceSuspended(workspace, true);
  await clearJobs(sql);
  await sql`update invite.workspaces set plan_id = 'free' where id = ${workspace}`;
  await sql`update invite.workspaces set plan_id = 'pro' where id = ${workspace}`;
  t.strictSame(await tasksOf(workspace), []);
});

t.test('a rename or suspension of a workspace queues nothing', async (t) => {
  const { workspace } = await createSurvey(store);
  await clearJobs(sql);
  await store.upsertWorkspace({ id: workspace, name: 'Another name', plan: 'pro' });
  await store.setWorkspaceSuspended(workspace, true);
  t.strictSame(await tasksOf(workspace), []);
});

t.test('a plan that gets the API trigger requeues the workspaces that are on it, and no others', async (t) => {
  await sql`insert into invite.plans (id, api_trigger) values ('basic', false)`;
  const one = await createSurvey(store, { plan: 'basic' });
  const two = await createSurvey(store, { plan: 'basic' });
  const other = await createSurvey(store, { plan: 'free' });
  await clearJobs(sql);
  await sql`update invite.plans set api_trigger = true where id = 'basic'`;
  t.strictSame(await tasksOf(one.workspace), ['requeue_workspace']);
  t.strictSame(await tasksOf(two.workspace), ['requeue_workspace']);
  t.strictSame(await tasksOf(other.workspace), []);
  await clearJobs(sql);
  await sql`update invite.plans set api_trigger = true where id = 'basic'`;
  t.strictSame(await tasksOf(one.workspace), [], 'it has it already');
});

/** Cancels invitations that other tests have left in the queue, so that the sweep doesn't find them. */
const cancelAll = () => sql`
  update invite.messages set status = 'cancelled', cancelled_at = now(), not_before = null, sweep_at = null where status = 'queued'`;

/** Makes the invitations sent, and queues their reminders, each a twentieth of a second after the one before. */
async function remind(ids: number[], at: string, sweepAt: string) {
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null, is_last = false
    where invitation_id = any (${ids}::bigint[])`;
  await sql`
    insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at)
    select m.invitation_id, 1, m.survey_id, d.at, d.at, ${sweepAt}
    from invite.messages as m
    cross join lateral (select ${at}::timestamptz + m.invitation_id % 10 * interval '50 ms') as d (at)
    where m.invitation_id = any (${ids}::bigint[])`;
}

/** Runs sweep_invitations at a given time. */
const sweepAt = async (at: string, maxRows = 5000) => {
  const [row] = await sql`select invite.sweep_invitations(${maxRows}, ${at}) as swept`;
  return row?.swept as number;
};

t.test('a reminder gets its job a minute before it is due, and only once', async (t) => {
  await cancelAll();
  const { survey } = await createBatch(store, { reminders: [1] });
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  const result = [{ id: claimed?.id, claim_id: claimed?.claimId, outcome: 'accepted' }];
  await sql`select invite.settle_invitations(${sql.json(result as never)}, at => '2029-01-01 10:00:00Z')`;
  await clearJobs(sql);
  t.equal(await sweepAt('2029-01-02 09:58:59Z'), 0);
  t.equal(await sweepAt('2029-01-02 09:59:00Z'), 1);
  t.equal(await sweepAt('2029-01-02 10:00:00Z'), 0);
  const jobs = await jobsOf(sql, survey);
  t.equal(jobs.length, 1);
  t.match(jobs[0], { task: 'send_invitations', payload: { invitation_ids: [Number(claimed?.id)] } });
  t.equal(jobs[0]?.run_at.toISOString(), '2029-01-02T10:00:01.000Z', 'to the second, and not before it is due');
});

t.test('reminders of one send-out share jobs', async (t) => {
  await cancelAll();
  const { survey } = await createBatch(store, { recipients: people(10) });
  await remind(await idsOf(sql, survey), '2029-02-01 10:00:00Z', '2029-02-01 09:59:00Z');
  await clearJobs(sql);
  t.equal(await sweepAt('2029-02-01 09:59:30Z'), 10);
  t.equal((await jobsOf(sql, survey)).length, 1);
});

t.test('an invitation whose job was lost gets another half a minute after it was due, and the next a minute later', async (t) => {
  await cancelAll();
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  await sql`select test.accept_trigger(${hash}, ${sql.json(people(1))}, at => '2029-03-01 10:00:00Z')`;
  await clearJobs(sql);
  t.equal(await sweepAt('2029-03-01 10:00:29Z'), 0);
  t.equal(await sweepAt('2029-03-01 10:00:30Z'), 1);
  t.equal((await jobsOf(sql, survey))[0]?.run_at.toISOString(), '2029-03-01T10:00:30.000Z', 'at once');
  t.equal(await sweepAt('2029-03-01 10:01:29Z'), 0);
  t.equal(await sweepAt('2029-03-01 10:01:30Z'), 1);
  t.equal((await jobsOf(sql, survey)).length, 1, 'its job is still there');
  await clearJobs(sql);
  t.equal(await sweepAt('2029-03-01 10:02:30Z'), 1);
  t.equal((await jobsOf(sql, survey)).length, 1, 'this one was lost too');
});

/** The only worker that runs at this time, and the relay that it sends to, with a rate. */
async function runWorker(at: string, relay: string) {
  await sql`delete from invite.workers where hostname = 'then'`;
  await sql`
    insert into invite.workers (id, hostname, pid, heartbeat_at, jobs_taken_at, relay, rate)
    values (${randomUUID()}, 'then', 1, ${at}, ${at}, ${relay}, 5)`;
}

t.test(
  'what is due is left alone while the relay is paused, and swept after it; a reminder to come is not held up',
  async (t) => {
    await cancelAll();
    const { survey } = await createBatch(store, { recipients: people(2) });
    const [due, reminder] = await idsOf(sql, survey);
    await sql`update invite.messages set not_before = '2029-03-02 10:00:00Z', sweep_at = '2029-03-02 10:00:30Z' where invitation_id = ${due ?? 0}`;
    await remind([reminder ?? 0], '2029-03-02 10:01:30Z', '2029-03-02 10:00:30Z');
    await sql`insert into invite.relays (id, condition, paused_until) values ('paused', 'busy', '2029-03-02 10:05:00Z')`;
    await clearJobs(sql);
    const sweep = async (at: string, relay: string) => {
      await runWorker(at, relay);
      return (await sql`select invite.sweep_invitations(at => ${at}) as swept`)[0]?.swept;
    };
    t.equal(await sweep('2029-03-02 10:01:00Z', 'paused'), 1);
    t.strictSame(
      (await jobsOf(sql, survey)).map(({ payload }) => payload.invitation_ids),
      [[reminder]],
    );
    t.equal(await sweep('2029-03-02 10:01:00Z', 'other'), 1, "another relay's pause doesn't count");
    await clearJobs(sql);
    t.equal(await sweep('2029-03-02 10:04:59Z', 'paused'), 0);
    t.equal(await sweep('2029-03-02 10:05:00Z', 'paused'), 2);
    t.equal((await jobsOf(sql, survey)).length, 1);
  },
);

t.test("while a relay's rate is used up, what is due is swept once, and again when a worker was lost", async (t) => {
  const { survey } = await createBatch(store, { recipients: [{ email: 'ada@example.com' }] });
  const relay = randomUUID();
  const setAllowance = (allowance: number) =>
    sql`
      insert into invite.relays (id, allowance, allowance_at) values (${relay}, ${allowance}, '2030-01-01T00:10:00Z')
      on conflict on constraint relays_pkey do update set allowance = excluded.allowance`;
  await setAllowance(0.5);
  await sql`update invite.messages set not_before = '2030-01-01T00:00:00Z', sweep_at = '2030-01-01T00:00:30Z' where survey_id = ${survey}`;
  const swept = async (at: string, lost = false) => {
    await clearJobs(sql);
    await runWorker(at, relay);
    await sql`select invite.sweep_invitations(at => ${at}, lost => ${lost})`;
    return (await jobsOf(sql, survey)).length;
  };
  t.equal(await swept('2030-01-01T00:10:00Z'), 1, 'its job may be lost');
  t.equal(await swept('2030-01-01T00:10:30Z'), 0, 'it waits in a list');
  t.equal(await swept('2030-01-01T00:10:30Z', true), 1, 'the list was lost');
  await sql`update invite.messages set sweep_at = '2030-01-01T00:10:31Z' where survey_id = ${survey}`;
  await setAllowance(3);
  t.equal(await swept('2030-01-01T00:10:40Z'), 1, 'the list is empty');
});

t.test('a scheduled invitation is not swept before it is due', async (t) => {
  await cancelAll();
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  await sql`select test.accept_trigger(${hash}, ${sql.json(people(1))}, at => '2029-04-01 10:00:00Z', send_in_seconds => 86400)`;
  t.equal(await sweepAt('2029-04-02 10:00:29Z'), 0);
  t.equal(await sweepAt('2029-04-02 10:00:30Z'), 1);
});

t.test('a sweep takes what has waited longest first, and goes on by a further job when there may be more', async (t) => {
  await cancelAll();
  const { survey } = await createBatch(store, { recipients: people(3) });
  await sql`
    update invite.messages set sweep_at = '2028-01-01'::timestamptz - invitation_id * interval '1 second' where survey_id = ${survey}`;
  const sweeps = async () => {
    await clearJobs(sql);
    const swept = await sweepAt('2028-01-01 10:00:00Z', 2);
    const [row] = await sql`
      select count(*)::integer as jobs from graphile_worker.jobs where task_identifier = 'sweep_invitations'`;
    return [swept, row?.jobs];
  };
  t.strictSame(await sweeps(), [2, 1]);
  const [first, second, third] = await invitationsOf(sql, survey);
  t.ok((first?.sweep_at ?? 0) < (second?.sweep_at ?? 0) && (first?.sweep_at ?? 0) < (third?.sweep_at ?? 0), 'the first is left');
  t.strictSame(await sweeps(), [1, 0]);
});

t.test('two sweeps at once take each row once', async (t) => {
  await cancelAll();
  const { survey } = await createBatch(store, { recipients: people(2) });
  await sql`update invite.messages set sweep_at = '2027-01-01' where survey_id = ${survey}`;
  await clearJobs(sql);
  const session = await openSession(database);
  await session.sql`begin`;
  const [first] = await session.sql`select invite.sweep_invitations(at => '2027-01-02') as swept`;
  t.equal(first?.swept, 2);
  t.equal(await sweepAt('2027-01-02'), 0);
  await session.sql`commit`;
  t.equal((await jobsOf(sql, survey)).flatMap((job) => job.payload.invitation_ids).length, 2);
});

t.test('the next sweep is one job, in 15 seconds, however often it is added', async (t) => {
  await clearJobs(sql);
  for (let times = 0; times < 2; times += 1) await store.nextSweep();
  const jobs = await sql`
    select key, extract(epoch from run_at - updated_at)::float8 as seconds from graphile_worker.jobs where task_identifier = 'sweep_invitations'`;
  t.match(jobs, [{ key: 'sweep_invitations' }]);
  t.equal(jobs.length, 1);
  t.ok(jobs[0]?.seconds >= 15 && jobs[0]?.seconds < 60, `${jobs[0]?.seconds} s`);
});

t.test('while there are jobs enough, what is due is behind them, and not swept', async (t) => {
  await cancelAll();
  const { survey } = await createBatch(store);
  await sql`update invite.messages set not_before = '2026-01-01', sweep_at = '2026-01-01' where survey_id = ${survey}`;
  await clearJobs(sql);
  await sql`
    select graphile_worker.add_jobs(array_agg(row('send_invitations', '{"invitation_ids": []}', null, null, null, null, null, null)::graphile_worker.job_spec))
    from generate_series(1, 1001)`;
  t.equal(await store.sweepInvitations(), 0);
  await sql`delete from graphile_worker._private_jobs where id = (select max(id) from graphile_worker._private_jobs)`;
  await sql`delete from graphile_worker._private_jobs where id = (select max(id) from graphile_worker._private_jobs)`;
  t.equal(await store.sweepInvitations(), 1);
  t.equal((await jobsOf(sql, survey)).length, 1);
});

/** Creates a worker whose last heartbeat is this many seconds ago. It holds a claimed invitation and a locked job. */
async function createHolder(silentSeconds: number) {
  const { survey } = await createBatch(store);
  const worker = await createWorker(store);
  await store.claimInvitations(await idsOf(sql, survey), worker);
  await clearJobs(sql);
  await sql`select graphile_worker.add_job('send_invitations', json_build_object('invitation_ids', ${await idsOf(sql, survey)}::bigint[]))`;
  await sql`update graphile_worker._private_jobs set locked_by = ${`pool-${worker}`}, locked_at = now()`;
  await sql`
    update invite.workers set heartbeat_at = clock_timestamp() - ${silentSeconds} * interval '1 second' where id = ${worker}`;
  const locks = async () => (await jobsOf(sql, survey)).map((job) => job.locked_by);
  return { survey, worker, locks };
}

t.test("a lost worker's invitations are queued again at once and its jobs are unlocked", async (t) => {
  const { survey, worker, locks } = await createHolder(3601);
  t.equal(await store.recoverWorkers(3600), 1);
  const [row] = await invitationsOf(sql, survey);
  t.match(row, { status: 'queued', last_error_code: 'worker_lost', attempts: 1, claim_id: null, worker_id: null });
  t.strictSame(await locks(), [null, null], 'the old job and the new one');
  t.strictSame((await jobsOf(sql, survey)).at(-1)?.payload.invitation_ids, await idsOf(sql, survey));
  t.equal((await sql`select from invite.workers where id = ${worker}`).length, 0);
  t.equal(await store.recoverWorkers(3600), 0, 'once is enough');
});

t.test(
  "held: a lost worker's email may have been sent, and is not sent again, unless there is nothing more to send",
  async (t) => {
    const [held, cancelled, answered] = [await createHolder(3601), await createHolder(3601), await createHolder(3601)];
    await store.cancelSurvey(cancelled.survey);
    await sql`update invite.invitations set responded_at = now() where survey_id = ${answered.survey}`;
    await clearJobs(sql);
    for (const { worker } of [held, cancelled, answered]) t.equal(await store.recoverWorkers(3600, worker, true), 1);
    const [row] = await invitationsOf(sql, held.survey);
    t.match(row, { status: 'failed', last_error_code: 'unconfirmed', due_at: null, claim_id: null, worker_id: null });
    t.match(row?.last_error, /^The email may have arrived\. .* The worker that was sending this email stopped/);
    t.strictSame(await jobsOf(sql, held.survey), []);
    t.match(await invitationsOf(sql, cancelled.survey), [{ status: 'cancelled', last_error_code: 'worker_lost' }]);
    t.match(
      await invitationsOf(sql, answered.survey),
      [{ status: 'queued', last_error_code: 'worker_lost' }],
      'the claim ends it',
    );
  },
);

t.test('a running worker keeps what it holds', async (t) => {
  const { survey, worker, locks } = await createHolder(20);
  t.equal(await store.recoverWorkers(3600), 0);
  t.match((await invitationsOf(sql, survey))[0], { status: 'sending', worker_id: worker });
  t.strictSame(await locks(), [`pool-${worker}`]);
});

t.test('a worker is lost after the given silence and not a second earlier', async (t) => {
  const worker = await createWorker(store);
  await sql`update invite.workers set heartbeat_at = '2026-01-01 10:00:00Z' where id = ${worker}`;
  const recoverAt = async (at: string) =>
    (await sql`select invite.recover_workers(30, ${worker}, ${at}) as recovered`)[0]?.recovered as number;
  t.equal(await recoverAt('2026-01-01 10:00:29Z'), 0);
  t.equal(await recoverAt('2026-01-01 10:00:30Z'), 1);
});

t.test('a worker that stops gives up what it holds, and nothing of another', async (t) => {
  const [stopping, living] = [await createHolder(0), await createHolder(0)];
  t.equal(await store.recoverWorkers(0, stopping.worker), 1);
  t.strictSame(await statuses(stopping.survey), ['queued']);
  t.strictSame(await statuses(living.survey), ['sending']);
  t.equal(await store.recoverWorkers(0, randomUUID()), 0, 'a worker that nobody knows');
});

t.test('a lost worker that held nothing is only deleted', async (t) => {
  const worker = await createWorker(store);
  await clearJobs(sql);
  t.equal(await store.recoverWorkers(0, worker), 1);
  t.equal((await sql`select from graphile_worker._private_jobs`).length, 0);
});

t.test('a heartbeat keeps a worker registered, and registers a lost one again', async (t) => {
  const { worker } = await createHolder(3601);
  await store.recordHeartbeat(worker, `pool-${worker}`, 'test', 1);
  t.equal(await store.recoverWorkers(3600), 0);
  t.equal(await store.recoverWorkers(0, worker), 1);
  await store.recordHeartbeat(worker, `pool-${worker}`, 'test', 1);
  t.equal((await sql`select from invite.workers where id = ${worker}`).length, 1);
});

t.test('an email whose twelve attempts were all lost with their workers has failed, after eleven it is queued', async (t) => {
  for (const [attempts, status] of [
    [11, 'queued'],
    [12, 'failed'],
  ] as const) {
    const { survey, worker } = await createHolder(60);
    await sql`update invite.messages set attempts = ${attempts} where survey_id = ${survey}`;
    await store.recoverWorkers(0, worker);
    t.match((await invitationsOf(sql, survey))[0], { status, last_error_code: 'worker_lost' });
  }
});

t.test('a worker whose runner was restarted unlocks the jobs of the old one', async (t) => {
  const { worker, locks } = await createHolder(0);
  await store.recordHeartbeat(worker, null, 'test', 1);
  t.strictSame(await locks(), [`pool-${worker}`], 'not before the new runner is known');
  await store.recordHeartbeat(worker, 'pool-new', 'test', 1);
  t.strictSame(await locks(), [null]);
});

t.test('what a worker holds under a claim that it does not know of is queued again, with no attempt counted', async (t) => {
  const { survey, worker } = await createHolder(0);
  const [held] = await invitationsOf(sql, survey);
  t.strictSame(await store.heldClaims(worker), [held?.claim_id]);
  t.equal(await store.recoverClaims(worker, [randomUUID()]), 0, 'another claim');
  t.equal(await store.recoverClaims(randomUUID(), [held?.claim_id ?? '']), 0, 'another worker');
  await clearJobs(sql);
  t.equal(await store.recoverClaims(worker, [held?.claim_id ?? '']), 1);
  t.strictSame(await store.heldClaims(worker), []);
  t.match((await invitationsOf(sql, survey))[0], { status: 'queued', attempts: 0, claim_id: null, worker_id: null });
  t.equal((await jobsOf(sql, survey)).length, 1);
});
