// The two views that answer a person's questions about an email: why it hasn't been sent, and what happened to it.
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { clearJobs, idsOf, jobsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Changes the only message of a batch. Returns what the view then says to a role that can only read views. */
async function whyUnsent(t: Test, survey: string, change = '') {
  if (change) await sql`update invite.messages set ${sql.unsafe(change)} where survey_id = ${survey}`;
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  const [row] = await readonly`
    select unsent_reason, hold_reason, suppression_reason, in_words from invite.unsent_messages where survey_id = ${survey}`;
  return row && [row.unsent_reason, row.hold_reason ?? row.suppression_reason, row.in_words];
}

t.test('of each email that has not been sent it is said why, the first reason that applies', async (t) => {
  await sql`delete from invite.workers`;
  const { survey, workspace } = await createBatch(store);
  const why = (change?: string) => whyUnsent(t, survey, change);

  t.same(await why(`sweep_at = now() + interval '1 hour'`), ['no_worker', null, 'no worker is running']);
  const worker = await createWorker(store);
  t.same(await why(), ['ready', null, 'about to be sent']);
  const [job] = await jobsOf(sql, survey);
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where id = ${job?.id ?? ''}`;
  t.same(await why(), ['job_postponed', null, 'its job was postponed']);
  await sql`insert into invite.relays (id, condition, paused_until, code) values ('resend', 'fault', now() + interval '1 hour', 'invalid_api_key')`;
  t.same(
    await why(),
    ['job_postponed', null, 'its job was postponed'],
    'a relay of earlier, which nobody sends to, holds nothing up',
  );
  await sql`update invite.workers set relay = 'resend' where id = ${worker}`;
  t.same(await why(), ['relay_paused', null, 'relay resend is paused: invalid_api_key']);
  await sql`update invite.workers set heartbeat_at = now() - interval '51 seconds'`;
  t.same(await why(), ['no_worker', null, 'no worker is running'], 'which comes before the relay');
  await sql`update invite.workers set heartbeat_at = now()`;
  await sql`update graphile_worker._private_jobs set locked_by = 'worker-1', locked_at = now() where id = ${job?.id ?? ''}`;
  t.same(await why(), ['job_running', null, 'its job is running'], 'it may be the probe');
  await sql`delete from invite.relays`;
  await clearJobs(sql);
  t.same(await why(), ['ready', null, 'about to be sent'], 'a worker may have it in its list');
  t.same(await why('sweep_at = now()'), ['job_lost', null, 'its job is lost: the sweep makes a new one']);

  t.same(await why(`not_before = now() + interval '1 hour'`), ['not_due', null, 'not due yet']);
  t.same(await why(`last_error_code = 'http_503'`), ['retry_later', null, 'will be retried: http_503']);
  await sql`update invite.surveys set state = 'closed' where id = ${survey}`;
  t.same(await why(`not_before = now()`), ['held', 'survey_closed', 'the survey is closed']);
  t.same(await why(`status = 'waiting', sweep_at = null`), ['held', 'survey_closed', 'the survey is closed']);
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  t.same(await why(), ['requeueing', null, 'about to be queued again']);
  t.same(await why(`status = 'sending', claim_id = gen_random_uuid(), worker_id = '${worker}'`), [
    'sending',
    null,
    'a worker is sending it',
  ]);

  const end = `claim_id = null, worker_id = null, not_before = null, failed_at = now()`;
  t.same(await why(`status = 'failed', ${end}`), ['failed', null, 'failed: http_503']);
  t.same(await why(`status = 'suppressed'`), ['suppressed', null, 'the address was suppressed']);
  await sql`insert into invite.suppressions values (${workspace}, 'ada@example.com', 'complaint')`;
  t.same(await why(), ['suppressed', 'complaint', 'the address is suppressed: complaint']);
  t.same(await why(`status = 'cancelled', cancelled_at = now()`), ['cancelled', null, 'cancelled']);
  t.same(await why(`status = 'sent', sent_at = now()`), undefined, 'what was sent is not there');
  t.same(await why(`status = 'answered', skipped_at = now(), sent_at = null`), undefined, 'nor what nobody is to get any more');
});

t.test('the history of an invitation has a row for each event, and for the email to come', async (t) => {
  const { survey } = await createBatch(store, { sendInSeconds: 60 });
  const events = async () =>
    (await sql`select event, detail, in_words from invite.invitation_history where survey_id = ${survey} order by at`).map(
      ({ event, detail, in_words }) => [event, detail, in_words],
    );
  t.strictSame(await events(), [
    ['accepted', 'scheduled', 'request accepted, scheduled'],
    ['invitation_due', 'queued', 'invitation due: queued'],
  ]);
  const [id = 0] = await idsOf(sql, survey);
  await sql`
    update invite.messages
    set status = 'sent', relay_message_id = 're_1', sent_at = now() + interval '1 minute', not_before = null, sweep_at = null, is_last = false
    where invitation_id = ${id}`;
  await sql`
    insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at)
    select ${id}, 1, ${survey}, d.at, d.at, d.at from (select now() + interval '7 days') as d (at)`;
  await sql`
    insert into invite.relay_events (relay, event_id, type, occurred_at, invitation_id, detail)
    values ('resend', ${`${survey}-1`}, 'soft_bounce', now() + interval '2 minutes', ${id}, 'Mailbox full')`;
  t.strictSame(await events(), [
    ['accepted', 'scheduled', 'request accepted, scheduled'],
    ['invitation_sent', 're_1', 'invitation sent, relay id re_1'],
    ['relay_soft_bounce', 'Mailbox full', 'relay reported soft bounce: Mailbox full'],
    ['reminder_due', 'queued', 'reminder due: queued'],
  ]);
});
