// Everyone who locks messages and invitations locks the messages first, by invitation and number, and who writes suppressions and outcomes
// writes the suppressions first: so nobody waits for each other in a circle.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { idsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const openSessions = async () => [await openSession(database), await openSession(database), await openSession(database)] as const;

t.test('a hard bounce that waits in the middle of its recording, and an erasure of its address', async (t) => {
  const { workspace, survey } = await createBatch(store);
  await sql`update invite.messages set attempts = 1 where survey_id = ${survey}`;
  const [id = 0] = await idsOf(sql, survey);
  const [pauser, recorder, eraser] = await openSessions();
  const event = { event_id: 'x', type: 'hard_bounce', occurred_at: '2020-01-31', invitation_id: id, email: 'ada@example.com' };
  await pauser.sql`begin`;
  await pauser.sql`
    insert into invite.relay_events (relay, event_id, type, occurred_at, recorded_at) values ('resend', 'x', 'delivered', now(), now())`;
  const recorded = recorder.sql`select invite.record_relay_events('resend', ${sql.json([event])})`.execute();
  await recorder.untilBlocked();
  const erased = eraser.sql`select * from invite.erase_email(${workspace}, 'ada@example.com')`.execute();
  await eraser.untilBlocked();
  await pauser.sql`rollback`;
  t.same(await Promise.all([sqlstate(recorded), sqlstate(erased)]), ['none', 'none']);
});

t.test('the erasure of an old invitation with a reminder, and the cancelling of its address', async (t) => {
  const { workspace, survey } = await createBatch(store, { reminders: [1] });
  const ids = await idsOf(sql, survey);
  const worker = await createWorker(store);
  for (const kind of ['invitation', 'reminder']) {
    const [claimed] = await store.claimInvitations(ids, worker);
    t.equal(claimed?.messageKind, kind);
    await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
    await sql`update invite.messages set not_before = now() where survey_id = ${survey} and number = 1 and status = 'queued'`;
  }
  // The erasure waits for this row once it has its locks.
  for (const _ of [1, 2, 3]) await store.indexRecipients();
  await sql`update invite.queue_progress set read_from = 0 where queue = 'invitations'`;
  const [pauser, eraser, canceller] = await openSessions();
  await pauser.sql`begin`;
  await pauser.sql`select from invite.queue_progress where queue = 'invitations' for update`;
  const erased = eraser.sql`select invite.erase_expired(1, at => '2040-01-01')`.execute();
  await eraser.untilBlocked();
  const cancelled = canceller.sql`select * from invite.cancel_email(${workspace}, 'ada@example.com')`.execute();
  await canceller.untilBlocked();
  await pauser.sql`rollback`;
  t.same(await Promise.all([sqlstate(erased), sqlstate(cancelled)]), ['none', 'none']);
});

t.test('unsubscribing by a link, and the relay that reports the same and another unsubscription', async (t) => {
  const { workspace, survey } = await createBatch(store, {
    recipients: [{ email: 'a@example.com' }, { email: 'z@example.com' }],
  });
  const claimed = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  await store.settleInvitations(claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'accepted' })));
  const events = claimed.map(({ id, email }) => ({
    event_id: `unsubscribe-${id}`,
    type: 'unsubscribe',
    occurred_at: '2020-01-31',
    invitation_id: id,
    email,
  }));
  const link = unsubscribeToken(claimed.find(({ email }) => email === 'z@example.com')?.linkToken ?? '');
  const [pauser, recorder, person] = await openSessions();
  await pauser.sql`begin`;
  await pauser.sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'a@example.com', 'manual')`;
  const recorded = recorder.sql`select invite.record_relay_events('resend', ${sql.json(events)})`.execute();
  await recorder.untilBlocked();
  const left = person.sql`select invite.unsubscribe(${link})`.execute();
  await Promise.race([left, person.untilBlocked()]);
  await pauser.sql`rollback`;
  t.same(await Promise.all([sqlstate(recorded), sqlstate(left)]), ['none', 'none']);
  t.match(await sql`select email from invite.suppressions where workspace_id = ${workspace} order by email`, [
    { email: 'a@example.com' },
    { email: 'z@example.com' },
  ]);
});
