// queue_metrics counts exactly what is due, waiting, being sent and running at a moment. It doesn't read what is scheduled for later.
import t from 'tap';
import { idsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const numbersAt = async (at: string | null) => {
  const [row] = await sql`select * from invite.queue_metrics(30, ${at})`;
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, number]) => [name, Number(number)]));
};
const DAY = 86_400_000;
/** Cancels what is queued of a survey, so that other tests don't count it. */
const cancel = (survey: string) => sql`
  update invite.messages set status = 'cancelled', cancelled_at = now(), not_before = null, sweep_at = null
  where survey_id = ${survey} and status = 'queued'`;
/** Returns the time this many milliseconds after another, as text. */
const after = (time: unknown, ms: number) => new Date(Number(time) + ms).toISOString();

t.test('an empty queue is all noughts', async (t) => {
  t.strictSame(await store.queueMetrics(), { due: 0, overdueSeconds: 0, waiting: 0, sending: 0, workers: 0 });
});

t.test('what is due is counted to the second; what is scheduled, sent or of another status is not', async (t) => {
  const sendAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 30 * DAY);
  const at = (ms: number) => after(sendAt, ms);
  const { survey } = await createBatch(store, { recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }], sendAt });
  t.match(await numbersAt(at(-1)), { due: 0, overdue_seconds: 0 });
  t.match(await numbersAt(at(0)), { due: 2, overdue_seconds: 0 });
  t.match(await numbersAt(at(90_000)), { due: 2, overdue_seconds: 90 });
  t.match(await numbersAt(at(10 * DAY)), { due: 2, overdue_seconds: 864_000 }, 'however long ago');
  await sql`select invite.sweep_invitations(at => ${at(2 * DAY)})`;
  t.match(await numbersAt(at(2 * DAY)), { due: 2 }, 'also after a sweep has moved sweep_at on');
  await cancel(survey);
  t.match(await numbersAt(at(90_000)), { due: 0 });
});

t.test('a reminder is due at its time, and not when the sweep takes it a minute before', async (t) => {
  const { survey } = await createBatch(store, { reminders: [3] });
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  t.match(await numbersAt(null), { due: 0, sending: 1 });
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
  const [row] = await sql`select due_at from test.invitations where survey_id = ${survey}`;
  const at = (ms: number) => after(row?.due_at, ms);
  t.match(await numbersAt(at(-30_000)), { due: 0, sending: 0 });
  await sql`select invite.sweep_invitations(at => ${at(-30_000)})`;
  t.match(await numbersAt(at(-10_000)), { due: 0 });
  t.match(await numbersAt(at(1000)), { due: 1 });
  await cancel(survey);
});

t.test('an email that is tried again, and one of a lost worker, are due when their time comes', async (t) => {
  for (const outcome of ['retry', 'released'] as const) {
    const { survey } = await createBatch(store);
    const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
    await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome }]);
    const [row] = await sql`select due_at from test.invitations where survey_id = ${survey}`;
    t.match(await numbersAt(after(row?.due_at, 1000)), { due: 1 }, outcome);
    await cancel(survey);
  }
  const { survey } = await createBatch(store);
  const worker = await createWorker(store);
  await store.claimInvitations(await idsOf(sql, survey), worker);
  await store.recoverWorkers(0, worker);
  t.match(await numbersAt(null), { due: 1, sending: 0 });
});

t.test('what waits is counted', async (t) => {
  const { survey } = await createBatch(store, {}, { state: 'draft' });
  await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  t.match(await numbersAt(null), { waiting: 1, sending: 0 });
});

t.test('a worker counts as running for 30 seconds after its heartbeat', async (t) => {
  await sql`delete from invite.workers`;
  const worker = await createWorker(store);
  const [row] = await sql`select heartbeat_at from invite.workers where id = ${worker}`;
  const at = (ms: number) => after(row?.heartbeat_at, ms);
  t.match(await numbersAt(at(29_000)), { workers: 1 });
  t.match(await numbersAt(at(31_000)), { workers: 0 });
});

t.test('a million emails scheduled for later are not read', async (t) => {
  await sql`set enable_seqscan = off`;
  const { workspace, survey, batch } = await createBatch(store);
  await sql`
    with created as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email)
      select ${batch}, ${workspace}, ${survey}, n || '@example.com'
      from generate_series(1, 20000) as n
      returning id
    )
    insert into invite.messages (invitation_id, survey_id, due_at, not_before, sweep_at)
    select c.id, ${survey}, now() + interval '2 days', now() + interval '2 days', now() + interval '2 days'
    from created as c`;
  await sql`analyze invite.messages`;
  const rows = await sql`
    explain (analyze, format json, costs off, timing off, buffers off)
    select count(*) from invite.messages as m
    where m.status = 'queued' and m.sweep_at <= now() + interval '2 minutes' and m.not_before <= now()`;
  const plan = JSON.stringify(rows[0]);
  t.match(plan, 'messages_sweep_idx');
  const removed = /"Rows Removed by Filter":(\d+)/.exec(plan)?.[1] ?? '0';
  t.ok(Number(removed) < 100, `${removed} rows read in vain`);
  const [source] = await sql`select pg_get_functiondef('invite.queue_metrics'::regproc) as text`;
  t.ok(source?.text.includes("m.status = 'queued' and m.sweep_at <= n.now + interval '2 minutes' and m.not_before <= n.now"));
});
