// A request races with a change that makes it rejected: a suspension, a plan, a disabled survey, or the deletion of its token. The
// transactions are interleaved by hand.
import t from 'tap';
import { invitationsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

interface Fixture {
  readonly workspace: string;
  readonly survey: string;
}

/** For each change: the change, the outcome of a request, and how to undo the change. */
const refusals = [
  {
    name: 'the suspension of the workspace',
    outcome: 'workspace_disabled',
    refuse: (session: typeof sql, { workspace }: Fixture) => session`select invite.set_workspace_suspended(${workspace}, true)`,
    lift: (session: typeof sql, { workspace }: Fixture) => session`select invite.set_workspace_suspended(${workspace}, false)`,
  },
  {
    name: 'the change to a plan without the API trigger',
    outcome: 'plan_required',
    refuse: (session: typeof sql, { workspace }: Fixture) => session`select invite.upsert_workspace(${workspace}, null, 'free')`,
    lift: (session: typeof sql, { workspace }: Fixture) => session`select invite.upsert_workspace(${workspace}, null, 'pro')`,
  },
  {
    name: 'the disabling of the survey',
    outcome: 'survey_disabled',
    refuse: (session: typeof sql, { survey }: Fixture) => session`select invite.set_survey_disabled(${survey}, true)`,
    lift: (session: typeof sql, { survey }: Fixture) => session`select invite.set_survey_disabled(${survey}, false)`,
  },
];

const people = sql.json(Array.from({ length: 150 }, (_, index) => ({ email: `person${index}@example.com` })));
const acceptBy = (session: typeof sql, hash: Buffer) =>
  session`select outcome, batch_id from test.accept_trigger(${hash}, ${people})`;

async function setup() {
  const fixture = await createSurvey(store);
  return { ...fixture, ...(await createToken(store, fixture.survey)) };
}

/** Counts the invitations of a survey and those that have a job. WHOLE means all recipients, each with a job; NOTHING means neither. */
async function queuedOf(survey: string) {
  const jobs = await jobsOf(sql, survey);
  return {
    invitations: (await invitationsOf(sql, survey)).length,
    inJobs: jobs.flatMap((job) => job.payload.invitation_ids).length,
  };
}
const WHOLE = { invitations: 150, inJobs: 150 };
const NOTHING = { invitations: 0, inJobs: 0 };

for (const { name, outcome, refuse, lift } of refusals) {
  t.test(`${name} that commits while a request waits for its token makes it rejected`, async (t) => {
    const fixture = await setup();
    const [holder, caller] = [await openSession(database), await openSession(database)];
    await holder.sql`begin`;
    await holder.sql`select from invite.trigger_tokens where id = ${fixture.token} for update`;
    const answer = acceptBy(caller.sql, fixture.hash).execute();
    await caller.untilBlocked();
    await refuse(sql, fixture);
    await holder.sql`commit`;
    t.equal((await answer)[0]?.outcome, outcome);
    t.same(await queuedOf(fixture.survey), NOTHING);
  });

  t.test(
    `${name} and a request do not wait for each other; what was accepted first is held, and leaves when it is lifted`,
    async (t) => {
      const fixture = await setup();
      const worker = await createWorker(store);
      const [refuser, caller] = [await openSession(database), await openSession(database)];
      for (const { sql } of [refuser, caller]) await sql`set lock_timeout = '1s'`;
      await caller.sql`begin`;
      t.equal((await acceptBy(caller.sql, fixture.hash))[0]?.outcome, 'accepted');
      await refuse(refuser.sql, fixture);
      await caller.sql`commit`;
      t.same(await queuedOf(fixture.survey), WHOLE);
      const ids = (await invitationsOf(sql, fixture.survey)).map(({ id }) => Number(id));
      t.equal((await store.claimInvitations(ids, worker)).length, 0);
      t.ok((await invitationsOf(sql, fixture.survey)).every(({ status }) => status === 'waiting'));
      await lift(sql, fixture);
      t.equal(await store.requeueWaiting(fixture.survey), 150);
      t.equal((await store.claimInvitations(ids, worker)).length, 150);
    },
  );

  t.test(`${name} does not wait for a claim; what was claimed before leaves, and what comes after is held`, async (t) => {
    const fixture = await setup();
    await acceptBy(sql, fixture.hash);
    const worker = await createWorker(store);
    const ids = (await invitationsOf(sql, fixture.survey)).map(({ id }) => Number(id));
    const claimBy = (session: typeof sql, claimed: number[]) =>
      session`select id from invite.claim_invitations(${claimed}::bigint[], ${worker})`;
    const [claimer, refuser] = [await openSession(database), await openSession(database)];
    await refuser.sql`set lock_timeout = '1s'`;
    await claimer.sql`begin`;
    t.equal((await claimBy(claimer.sql, ids.slice(0, 100))).length, 100);
    await refuse(refuser.sql, fixture);
    await claimer.sql`commit`;
    t.equal((await claimBy(sql, ids.slice(100))).length, 0);
    const statuses = (await invitationsOf(sql, fixture.survey)).map(({ status }) => status);
    t.same(statuses, [...Array<string>(100).fill('sending'), ...Array<string>(50).fill('waiting')]);
  });
}

t.test('the deletion of a token waits for the request that it meets, which is accepted whole', async (t) => {
  const fixture = await setup();
  const [caller, deleter] = [await openSession(database), await openSession(database)];
  await caller.sql`begin`;
  t.equal((await acceptBy(caller.sql, fixture.hash))[0]?.outcome, 'accepted');
  const deleted = deleter.sql`select invite.delete_trigger_token(${fixture.token})`.execute();
  await deleter.untilBlocked();
  await caller.sql`commit`;
  await deleted;
  t.same(await queuedOf(fixture.survey), WHOLE);
  const [row] = await sql`
    select t.deleted_at > b.accepted_at as after
    from invite.trigger_tokens as t join invite.batches as b on b.trigger_token_id = t.id where t.id = ${fixture.token}`;
  t.equal(row?.after, true, 'its time is read after the wait');
  t.equal((await acceptBy(sql, fixture.hash))[0]?.outcome, 'unknown_token');
});

t.test(
  'a request that meets the deletion of its token waits for it, and is rejected as a whole, or accepted if it is rolled back',
  async (t) => {
    for (const [end, outcome, queued] of [
      ['commit', 'unknown_token', NOTHING],
      ['rollback', 'accepted', WHOLE],
    ] as const) {
      const fixture = await setup();
      const [deleter, caller] = [await openSession(database), await openSession(database)];
      await deleter.sql`begin`;
      await deleter.sql`select invite.delete_trigger_token(${fixture.token})`;
      const answer = acceptBy(caller.sql, fixture.hash).execute();
      await caller.untilBlocked();
      await deleter.sql.unsafe(end);
      t.equal((await answer)[0]?.outcome, outcome);
      t.same(await queuedOf(fixture.survey), queued);
    }
  },
);
