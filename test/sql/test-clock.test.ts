// A test workspace has its own time: what is looked at again, erased or too late there is so by its clock. Its workers run in the present.
import t from 'tap';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';
import { createTestToken } from '../fixtures/test-workspaces.ts';

const { sql, store } = await createTestDatabase(t);
await sql`
  insert into invite.workers (id, hostname, pid, heartbeat_at, jobs_taken_at, late_send_hours)
  values (gen_random_uuid(), 'host', 1, now() + interval '1 hour', now() + interval '1 hour', 24)`;

/** A test workspace whose clock shows another time, with an invitation to Ada there. */
async function createTest(days: number) {
  const real = await createBatch(store);
  const workspace = await store.createTestWorkspace(real.workspace, undefined);
  const [copy] = await sql`select id from invite.surveys where workspace_id = ${workspace}`;
  const survey = String(copy?.id);
  const { hash } = await createTestToken(store, survey);
  await sql`update invite.workspaces set test_now = test_now + ${days} * interval '1 day' where id = ${workspace}`;
  await store.acceptTestTrigger({ secretHash: hash, request: { recipients: [{ email: 'ada@example.com' }] } }, 1000);
  const now = async () => (await sql`select test_now from invite.workspaces where id = ${workspace}`)[0]?.test_now as Date;
  const message = async () => (await sql`select * from invite.messages where survey_id = ${survey}`)[0];
  return { real: real.workspace, workspace, survey, hash, now, message };
}

t.test('what is held is too late by the workers that run now, at whatever time the clock shows', async (t) => {
  for (const days of [0, 400]) {
    const { workspace, survey, hash, now, message } = await createTest(days);
    await store.setSurveyPaused(survey, true);
    await sql`update invite.messages set status = 'waiting', sweep_at = null where survey_id = ${survey}`;
    const [next] =
      await sql`select invite.next_in_test(${workspace}) - test_now as after from invite.workspaces where id = ${workspace}`;
    t.match(String(next?.after), /^(1 day|24:00:00)/, `the clock stops where it is too late: ${next?.after}`);
    await sql`update invite.workspaces set test_now = test_now + interval '25 hours' where id = ${workspace}`;
    const [skipped] =
      await sql`select invite.skip_waiting(100, test_now, id) as count from invite.workspaces where id = ${workspace}`;
    t.equal(skipped?.count, 1);
    t.match(await message(), { status: 'skipped', rule: 'too_late' });
    await sql`update invite.workspaces set rest_days = 7 where id = ${workspace}`;
    const request = { recipients: [{ email: 'bob@example.com' }] };
    const accepted = await store.acceptTestTrigger({ secretHash: hash, request }, 1000);
    const leaveBy = accepted.outcome === 'accepted' && accepted.leaveBy;
    t.equal(Number(leaveBy) - Number(await now()), 24 * 3_600_000, 'the answer to a request says until when');
  }
});

t.test('a choice that is taken back lets an email leave at once, by the clock', async (t) => {
  const { workspace, survey, now, message } = await createTest(-20);
  await sql`update invite.messages set rule = 'resting', not_before = now() + interval '30 days' where survey_id = ${survey}`;
  t.same(await sql`select invite.look_again(${workspace}, 'ada@example.com') as woken`, [{ woken: 1 }]);
  t.same((await message())?.not_before, await now());
});

t.test('an address is erased at the time of the clock', async (t) => {
  const { workspace, survey, now } = await createTest(400);
  t.match(await store.eraseEmail(workspace, 'ada@example.com', false), { erased: 1, cancelled: 1 });
  const [row] = await sql`
    select i.erased_at, m.cancelled_at from invite.invitations as i join invite.messages as m on m.invitation_id = i.id where i.survey_id = ${survey}`;
  t.same(row, { erased_at: await now(), cancelled_at: await now() });
});

t.test('a test workspace that is made while the guard holds the real one can send', async (t) => {
  const { workspace } = await createBatch(store);
  await sql`update invite.workspaces set guarded_at = now(), guard_warned_at = now(), guard_since = now() where id = ${workspace}`;
  const test = await store.createTestWorkspace(workspace, undefined);
  t.strictSame(
    [...(await sql`select guarded_at, guard_warned_at, guard_since from invite.workspaces where id = ${test}`)],
    [{ guarded_at: null, guard_warned_at: null, guard_since: null }],
  );
  t.match(await sql`select guarded_at from invite.workspaces where id = ${workspace}`, [{ guarded_at: Date }]);
});

t.test('a workspace that moves skips nothing: the database where it arrives does', async (t) => {
  const { workspace, survey } = await createBatch(store);
  await store.setSurveyPaused(survey, true);
  await sql`
    update invite.messages set status = 'waiting', due_at = now() - interval '25 hours', sweep_at = null where survey_id = ${survey}`;
  await sql`update invite.surveys set activated_at = now() - interval '30 hours' where id = ${survey}`;
  const skip = async () => (await sql`select invite.skip_waiting(100, now())`)[0]?.skip_waiting;
  await sql`update invite.workspaces set moved_to = 'bbbb' where id = ${workspace}`;
  t.equal(await skip(), 0);
  await sql`update invite.workspaces set moved_to = null where id = ${workspace}`;
  t.equal(await skip(), 1);
});
