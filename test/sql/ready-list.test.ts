// The functions that a worker calls for its list and its jobs: workspaces_of, requeue_sends, held_jobs and unlock_jobs.
import t from 'tap';
import { clearJobs, idsOf, jobsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));

t.test('invitations that are queued are found by their workspaces, the others are not', async (t) => {
  const one = await createBatch(store, { recipients: people(3) });
  const two = await createBatch(store, { recipients: people(2) });
  const [first, ...others] = await idsOf(sql, one.survey);
  const second = await idsOf(sql, two.survey);
  await store.claimInvitations([Number(first)], await createWorker(store));
  const found = await store.workspacesOf([Number(first), ...others, ...second, 999_999_999]);
  t.same(
    found.sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0)),
    [
      { workspaceId: one.workspace, ids: others },
      { workspaceId: two.workspace, ids: second },
    ],
  );
  t.same(await store.workspacesOf([]), []);
});

t.test('what is given back gets jobs of at most 100, for now or for later', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(250) });
  const ids = await idsOf(sql, survey);
  for (const seconds of [0, 3600]) {
    await clearJobs(sql);
    await store.requeueSends(ids, seconds);
    const jobs = await jobsOf(sql, survey);
    t.same(
      jobs.map(({ payload }) => payload.invitation_ids?.length ?? 0).sort((a, b) => a - b),
      [50, 100, 100],
    );
    t.ok(jobs.every(({ run_at }) => run_at.getTime() > Date.now() === seconds > 0));
  }
  await clearJobs(sql);
  await store.requeueSends([], 0);
  t.same(await jobsOf(sql, survey), []);
});

t.test('jobs that a runner has had for seconds are found by its name, and only its own are unlocked', async (t) => {
  await clearJobs(sql);
  await createBatch(store, { recipients: people(400) });
  const lock = (job: string, pool: string, seconds: number) => sql`
    update graphile_worker._private_jobs
    set locked_by = ${pool}, locked_at = clock_timestamp() - ${seconds} * interval '1 second', attempts = 1 where id = ${job}`;
  const jobs = (await sql`select id from graphile_worker._private_jobs order by id`).map(({ id }) => String(id));
  const [old = '', fresh = '', other = '', free = ''] = jobs;
  await lock(old, 'ours', 6);
  await lock(fresh, 'ours', -60);
  await lock(other, 'theirs', 6);
  t.same(await store.heldJobs(['ours', 'before']), [old]);
  t.same(await store.heldJobs([]), []);
  t.equal(await store.unlockJobs(['ours', 'before'], [old, other, free]), 1);
  const rows = await sql`select locked_by, attempts from graphile_worker._private_jobs order by id`;
  t.match(rows, [
    { locked_by: null, attempts: 0 },
    { locked_by: 'ours' },
    { locked_by: 'theirs', attempts: 1 },
    { locked_by: null, attempts: 0 },
  ]);
});

t.test('sign-in and test emails go before invitations', async (t) => {
  await clearJobs(sql);
  const { workspace } = await createBatch(store);
  await store.upsertMember(workspace, 'owner@example.com', 'owner');
  await sql`select console.request_sign_in_link('owner@example.com', null)`;
  const [first] = await sql`
    select t.identifier from graphile_worker._private_jobs as j join graphile_worker._private_tasks as t on t.id = j.task_id
    order by j.priority, j.run_at limit 1`;
  t.equal(first?.identifier, 'send_sign_in_link');
});
