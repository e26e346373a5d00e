// The views: they show no secrets, the derived status of a batch, and what is queued, waiting and failed.
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { clearJobs, idsOf, jobsOf } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

t.test('nothing that the analyst can read has a secret hash or a link token', async (t) => {
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  const [row] = await readonly`
    select
      count(*)::integer as columns,
      array_agg(c.table_name || '.' || c.column_name order by c.table_name) filter (where c.column_name ~ 'hash|link|secret|claim' and c.column_name <> 'link_days') as secrets
    from information_schema.columns as c
    where c.table_schema = 'invite' and has_column_privilege('invite.' || c.table_name, c.column_name, 'select')`;
  t.ok(row?.columns > 100, 'it can read something');
  t.strictSame(
    row?.secrets.sort(),
    [
      'rejected_requests.secret_hint',
      'trigger_token_overview.previous_secret_hint',
      'trigger_token_overview.previous_secret_until',
      'trigger_token_overview.secret_hint',
    ],
    'the hints are four characters',
  );
});

t.test('the planner puts the rule of what is held into the query, for the analyst too', async (t) => {
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  const plan =
    await readonly`explain (verbose) select hold_reason, in_words from invite.survey_overview where hold_reason is not null`;
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  t.match(text, /suspended_at/, 'the plan has the rule');
  t.notMatch(text, /hold_reason(_in_words)?\(/, 'and calls no function');
});

t.test('no value that the analyst can read is a secret hash or a link token', async (t) => {
  const { survey, hash } = await createBatch(store);
  const [invitation] = await sql`
    select i.secret::text as secret, invite.link_token(i) as link_token from invite.invitations as i where i.survey_id = ${survey}`;
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  const relations = await readonly`
    select c.oid::regclass::text as name from pg_class as c
    where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'v') and has_table_privilege(c.oid, 'select')`;
  t.ok(relations.length >= 15);
  let text = '';
  for (const { name } of relations)
    text += JSON.stringify(await readonly.unsafe(`select to_jsonb(r)::text as row from ${name} as r`));
  t.ok(text.includes(survey));
  t.notOk(text.includes(invitation?.link_token));
  t.notOk(text.includes(invitation?.secret), 'nor what makes the link');
  t.notOk(text.includes(hash.toString('hex')));
});

/** Creates a batch whose invitations have these states. Returns its status. With `sent` after a state, it is that of the reminder. */
async function statusWith(states: readonly string[], scheduledInSeconds = 0) {
  const { survey, batch } = await createBatch(store, {
    recipients: states.map((_, index) => ({ email: `person${index}@example.com` })),
    sendInSeconds: scheduledInSeconds,
  });
  const worker = await createWorker(store);
  const ids = await idsOf(sql, survey);
  for (const [index, state] of states.entries()) {
    const [shown = '', sent] = state.split(' ');
    const status = shown === 'deferred' ? 'queued' : shown;
    const holds = status === 'sending';
    const id = ids[index] ?? 0;
    if (sent) {
      await sql`
        insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at)
        select invitation_id, 1, survey_id, due_at, not_before, sweep_at from invite.messages where invitation_id = ${id}`;
      await sql`
        update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null, is_last = false
        where invitation_id = ${id} and number = 0`;
    }
    await sql`
      update invite.messages
      set status = ${status}::invite.message_status,
        not_before = case when ${['queued', 'waiting', 'sending'].includes(status)} then not_before end,
        sweep_at = case when ${status === 'queued'} then sweep_at end,
        rule = case when ${shown === 'deferred'} then 'resting'::invite.unsent_reason end,
        claim_id = ${holds ? randomUUID() : null}, worker_id = ${holds ? worker : null},
        sent_at = case when ${status === 'sent'} then now() end,
        failed_at = case when ${['failed', 'suppressed'].includes(status)} then now() end,
        skipped_at = case when ${['answered', 'skipped'].includes(status)} then now() end,
        cancelled_at = case when ${status === 'cancelled'} then now() end
      where invitation_id = ${id} and is_last`;
  }
  const row = await store.findBatch(batch);
  const counts = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled', 'skipped'].map((name) =>
    Number(row?.[name]),
  );
  return { status: row?.status, total: counts.reduce((sum, count) => sum + count), row };
}

t.test("a batch's status is derived from its invitations", async (t) => {
  for (const [expected, states] of [
    ['queued', ['queued', 'queued']],
    ['queued', ['queued', 'failed']],
    ['waiting', ['waiting', 'waiting']],
    ['waiting', ['waiting', 'sent']],
    ['sending', ['sending', 'queued']],
    ['sending', ['sent', 'queued']],
    ['sending', ['sending', 'waiting']],
    ['sent', ['sent', 'sent']],
    ['sent', ['sent', 'suppressed']],
    ['sent', ['sent', 'cancelled']],
    ['partly_failed', ['sent', 'failed']],
    ['deferred', ['deferred', 'sent']],
    ['deferred', ['deferred', 'failed']],
    ['waiting', ['deferred', 'waiting']],
    ['queued', ['deferred', 'queued']],
    ['sent', ['sent', 'skipped']],
    ['skipped', ['skipped', 'skipped']],
    ['failed', ['failed', 'failed']],
    ['failed', ['failed', 'suppressed']],
    ['failed', ['suppressed', 'suppressed']],
    ['cancelled', ['cancelled', 'cancelled']],
    ['sent', ['answered', 'answered']],
    ['partly_failed', ['answered', 'failed']],
    ['sent', ['queued sent', 'queued sent']],
    ['sent', ['answered sent', 'sent']],
    ['sent', ['sending sent', 'failed sent']],
  ] as const) {
    const { status, total } = await statusWith(states);
    t.equal(status, expected, states.join(', '));
    t.equal(total, 2, 'the counts add up to the recipients');
  }
});

t.test('a batch is scheduled until its time comes, and queued from then on', async (t) => {
  t.equal((await statusWith(['queued'], 3600)).status, 'scheduled');
  t.equal((await statusWith(['queued'], 0)).status, 'queued');
});

t.test('reminders are counted apart from invitations', async (t) => {
  const { row } = await statusWith(['queued sent', 'waiting sent', 'sent']);
  t.match(row, { sent: '3', queued: '0', waiting: '0', reminders_pending: '2', reminded: '0' });
});

t.test('the queue, what waits and what has failed are three views', async (t) => {
  const { row } = await statusWith(['queued', 'sending', 'waiting', 'failed', 'suppressed', 'sent', 'cancelled']);
  const statusesIn = async (view: string) =>
    (
      await sql`select i.status from ${sql(`invite.${view}`)} as v join test.invitations as i using (id) where v.batch_id = ${row?.id as string} order by v.id`
    ).map((invitation) => invitation.status);
  t.strictSame(await statusesIn('delivery_queue'), ['queued', 'sending']);
  t.strictSame(await statusesIn('waiting_invitations'), ['waiting']);
  t.strictSame(await statusesIn('failed_invitations'), ['failed', 'suppressed']);
  t.equal((await store.listInvitations(row?.id as string)).length, 7);
});

/** Returns what a view shows about the jobs of a survey's invitations, to a role that can only read views. */
async function jobsInQueue(t: Test, survey: string) {
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  const rows = await readonly`
    select job_id, job_run_at, job_locked_by from invite.delivery_queue where survey_id = ${survey} order by id`;
  return rows.map((row) => ({ ...row }) as Record<string, unknown>);
}

t.test('the queue says which job is to send an invitation, and when', async (t) => {
  const { survey } = await createBatch(store, {
    recipients: Array.from({ length: 101 }, (_, index) => ({ email: `person${index}@example.com` })),
    sendAt: new Date('2030-01-31T09:00:00Z'),
  });
  const jobs = (await jobsOf(sql, survey)).sort(
    (a, b) => Number(a.payload.invitation_ids?.[0]) - Number(b.payload.invitation_ids?.[0]),
  );
  t.equal(jobs.length, 2);
  const rows = await jobsInQueue(t, survey);
  t.equal(rows.length, 101, 'each is there once');
  const run = { job_run_at: new Date('2030-01-31T09:00:00Z'), job_locked_by: null };
  t.strictSame(rows[0], { job_id: jobs[0]?.id, ...run });
  t.strictSame(rows[100], { job_id: jobs[1]?.id, ...run });
});

t.test('of several jobs the queue names the one that runs, or runs first, and none that has used up its attempts', async (t) => {
  const { survey } = await createBatch(store);
  const [id = 0] = await idsOf(sql, survey);
  const add = async (runAt: string, change = '') => {
    const [job] = await sql`
      select id from graphile_worker.add_job(
        'send_invitations', ${sql.json({ invitation_ids: [id] })}::json, run_at => ${runAt}::timestamptz)`;
    if (change) await sql`update graphile_worker._private_jobs set ${sql.unsafe(change)} where id = ${job?.id}`;
    return job?.id;
  };
  await add('2000-01-01', 'attempts = max_attempts');
  const first = await add('2001-01-01');
  t.match(await jobsInQueue(t, survey), [{ job_id: first, job_locked_by: null }]);
  const running = await add('2002-01-01', `attempts = max_attempts, locked_by = 'worker-1', locked_at = now()`);
  t.match(await jobsInQueue(t, survey), [{ job_id: running, job_locked_by: 'worker-1' }]);
  await clearJobs(sql);
  t.strictSame(await jobsInQueue(t, survey), [{ job_id: null, job_run_at: null, job_locked_by: null }]);
});

t.test('who does not ask the queue for the jobs does not pay for them', async (t) => {
  const planOf = async (columns: string) =>
    JSON.stringify(await sql.unsafe(`explain (format json) select ${columns} from invite.delivery_queue where survey_id = 'x'`));
  t.match(await planOf('*'), /_private_jobs/);
  t.notMatch(await planOf('count(*), max(overdue_by)'), /_private_jobs/);
  t.notMatch(await planOf('id, email, message_kind, status, due_at, attempts, last_error, worker_id'), /_private_jobs/);
});

t.test('batches are listed with the newest first, and an unknown batch is null', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  for (let count = 0; count < 3; count += 1) await acceptTrigger(store, hash, { recipients: [{ email: 'a@example.com' }] }, 100);
  const batches = await store.listBatches(survey, 2);
  t.equal(batches.length, 2);
  t.ok((batches[0]?.accepted_at as Date) >= (batches[1]?.accepted_at as Date));
  t.equal(await store.findBatch(randomUUID()), null);
});

t.test('every view and every column of a view says what it is; a second migrate says the same', async (t) => {
  const comments = () => sql`
    select c.relname || coalesce('.' || a.attname, '') as name, col_description(c.oid, coalesce(a.attnum, 0)) as column_comment, obj_description(c.oid) as comment
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'invite'::regnamespace and c.relkind = 'v'
    order by 1`;
  const first = await comments();
  t.ok(first.length > 200);
  t.same(
    first.filter((row) => !row.comment || !row.column_comment).map(({ name }) => name),
    [],
  );
  t.match(
    first.find(({ name }) => name === 'unsent_messages.hold_reason'),
    { column_comment: 'Why its email is held' },
  );
  await migrate(database.url);
  t.same(await comments(), first);
});

t.test('emails of the last minutes are counted, whether a reminder, a response or nothing follows them', async (t) => {
  const sent = async (reminders: number[], count: number) => {
    const recipients = Array.from({ length: count }, (_, n) => ({ email: `person${n}@example.com` }));
    const fixture = await createBatch(store, { reminders, recipients });
    const claimed = await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
    await store.settleInvitations(claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'accepted' as const })));
    return { ...fixture, claimed };
  };
  const counted = async () => {
    const [row] = await sql`
      select coalesce(sum(invitations), 0)::integer as invitations, coalesce(sum(reminders), 0)::integer as reminders from invite.emails_per_minute`;
    return [row?.invitations, row?.reminders];
  };
  const [invitations, reminders] = await counted();
  const increase = async () => (await counted()).map((count, place) => count - [invitations, reminders][place]);
  const responded = await sent([], 3);
  await store.submitResponse(responded.survey, { score: 9 }, responded.claimed[0]?.linkToken);
  await sent([365], 2);
  t.same(await increase(), [5, 0]);
  const reminded = await sent([7], 1);
  await sql`update invite.messages set sent_at = now() - interval '7 days' where survey_id = ${reminded.survey} and number = 0`;
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null
    where survey_id = ${reminded.survey} and number = 1`;
  t.same(await increase(), [5, 1]);
  for (const days of [[], [7]]) {
    const earlier = await sent(days, 1);
    await sql`
      update invite.messages set sent_at = sent_at - interval '16 minutes', not_before = not_before - interval '16 minutes', sweep_at = sweep_at - interval '16 minutes'
      where survey_id = ${earlier.survey}`;
  }
  t.same(await increase(), [5, 1], 'a quarter of an hour only');
});

t.test('what leaves in the next hour is counted by survey, and what is held is said to wait', async (t) => {
  const recipients = [{ email: 'ada@example.com' }, { email: 'bob@example.com' }];
  const soon = await createBatch(store, { recipients, sendInSeconds: 600 });
  const later = await createBatch(store, { recipients, sendInSeconds: 7200 });
  const held = await createBatch(store, { sendInSeconds: 600 });
  await store.setSurveyPaused(held.survey, true);
  const surveys = [soon.survey, later.survey, held.survey];
  t.match(
    await sql`select survey_id, emails, hold_reason, first_due_at from invite.due_next_hour where survey_id = any (${surveys}) order by emails desc`,
    [
      { survey_id: soon.survey, emails: '2', hold_reason: null, first_due_at: Date },
      { survey_id: held.survey, emails: '1', hold_reason: 'survey_paused' },
    ],
  );
});
