// Unsubscribing races with subscribing again. The last choice counts, and a complaint is never lost.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { invitationsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Creates an invitation with one attempt whose recipient has unsubscribed, and a session that is about to subscribe again. */
async function setup() {
  const { survey, workspace } = await createBatch(store);
  const [row] = await invitationsOf(sql, survey);
  await store.claimInvitations([Number(row?.id)], await createWorker(store));
  const link = unsubscribeToken(row?.link_token ?? '');
  await store.unsubscribe(link);
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  const reason = async () => (await sql`select reason from invite.suppressions where workspace_id = ${workspace}`)[0]?.reason;
  return { id: row?.id, link, first, second, reason };
}

t.test('who unsubscribes while subscribing again is under way is unsubscribed', async (t) => {
  const { link, first, second, reason } = await setup();
  await first.sql`select invite.resubscribe(${link})`;
  const unsubscribed = second.sql`select (invite.unsubscribe(${link})).unsubscribed`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.match(await unsubscribed, [{ unsubscribed: true }]);
  t.equal(await reason(), 'unsubscribe');
});

for (const commit of ['commit', 'rollback']) {
  t.test(`a complaint that comes while subscribing again is under way stays, after its ${commit}`, async (t) => {
    const { id, link, first, second, reason } = await setup();
    await first.sql`select invite.resubscribe(${link})`;
    const event = {
      event_id: `1-${id}`,
      type: 'complaint',
      occurred_at: '2030-01-01T10:00:00Z',
      invitation_id: id,
      email: 'ada@example.com',
    };
    const recorded = second.sql`select invite.record_relay_events('mailpit', ${second.sql.json([event as never])})`.execute();
    await second.untilBlocked();
    await first.sql.unsafe(commit);
    await recorded;
    t.equal(await reason(), 'complaint');
  });
}

t.test('subscribing again that waits for a complaint does not lift it', async (t) => {
  const { link, id, first, second, reason } = await setup();
  const event = {
    event_id: `2-${id}`,
    type: 'complaint',
    occurred_at: '2030-01-01T10:00:00Z',
    invitation_id: id,
    email: 'ada@example.com',
  };
  await first.sql`select invite.record_relay_events('mailpit', ${first.sql.json([event as never])})`;
  const again = second.sql`select (invite.resubscribe(${link})).*`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.match(await again, [{ unsubscribed: true, can_resubscribe: false }]);
  t.equal(await reason(), 'complaint');
});

t.test('unsubscribing while the address is being erased ends in no deadlock', async (t) => {
  const { survey, workspace } = await createBatch(store);
  const [row] = await invitationsOf(sql, survey);
  const link = unsubscribeToken(row?.link_token ?? '');
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  // erase_email locks these rows first.
  await first.sql`select from invite.messages where invitation_id = ${row?.id ?? ''} for update`;
  await first.sql`select from invite.invitations where id = ${row?.id ?? ''} for update`;
  const unsubscribed = sqlstate(second.sql`select invite.unsubscribe(${link})`);
  await second.untilBlocked();
  t.equal(await sqlstate(first.sql`select invite.erase_email(${workspace}, 'ada@example.com', true)`), 'none');
  await first.sql`commit`;
  t.equal(await unsubscribed, 'none');
});

/** Like setup, but an operator has blocked the address by hand, and a session of an operator is about to lift that. */
async function setupBlocked() {
  const { survey, workspace } = await createBatch(store);
  const [row] = await invitationsOf(sql, survey);
  await store.suppressEmail(workspace, row?.email ?? '');
  const link = unsubscribeToken(row?.link_token ?? '');
  const [recipient, operator] = [await openSession(database), await openSession(database)];
  const reason = async () => (await sql`select reason from invite.suppressions where workspace_id = ${workspace}`)[0]?.reason;
  const unsubscribe = () => recipient.sql`select invite.unsubscribe(${link})`.execute();
  const lift = () => operator.sql`select invite.lift_suppression(${workspace}, ${row?.email ?? ''}) as lifted`.execute();
  return { recipient, operator, reason, unsubscribe, lift };
}

t.test('who unsubscribes while a block is being lifted is unsubscribed, in either order', async (t) => {
  const blocked = await setupBlocked();
  await blocked.recipient.sql`begin`;
  await blocked.unsubscribe();
  const lifted = blocked.lift();
  await blocked.operator.untilBlocked();
  await blocked.recipient.sql`commit`;
  t.match(await lifted, [{ lifted: false }]);
  t.equal(await blocked.reason(), 'unsubscribe');

  const other = await setupBlocked();
  await other.operator.sql`begin`;
  t.match(await other.lift(), [{ lifted: true }]);
  const unsubscribed = other.unsubscribe();
  await other.recipient.untilBlocked();
  await other.operator.sql`commit`;
  await unsubscribed;
  t.equal(await other.reason(), 'unsubscribe');
});
