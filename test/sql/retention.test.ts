// Retention: settled invitations lose address and name after RETENTION_DAYS, and everything that reads them still works.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { constraint, idsOf, invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const DAYS = 30;

/** Creates a batch with one invitation that was sent just now. */
async function createSent(reminders: number[] = []) {
  const fixture = await createBatch(store, { reminders, metadata: { order_id: 'A-1' } });
  const [claimed] = await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
  const id = claimed?.id ?? '';
  await store.settleInvitations([{ id, claim_id: claimed?.claimId ?? '', outcome: 'accepted', relay_message_id: `m-${id}` }]);
  const row = async () => (await sql`select * from test.invitations where id = ${id}`)[0];
  const link = claimed?.linkToken ?? '';
  return { ...fixture, id, row, link, unsubscribing: unsubscribeToken(link) };
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
    await sql`
      update invite.messages set last_error = '550 <ada@example.com>', last_error_code = '550' where invitation_id = ${sent.id}`;
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
  const reminder = await createSent([90]);
  await eraseIn(60);
  for (const { survey } of [queued, waiting, sending, reminder]) {
    t.match(await invitationsOf(sql, survey), [{ email: 'ada@example.com', name: 'Ada' }]);
  }
});

const LATER = `now() + interval '20 days'`;
for (const [event, reminders, change] of [
  ['sent', [], `sent_at = ${LATER}`],
  ['reminded', [7], `status = 'sent', not_before = null, sweep_at = null, sent_at = ${LATER}`],
  ['reminder skipped', [7], `status = 'answered', not_before = null, sweep_at = null, skipped_at = ${LATER}`],
  ['cancelled', [], `status = 'cancelled', cancelled_at = ${LATER}`],
  ['failed', [], `status = 'failed', failed_at = ${LATER}`],
] as const) {
  t.test(`the retention begins with the last event: ${event}`, async (t) => {
    const sent = await createSent([...reminders]);
    await sql`update invite.messages set ${sql.unsafe(change)} where invitation_id = ${sent.id} and is_last`;
    await eraseIn(49);
    t.match(await sent.row(), { email: 'ada@example.com' });
    await eraseIn(51);
    t.match(await sent.row(), { email: null });
  });
}

t.test('the retention begins with the last event: responded', async (t) => {
  const sent = await createSent();
  await sql`update invite.invitations set responded_at = now() + interval '20 days' where id = ${sent.id}`;
  await eraseIn(49);
  t.match(await sent.row(), { email: 'ada@example.com' });
  await eraseIn(51);
  t.match(await sent.row(), { email: null });
});

t.test('no message ends without a time, so that each has a retention, also one that never left', async (t) => {
  const { survey } = await createBatch(store);
  const fail = (time: string | null) =>
    sql`update invite.messages set status = 'failed', failed_at = ${time}, not_before = null, sweep_at = null where survey_id = ${survey}`;
  t.equal(await constraint(fail(null)), 'messages_ended');
  await fail(new Date().toISOString());
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
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null where survey_id = ${survey}`;
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
    select m.invitation_id
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id
    where m.is_last and m.not_before is null and not m.is_erased
      and invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at) <= now()
      and coalesce(i.responded_at, '-infinity') <= now()
    order by m.is_last, invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at)
    limit 5000`;
  const plan = JSON.stringify(row);
  t.match(plan, /"Index Name":"messages_ended_idx"/);
  t.match(plan, /"Index Cond":"[^"]*GREATEST\(sent_at/);
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
  const queue = sql`update invite.messages set status = 'queued', not_before = now(), sweep_at = now() where invitation_id = ${sent.id}`;
  t.equal(await constraint(queue), 'messages_erased');
});

t.test('a step skips what somebody else has, and takes it the next time', async (t) => {
  const other = await openSession(database);
  for (const locked of [
    'invitations where id',
    'messages where number = 0 and invitation_id',
    'messages where number = 1 and invitation_id',
  ]) {
    const sent = await createSent([1]);
    await sql`
      update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null where invitation_id = ${sent.id} and is_last`;
    await other.sql`begin`;
    await other.sql`select from invite.${other.sql.unsafe(locked)} = ${sent.id} for no key update`;
    await eraseIn(31);
    t.match(await sent.row(), { email: 'ada@example.com' }, locked);
    await other.sql`commit`;
    await eraseIn(31);
    t.match(await sent.row(), { email: null }, locked);
  }
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
