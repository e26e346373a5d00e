// confirm_invitations: an invitation that is held because it may have been sent ends as sent when the relay reports anything about it, in
// any order.
import t from 'tap';
import type { RelayEventRecord } from '../../src/database/store.ts';
import { clearJobs, idsOf, invitationsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const AT = '2020-01-31T09:00:00.000Z';
let count = 0;

/** Creates an invitation that is being sent. Its settle can end it as unconfirmed, and report() records an event of the relay. */
async function createSending(reminders: number[] = []) {
  const fixture = await createBatch(store, { reminders });
  const worker = await createWorker(store);
  const [id = 0] = await idsOf(sql, fixture.survey);
  let claimId = '';
  const claim = async () => {
    await sql`update invite.messages set not_before = now() where invitation_id = ${id} and status = 'queued'`;
    const [claimed] = await store.claimInvitations([id], worker);
    claimId = claimed?.claimId ?? '';
    await clearJobs(sql);
  };
  await claim();
  const settle = (outcome: 'accepted' | 'unconfirmed', relay_message_id?: string) =>
    store.settleInvitations([
      { id: String(id), claim_id: claimId, outcome, relay_message_id, code: 'timeout', detail: 'Silence.' },
    ]);
  const report = (overrides: Partial<RelayEventRecord> = {}) => {
    count += 1;
    const event = { event_id: `event-${count}`, type: 'delivered', occurred_at: AT, invitation_id: String(id) } as const;
    return store.recordRelayEvents('resend', [{ ...event, email: 'ada@example.com', relay_message_id: 'relay-1', ...overrides }]);
  };
  return { ...fixture, id, claim, settle, report, row: async () => (await invitationsOf(sql, fixture.survey))[0] };
}

/** Runs the two tasks that run every minute. */
async function confirm() {
  await store.matchRelayEvents();
  await store.confirmInvitations();
}

const sent = {
  status: 'sent',
  message_kind: 'invitation',
  due_at: null,
  last_error_code: null,
  last_error: null,
  relay_message_id: 'relay-1',
};

t.test('an event that comes after it was held, or before, makes it sent, at the time of the event', async (t) => {
  for (const first of ['hold', 'event'] as const) {
    const { settle, report, row, survey } = await createSending();
    if (first === 'event') await report();
    await settle('unconfirmed');
    if (first === 'hold') await report();
    t.match(await row(), { status: 'failed', last_error_code: 'unconfirmed' });
    await confirm();
    t.match(await row(), sent, first);
    t.equal((await row())?.sent_at?.toISOString(), AT);
    t.strictSame(await jobsOf(sql, survey), []);
  }
});

t.test('what is confirmed is recorded as an event, at the time of the report, if its events are recorded', async (t) => {
  for (const records of [true, false]) {
    const { id, claim, settle, report } = await createSending([1]);
    await sql`update invite.messages set records_events = ${records} where invitation_id = ${id}`;
    await settle('unconfirmed');
    await report();
    await confirm();
    await claim();
    await settle('unconfirmed');
    await report({ relay_message_id: 'relay-2', occurred_at: '2020-02-01T09:00:00.000Z' });
    await confirm();
    const events = await sql`
      select type, at from invite.new_events
      where invitation_id = ${id} and type in ('invitation.sent', 'invitation.reminded') order by id`;
    t.strictSame(
      events.map(({ type, at }) => [type, at.toISOString()]),
      records
        ? [
            ['invitation.sent', AT],
            ['invitation.reminded', '2020-02-01T09:00:00.000Z'],
          ]
        : [],
    );
  }
});

t.test('whatever a relay reports, it had the email; a bounce suppresses as usual', async (t) => {
  for (const type of ['hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe'] as const) {
    const { settle, report, row, workspace } = await createSending();
    await settle('unconfirmed');
    await report({ type });
    await confirm();
    t.match(await row(), sent, type);
    const suppressed = await sql`select from invite.suppressions where workspace_id = ${workspace}`;
    t.equal(suppressed.length, type === 'soft_bounce' ? 0 : 1);
  }
});

t.test('the reminder follows from the time of the event, unless the recipient has responded', async (t) => {
  for (const answered of [false, true]) {
    const { settle, report, row, id } = await createSending([3]);
    await settle('unconfirmed');
    if (answered) await sql`update invite.invitations set responded_at = now() where id = ${id}`;
    await report();
    await confirm();
    if (answered) t.match(await row(), sent);
    else {
      const reminder = await row();
      t.match(reminder, { status: 'queued', message_kind: 'reminder', attempts: 0, last_error_code: null });
      t.equal(reminder?.sent_at?.toISOString(), AT);
      t.equal(reminder?.due_at?.toISOString(), '2020-02-03T09:00:00.000Z');
      t.equal(reminder?.sweep_at?.toISOString(), '2020-02-03T08:59:00.000Z');
    }
  }
});

t.test('the next of several reminders follows from the first email, and at least 24 hours from the event', async (t) => {
  for (const [occurred_at, due] of [
    ['2020-02-03T10:00:00.000Z', '2020-02-07T09:00:00.000Z'],
    ['2020-02-06T10:00:00.000Z', '2020-02-07T10:00:00.000Z'],
  ] as const) {
    const { settle, report, row, claim } = await createSending([3, 7]);
    await settle('unconfirmed');
    await report();
    await confirm();
    await claim();
    await settle('unconfirmed');
    await report({ relay_message_id: 'relay-2', occurred_at });
    await confirm();
    t.match(await row(), { status: 'queued', message_kind: 'reminder' });
    t.equal((await row())?.due_at?.toISOString(), due);
  }
});

t.test('what has bounced gets no reminder when that is confirmed', async (t) => {
  const { settle, report, row } = await createSending([3]);
  await settle('unconfirmed');
  await report({ type: 'hard_bounce' });
  await confirm();
  t.match(await row(), { ...sent, sent_at: new Date(AT) });
});

t.test('the second reminder is confirmed by no event of the emails before it', async (t) => {
  const { settle, report, row, claim } = await createSending([3, 7]);
  for (const id of ['relay-1', 'relay-2']) {
    await settle('accepted', id);
    await claim();
  }
  await settle('unconfirmed');
  await report({ relay_message_id: '<relay-1>' });
  await report({ relay_message_id: '<relay-2>' });
  await confirm();
  t.match(await row(), { status: 'failed', message_kind: 'reminder', last_error_code: 'unconfirmed' });
  await report({ relay_message_id: '<relay-3>' });
  await confirm();
  t.match(await row(), { status: 'sent', message_kind: 'reminder' });
});

t.test("a reminder is confirmed by an event of its own, not by one of its invitation's email", async (t) => {
  const { settle, report, row, claim } = await createSending([3]);
  await settle('accepted', '<relay-1>');
  await report();
  await claim();
  await settle('unconfirmed');
  await report({ type: 'soft_bounce' });
  await confirm();
  t.match(await row(), { status: 'failed', message_kind: 'reminder', last_error_code: 'unconfirmed', reminded_at: null });
  await report({ relay_message_id: 'relay-2' });
  await confirm();
  t.match(await row(), { ...sent, message_kind: 'reminder', relay_message_id: 'relay-2' });
  t.equal((await row())?.reminded_at?.toISOString(), AT);
});

t.test('what failed for another reason stays failed, and after 30 days so does what is unconfirmed', async (t) => {
  const rejected = await createSending();
  await rejected.settle('unconfirmed');
  await sql`update invite.messages set last_error_code = 'gave_up' where invitation_id = ${rejected.id}`;
  await rejected.report();
  const old = await createSending();
  await old.settle('unconfirmed');
  await old.report();
  const confirmAt = async (at: string) => {
    await sql`update invite.messages set unconfirmed_since = '2030-01-01Z' where invitation_id = ${old.id}`;
    return (await sql`select invite.confirm_invitations(${at}) as confirmed`)[0]?.confirmed;
  };
  t.equal(await confirmAt('2030-01-31 00:00:00Z'), 0);
  t.equal(await confirmAt('2030-01-30 23:59:59Z'), 1);
  t.match(await rejected.row(), { status: 'failed', last_error_code: 'gave_up' });
});

t.test('an event time that lies ahead is taken for now', async (t) => {
  const { settle, report, row } = await createSending();
  await settle('unconfirmed');
  await report({ occurred_at: '2999-01-01T00:00:00Z' });
  const at = new Date(Date.now() + 60_000);
  await sql`select invite.confirm_invitations(${at})`;
  t.strictSame((await row())?.sent_at, at);
});

t.test('what a person is just sending again is skipped, and then sent again', async (t) => {
  const { settle, report, row, batch } = await createSending();
  await settle('unconfirmed');
  await report();
  const retrier = await openSession(database);
  await retrier.sql`begin`;
  await retrier.sql`select invite.retry_batch(${batch})`;
  await confirm();
  await retrier.sql`commit`;
  await confirm();
  t.match(await row(), { status: 'queued', message_kind: 'invitation', sent_at: null });
});

t.test('what was erased meanwhile stays as it is', async (t) => {
  const { settle, report, row, workspace } = await createSending([3]);
  await settle('unconfirmed');
  t.match(await store.eraseEmail(workspace, 'ada@example.com', false), { erased: 1 });
  await report();
  await confirm();
  t.match(await row(), { status: 'failed', last_error_code: 'unconfirmed', email: null });
});

t.test("a reminder's days have 24 hours here too", async (t) => {
  const sending = await createSending([200]);
  await sending.settle('unconfirmed');
  await sending.report();
  const session = database.connect();
  await session`set timezone = 'Europe/Berlin'`;
  await session`select invite.confirm_invitations()`;
  t.equal((await sending.row())?.due_at?.getTime(), Date.parse(AT) + 200 * 86_400_000);
});

t.test(
  'what is cancelled while it is unconfirmed ends as sent, without a reminder; what is not cancelled gets one',
  async (t) => {
    for (const [how, cancel] of Object.entries<(sending: Awaited<ReturnType<typeof createSending>>) => PromiseLike<unknown>>({
      'not at all': async () => {},
      cancel_invitation: ({ id }) => sql`select invite.cancel_invitation(${id})`,
      cancel_batch: ({ batch }) => sql`select invite.cancel_batch(${batch})`,
      cancel_email: ({ workspace }) => sql`select invite.cancel_email(${workspace}, 'ada@example.com')`,
      cancel_survey: ({ survey }) => sql`select invite.cancel_survey(${survey})`,
    })) {
      const sending = await createSending([3]);
      await sending.settle('unconfirmed');
      await cancel(sending);
      const audited = await sql`
        select from invite.audit_log where workspace_id = ${sending.workspace} and action::text like '%_cancelled'`;
      t.equal(audited.length, how === 'not at all' ? 0 : 1, 'it may still arrive, and counts as being sent');
      t.match(await sending.row(), { status: 'failed', last_error_code: 'unconfirmed' }, how);
      await sending.report();
      await confirm();
      const row = await sending.row();
      t.match(row, how === 'not at all' ? { status: 'queued', message_kind: 'reminder' } : sent, how);
      t.equal(row?.sent_at?.toISOString(), AT);
    }
  },
);

t.test('a workspace that moves is left as it is: the database where it arrives confirms', async (t) => {
  const { workspace, settle, report, row } = await createSending();
  await settle('unconfirmed');
  await report();
  await store.matchRelayEvents();
  await sql`select invite.begin_move(${workspace}, 'bbbb')`;
  t.equal(await store.confirmInvitations(), 0);
  t.match(await row(), { status: 'failed' });
  await sql`update invite.workspaces set moved_to = null where id = ${workspace}`;
  t.equal(await store.confirmInvitations(), 1);
});
