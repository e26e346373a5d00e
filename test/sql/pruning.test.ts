// Batches, responses, relay events, audit entries and failed jobs are deleted after their retention, in bounded steps, each kind by
// itself. Other rows must stay.
import t from 'tap';
import { EXPIRING } from '../../src/database/deliveries.ts';
import pruneExpired from '../../tasks/prune_expired.ts';
import { clearJobs, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { SEALED } from '../fixtures/webhooks.ts';

const { sql, store, connectAsAdmin } = await createTestDatabase(t);
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const prune = (days: number, maxRows = 5000) => sql`select test.prune_expired(${maxRows}, ${inDays(days)})`;
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
  await clearJobs(sql);
  await prune(31, 2);
  t.same(await left(fixture.survey), [2, 4, 0]);
  t.equal(await again(), 1);
  await clearJobs(sql);
  await prune(31, 3);
  t.same(await left(fixture.survey), [1, 2, 0]);
  t.equal(await again(), 0, 'no further one');
});

t.test('a job takes one step after the other of a kind, as long as its time lasts', async (t) => {
  const { survey } = await createBatch(store);
  await sql`delete from invite.responses`;
  for (let count = 0; count < 5; count += 1) await store.submitResponse(survey, { score: count }, undefined);
  await store.setRetention('responses', 30);
  t.teardown(() => store.setRetention('responses', null));
  const pruneFor = async (seconds: number) => {
    await clearJobs(sql);
    return (await sql`select invite.prune_expired('responses', ${inDays(31)}, 2, ${seconds}) as pruned`)[0]?.pruned;
  };
  t.equal(await pruneFor(0), 2);
  t.equal((await left(survey))[2], 3);
  t.equal(await again(), 1, 'the next job');
  t.equal(await pruneFor(3600), 3);
  t.equal((await left(survey))[2], 0);
  t.equal(await again(), 0);
});

t.test('rows of one kind that nothing may delete stop no other kind', async (t) => {
  const { survey } = await createBatch(store);
  await store.submitResponse(survey, { score: 9 }, undefined);
  await sql`insert into invite.sign_in_links (email, secret_hash, requested_at, expires_at)
    select 'ada@example.com', 'home0000' || sha256('link'), now() - interval '3 days', now() - interval '2 days'`;
  await sql`update invite.responses set submitted_at = now() - interval '60 days'`;
  await store.setRetention('responses', 30);
  await sql`update invite.retention set effective_at = now() where what = 'responses'`;
  const product = connectAsAdmin();
  await product`create table public.own as select id as link from invite.sign_in_links`;
  await product`alter table public.own add foreign key (link) references invite.sign_in_links (id)`;
  t.teardown(async () => {
    await product`drop table public.own`;
    await store.setRetention('responses', null);
  });
  const job = async () => pruneExpired({ store })(undefined, undefined as never);
  await t.rejects(job(), { code: '23503', constraint_name: 'own_link_fkey' }, 'the job says it');
  t.equal((await left(survey))[2], 0);
});

t.test('the list of what expires is that of SQL', async (t) => {
  const [row] = await sql`select enum_range(null::invite.expiring)::text[] as kinds`;
  t.same(row?.kinds, EXPIRING);
});

t.test('what is kept for a shorter time goes a day later, is counted before, and can be set back', async (t) => {
  const fixture = await createBatch(store);
  const [row] = await sql`select id from invite.invitations where batch_id = ${fixture.batch}`;
  await sql`
    insert into invite.relay_events (relay, event_id, type, occurred_at, recorded_at, invitation_id)
    select 'resend', 'due-' || n, 'delivered', now(), now() - n * interval '10 days', ${row?.id} from generate_series(1, 3) as n`;
  const events = async () => (await sql`select from invite.relay_events where event_id like 'due-%'`).length;
  const due = async () => (await sql`select * from invite.due_for_deletion where what = 'relay_events'`)[0];
  t.match(await due(), { days: 365, effective_at: null, next_days: 365, rows: 0 });
  t.equal(await store.countDue('relay_events', 15), 2, 'before it is set');
  t.equal(await store.countDue('relay_events', null), 0);
  const from = await store.setRetention('relay_events', 15);
  t.ok(from !== null && from > inDays(0.99) && from < inDays(1.01));
  t.match(await due(), { days: 365, effective_at: Date, next_days: 15, rows: 2 });
  await prune(0.9);
  t.equal(await events(), 3);
  await store.setRetention('relay_events', 5);
  await prune(0.9);
  t.equal(await events(), 3, 'changed again, for a day more');
  t.equal(await store.setRetention('relay_events', 365), null, 'as before, at once');
  await prune(2);
  t.equal(await events(), 3);
  await store.setRetention('relay_events', 15);
  await prune(1.1);
  t.equal(await events(), 1);
  t.equal(await store.setRetention('relay_events', 365), null);
  await sql`delete from invite.relay_events`;
});

t.test('each kind is counted as it is deleted', async (t) => {
  const fixture = await createBatch(store, { recipients: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] });
  await end(fixture.batch);
  await acceptTrigger(store, fixture.hash, { recipients: [{ email: 'eve@example.com' }] }, 10_000);
  await store.submitResponse(fixture.survey, { score: 9 }, undefined);
  await sql`select invite.prepare_event_partition(now())`;
  await sql`
    insert into invite.events (position, published_at, workspace_id, type, at, survey_id)
    values (1, now(), ${fixture.workspace}, 'survey.activated', now(), ${fixture.survey})`;
  const counted = async (what: string, days: number) =>
    (await sql`select invite.count_due(${what}::invite.retained, ${days}, ${inDays(38)}) as due`)[0]?.due;
  for (const what of ['batches', 'responses', 'relay_events', 'audit_log'] as const) {
    const [setting] = await sql`select days from invite.retention where what = ${what}`;
    t.equal(await counted(what, 40), 0, what);
    const due = await counted(what, 30);
    await sql`update invite.retention set days = 30 where what = ${what}`;
    const [row] = await sql`select invite.prune_expired(${what}, ${inDays(39)}) as pruned`;
    await sql`update invite.retention set days = ${setting?.days} where what = ${what}`;
    t.equal(row?.pruned, due, what);
    t.equal(await counted(what, 30), 0, what);
  }
  t.same([await counted('failed_jobs', 30), await counted('events', 40), await counted('events', 25)], [0, 0, 1]);
  await sql`delete from invite.events`;
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

t.test('rows from another database, and those of a test workspace that are still to come, keep no other longer', async (t) => {
  const [test, real] = [await createBatch(store), await createBatch(store)];
  for (const { survey } of [test, test, test, real]) await store.submitResponse(survey, { score: 9 }, undefined);
  await sql`update invite.responses set submitted_at = now() + interval '400 days' where survey_id = ${test.survey}`;
  await store.setRetention('responses', 30);
  t.teardown(() => store.setRetention('responses', null));
  const due = async () => (await sql`select invite.count_due('responses', 30, ${inDays(31)}, 2) as rows`)[0]?.rows;
  t.equal(await due(), 1);
  await prune(32, 2);
  t.equal(await due(), 0);
  t.equal((await sql`select from invite.responses where survey_id = ${real.survey}`).length, 0);
  t.equal((await sql`select from invite.responses where survey_id = ${test.survey}`).length, 3);

  const moved = 2 * 2 ** 44;
  for (const on of [true, false, true]) await store.setWorkspaceEvents(real.workspace, on);
  await sql`
    insert into invite.audit_log (id, workspace_id, at, actor, action, subject) overriding system value
    values (${moved}, ${real.workspace}, now() - interval '800 days', 'cli', 'survey_disabled', 'moved here')`;
  const deliver = (id: number | null, days: number) =>
    sql`
      insert into invite.webhook_deliveries (id, endpoint_id, event_id, status, created_at) overriding system value
      select coalesce(${id}::bigint, nextval(pg_get_serial_sequence('invite.webhook_deliveries', 'id'))), e.id, gen_random_uuid(), 'delivered',
        now() - ${days} * interval '1 day'
      from invite.webhook_endpoints as e where e.workspace_id = ${real.workspace}`;
  await sql`
    insert into invite.webhook_endpoints (workspace_id, url, secret) values (${real.workspace}, 'https://example.com', ${SEALED})`;
  for (let count = 0; count < 3; count += 1) await deliver(null, 0);
  await deliver(moved, 800);
  const moves = async () =>
    (
      await sql`
        select from invite.audit_log where id = ${moved} union all select from invite.webhook_deliveries where id = ${moved}`
    ).length;
  t.equal(await moves(), 2);
  const younger = (await sql`select from invite.audit_log where id < ${moved}`).length;
  t.ok(younger > 2);
  await prune(0, 2);
  t.equal(await moves(), 0);
  t.equal((await sql`select from invite.audit_log where id < ${moved}`).length, younger);
});
