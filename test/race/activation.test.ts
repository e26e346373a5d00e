// A claim finds that an email is held while a survey, workspace or plan becomes sendable. The transactions are interleaved by hand.
import t from 'tap';
import { clearJobs, idsOf, invitationsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
await sql`insert into invite.plans (id, api_trigger) values ('basic', false)`;

interface Held {
  readonly workspace: string;
  readonly survey: string;
}

/** For each way to hold email: how to hold it, how to release it, and what the job of the release leads to. */
const holds = [
  {
    name: 'the activation of a survey',
    hold: ({ survey }: Held) => sql`update invite.surveys set state = 'closed' where id = ${survey}`,
    release: (session: typeof sql, { survey }: Held) => session`update invite.surveys set state = 'active' where id = ${survey}`,
  },
  {
    name: 'the enabling of a survey',
    hold: ({ survey }: Held) => sql`update invite.surveys set disabled_at = now() where id = ${survey}`,
    release: (session: typeof sql, { survey }: Held) =>
      session`update invite.surveys set disabled_at = null where id = ${survey}`,
  },
  {
    name: 'the resuming of a workspace',
    hold: ({ workspace }: Held) => sql`update invite.workspaces set suspended_at = now() where id = ${workspace}`,
    release: (session: typeof sql, { workspace }: Held) =>
      session`update invite.workspaces set suspended_at = null where id = ${workspace}`,
  },
  {
    name: 'the resuming of sending for a survey',
    hold: ({ survey }: Held) => store.setSurveyPaused(survey, true),
    release: (session: typeof sql, { survey }: Held) => session`select invite.set_survey_paused(${survey}, false)`,
  },
  {
    name: 'the resuming of sending for a workspace',
    hold: ({ workspace }: Held) => store.setWorkspacePaused(workspace, true),
    release: (session: typeof sql, { workspace }: Held) => session`select invite.set_workspace_paused(${workspace}, false)`,
  },
  {
    name: 'the change to a plan with the API trigger',
    hold: ({ workspace }: Held) => sql`update invite.workspaces set plan_id = 'free' where id = ${workspace}`,
    release: (session: typeof sql, { workspace }: Held) =>
      session`update invite.workspaces set plan_id = 'pro' where id = ${workspace}`,
  },
  {
    name: 'the plan that gets the API trigger',
    hold: async ({ workspace }: Held) => {
      await sql`update invite.plans set api_trigger = false where id = 'basic'`;
      await sql`update invite.workspaces set plan_id = 'basic' where id = ${workspace}`;
    },
    release: (session: typeof sql) => session`update invite.plans set api_trigger = true where id = 'basic'`,
  },
];

/** Runs the requeueing jobs of a survey and its workspace once, as workers would. Returns the number of requeued invitations. */
async function runRequeueJobs({ workspace, survey }: Held): Promise<number> {
  for (const { task } of await jobsOf(sql, workspace)) if (task === 'requeue_workspace') await store.requeueWorkspace(workspace);
  let requeued = 0;
  for (const { task } of await jobsOf(sql, survey))
    if (task === 'requeue_waiting') requeued += await store.requeueWaiting(survey);
  return requeued;
}

async function createHeld(hold: (held: Held) => PromiseLike<unknown>) {
  const held = await createBatch(store);
  await hold(held);
  await clearJobs(sql);
  return { ...held, ids: await idsOf(sql, held.survey), worker: await createWorker(store) };
}

const claimBy = (session: typeof sql, held: { survey: string; ids: number[]; worker: string }) =>
  session`select id from invite.claim_invitations(${held.ids}::bigint[], ${held.worker})`;
const statusOf = async (survey: string) => (await invitationsOf(sql, survey))[0]?.status;

for (const { name, hold, release } of holds) {
  for (const [end, status] of [
    ['commit', 'sending'],
    ['rollback', 'waiting'],
  ] as const) {
    t.test(`a claim that meets ${name} leaves the email queued with a job, and decides after the ${end}`, async (t) => {
      const held = await createHeld(hold);
      const [releaser, claimer] = [await openSession(database), await openSession(database)];
      await releaser.sql`begin`;
      await release(releaser.sql, held);
      await claimer.sql`set lock_timeout = '1s'`;
      t.equal((await claimBy(claimer.sql, held)).length, 0);
      t.same(await claimer.sql`select invite.put_off_invitations(${held.ids}::bigint[], ${held.worker}) as kept`, [{ kept: [] }]);
      t.equal(await statusOf(held.survey), 'queued');
      const jobs = (await jobsOf(sql, held.survey)).filter(({ task }) => task === 'send_invitations');
      t.match(jobs, [{ payload: { invitation_ids: held.ids } }]);
      await releaser.sql.unsafe(end);
      await claimBy(claimer.sql, held);
      t.equal(await statusOf(held.survey), status);
    });
  }

  t.test(`${name} waits for a claim that is writing "waiting", and then requeues what it wrote`, async (t) => {
    const held = await createHeld(hold);
    const [claimer, releaser] = [await openSession(database), await openSession(database)];
    await claimer.sql`begin`;
    await claimBy(claimer.sql, held);
    const released = release(releaser.sql, held).execute();
    await releaser.untilBlocked();
    t.equal(await runRequeueJobs(held), 0, 'no job can have run yet');
    await claimer.sql`commit`;
    await released;
    t.equal(await statusOf(held.survey), 'waiting');
    t.equal(await runRequeueJobs(held), 1);
    t.equal(await statusOf(held.survey), 'queued');
    t.equal((await claimBy(sql, held)).length, 1);
  });
}

t.test('a claim that waits for a survey does not keep another claim of the survey waiting', async (t) => {
  const held = await createHeld(({ survey }) => store.setSurveyState(survey, 'draft'));
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await claimBy(first.sql, held);
  await second.sql`set lock_timeout = '1s'`;
  await t.resolves(claimBy(second.sql, held).execute(), 'shared locks do not conflict');
  await first.sql`commit`;
});

t.test('a product that changes a survey keeps what somebody else has just changed of it', async (t) => {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await first.sql`select invite.set_survey_state(${survey}, 'active')`;
  const renamed = second.sql`select invite.upsert_survey(${workspace}, ${survey}, 'Renamed')`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  await renamed;
  t.match(await sql`select title, state from invite.surveys where id = ${survey}`, [{ title: 'Renamed', state: 'active' }]);
});
