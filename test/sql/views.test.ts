// The views: no secrets, the derived status of a batch, what is queued, waiting and failed.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openDatabase } from '../../src/database.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, functions } = database;

t.test('nothing that the analyst can read has a secret hash or a link token', async (t) => {
  const readonly = openDatabase(database.urlAs('invite_readonly'), { applicationName: 'tests' });
  t.teardown(() => readonly.end());
  const [row] = await readonly`
    select
      count(*)::integer as columns,
      array_agg(c.table_name || '.' || c.column_name) filter (where c.column_name ~ 'hash|link|secret|claim') as secrets
    from information_schema.columns as c
    where c.table_schema = 'invite' and has_column_privilege('invite.' || c.table_name, c.column_name, 'select')`;
  t.ok(row?.columns > 100, 'it can read something');
  t.strictSame(row?.secrets, ['trigger_token_overview.secret_hint'], 'the hint is four characters');
});

t.test('no value that the analyst can read is a secret hash or a link token', async (t) => {
  const { survey, hash } = await createBatch(functions);
  const [invitation] = await sql`select link_token from invite.invitations where survey_id = ${survey}`;
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
  t.notOk(text.includes(hash.toString('hex')));
});

/** A batch whose invitations are put into these states; its status. `sent` behind a state: the invitation mail went out before. */
async function statusWith(states: readonly string[], scheduledInSeconds = 0) {
  const { survey, batch } = await createBatch(functions, {
    recipients: states.map((_, index) => ({ email: `person${index}@example.com` })),
    sendInSeconds: scheduledInSeconds,
  });
  const worker = await createWorker(functions);
  const ids = await idsOf(sql, survey);
  for (const [index, state] of states.entries()) {
    const [status = '', sent] = state.split(' ');
    const holds = status === 'sending';
    await sql`
      update invite.invitations
      set status = ${status}::invite.invitation_status,
        due_at = case when ${['queued', 'waiting', 'sending'].includes(status)} then due_at end,
        sweep_at = case when ${status === 'queued'} then sweep_at end,
        claim_id = ${holds ? randomUUID() : null}, worker_id = ${holds ? worker : null},
        mail = ${sent ? 'reminder' : 'invitation'}::invite.mail_kind,
        sent_at = case when ${sent !== undefined || status === 'sent'} then now() end
      where id = ${ids[index] ?? 0}`;
  }
  const row = await functions.findBatch(batch);
  const counts = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'].map((name) => Number(row?.[name]));
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
    ['failed', ['failed', 'failed']],
    ['failed', ['failed', 'suppressed']],
    ['failed', ['suppressed', 'suppressed']],
    ['cancelled', ['cancelled', 'cancelled']],
    ['sent', ['queued sent', 'queued sent']],
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
      await sql`select i.status from ${sql(`invite.${view}`)} as v join invite.invitations as i using (id) where v.batch_id = ${row?.id as string} order by v.id`
    ).map((one) => one.status);
  t.strictSame(await statusesIn('delivery_queue'), ['queued', 'sending']);
  t.strictSame(await statusesIn('waiting_invitations'), ['waiting']);
  t.strictSame(await statusesIn('failed_invitations'), ['failed', 'suppressed']);
  t.equal((await functions.listInvitations(row?.id as string)).length, 7);
});

t.test('batches are listed with the newest first, and an unknown batch is null', async (t) => {
  const { survey } = await createSurvey(functions);
  const { hash } = await createToken(functions, survey);
  for (let count = 0; count < 3; count += 1)
    await functions.acceptTrigger(hash, { recipients: [{ email: 'a@example.com' }] }, 100);
  const batches = await functions.listBatches(survey, 2);
  t.equal(batches.length, 2);
  t.ok((batches[0]?.accepted_at as Date) >= (batches[1]?.accepted_at as Date));
  t.equal(await functions.findBatch(randomUUID()), null);
});
