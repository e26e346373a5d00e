// Sending failed emails again: an invitation, a batch or a survey. Each email is sent once, and nothing else is sent.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore, type Settlement } from '../../src/database/store.ts';
import { clearJobs, idsOf, invitationsOf, jobsOf, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));
const AT = '2040-01-01T10:00:00.000Z';

/** Creates a claimed batch. end() settles all of it with one outcome. */
async function createClaimed(count = 1, reminders: number[] = []) {
  const fixture = await createBatch(store, { recipients: people(count), reminders });
  const ids = await idsOf(sql, fixture.survey);
  const worker = await createWorker(store);
  const claim = () => store.claimInvitations(ids, worker);
  const end = async (outcome: Settlement['outcome'], held = claimed) =>
    store.settleInvitations(held.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome, code: 'no', detail: 'No.' })));
  const rows = () => invitationsOf(sql, fixture.survey);
  const claimed = await claim();
  await clearJobs(sql);
  return { ...fixture, ids, claim, end, rows, linkToken: claimed[0]?.linkToken ?? '' };
}

t.test(
  'a failed invitation is queued, due now, with its attempts before it and its error still there, and has a job',
  async (t) => {
    const { survey, ids, end, rows, claim } = await createClaimed();
    await end('rejected');
    const [answer] = await sql`select * from invite.retry_invitation(${ids[0] ?? 0}, ${AT})`;
    t.match(answer, { queued: 1, left_alone: 0, next_id: null });
    const [row] = await rows();
    t.match(row, { status: 'queued', message_kind: 'invitation', attempts: 0, last_error_code: 'no', last_error: 'No.' });
    t.equal(row?.due_at?.toISOString(), AT);
    t.equal(row?.sweep_at?.toISOString(), '2040-01-01T10:00:30.000Z');
    const [job, ...others] = await jobsOf(sql, survey);
    t.match(job, { task: 'send_invitations', payload: { invitation_ids: ids } });
    t.strictSame([job?.run_at, ...others], [new Date(AT)]);
    await sql`update invite.messages set not_before = now() where survey_id = ${survey}`;
    await end('accepted', await claim());
    t.match((await rows())[0], { status: 'sent', attempts: 1, last_error_code: null, last_error: null });
  },
);

t.test('a failed reminder is sent again, and the invitation is not', async (t) => {
  const { survey, batch, end, rows, claim } = await createClaimed(1, [3]);
  await end('accepted');
  await sql`update invite.messages set not_before = now() where survey_id = ${survey} and is_last`;
  await end('rejected', await claim());
  t.match(await store.retryBatch(batch), { queued: 1 });
  t.match((await rows())[0], { status: 'queued', message_kind: 'reminder', sent_at: Date });
  t.match(await claim(), [{ messageKind: 'reminder', attempts: 1 }]);
});

t.test('what has no address any more is left alone, and does not fail the others', async (t) => {
  const { workspace, batch, end, rows } = await createClaimed(2);
  await end('rejected');
  t.match(await store.eraseEmail(workspace, 'person0@example.com', false), { erased: 1 });
  t.match(await store.retryBatch(batch), { queued: 1, leftAlone: 1 });
  t.match(
    (await rows()).map(({ status }) => status),
    ['failed', 'queued'],
  );
});

t.test('whatever has not failed is left as it is', async (t) => {
  const queued = await createBatch(store);
  const sending = await createClaimed();
  const ended = await Promise.all(
    (['accepted', 'suppressed'] as const).map(async (outcome) => {
      const claimed = await createClaimed();
      await claimed.end(outcome);
      return claimed;
    }),
  );
  const cancelled = await createBatch(store);
  await store.cancelBatch(cancelled.batch);
  for (const { survey, batch } of [queued, sending, cancelled, ...ended]) {
    const before = await invitationsOf(sql, survey);
    const [id] = await idsOf(sql, survey);
    t.strictSame(await store.retryBatch(batch), { queued: 0, leftAlone: 0, nextId: null });
    t.match(await store.retryInvitation(String(id)), { queued: 0, leftAlone: 0 });
    t.match(await store.retrySurvey(survey), { queued: 0, leftAlone: 0 });
    t.strictSame(await invitationsOf(sql, survey), before);
  }
});

t.test(
  'a failed one whose recipient has responded, or that was cancelled while it was being sent, is left and counted',
  async (t) => {
    const answered = await createClaimed();
    await answered.end('rejected');
    await store.submitResponse(answered.survey, { score: 9 }, answered.linkToken);
    const cancelled = await createClaimed();
    await store.cancelBatch(cancelled.batch);
    await cancelled.end('rejected');
    for (const { survey, batch, rows } of [answered, cancelled]) {
      t.match(await store.retryBatch(batch), { queued: 0, leftAlone: 1 });
      t.match(await store.retrySurvey(survey), { queued: 0, leftAlone: 1 });
      t.match(await rows(), [{ status: 'failed' }]);
      t.strictSame(await jobsOf(sql, survey), []);
    }
  },
);

t.test('a survey is retried in bounded steps, each failed one once, also one that fails again meanwhile', async (t) => {
  const { survey, ids, end, rows } = await createClaimed(5);
  const other = await createClaimed();
  await end('rejected');
  await other.end('rejected');
  const step = async (after: unknown) => (await sql`select * from invite.retry_survey(${survey}, ${after as string}, 2)`)[0];
  t.match(await step(0), { queued: 2, next_id: String(ids[1]) });
  await sql`
    update invite.messages set status = 'failed', failed_at = now(), not_before = null, sweep_at = null
    where invitation_id = ${ids[0] ?? 0}`;
  t.match(await step(ids[1]), { queued: 2, next_id: String(ids[3]) });
  t.match(await step(ids[3]), { queued: 1, next_id: null });
  t.match(await step(ids[4]), { queued: 0, next_id: null });
  t.strictSame(
    (await rows()).map((row) => row.status),
    ['failed', 'queued', 'queued', 'queued', 'queued'],
  );
  t.match(await other.rows(), [{ status: 'failed' }]);
});

t.test('what does not exist raises P0002', async (t) => {
  for (const retry of [() => store.retryInvitation('-1'), () => store.retryBatch(randomUUID()), () => store.retrySurvey('nope')])
    t.equal(await sqlstate(retry()), 'P0002');
});

t.test('the console role can retry, and the HTTP role cannot', async (t) => {
  const { survey, end } = await createClaimed();
  await end('rejected');
  const [console, http] = (['invite_admin', 'invite_web'] as const).map((role) => {
    const pool = openDatabase(database.urlAs(role), { applicationName: 'tests' });
    t.teardown(() => pool.end());
    return createStore(pool);
  });
  t.equal(await sqlstate(http?.retrySurvey(survey) ?? Promise.resolve()), '42501');
  t.match(await console?.retrySurvey(survey), { queued: 1 });
});

t.test('a step is planned by the partial index of what has failed', async (t) => {
  const session = database.connect();
  await session`set enable_seqscan = off`;
  const plan = await session.unsafe(
    `explain select m.invitation_id from invite.messages as m where m.survey_id = 'x' and m.status = 'failed' and m.invitation_id > 7 order by m.invitation_id limit 9`,
  );
  t.match(JSON.stringify(plan), /messages_failed_idx/);
});
