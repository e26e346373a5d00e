// These problems heal by themselves: waiting emails that nothing requeues, messages whose not_before was moved, and sends without a worker.
// A view shows them until then.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { clearJobs, constraint, idsOf, invitationsOf, jobsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));

/** Returns what is stuck in a survey. */
const broken = async (survey: string) =>
  (await sql`select code from invite.broken_invariants where survey_id = ${survey} order by invitation_id`).map(
    ({ code }) => code,
  );
const statuses = async (survey: string) => (await invitationsOf(sql, survey)).map((row) => row.status);

/** Creates a survey that isn't active, with waiting invitations and an empty queue. */
async function createWaiting(count = 2) {
  const fixture = await createBatch(store, { recipients: people(count) }, { state: 'draft' });
  await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
  await clearJobs(sql);
  return fixture;
}

/** Runs the requeueing jobs of a survey, as workers would. */
async function runRequeueing(survey: string) {
  for (const { task } of await jobsOf(sql, survey)) if (task === 'requeue_waiting') await store.requeueWaiting(survey);
}

/** For each way to forget waiting emails, a function that does it. */
const forgotten: Record<string, (survey: { workspace: string; survey: string }) => Promise<unknown>> = {
  'the job of an activation was deleted': async ({ survey }) => {
    await store.setSurveyState(survey, 'active');
    await clearJobs(sql);
  },
  'it was activated without triggers': async ({ survey }) => {
    const admin = database.connectAsAdmin();
    await admin`set session_replication_role = replica`;
    await admin`update invite.surveys set state = 'active' where id = ${survey}`;
  },
  'its plan got the feature while its workspace moved to that plan': async ({ workspace, survey }) => {
    await store.setSurveyState(survey, 'active');
    await sql`update invite.workspaces set plan_id = 'free' where id = ${workspace}`;
    await sql`insert into invite.plans (id, api_trigger) values ('late', false)`;
    await clearJobs(sql);
    const [planner, mover] = [await openSession(database), await openSession(database)];
    await planner.sql`begin`;
    await planner.sql`update invite.plans set api_trigger = true where id = 'late'`;
    await mover.sql`update invite.workspaces set plan_id = 'late' where id = ${workspace}`;
    // The workspace's job runs before the change of the plan is committed. The plan's trigger didn't see the workspace.
    await store.requeueWorkspace(workspace);
    await runRequeueing(survey);
    await planner.sql`commit`;
    await clearJobs(sql);
  },
};
for (const [name, forget] of Object.entries(forgotten)) {
  t.test(`what waits is requeued although ${name}`, async (t) => {
    const waiting = await createWaiting();
    t.strictSame(await broken(waiting.survey), [], 'it waits for a reason');
    await store.healInvitations();
    t.strictSame(await jobsOf(sql, waiting.survey), []);
    await forget(waiting);
    t.strictSame(await broken(waiting.survey), ['waiting_sendable', 'waiting_sendable']);
    await store.healInvitations();
    t.strictSame(await broken(waiting.survey), [], 'a job is about to requeue it');
    t.equal((await jobsOf(sql, waiting.survey)).length, 1);
    await store.healInvitations();
    t.equal((await jobsOf(sql, waiting.survey)).length, 1, 'no other');
    await runRequeueing(waiting.survey);
    t.strictSame(await statuses(waiting.survey), ['queued', 'queued']);
  });
}

t.test('many surveys are healed in bounded steps, however many rows wait for each', async (t) => {
  const surveys = [await createWaiting(3), await createWaiting(3), await createWaiting(3)];
  for (const { survey } of surveys) await store.setSurveyState(survey, 'active');
  await clearJobs(sql);
  const step = async () => (await sql`select invite.heal_invitations(2) as healed`)[0]?.healed;
  t.equal(await step(), 2);
  t.equal((await sql`select from graphile_worker.jobs where task_identifier = 'heal_invitations'`).length, 1);
  t.equal(await step(), 1);
  for (const { survey } of surveys) {
    t.equal((await jobsOf(sql, survey)).length, 1);
    await runRequeueing(survey);
  }
});

t.test('a survey stays in its workspace', async (t) => {
  const [one, two] = [await createWaiting(), await createWaiting()];
  const move = sql`update invite.surveys set workspace_id = ${two.workspace} where id = ${one.survey}`;
  t.equal(await constraint(move), 'surveys_other_workspace');
  await sql`update invite.surveys set workspace_id = ${one.workspace} where id = ${one.survey}`;
});

t.test('a not_before that was pulled forward by hand is found, and swept next', async (t) => {
  const { survey } = await createBatch(store, { sendAt: new Date(Date.now() + 86_400_000) });
  await sql`update invite.messages set not_before = clock_timestamp() - interval '90 seconds' where survey_id = ${survey}`;
  t.strictSame(await broken(survey), ['queued_put_off']);
  t.equal(await store.healInvitations(), 1);
  t.strictSame(await broken(survey), ['queued_overdue']);
  await store.sweepInvitations();
  const [later, now] = await jobsOf(sql, survey);
  t.ok(
    (later?.run_at ?? 0) > new Date() && (now?.run_at ?? 0) <= new Date(Date.now() + 2000),
    'a job at once, beside the old one',
  );
  t.equal((await store.claimInvitations(await idsOf(sql, survey), await createWorker(store))).length, 1);
  t.strictSame(await broken(survey), []);
});

t.test('what is due is a fault after a minute, unless the relay is paused or its rate is used up', async (t) => {
  await sql`delete from invite.workers`;
  const { survey } = await createBatch(store);
  t.strictSame(await broken(survey), []);
  const since = new Date(Date.now() - 61_000);
  await sql`update invite.messages set not_before = ${since}, sweep_at = ${since} where survey_id = ${survey}`;
  t.match(await sql`select code, invitation_id, since from invite.broken_invariants where survey_id = ${survey}`, [
    { code: 'queued_overdue', invitation_id: String((await idsOf(sql, survey))[0]), since },
  ]);
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  t.equal((await readonly`select from invite.broken_invariants where survey_id = ${survey}`).length, 1, 'for the analyst too');
  await sql`insert into invite.relays (id, condition, paused_until, allowance) values ('r', 'busy', now() + interval '1 hour', 1)`;
  t.strictSame(await broken(survey), ['queued_overdue'], 'of a relay that nobody sends to the pause is not one');
  const worker = await createWorker(store, { relay: { name: 'r', rate: 1 } });
  t.strictSame(await broken(survey), []);
  await sql`update invite.relays set paused_until = null, allowance = 0`;
  t.strictSame(await broken(survey), []);
  await sql`insert into invite.relays (id, condition, paused_until) values ('s', 'busy', now() + interval '1 hour')`;
  const other = await createWorker(store, { relay: { name: 's', rate: undefined } });
  t.strictSame(await broken(survey), [], 'while one relay is paused, the rate of the other counts');
  await sql`delete from invite.workers where id = ${other}`;
  await sql`update invite.workers set rate = null where id = ${worker}`;
  t.strictSame(await broken(survey), ['queued_overdue'], 'a worker without a rate uses none up');
  await sql`update invite.workers set rate = 1 where id = ${worker}`;
  await sql`update invite.relays set allowance_at = now() - interval '2 minutes'`;
  t.strictSame(await broken(survey), ['queued_overdue']);
  await sql`update invite.relays set paused_until = now() + interval '1 hour'`;
  await sql`update invite.workers set heartbeat_at = now() - interval '51 seconds' where id = ${worker}`;
  t.strictSame(await broken(survey), ['queued_overdue'], 'nor once the last worker that sent to it is lost');
  await store.cancelSurvey(survey);
  await sql`delete from invite.relays`;
});

t.test('the view asks once for all, however much is overdue', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(100) });
  await sql`update invite.messages set not_before = now() - interval '2 minutes' where survey_id = ${survey}`;
  const admin = database.connectAsAdmin();
  const most = async () => {
    await admin`select pg_stat_force_next_flush()`;
    return (await admin`select coalesce(max(calls), 0)::int as calls from pg_stat_user_functions`)[0]?.calls;
  };
  await admin`set track_functions = 'all'`;
  const before = await most();
  t.equal((await admin`select from invite.broken_invariants where survey_id = ${survey}`).length, 100);
  t.ok((await most()) - before < 20, 'no function is called for each email');
  await store.cancelSurvey(survey);
});

t.test('what is being sent without a worker is taken back, whichever caller found the worker lost', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(2) });
  const worker = await createWorker(store);
  await store.claimInvitations(await idsOf(sql, survey), worker);
  t.strictSame(await broken(survey), []);
  await sql`update invite.workers set heartbeat_at = now() - interval '2 minutes' where id = ${worker}`;
  t.strictSame(await broken(survey), ['sending_without_worker', 'sending_without_worker']);
  const other = await openSession(database);
  const [first] = await idsOf(sql, survey);
  await other.sql.begin(async (transaction) => {
    await transaction`select from invite.messages where invitation_id = ${first ?? 0} for update`;
    t.equal(await store.recoverWorkers(0, worker), 1);
    t.strictSame(await statuses(survey), ['sending', 'queued'], 'all but the one that somebody has locked');
  });
  t.strictSame(await broken(survey), ['sending_without_worker']);
  t.equal(await store.recoverWorkers(3600), 0);
  t.strictSame(await statuses(survey), ['queued', 'queued']);
  t.strictSame(await broken(survey), []);
});

t.test('each way to be stuck is counted', async (t) => {
  await sql`delete from invite.invitations`;
  const { survey } = await createWaiting(3);
  await store.setSurveyState(survey, 'active');
  await clearJobs(sql);
  t.match(
    (await store.brokenInvariants()).sort((a, b) => a.code.localeCompare(b.code)),
    [
      { code: 'event_unpublished', emails: 0 },
      { code: 'queued_overdue', emails: 0 },
      { code: 'queued_put_off', emails: 0 },
      { code: 'sending_without_worker', emails: 0 },
      { code: 'waiting_sendable', emails: 3 },
      { code: 'webhook_overdue', emails: 0 },
    ],
  );
});

t.test('a batch is rescheduled: what is still to be sent, with a job at the new time', async (t) => {
  const fixture = await createBatch(store, { recipients: people(4), reminders: [1], sendAt: new Date('2040-01-01T00:00:00Z') });
  const { survey, batch } = fixture;
  const ids = await idsOf(sql, survey);
  const [sent, waiting, cancelled, queued] = ids;
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), is_last = false, not_before = null, sweep_at = null
    where invitation_id = ${sent ?? 0}`;
  await sql`
    insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at)
    select m.invitation_id, 1, m.survey_id, m.due_at, m.due_at, m.due_at from invite.messages as m where m.invitation_id = ${sent ?? 0}`;
  await sql`update invite.messages set status = 'waiting', sweep_at = null where invitation_id = ${waiting ?? 0}`;
  await store.cancelInvitation(String(cancelled));
  await clearJobs(sql);
  t.equal(await store.rescheduleBatch(batch, '2039-06-01T08:00:00Z'), 2);
  const rows = await invitationsOf(sql, survey);
  t.strictSame(
    rows.map((row) => [row.status, row.due_at?.toISOString() ?? null]),
    [
      ['queued', '2040-01-01T00:00:00.000Z'],
      ['queued', '2039-06-01T08:00:00.000Z'],
      ['cancelled', null],
      ['queued', '2039-06-01T08:00:00.000Z'],
    ],
  );
  t.match(await jobsOf(sql, survey), [
    { payload: { invitation_ids: [waiting, queued] }, run_at: new Date('2039-06-01T08:00:00Z') },
  ]);
  t.match(await store.findBatch(batch), { scheduled_at: new Date('2039-06-01T08:00:00Z') });

  t.equal(await store.rescheduleBatch(batch, '2020-01-01T00:00:00Z'), 2, 'the past is now');
  t.equal((await store.claimInvitations(ids, await createWorker(store))).length, 2);
  t.equal(await store.rescheduleBatch(batch, '2039-06-01T08:00:00Z'), 0, 'a worker has them');
  t.equal(await sqlstate(store.rescheduleBatch(randomUUID(), '2039-06-01T08:00:00Z')), 'P0002');
});

t.test(
  'a due email that would be swept more than two minutes from now is swept next; one that is swept sooner is left alone',
  async (t) => {
    const { survey } = await createBatch(store, { recipients: people(2) });
    const [late, soon] = await idsOf(sql, survey);
    await sql`
    update invite.messages set not_before = '2030-01-01 09:59:00Z',
      sweep_at = case when invitation_id = ${late as number} then timestamptz '2030-01-01 10:02:01Z' else '2030-01-01 10:02:00Z' end
    where survey_id = ${survey}`;
    await sql`select invite.heal_invitations(at => '2030-01-01 10:00:00Z')`;
    const swept = await sql`select id, sweep_at = due_at as moved from test.invitations where survey_id = ${survey} order by id`;
    t.match(swept, [
      { id: String(late), moved: true },
      { id: String(soon), moved: false },
    ]);
  },
);
