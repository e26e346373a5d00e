// Retention: settled invitations lose address and name after RETENTION_DAYS, and everything that reads them still works.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { constraint, idsOf, invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const DAYS = 30;

/** Creates a batch with one invitation that was sent just now. */
async function createSent(reminderDays = 0) {
  const fixture = await createBatch(store, { reminderDays, metadata: { order_id: 'A-1' } });
  const [claimed] = await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
  const id = claimed?.id ?? '';
  await store.settleInvitations([{ id, claim_id: claimed?.claimId ?? '', outcome: 'accepted', relay_message_id: `m-${id}` }]);
  const row = async () => (await sql`select * from invite.invitations where id = ${id}`)[0];
  const link = claimed?.linkToken ?? '';
  return { ...fixture, id, row, link, unsubscribing: unsubscribeToken(id, link) };
}

/** Erases as if so many days had passed. Returns how many invitations were erased, over all tests of this file. */
const eraseIn = async (days: number, maxRows = 5000) =>
  (await sql`select invite.erase_expired(${DAYS}, ${maxRows}, now() + ${days} * interval '1 day') as erased`)[0]?.erased;

const report = (invitation: { id: string }, event: string, type: 'complaint' | 'soft_bounce' = 'complaint') =>
  store.recordRelayEvents('resend', [
    {
      event_id: `${event}-${invitation.id}`,
      type,
      occurred_at: '2030-01-31T09:00:00Z',
      invitation_id: invitation.id,
      relay_message_id: `m-${invitation.id}`,
      email: 'ada@example.com',
      detail: '<ada@example.com> is full',
    },
  ]);
const eventsOf = (id: string) => sql`select type, email, detail from invite.relay_events where invitation_id = ${id}`;

t.test(
  'a settled invitation is erased after the retention, and not a day earlier: address, name, and what quotes them',
  async (t) => {
    const sent = await createSent();
    await report(sent, 'full', 'soft_bounce');
    await sql`update invite.invitations set last_error = '550 <ada@example.com>', last_error_code = '550' where id = ${sent.id}`;
    await eraseIn(29);
    t.match(await sent.row(), { email: 'ada@example.com', name: 'Ada', erased_at: null });
    await eraseIn(31);
    t.match(await sent.row(), {
      email: null,
      name: null,
      last_error: null,
      last_error_code: '550',
      erased_at: Date,
      status: 'sent',
      sent_at: Date,
    });
    t.match(await eventsOf(sent.id), [{ type: 'soft_bounce', email: null, detail: null }]);
  },
);

t.test('what is pending is not erased, however old: queued, waiting, sending, a reminder to come', async (t) => {
  const queued = await createBatch(store, { sendInSeconds: 365 * 86_400 });
  const waiting = await createBatch(store, {}, { state: 'draft' });
  const sending = await createBatch(store);
  const worker = await createWorker(store);
  for (const { survey } of [waiting, sending]) await store.claimInvitations(await idsOf(sql, survey), worker);
  const reminder = await createSent(90);
  await eraseIn(60);
  for (const { survey } of [queued, waiting, sending, reminder]) {
    t.match(await invitationsOf(sql, survey), [{ email: 'ada@example.com', name: 'Ada' }]);
  }
});

for (const [event, change] of [
  ['sent', `sent_at = now() + interval '20 days'`],
  ['reminded', `reminded_at = now() + interval '20 days'`],
  ['responded', `responded_at = now() + interval '20 days'`],
  ['cancelled', `cancelled_at = now() + interval '20 days', status = 'cancelled'`],
  ['failed', `failed_at = now() + interval '20 days', status = 'failed'`],
] as const) {
  t.test(`the retention begins with the last event: ${event}`, async (t) => {
    const sent = await createSent();
    await sql`update invite.invitations set ${sql.unsafe(change)} where id = ${sent.id}`;
    await eraseIn(49);
    t.match(await sent.row(), { email: 'ada@example.com' });
    await eraseIn(51);
    t.match(await sent.row(), { email: null });
  });
}

t.test('what never left and has no other time begins with the acceptance of its batch', async (t) => {
  const { survey } = await createBatch(store);
  await sql`update invite.invitations set status = 'failed', due_at = null, sweep_at = null where survey_id = ${survey}`;
  const [row] = await sql`
    select abs(extract(epoch from b.accepted_at
      - invite.last_event_at(b.id, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.failed_at))) as seconds
    from invite.invitations as i join invite.batches as b on b.id = i.batch_id where i.survey_id = ${survey}`;
  t.ok(Number(row?.seconds) < 0.002, 'to the millisecond');
  await eraseIn(29);
  t.match(await invitationsOf(sql, survey), [{ email: 'ada@example.com' }]);
  await eraseIn(31);
  t.match(await invitationsOf(sql, survey), [{ email: null }]);
});

t.test('an email that fails begins its retention then: by its settle, its claim, or the loss of its workers', async (t) => {
  const worker = await createWorker(store);
  const failed = await createBatch(store);
  const [claimed] = await store.claimInvitations(await idsOf(sql, failed.survey), worker);
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'rejected' }]);
  const suppressed = await createBatch(store);
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${suppressed.workspace}, 'ada@example.com', 'manual')`;
  await store.claimInvitations(await idsOf(sql, suppressed.survey), worker);
  const lost = await createBatch(store);
  await store.claimInvitations(await idsOf(sql, lost.survey), worker);
  await sql`select invite.recover_workers(0, ${worker}, null, 1)`;
  for (const [{ survey }, status] of [
    [failed, 'failed'],
    [suppressed, 'suppressed'],
    [lost, 'failed'],
  ] as const) {
    t.match(await invitationsOf(sql, survey), [{ status, failed_at: Date }]);
  }
});

t.test('a step is bounded, and a full one queues the next', async (t) => {
  await eraseIn(400);
  const { survey } = await createBatch(store, { recipients: [1, 2, 3].map((n) => ({ email: `p${n}@example.com` })) });
  await sql`update invite.invitations set status = 'sent', due_at = null, sweep_at = null where survey_id = ${survey}`;
  const jobs = async () =>
    (await sql`select count(*)::integer as jobs from graphile_worker.jobs where task_identifier = 'erase_expired'`)[0]?.jobs;
  const before = await jobs();
  t.equal(await eraseIn(31, 2), 2);
  t.equal(await jobs(), before + 1);
  t.equal(await eraseIn(31, 2), 1);
  t.equal(await jobs(), before + 1);
});

t.test('a step reads what has expired by its index, and nothing else', async (t) => {
  const { sql: session } = await openSession(database);
  // The tables of a test are so small that PostgreSQL would prefer a scan.
  await session`set enable_seqscan = off`;
  const [row] = await session`
    explain (format json)
    select i.id from invite.invitations as i
    where i.due_at is null and i.erased_at is null
      and invite.last_event_at(i.batch_id, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.failed_at) <= now()
    order by invite.last_event_at(i.batch_id, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.failed_at)
    limit 5000 for update skip locked`;
  const plan = JSON.stringify(row);
  t.match(plan, /"Index Name":"invitations_retained_idx"/);
  t.match(plan, /"Index Cond"/);
  t.notMatch(plan, /"Node Type":"Sort"/);
});

t.test('a response to an erased invitation is recorded, and stands in the Results with the metadata', async (t) => {
  const sent = await createSent();
  await eraseIn(31);
  t.match(await store.surveyPage(sent.survey, sent.link), { link: 'open' });
  t.match(await store.submitResponse(sent.survey, { score: 9 }, sent.link), { outcome: 'recorded' });
  t.match(await store.listResults(sent.survey, 10), [
    { attribution: 'invitation', invitation_id: sent.id, email: null, name: null, metadata: { order_id: 'A-1' } },
  ]);
  t.match(await sent.row(), { email: null, responded_at: Date });
});

t.test('the unsubscribe link of an erased invitation suppresses nobody, and says so', async (t) => {
  const sent = await createSent();
  await eraseIn(31);
  for (const page of [await store.unsubscribePage(sent.unsubscribing), await store.unsubscribe(sent.unsubscribing)]) {
    t.match(page, { workspaceName: 'Acme', email: null, unsubscribed: false });
  }
  t.strictSame([...(await sql`select from invite.suppressions where workspace_id = ${sent.workspace}`)], []);
});

t.test('a complaint that comes after the erasure still suppresses, and its address is not kept with the event', async (t) => {
  const sent = await createSent();
  await eraseIn(31);
  t.equal(await report(sent, 'late'), 1);
  t.match(await sql`select email, reason from invite.suppressions where workspace_id = ${sent.workspace}`, [
    { email: 'ada@example.com', reason: 'complaint' },
  ]);
  t.match(await eventsOf(sent.id), [{ type: 'complaint', email: null, detail: null }]);
  t.equal(await report(sent, 'late'), 0, 'a repeat is known');
});

t.test('a suppression outlives the erasure', async (t) => {
  const sent = await createSent();
  await store.unsubscribe(sent.unsubscribing);
  await eraseIn(31);
  t.match(await sql`select email from invite.suppressed_addresses where workspace_id = ${sent.workspace}`, [
    { email: 'ada@example.com' },
  ]);
});

t.test('an erased invitation can be read, listed and cancelled, and cannot be queued', async (t) => {
  const sent = await createSent();
  await eraseIn(31);
  t.match(await store.listInvitations(sent.batch), [{ email: null, name: null, erased_at: Date }]);
  t.match(await store.findBatch(sent.batch), { status: 'sent', sent: '1' });
  t.match(await store.cancelBatch(sent.batch), { cancelled: 0, alreadySending: 0 });
  const queue = sql`update invite.invitations set status = 'queued', due_at = now(), sweep_at = now() where id = ${sent.id}`;
  t.equal(await constraint(queue), 'invitations_erased');
});

t.test('a step skips what somebody else has, and takes it the next time', async (t) => {
  const sent = await createSent();
  const other = await openSession(database);
  await other.sql`begin`;
  await other.sql`select from invite.invitations where id = ${sent.id} for no key update`;
  await eraseIn(31);
  t.match(await sent.row(), { email: 'ada@example.com' });
  await other.sql`commit`;
  await eraseIn(31);
  t.match(await sent.row(), { email: null });
});

t.test('a step does not erase beside an event that is being recorded: the next finds it, and erases it as well', async (t) => {
  const sent = await createSent();
  const recorder = await openSession(database);
  await recorder.sql`begin`;
  await recorder.sql`
    select invite.record_relay_events('resend', ${sql.json([
      {
        event_id: `beside-${sent.id}`,
        type: 'soft_bounce',
        occurred_at: '2030-01-31',
        invitation_id: sent.id,
        email: 'ada@example.com',
      },
    ])})`;
  await eraseIn(31);
  await recorder.sql`commit`;
  await eraseIn(31);
  t.match(await sent.row(), { email: null });
  t.match(await eventsOf(sent.id), [{ email: null, detail: null }]);
});
