// The two views that answer a person's question about a mail: why it has not left, and what happened to it.
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { clearJobs, idsOf, jobsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** What is said of a batch's only mail, to somebody who may read views and nothing else, after a change of its row. */
async function whyUnsent(t: Test, survey: string, change = '') {
  if (change) await sql`update invite.invitations set ${sql.unsafe(change)} where survey_id = ${survey}`;
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  const [row] = await readonly`select why from invite.unsent_mails where survey_id = ${survey}`;
  return row?.why as string | undefined;
}

t.test('of each mail that has not left it is said why, the first reason that holds', async (t) => {
  await sql`delete from invite.workers`;
  const { survey, workspace } = await createBatch(store);
  const why = (change?: string) => whyUnsent(t, survey, change);

  t.equal(await why(), 'no worker lives');
  const worker = await createWorker(store);
  t.equal(await why(), 'its job is about to run');
  const [job] = await jobsOf(sql, survey);
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where id = ${job?.id ?? ''}`;
  t.equal(await why(), 'its job was put off');
  await sql`insert into invite.relays (id, condition, paused_until, code) values ('resend', 'fault', now() + interval '1 minute', 'invalid_api_key')`;
  t.equal(await why(), 'the relay resend is left alone: invalid_api_key');
  await sql`update invite.workers set heartbeat_at = now() - interval '51 seconds'`;
  t.equal(await why(), 'no worker lives', 'which comes before the relay');
  await sql`update invite.workers set heartbeat_at = now()`;
  await sql`update graphile_worker._private_jobs set locked_by = 'worker-1', locked_at = now() where id = ${job?.id ?? ''}`;
  t.equal(await why(), 'its job is running', 'it may be the probe');
  await sql`delete from invite.relays`;
  await clearJobs(sql);
  t.equal(await why(), 'its job is lost: the sweep makes one');

  t.equal(await why(`due_at = now() + interval '1 hour'`), 'it is not due yet');
  t.equal(await why(`last_error_code = 'http_503'`), 'it is tried again later: http_503');
  await sql`update invite.surveys set state = 'closed' where id = ${survey}`;
  t.equal(await why(`due_at = now()`), 'the survey is closed');
  t.equal(await why(`status = 'waiting', sweep_at = null`), 'the survey is closed');
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  t.equal(await why(), 'it is about to be requeued');
  t.equal(await why(`status = 'sending', claim_id = gen_random_uuid(), worker_id = '${worker}'`), 'a worker has it');

  const end = `claim_id = null, worker_id = null, due_at = null`;
  t.equal(await why(`status = 'failed', ${end}`), 'it has failed: http_503');
  t.equal(await why(`status = 'suppressed'`), 'the address was suppressed');
  await sql`insert into invite.suppressions values (${workspace}, 'ada@example.com', 'complaint')`;
  t.equal(await why(), 'the address is suppressed: complaint');
  t.equal(await why(`status = 'cancelled'`), 'it was cancelled');
  t.equal(await why(`status = 'sent', sent_at = now()`), undefined, 'what has left is not there');
});

t.test('the history of an invitation has a row for each event, and for the mail to come', async (t) => {
  const { survey } = await createBatch(store, { sendInSeconds: 60 });
  const events = async () =>
    (await sql`select event, detail from invite.invitation_history where survey_id = ${survey} order by at`).map(
      ({ event, detail }) => [event, detail],
    );
  t.strictSame(await events(), [
    ['accepted', 'scheduled'],
    ['invitation due', 'queued'],
  ]);
  const [id = 0] = await idsOf(sql, survey);
  await sql`
    update invite.invitations
    set mail = 'reminder', relay_message_id = 're_1', sent_at = now() + interval '1 minute', due_at = now() + interval '7 days'
    where id = ${id}`;
  await sql`
    insert into invite.relay_events (relay, event_id, type, occurred_at, invitation_id, detail)
    values ('resend', ${`${survey}-1`}, 'soft_bounce', now() + interval '2 minutes', ${id}, 'Mailbox full')`;
  t.strictSame(await events(), [
    ['accepted', 'scheduled'],
    ['invitation sent', 're_1'],
    ['relay: soft_bounce', 'Mailbox full'],
    ['reminder due', 'queued'],
  ]);
});
