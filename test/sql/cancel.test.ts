// Cancelling an invitation, a batch, an address in a workspace, or a survey. An email that is being sent is marked, and nothing follows it.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore, type Settlement } from '../../src/database/store.ts';
import { constraint, idsOf, invitationsOf, jobsOf, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));
const AT = '2030-01-01 10:00:00Z';

/** Creates a batch with one invitation that a worker is sending. Returns the results that the worker can report. */
async function createSending(reminders: number[] = []) {
  const fixture = await createBatch(store, { reminders });
  const worker = await createWorker(store);
  const [claimed] = await store.claimInvitations(await idsOf(sql, fixture.survey), worker);
  const id = claimed?.id ?? '';
  const settle = (outcome: Settlement['outcome'], maxAttempts = 12) =>
    sql`select invite.settle_invitations(${sql.json([{ id, claim_id: claimed?.claimId ?? '', outcome }])}, ${maxAttempts})`;
  const row = async () => (await invitationsOf(sql, fixture.survey))[0];
  return { ...fixture, worker, id, settle, row, linkToken: claimed?.linkToken ?? '' };
}

t.test('a queued and a waiting invitation are cancelled, and never sent', async (t) => {
  const queued = await createBatch(store, { recipients: people(3), sendInSeconds: 3600 });
  t.strictSame(await store.cancelBatch(queued.batch), { cancelled: 3, reminders: 0, alreadySending: 0, more: false });
  const waiting = await createBatch(store, {}, { state: 'draft' });
  const worker = await createWorker(store);
  const ids = await idsOf(sql, waiting.survey);
  await store.claimInvitations(ids, worker);
  t.match(await store.cancelBatch(waiting.batch), { cancelled: 1 });
  await store.setSurveyState(waiting.survey, 'active');
  t.equal(await store.requeueWaiting(waiting.survey), 0);
  t.strictSame(await store.claimInvitations(ids, worker), []);
  for (const { survey, batch } of [queued, waiting]) {
    for (const row of await invitationsOf(sql, survey)) t.match(row, { status: 'cancelled', due_at: null, sweep_at: null });
    t.match(await store.findBatch(batch), { status: 'cancelled' });
  }
});

t.test('the time of cancelling is an argument, and stays that of the first', async (t) => {
  const { batch, id, row } = await createSending();
  const at = async () => (await sql`select cancelled_at from invite.invitation_overview where id = ${id}`)[0]?.cancelled_at;
  await sql`select invite.cancel_batch(${batch}, ${AT})`;
  t.strictSame(await at(), new Date(AT));
  await sql`select invite.cancel_invitation(${id}, '2031-01-01')`;
  t.strictSame(await at(), new Date(AT));
  t.match(await row(), { status: 'sending' });
});

t.test('a pending reminder is cancelled, and its invitation stays sent', async (t) => {
  const { batch, settle, row, survey, linkToken } = await createSending([3]);
  await settle('accepted');
  t.match(await store.cancelBatch(batch), { cancelled: 1, reminders: 1, alreadySending: 0 });
  t.match(await row(), { status: 'cancelled', message_kind: 'reminder', due_at: null, sent_at: Date, reminded_at: null });
  t.match(await store.findBatch(batch), { status: 'sent', sent: '1', cancelled: '0', reminders_pending: '0' });
  const [answer] = await sql`select outcome from invite.record_response(${survey}, '{"score": 9}', ${linkToken})`;
  t.equal(answer?.outcome, 'recorded', 'a response by its link is still recorded');
  t.match(await row(), { status: 'cancelled', responded_at: Date });
});

for (const [outcome, expected] of [
  ['accepted', { status: 'sent', sent_at: Date, message_kind: 'invitation' }],
  ['retry', { status: 'cancelled', sent_at: null }],
  ['unknown', { status: 'cancelled', sent_at: null }],
  ['unconfirmed', { status: 'cancelled', sent_at: null }],
  ['config', { status: 'cancelled', sent_at: null }],
  ['released', { status: 'cancelled', sent_at: null }],
  ['suppressed', { status: 'suppressed', sent_at: null }],
  ['rejected', { status: 'failed', sent_at: null }],
] as const) {
  t.test(
    `what is cancelled while it is sent, and then settled as ${outcome}, is ${expected.status}: no retry, no reminder`,
    async (t) => {
      const { batch, survey, settle, row } = await createSending([3]);
      t.strictSame(await store.cancelBatch(batch), { cancelled: 0, reminders: 0, alreadySending: 1, more: false });
      t.match(await row(), { status: 'sending', due_at: Date });
      const before = await jobsOf(sql, survey);
      await settle(outcome);
      t.match(await row(), { ...expected, due_at: null, sweep_at: null, claim_id: null });
      t.strictSame(await jobsOf(sql, survey), before, 'no job is added');
      t.match(await store.findBatch(batch), { [expected.status]: '1', reminders_pending: '0' });
    },
  );
}

t.test('a cancelled last attempt is cancelled, not given up', async (t) => {
  const { batch, settle, row } = await createSending();
  await store.cancelBatch(batch);
  await settle('retry', 1);
  t.match(await row(), { status: 'cancelled', last_error_code: null });
});

t.test('what a lost worker was sending when it was cancelled is not sent again', async (t) => {
  const { id, worker, survey, row } = await createSending();
  t.match(await store.cancelInvitation(id), { cancelled: 0, alreadySending: 1 });
  const before = await jobsOf(sql, survey);
  t.equal(await store.recoverWorkers(0, worker), 1);
  t.match(await row(), { status: 'cancelled', due_at: null, last_error_code: 'worker_lost' });
  t.strictSame(await jobsOf(sql, survey), before);
});

t.test('what has ended is left alone: sent, failed, suppressed, cancelled before', async (t) => {
  for (const outcome of ['accepted', 'rejected', 'suppressed'] as const) {
    const { batch, id, settle, row } = await createSending();
    await settle(outcome);
    const before = await row();
    t.match(await store.cancelBatch(batch), { cancelled: 0, alreadySending: 0 }, outcome);
    t.match(await store.cancelInvitation(id), { cancelled: 0, alreadySending: 0 }, outcome);
    t.strictSame(await row(), before);
  }
  const { batch } = await createBatch(store);
  t.match(await store.cancelBatch(batch), { cancelled: 1 });
  t.match(await store.cancelBatch(batch), { cancelled: 0 });
});

t.test('one invitation is cancelled, and its batch goes on', async (t) => {
  const { survey, batch } = await createBatch(store, { recipients: people(2) });
  const [first] = await idsOf(sql, survey);
  t.match(await store.cancelInvitation(String(first)), { cancelled: 1 });
  t.match(await store.findBatch(batch), { status: 'queued', cancelled: '1', queued: '1' });
});

t.test('an address is cancelled in all surveys of its workspace, whatever its case, and nowhere else', async (t) => {
  const one = await createBatch(store, { recipients: [{ email: 'Ada@example.com' }, { email: 'bob@example.com' }] });
  const survey = await store.upsertSurvey({ workspaceId: one.workspace, title: 'Second', state: 'active' });
  const { hash } = await createToken(store, survey);
  await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 100);
  const other = await createBatch(store, { recipients: [{ email: 'ada@example.com' }] });
  t.match(await store.cancelEmail(one.workspace, 'ADA@example.com'), { cancelled: 2 });
  const statuses = async (of: string) => (await invitationsOf(sql, of)).map((row) => row.status);
  t.strictSame(await statuses(one.survey), ['cancelled', 'queued']);
  t.strictSame(await statuses(survey), ['cancelled']);
  t.strictSame(await statuses(other.survey), ['queued']);
  t.match(await store.cancelEmail(one.workspace, 'nobody@example.com'), { cancelled: 0, alreadySending: 0 });
  t.equal((await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 100)).outcome, 'accepted');
  t.strictSame(await statuses(survey), ['cancelled', 'queued'], 'a later request invites again');
});

t.test('all pending of a survey is cancelled in bounded steps; the last marks what is being sent', async (t) => {
  const target = await createBatch(store, { recipients: people(5) });
  const other = await createBatch(store);
  const ids = await idsOf(sql, target.survey);
  const worker = await createWorker(store);
  await store.claimInvitations(ids.slice(0, 1), worker);
  await store.setSurveyState(target.survey, 'draft');
  await store.claimInvitations(ids.slice(1, 2), worker);
  const step = async () => (await sql`select * from invite.cancel_survey(${target.survey}, 3)`)[0];
  t.match(await step(), { cancelled: 3, already_sending: 0, more: true });
  t.match(await step(), { cancelled: 1, already_sending: 1, more: false });
  t.match(await step(), { cancelled: 0, already_sending: 1, more: false });
  t.strictSame(
    (await invitationsOf(sql, target.survey)).map((row) => row.status),
    ['sending', ...Array(4).fill('cancelled')],
  );
  t.equal((await invitationsOf(sql, other.survey))[0]?.status, 'queued');
});

t.test('a step that is exactly full asks for another, which finds nothing', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(2) });
  const step = async () => (await sql`select * from invite.cancel_survey(${survey}, 2)`)[0];
  t.match(await step(), { cancelled: 2, more: true });
  t.match(await step(), { cancelled: 0, more: false });
});

t.test('a batch of which nothing was sent or failed and something was cancelled is cancelled', async (t) => {
  const { workspace, survey, batch } = await createBatch(store, { recipients: people(3) });
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'person0@example.com', 'manual')`;
  await store.claimInvitations((await idsOf(sql, survey)).slice(0, 1), await createWorker(store));
  await store.cancelBatch(batch);
  t.match(await store.findBatch(batch), { status: 'cancelled', suppressed: '1', cancelled: '2' });
});

t.test('the table holds it: what is cancelled can be neither queued nor waiting', async (t) => {
  const { survey, batch } = await createBatch(store);
  await store.cancelBatch(batch);
  for (const [status, sweep] of [
    ['queued', AT],
    ['waiting', null],
  ] as const) {
    const update = sql`
      update invite.messages set status = ${status}::invite.message_status, not_before = now(), sweep_at = ${sweep}
      where survey_id = ${survey}`;
    t.equal(await constraint(update), 'messages_cancelled', status);
  }
});

t.test('what does not exist raises P0002', async (t) => {
  for (const cancel of [
    () => store.cancelInvitation('-1'),
    () => store.cancelBatch(randomUUID()),
    () => store.cancelEmail('nope', 'ada@example.com'),
    () => store.cancelSurvey('nope'),
  ])
    t.equal(await sqlstate(cancel()), 'P0002');
});

t.test('the console role can cancel, and the HTTP role cannot', async (t) => {
  const { survey, workspace } = await createBatch(store);
  const [console, http] = (['invite_admin', 'invite_web'] as const).map((role) => {
    const pool = openDatabase(database.urlAs(role), { applicationName: 'tests' });
    t.teardown(() => pool.end());
    return createStore(pool);
  });
  t.match(await console?.cancelEmail(workspace, 'nobody@example.com'), { cancelled: 0 });
  t.match(await console?.cancelSurvey(survey), { cancelled: 1 });
  t.equal(await sqlstate(http?.cancelSurvey(survey) ?? Promise.resolve()), '42501');
});

t.test('a step is planned by the partial indexes of what is pending', async (t) => {
  const session = database.connect();
  await session`set enable_seqscan = off`;
  for (const status of ['queued', 'waiting', 'sending']) {
    const plan = await session.unsafe(
      `explain select m.invitation_id from invite.messages as m
      where m.survey_id = 'x' and m.status = '${status}' ${status === 'queued' ? 'and m.is_last' : ''}`,
    );
    const index = status === 'queued' ? 'listed' : `${status}(_due)?`;
    t.match(JSON.stringify(plan), new RegExp(`messages_${index}_idx`), status);
  }
});
