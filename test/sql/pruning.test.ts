// Batches, responses, relay events, audit entries and failed jobs are deleted after their retention, in bounded steps. Other rows must
// stay.
import t from 'tap';
import { clearJobs, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const prune = (days: number, maxRows = 5000) => sql`select invite.prune_expired(${maxRows}, ${inDays(days)})`;
const again = async () => (await sql`select from graphile_worker.jobs where task_identifier = 'prune_expired'`).length;
const left = async (survey: string) => {
  const [row] = await sql`
    select (select count(*)::integer from invite.batches where survey_id = ${survey}) as batches,
      (select count(*)::integer from invite.invitations where survey_id = ${survey}) as invitations,
      (select count(*)::integer from invite.responses where survey_id = ${survey}) as responses`;
  return [row?.batches, row?.invitations, row?.responses];
};
const end = (batch: string) =>
  sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null
    where invitation_id in (select id from invite.invitations where batch_id = ${batch})`;

t.test('batches go whole after their retention, except the newest of a token; their responses stay attributed', async (t) => {
  const fixture = await createBatch(store, { metadata: { order: '1' } });
  const [row] = await sql`select link_token from test.invitations where survey_id = ${fixture.survey}`;
  await store.submitResponse(fixture.survey, { score: 9 }, row?.link_token);
  await end(fixture.batch);
  const pending = await acceptTrigger(
    store,
    fixture.hash,
    { recipients: [{ email: 'bob@example.com' }], sendAt: inDays(300) },
    10_000,
  );
  const newest = await acceptTrigger(store, fixture.hash, { recipients: [{ email: 'eve@example.com' }] }, 10_000);
  await end(newest.outcome === 'accepted' ? newest.batchId : '');
  await prune(5000);
  t.same(await left(fixture.survey), [3, 3, 1], 'for good, unless it is set');

  await store.setRetention('batches', 30);
  t.teardown(() => store.setRetention('batches', null));
  await prune(29);
  t.same(await left(fixture.survey), [3, 3, 1], 'not a day earlier');
  await prune(31);
  t.same(await left(fixture.survey), [2, 2, 1], 'what is pending stays, and the newest');
  t.equal(pending.outcome, 'accepted');
  t.match(await store.listResults(fixture.survey, 10), [{ attribution: 'invitation', metadata: { order: '1' }, email: null }]);
  t.match(await store.listTriggerTokens(fixture.survey), [{ last_accepted_at: Date }]);
  t.equal(
    (await acceptTrigger(store, fixture.hash, { recipients: [{ email: 'x@example.com' }] }, 2)).outcome,
    'flood_protection',
    'the quota still counts',
  );
});

t.test('the newest batch of each token stays, and with it that of the workspace', async (t) => {
  const fixture = await createBatch(store);
  const { token, hash } = await createToken(store, fixture.survey);
  for (let count = 0; count < 2; count += 1)
    await acceptTrigger(store, hash, { recipients: [{ email: 'bob@example.com' }] }, 10_000);
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null
    where survey_id = ${fixture.survey}`;
  await store.setRetention('batches', 30);
  t.teardown(() => store.setRetention('batches', null));
  await prune(31);
  const remaining =
    await sql`select trigger_token_id from invite.batches where survey_id = ${fixture.survey} order by workspace_total`;
  t.same([...remaining], [{ trigger_token_id: fixture.token }, { trigger_token_id: token }]);
});

t.test('a batch to which something has happened since stays, whole', async (t) => {
  const fixture = await createBatch(store, { recipients: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] });
  await end(fixture.batch);
  await acceptTrigger(store, fixture.hash, { recipients: [{ email: 'eve@example.com' }] }, 10_000);
  const [bob] = await sql`
    update invite.messages set is_last = false
    where invitation_id = (select max(id) from invite.invitations where batch_id = ${fixture.batch})
    returning invitation_id`;
  await sql`
    insert into invite.messages (invitation_id, number, survey_id, status, due_at, sent_at)
    values (${bob?.invitation_id}, 1, ${fixture.survey}, 'sent', ${inDays(20)}, ${inDays(20)})`;
  await store.setRetention('batches', 30);
  t.teardown(() => store.setRetention('batches', null));
  await prune(40);
  const messages = async () => (await sql`select from invite.messages where survey_id = ${fixture.survey}`).length;
  t.same([...(await left(fixture.survey)), await messages()], [2, 3, 0, 4]);
  await prune(51);
  t.same([...(await left(fixture.survey)), await messages()], [1, 1, 0, 1], 'its messages go with it');
});

t.test('a step is bounded, and adds a job for the next', async (t) => {
  const fixture = await createBatch(store);
  const recipients = ['eve', 'bob'].map((name) => ({ email: `${name}@example.com` }));
  for (let count = 0; count < 4; count += 1) await acceptTrigger(store, fixture.hash, { recipients }, 10_000);
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null
    where survey_id = ${fixture.survey}`;
  await store.setRetention('batches', 30);
  t.teardown(() => store.setRetention('batches', null));
  await clearJobs(sql);
  await prune(31, 3);
  t.same(await left(fixture.survey), [3, 6, 0], 'a batch goes whole');
  t.equal(await again(), 1);
  await prune(31, 2);
  t.same(await left(fixture.survey), [2, 4, 0]);
  t.equal(await again(), 2);
  await prune(31, 3);
  t.same(await left(fixture.survey), [1, 2, 0]);
  t.equal(await again(), 2, 'no further one');
});

t.test('responses go only if that is set, the oldest first', async (t) => {
  const { survey } = await createBatch(store);
  await store.submitResponse(survey, { score: 9 }, undefined);
  await prune(5000);
  t.equal((await left(survey))[2], 1);
  await store.setRetention('responses', 30);
  t.teardown(() => store.setRetention('responses', null));
  await prune(29);
  t.equal((await left(survey))[2], 1);
  await prune(31);
  t.equal((await left(survey))[2], 0);
});

t.test('relay events, audit entries and failed jobs end by default', async (t) => {
  const fixture = await createBatch(store);
  const [row] = await sql`select id from invite.invitations where batch_id = ${fixture.batch}`;
  await sql`insert into invite.relay_events (relay, event_id, type, occurred_at, invitation_id) values ('resend', 'e', 'delivered', now(), ${row?.id})`;
  await store.setWorkspaceSuspended(fixture.workspace, true);
  await clearJobs(sql);
  await sql`select graphile_worker.add_job('match_relay_events', max_attempts => 1)`;
  await sql`select graphile_worker.add_job('match_relay_events', max_attempts => 2)`;
  await sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'it broke'`;
  await sql`select graphile_worker.add_job('heal_invitations')`;
  const rows = async () => [
    (await sql`select from invite.relay_events`).length,
    (await sql`select from invite.audit_log where workspace_id = ${fixture.workspace}`).length,
    (await sql`select from invite.background_jobs where task = 'match_relay_events'`).length,
  ];
  t.same(
    [...(await sql`select state, last_error from invite.failing_jobs order by id`)],
    [
      { state: 'gave_up', last_error: 'it broke' },
      { state: 'retrying', last_error: 'it broke' },
    ],
    'without the job that has not been tried',
  );
  t.same(
    (await store.countFailingJobs()).sort((a, b) => a.state.localeCompare(b.state)),
    [
      { state: 'gave_up', jobs: 1 },
      { state: 'retrying', jobs: 1 },
    ],
  );
  const [, audited] = await rows();
  await prune(29);
  t.same(await rows(), [1, audited, 2]);
  await prune(31);
  t.same(await rows(), [1, audited, 1], 'one that is tried again stays');
  await prune(366);
  t.same(await rows(), [0, audited, 1]);
  await prune(731);
  t.same(await rows(), [0, 0, 1]);
});

t.test('the view of what grows has each of them with its retention', async (t) => {
  const rows = await store.listGrowth();
  const of = (name: string) => rows.find((row) => row.name === name);
  t.match(of('batches'), { oldest_at: Date, retention_days: null, last_day: /^\d+$/ });
  t.match(of('relay_events'), { retention_days: 365 });
  t.match(of('idempotency_keys'), { retention_days: 1 });
  const [counted] = await sql`select count(*) as invitations from invite.invitations`;
  t.ok(Number(of('invitations')?.last_day) >= Number(counted?.invitations));
});

t.test('a batch that still has invitations is not deleted, by whomever', async (t) => {
  const { batch } = await createBatch(store);
  t.equal(await sqlstate(sql`delete from invite.batches where id = ${batch}`), '23503');
  await sql`delete from invite.invitations where batch_id = ${batch}`;
  t.equal((await sql`delete from invite.batches where id = ${batch}`).count, 1);
});
