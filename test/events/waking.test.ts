// Workers are woken for events and webhooks by the writer, by the schedule, and by the sweep for what was missed. While nothing happens, they
// make no queries for events and webhooks.
import t, { type Test } from 'tap';
import type { Sql } from '../../src/database/pool.ts';
import { createPublisher } from '../../src/events/publisher.ts';
import { createWebhookSender } from '../../src/events/webhook-sender.ts';
import { createWebhooks } from '../../src/events/webhooks.ts';
import type { MessageSender } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { clearJobs, openSession, waitersFor } from '../fixtures/inspect.ts';
import { createReceiver } from '../fixtures/receiver.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';
import { createWebhook, keys } from '../fixtures/webhooks.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const sender = createWebhookSender(['127.0.0.1/32'], 60);
const impatient = createWebhookSender(['127.0.0.1/32'], 1);
t.teardown(() => Promise.all([sender.close(), impatient.close()]));

async function createRecording() {
  const recording = await createSurvey(store, { state: 'draft' });
  await store.setWorkspaceEvents(recording.workspace, true);
  return recording;
}
const setState = (session: Sql, survey: string, state: 'active' | 'closed') =>
  session`update invite.surveys set state = ${state} where id = ${survey}`;
const jobs = async (task: string) =>
  (await sql`select key, run_at from graphile_worker.jobs where task_identifier = ${task} order by id`).map((row) => row);
const publish = () => until('all is published', async () => (await store.publishEvents(1000)) === 0);

async function startWorkerOf(t: Test, of = database) {
  const relay: MessageSender = {
    maxBatch: 1,
    send: async (batch) => batch.map(() => ({ kind: 'accepted', messageId: 'm-1' })),
    close: async () => {},
  };
  const worker = startWorker({
    databaseUrl: of.url,
    databasePool: 2,
    concurrency: 2,
    delivery: {
      sender: relay,
      render: { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } },
      concurrency: 5,
    },
    webhooks: { sender, keys, schedule: [1, 1] },
    log: silent,
  });
  t.teardown(() => worker.stop());
  await worker.started;
  return worker;
}

t.test('where no workspace records events, accepting, delivering and waiting ask for none', async (t) => {
  const own = await createTestDatabase(t);
  await own.sql`create sequence invite.asked`;
  for (const [name, types, parameters, result] of [
    ['uncounted_workspaces', '', '', 'text[]'],
    ['publish_events', 'integer, timestamptz', 'max_rows integer', 'integer'],
    ['rest_publisher', '', '', 'boolean'],
    [
      'claim_webhooks',
      'integer, integer, integer, timestamptz, integer',
      'max_rows integer, lease_seconds integer',
      'setof invite.claimed_webhook',
    ],
  ] as const)
    await own.sql.unsafe(`
      alter function invite.${name}(${types}) rename to was_${name};
      create function invite.${name}(${parameters}) returns ${result} language plpgsql as $$
      begin
        perform nextval('invite.asked');
        return ${{ integer: '0', boolean: 'true', 'text[]': `'{}'`, 'setof invite.claimed_webhook': '' }[result]};
      end $$`);
  await startWorkerOf(t, own);
  const asked = async () => (await own.sql`select last_value::integer as times from invite.asked`)[0]?.times;
  await until('it has looked for what others left', async () => (await asked()) >= 4);
  const { batch } = await createBatch(own.store);
  const sent = () => own.sql`select from test.invitations where batch_id = ${batch} and status = 'sent'`;
  await until('an email is sent', async () => (await sent()).length > 0);
  const beat = async () => (await own.sql`select heartbeat_at::text from invite.workers`)[0]?.heartbeat_at;
  const quiet = await until('nothing is asked from one heartbeat to the next', async () => {
    const [before, last] = [await asked(), await beat()];
    await until('the worker has reported again', async () => (await beat()) !== last);
    return (await asked()) === before;
  });
  t.ok(quiet);
});

t.test('what is no event wakes nobody', async (t) => {
  const fixture = await createSurvey(store);
  await publish();
  await store.restPublisher();
  await clearJobs(sql);
  for (const state of ['closed', 'active'] as const) await setState(sql, fixture.survey, state);
  await store.submitResponse(fixture.survey, { score: 1 }, undefined);
  await store.confirmInvitations();
  t.same(await jobs('publish_events'), []);
});

t.test('an event wakes a worker, which sends it; what fails wakes one when it is due again', async (t) => {
  const receiver = await createReceiver(t, (_, count) => (count === 1 ? 500 : 200));
  const fixture = await createSurvey(store, { state: 'draft' });
  await createWebhook(store, fixture.workspace, receiver.url);
  await startWorkerOf(t);
  await setState(sql, fixture.survey, 'active');
  await until('it has come again', () => receiver.calls.length >= 2);
  t.equal(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size, 1);
  const delivered = () => sql`
    select from invite.webhook_log where workspace_id = ${fixture.workspace} and status = 'delivered' and attempts > 1`;
  await until('it is settled', async () => (await delivered()).length > 0);
});

t.test('a transaction adds one job, and none while a worker is awake', async (t) => {
  const [recording, other] = [await createRecording(), await createRecording()];
  await publish();
  t.ok(await store.restPublisher());
  await clearJobs(sql);
  const { sql: session } = await openSession(database);
  await session`begin`;
  for (const { survey } of [recording, other]) await setState(session, survey, 'active');
  t.equal((await jobs('publish_events')).length, 0, 'not before the commit');
  await session`commit`;
  t.equal((await jobs('publish_events')).length, 1);
  t.ok((await store.publishEvents(1000)) > 0);
  for (const { survey } of [recording, other]) await setState(sql, survey, 'closed');
  t.equal((await jobs('publish_events')).length, 1);
});

t.test('a worker does not rest while a transaction is open that relies on it, nor before its events are published', async (t) => {
  const [recording, late] = [await createRecording(), await createRecording()];
  await setState(sql, recording.survey, 'active');
  t.ok((await store.publishEvents(1000)) > 0, 'awake');
  await clearJobs(sql);
  const { sql: session } = await openSession(database);
  await session`begin`;
  await setState(session, late.survey, 'active');
  await publish();
  t.notOk(await store.restPublisher(), 'it is open');
  await session`commit`;
  t.same(await jobs('publish_events'), [], 'nobody is woken for it');
  t.notOk(await store.restPublisher(), 'it has committed');
  await publish();
  t.ok(await store.restPublisher());
  await setState(sql, late.survey, 'closed');
  t.equal((await jobs('publish_events')).length, 1, 'from now on writers wake one');
  await publish();
});

t.test('a worker says that it rests before it looks for what is left: a writer that comes between wakes one', async (t) => {
  const { sql: looking } = await openSession(database);
  const { sql: blocker } = await openSession(database);
  await publish();
  await sql`select setval('invite.publisher_awake', 1)`;
  await blocker`begin`;
  await blocker`lock table invite.queue_progress in access exclusive mode`;
  // Its look waits for the table.
  const resting = looking`select invite.rest_publisher() as rests`.execute();
  await until('the look waits', async () => (await waitersFor(sql, 'invite.queue_progress')) > 0);
  t.match(await sql`select last_value::integer as awake from invite.publisher_awake`, [{ awake: 0 }]);
  await blocker`commit`;
  t.match(await resting, [{ rests: true }]);
});

t.test('a worker that stops while it is awake hands over', async (t) => {
  const recording = await createRecording();
  await setState(sql, recording.survey, 'active');
  await clearJobs(sql);
  let stopping: Promise<void> | undefined;
  const publisher = createPublisher({
    store: {
      ...store,
      publishEvents: (rows) => {
        stopping ??= publisher.stop();
        return store.publishEvents(rows);
      },
    },
    log: silent,
  });
  publisher.wake();
  await until('it is told to stop', () => stopping !== undefined);
  await stopping;
  t.equal((await jobs('publish_events')).length, 1);

  const receiver = await createReceiver(t);
  const { id } = await createWebhook(store, recording.workspace, receiver.url);
  for (let count = 0; count < 5; count += 1) await store.sendTestWebhook(id);
  await clearJobs(sql);
  const webhooks = createWebhooks({ store, sender, keys, schedule: [1], log: silent });
  webhooks.wake();
  await until('it sends', () => receiver.calls.length > 0);
  await webhooks.stop();
  t.equal((await jobs('send_webhooks')).length, 1);
  await sql`delete from invite.webhook_endpoints`;
});

t.test('a worker whose places are all taken asks others for help', async (t) => {
  const receiver = await createReceiver(t, () => 'hang');
  for (let endpoint = 0; endpoint < 13; endpoint += 1) {
    const { workspace } = await createSurvey(store);
    const { id } = await createWebhook(store, workspace, receiver.url);
    for (let count = 0; count < 4; count += 1) await store.sendTestWebhook(id);
  }
  await clearJobs(sql);
  const webhooks = createWebhooks({ store, sender: impatient, keys, schedule: [1], log: silent });
  webhooks.wake();
  const asked = await until('there is a job', async () => (await jobs('send_webhooks')).find(({ key }) => key === null));
  t.ok(asked.run_at <= new Date(), 'for at once');
  await webhooks.stop();
  await sql`delete from invite.webhook_endpoints`;
});

t.test('the sweep wakes for what a lost worker left, and otherwise for nothing', async (t) => {
  await publish();
  await store.restPublisher();
  await clearJobs(sql);
  await store.healEvents();
  t.same([await jobs('publish_events'), await jobs('send_webhooks')], [[], []]);

  const recording = await createRecording();
  const { id } = await createWebhook(store, recording.workspace, 'https://x.example/');
  await setState(sql, recording.survey, 'active');
  await clearJobs(sql);
  await store.healEvents();
  t.equal((await jobs('publish_events')).length, 1, 'events');
  await publish();
  await clearJobs(sql);
  await sql`select from invite.claim_webhooks(10, 60)`;
  await store.healEvents();
  t.same(await jobs('send_webhooks'), [], 'a worker has it');
  const heal = (seconds: number) => sql`select invite.heal_events(clock_timestamp() + ${seconds} * interval '1 second')`;
  await heal(61);
  t.equal((await jobs('send_webhooks')).length, 1, 'its lease has ended');
  await clearJobs(sql);
  await store.setWebhookPaused(id, true);
  await heal(61);
  t.same(await jobs('send_webhooks'), [], 'a paused one waits');
  await store.setWebhookPaused(id, false);
  t.equal((await jobs('send_webhooks')).length, 1, 'until it is resumed');
  await sql`delete from invite.webhook_endpoints`;
});

t.test('an invitation from SQL wakes one, which gives it its place in the quota', async (t) => {
  const fixture = await createSurvey(store);
  const { token } = await createToken(store, fixture.survey);
  await publish();
  await store.restPublisher();
  await clearJobs(sql);
  await sql`select invite.trigger(${token}, '["ada@example.com"]')`;
  t.equal((await jobs('publish_events')).length, 1);
});

t.test('an attempt that fails has a job for when it is due again', async (t) => {
  const recording = await createRecording();
  const { id } = await createWebhook(store, recording.workspace, 'https://x.example/');
  for (let count = 0; count < 2; count += 1) await store.sendTestWebhook(id);
  await clearJobs(sql);
  const claimed = await store.claimWebhooks(10, 60);
  for (const delivery of claimed) await store.settleWebhook(delivery, [100], { status: 500 });
  const due = await sql`select distinct due_at from invite.webhook_deliveries where endpoint_id = ${id} order by due_at`;
  t.equal(claimed.length, 2);
  t.same(
    (await jobs('send_webhooks')).map(({ run_at }) => run_at).sort(),
    due.map(({ due_at }) => due_at),
  );
});

t.test('what is stuck is shown, until it is healed: unpublished events, and deliveries that nobody claims', async (t) => {
  const broken = async () => (await sql`select code, survey_id, endpoint_id from invite.broken_invariants`).map((row) => row);
  const recording = await createRecording();
  await sql`delete from invite.webhook_endpoints`;
  const { id } = await createWebhook(store, recording.workspace, 'https://x.example/');
  await publish();
  await setState(sql, recording.survey, 'active');
  t.same(await broken(), [], 'it has only just happened');
  await sql`update invite.new_events set written_at = written_at - interval '2 minutes'`;
  t.match(await broken(), [{ code: 'event_unpublished', survey_id: recording.survey }]);
  t.match(
    (await store.brokenInvariants()).filter(({ emails }) => emails > 0),
    [{ code: 'event_unpublished', emails: 1 }],
  );
  await publish();
  t.same(await broken(), []);
  for (let count = 0; count < 2; count += 1) await store.sendTestWebhook(id);
  await sql`update invite.webhook_deliveries set due_at = due_at - interval '2 minutes' where endpoint_id = ${id}`;
  t.match(await broken(), [{ code: 'webhook_overdue', endpoint_id: id }]);
  await store.setWebhookPaused(id, true);
  t.same(await broken(), [], 'a paused one waits');
  await store.setWebhookPaused(id, false);
  await store.claimWebhooks(1, 60);
  t.same(await broken(), [], 'others wait in turn');
  await sql`delete from invite.webhook_endpoints`;
});
