// Another transaction holds locks, on each kind of row in turn. They stop only their own rows. The service never waits so long that
// PostgreSQL would end the other transaction as the victim of a deadlock.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { clearJobs, idsOf, invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Creates a customer with its own plan and batches in all states: one that is due, one that is being sent, and a draft that became active. */
async function createCustomer() {
  const plan = randomUUID();
  await sql`insert into invite.plans (id, api_trigger) values (${plan}, true)`;
  const due = await createBatch(store, { recipients: [{ email: 'due@example.com' }] }, { plan });
  const { workspace } = due;
  const batchOf = async (survey: string, email: string) => {
    const token = await createToken(store, survey);
    await acceptTrigger(store, token.hash, { recipients: [{ email }] }, 10_000);
    return { survey, token, ids: await idsOf(sql, survey) };
  };
  const surveyOf = (state: string) => store.upsertSurvey({ workspaceId: workspace, title: 'Survey', state });
  const draft = await batchOf(await surveyOf('draft'), 'draft@example.com');
  const waiting = await batchOf(await surveyOf('draft'), 'waiting@example.com');
  const sending = await batchOf(await surveyOf('active'), 'sending@example.com');
  const worker = await createWorker(store);
  await store.claimInvitations(waiting.ids, worker);
  await store.setSurveyState(waiting.survey, 'active');
  const [claimed] = await store.claimInvitations(sending.ids, worker);
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'sending@example.com', 'unsubscribe')`;
  await sql`update invite.messages set sweep_at = '2020-01-01' where survey_id = ${due.survey}`;
  const [row] = await invitationsOf(sql, due.survey);
  return {
    ...{ plan, workspace, worker, due, draft, waiting, sending },
    linkToken: row?.link_token ?? '',
    ids: [...(await idsOf(sql, due.survey)), ...draft.ids],
    settlement: {
      id: claimed?.id ?? '',
      claim_id: claimed?.claimId ?? '',
      outcome: 'suppressed' as const,
      code: 'x',
      detail: 'x',
    },
  };
}
type Customer = Awaited<ReturnType<typeof createCustomer>>;

/** For each kind of row, a statement that locks it. */
const locks: Record<string, (session: Sql, customer: Customer) => PromiseLike<unknown>> = {
  plan: (session, { plan }) => session`select from invite.plans where id = ${plan} for update`,
  workspace: (session, { workspace }) => session`select from invite.workspaces where id = ${workspace} for update`,
  survey: (session, { due }) => session`select from invite.surveys where id = ${due.survey} for update`,
  'draft survey': (session, { draft }) => session`select from invite.surveys where id = ${draft.survey} for update`,
  token: (session, { due }) => session`select from invite.trigger_tokens where id = ${due.token} for update`,
  batch: (session, { due }) => session`select from invite.batches where id = ${due.batch} for update`,
  invitation: (session, { workspace }) => session`select from invite.invitations where workspace_id = ${workspace} for update`,
  'queued message': (session, { due }) => session`select from invite.messages where survey_id = ${due.survey} for update`,
  'waiting message': (session, { waiting }) =>
    session`select from invite.messages where survey_id = ${waiting.survey} for update`,
  'message that is being sent': (session, { sending }) =>
    session`select from invite.messages where survey_id = ${sending.survey} for update`,
  worker: (session, { worker }) => session`select from invite.workers where id = ${worker} for update`,
  suppression: (session, { workspace }) => session`select from invite.suppressions where workspace_id = ${workspace} for update`,
};

for (const [kind, lock] of Object.entries(locks)) {
  t.test(`a locked ${kind} holds up nothing of others`, async (t) => {
    const [mine, others] = [await createCustomer(), await createCustomer()];
    // Only the two messages that are due remain for the sweep, however long the test takes.
    await sql`update invite.messages set sweep_at = sweep_at + interval '1 day' where sweep_at > '2020-01-01'`;
    await clearJobs(sql);
    const [session, impatient] = [await openSession(database), await openSession(database)];
    await session.sql`begin`;
    await lock(session.sql, mine);
    // Any statement that waits this long fails.
    await impatient.sql`set lock_timeout = '2s'`;
    const traffic = createStore(impatient.sql);

    const both = [...mine.ids, ...others.ids];
    t.equal(await traffic.sweepInvitations(), kind === 'queued message' ? 1 : 2, 'swept');
    const accepted = await acceptTrigger(traffic, others.due.hash, { recipients: [{ email: 'new@example.com' }] }, 10_000);
    t.equal(accepted.outcome, 'accepted');
    const claimed = await traffic.claimInvitations(both, others.worker);
    t.ok(
      claimed.some(({ surveyId }) => surveyId === others.due.survey),
      'claimed',
    );
    t.equal((await invitationsOf(sql, others.draft.survey))[0]?.status, 'waiting', 'held');
    if (kind === 'suppression') {
      t.equal(
        (await traffic.settleInvitations([others.settlement])).settled,
        1,
        'settled by itself: the settler falls back on that',
      );
    } else {
      const outcome = 'accepted' as const;
      const results = [mine.settlement, others.settlement].map((settlement) => ({ ...settlement, outcome }));
      const { settled, locked } = await traffic.settleInvitations(results);
      t.equal(settled + locked.length, 2, 'settled');
      t.ok(!locked.includes(others.settlement.id));
    }
    t.equal(await traffic.requeueWaiting(others.waiting.survey), 1, 'requeued');
    t.equal((await traffic.submitResponse(others.due.survey, { score: 9 }, others.linkToken)).outcome, 'recorded');
    await traffic.recordRelayEvents('mailpit', [
      {
        event_id: randomUUID(),
        type: 'hard_bounce',
        occurred_at: new Date().toISOString(),
        invitation_id: others.ids[0],
      } as never,
    ]);
    await traffic.healInvitations();
    await traffic.recoverWorkers(3600);
    await session.sql`rollback`;

    // After the lock is released, none of the locked rows is lost.
    await traffic.requeueWaiting(mine.waiting.survey);
    await traffic.claimInvitations(mine.ids, others.worker);
    await traffic.settleInvitations([{ ...mine.settlement, outcome: 'accepted' }]);
    const statuses = async (survey: string) => (await invitationsOf(sql, survey))[0]?.status;
    t.equal(await statuses(mine.due.survey), 'sending');
    t.equal(await statuses(mine.draft.survey), 'waiting');
    t.equal(await statuses(mine.waiting.survey), 'queued');
    t.equal(await statuses(mine.sending.survey), 'sent');
  });
}

t.test("a locked row of another relay, or of one's own while it is healthy, holds up nothing", async (t) => {
  const customer = await createCustomer();
  await sql`insert into invite.relays (id) values ('own'), ('other')`;
  await sql`update invite.workers set relay = 'own' where id = ${customer.worker}`;
  const [session, impatient] = [await openSession(database), await openSession(database)];
  await session.sql.begin(async (transaction) => {
    await transaction`select from invite.relays for update`;
    await impatient.sql`set lock_timeout = '2s'`;
    const traffic = createStore(impatient.sql);
    const relay = { name: 'own', rate: undefined };
    t.equal((await traffic.claimInvitations(customer.ids, customer.worker)).length, 1);
    t.equal((await traffic.settleInvitations([{ ...customer.settlement, outcome: 'accepted' }], relay)).settled, 1);
  });
});

t.test('surveys that the product updates in any order beside a claim: neither waits for the other', async (t) => {
  const [one, two] = [await createCustomer(), await createCustomer()];
  const [low = '', high = ''] = [one.draft.survey, two.draft.survey].sort();
  const [product, claimer] = [await openSession(database), await openSession(database)];
  await product.sql`begin`;
  await product.sql`update invite.surveys set title = 'New' where id = ${high}`;
  await claimer.sql`begin`;
  await claimer.sql`set lock_timeout = '2s'`;
  await createStore(claimer.sql).claimInvitations([...one.ids, ...two.ids], one.worker);
  const update = product.sql`update invite.surveys set title = 'New' where id = ${low}`.execute();
  await product.untilBlocked();
  await claimer.sql`commit`;
  await t.resolves(update, 'the product goes on');
  await product.sql`commit`;
  t.equal((await invitationsOf(sql, low))[0]?.status, 'waiting');
  t.equal((await invitationsOf(sql, high))[0]?.status, 'queued', 'left for the next job');
});

t.test('messages that the product updates in any order beside a settle: neither waits for the other', async (t) => {
  const [one, two] = [await createCustomer(), await createCustomer()];
  const [product, settler] = [await openSession(database), await openSession(database)];
  await product.sql`begin`;
  await product.sql`update invite.messages set last_error = 'New' where invitation_id = ${two.settlement.id}`;
  await settler.sql`begin`;
  await settler.sql`set lock_timeout = '2s'`;
  t.match(await createStore(settler.sql).settleInvitations([one.settlement, two.settlement]), {
    settled: 1,
    locked: [two.settlement.id],
  });
  const update = product.sql`update invite.messages set last_error = 'New' where invitation_id = ${one.settlement.id}`.execute();
  await product.untilBlocked();
  await settler.sql`commit`;
  await t.resolves(update);
  await product.sql`commit`;
  t.match(await store.settleInvitations([two.settlement]), { settled: 1, locked: [] });
});

t.test('invitations that the product updates beside a claim and a settle: neither waits for the other', async (t) => {
  const customer = await createCustomer();
  const [product, impatient] = [await openSession(database), await openSession(database)];
  await product.sql`set lock_timeout = '2s'`;
  await impatient.sql`set lock_timeout = '2s'`;
  const service = createStore(impatient.sql);
  const [id = 0] = customer.ids;
  await product.sql`begin`;
  await product.sql`update invite.invitations set name = 'New' where workspace_id = ${customer.workspace} and id <> ${id}`;
  await impatient.sql`begin`;
  t.match(await service.settleInvitations([customer.settlement]), { settled: 1, locked: [] });
  t.match(await service.claimInvitations([id], customer.worker), [{ id: String(id) }]);
  await t.resolves(product.sql`update invite.invitations set name = 'New' where id = ${id}`.execute());
  await product.sql`commit`;
  await impatient.sql`commit`;
});

t.test('what waits gives up before PostgreSQL looks for a deadlock', async (t) => {
  const pool = openDatabase(database.url, { applicationName: 'tests' });
  t.teardown(() => pool.end());
  const [row] = await pool`
    select
      (select setting::integer from pg_settings where name = 'lock_timeout') as lock_timeout,
      (select setting::integer from pg_settings where name = 'deadlock_timeout') as deadlock_timeout`;
  t.ok(row?.lock_timeout > 0 && row?.lock_timeout <= row?.deadlock_timeout / 2, JSON.stringify(row));
});

t.test('what is as it should be is neither written nor locked', async (t) => {
  const { workspace, due } = await createCustomer();
  await store.upsertMember(workspace, 'ada@example.com', 'owner');
  const [session, impatient] = [await openSession(database), await openSession(database)];
  const [before] = await sql`
    select s.ctid as survey, w.ctid as workspace, s.title, w.name, w.plan_id
    from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where s.id = ${due.survey}`;
  await session.sql.begin(async (transaction) => {
    await transaction`select from invite.surveys where id = ${due.survey} for update`;
    await transaction`select from invite.workspaces where id = ${workspace} for update`;
    await transaction`select from invite.members where workspace_id = ${workspace} for update`;
    await impatient.sql`set lock_timeout = '2s'`;
    const product = createStore(impatient.sql);
    await product.upsertWorkspace({ id: workspace, name: before?.name, plan: before?.plan_id });
    await product.upsertWorkspace({ id: workspace });
    await product.upsertSurvey({ workspaceId: workspace, id: due.survey, title: before?.title, state: 'active' });
    await product.upsertMember(workspace, 'Ada@example.com', 'owner');
  });
  const [after] = await sql`
    select s.ctid as survey, w.ctid as workspace
    from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where s.id = ${due.survey}`;
  t.match(after, { survey: before?.survey, workspace: before?.workspace });
});
