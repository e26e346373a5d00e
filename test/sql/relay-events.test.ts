// record_relay_events, match_relay_events, and the suppressions that follow. Each happens once, in any order, and only for the right
// recipient.
import t from 'tap';
import type { RelayEventRecord } from '../../src/database/store.ts';
import { idsOf, invitationsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
let count = 0;

/** Creates a sent invitation, and the events that a relay may report about it. */
async function createSent(email = 'Ada@example.com', reminders: number[] = []) {
  count += 1;
  const relayMessageId = `<relay-${count}@example.com>`;
  const fixture = await createBatch(store, { recipients: [{ email }], reminders });
  const worker = await createWorker(store);
  const claim = async () => {
    const [claimed] = await store.claimInvitations(await idsOf(sql, fixture.survey), worker);
    return claimed;
  };
  const claimed = await claim();
  const settle = (overrides: object = {}) =>
    store.settleInvitations([
      {
        id: claimed?.id ?? '',
        claim_id: claimed?.claimId ?? '',
        outcome: 'accepted',
        relay_message_id: relayMessageId,
        ...overrides,
      },
    ]);
  const event = (overrides: Partial<RelayEventRecord> = {}): RelayEventRecord => ({
    event_id: `event-${count}`,
    type: 'hard_bounce',
    occurred_at: '2030-01-31T09:00:00Z',
    email,
    relay_message_id: relayMessageId.slice(1, -1),
    detail: '550 no such user',
    ...overrides,
  });
  const suppressed = async () =>
    [...(await sql`select email, reason from invite.suppressions where workspace_id = ${fixture.workspace}`)].map((row) => ({
      ...row,
    }));
  const events = async () => [
    ...(await sql`select * from invite.relay_events where relay_message_id = ${relayMessageId.slice(1, -1)} order by event_id`),
  ];
  return { ...fixture, id: claimed?.id ?? '', claim, settle, event, suppressed, events };
}

t.test('hard bounce, complaint and unsubscribe suppress the address for that reason; the others are only recorded', async (t) => {
  for (const type of ['hard_bounce', 'complaint', 'unsubscribe', 'soft_bounce', 'delivered'] as const) {
    const sent = await createSent();
    await sent.settle();
    t.equal(await store.recordRelayEvents('resend', [sent.event({ type })]), 1);
    t.match(await sent.events(), [{ relay: 'resend', type, invitation_id: sent.id, detail: '550 no such user' }]);
    const suppresses = !['soft_bounce', 'delivered'].includes(type);
    t.strictSame(await sent.suppressed(), suppresses ? [{ email: 'ada@example.com', reason: type }] : [], type);
  }
});

t.test(
  'a repeat changes nothing, within one call and over several, and the same id of another relay is another event',
  async (t) => {
    const sent = await createSent();
    await sent.settle();
    t.equal(await store.recordRelayEvents('resend', [sent.event(), sent.event()]), 1);
    t.equal(await store.recordRelayEvents('resend', [sent.event({ detail: 'again' })]), 0);
    t.match(await sent.events(), [{ detail: '550 no such user' }]);
    t.equal(await store.recordRelayEvents('postmark', [sent.event()]), 1);
    t.equal((await sent.suppressed()).length, 1);
    t.equal(await store.recordRelayEvents('resend', []), 0);
  },
);

t.test('the first reason stays', async (t) => {
  const sent = await createSent();
  await sent.settle();
  const later = Array.from({ length: 9 }, (_, hour) =>
    sent.event({ event_id: `${sent.id}-${hour}`, type: 'unsubscribe', occurred_at: `2030-01-31T1${hour}:00:00Z` }),
  );
  await store.recordRelayEvents('resend', [...later, sent.event({ event_id: `${sent.id}-44`, type: 'complaint' })]);
  t.match(await sent.suppressed(), [{ reason: 'complaint' }], 'the earlier one, of those that come together');
  await store.recordRelayEvents('resend', [sent.event()]);
  t.match(await sent.suppressed(), [{ reason: 'complaint' }]);
});

t.test('an id given back by the relay finds the invitation before it is settled', async (t) => {
  const sent = await createSent();
  await store.recordRelayEvents('resend', [sent.event({ invitation_id: sent.id })]);
  t.match(await sent.events(), [{ invitation_id: sent.id }]);
  t.equal((await sent.suppressed()).length, 1);
});

t.test('an event without our id that comes before its email is settled is kept, and matched by the next run', async (t) => {
  const sent = await createSent();
  t.equal(await store.recordRelayEvents('resend', [sent.event()]), 1);
  t.match(await sent.events(), [{ invitation_id: null }]);
  await store.matchRelayEvents();
  t.strictSame(await sent.suppressed(), [], 'there is nothing to match yet');
  await sent.settle();
  await store.matchRelayEvents();
  t.match(await sent.events(), [{ invitation_id: sent.id }]);
  t.strictSame(await sent.suppressed(), [{ email: 'ada@example.com', reason: 'hard_bounce' }]);
});

t.test("an id alone is not believed: another installation's bounce does not suppress our recipient", async (t) => {
  const sent = await createSent();
  await sent.settle();
  const foreign = { invitation_id: sent.id, email: 'somebody.else@example.com', relay_message_id: 'foreign' };
  await store.recordRelayEvents('resend', [sent.event(foreign)]);
  await store.recordRelayEvents('resend', [sent.event({ ...foreign, event_id: 'foreign-2', email: undefined })]);
  await store.matchRelayEvents();
  t.strictSame(await sent.suppressed(), []);
  const [row] =
    await sql`select count(*)::integer as count from invite.relay_events where relay_message_id = 'foreign' and invitation_id is null`;
  t.equal(row?.count, 2);
  await store.recordRelayEvents('resend', [
    sent.event({ invitation_id: sent.id, email: 'ada@xn--example.com', event_id: 'idn' }),
  ]);
  t.equal((await sent.suppressed()).length, 1, 'the message id may confirm it as well as the address');
});

t.test('an event of an email that no relay was given suppresses nobody, until it was attempted', async (t) => {
  const fixture = await createBatch(store, { recipients: [{ email: 'early@example.com' }] });
  const [id] = await idsOf(sql, fixture.survey);
  const event = {
    event_id: 'early',
    type: 'hard_bounce',
    occurred_at: '2030-01-31T09:00:00Z',
    email: 'early@example.com',
  } as const;
  await store.recordRelayEvents('resend', [{ ...event, invitation_id: String(id) }]);
  const suppressed = async () => (await sql`select from invite.suppressions where email = 'early@example.com'`).length;
  t.equal(await suppressed(), 0);
  await store.matchRelayEvents();
  t.equal(await suppressed(), 0);
  const worker = await createWorker(store);
  const [claimed] = await store.claimInvitations([Number(id)], worker);
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'released' }]);
  await store.matchRelayEvents();
  t.equal(await suppressed(), 0, 'a claim that was released has given the relay nothing');
  await store.claimInvitations([Number(id)], worker);
  await store.matchRelayEvents();
  t.equal(await suppressed(), 1);
});

t.test('an event suppresses the address in the workspace of its invitation only', async (t) => {
  const [one, two] = [await createSent('both@example.com'), await createSent('both@example.com')];
  await one.settle();
  await two.settle();
  await store.recordRelayEvents('resend', [one.event({ event_id: 'of-one', invitation_id: one.id })]);
  t.equal((await one.suppressed()).length, 1);
  t.same(await two.suppressed(), []);
});

t.test('what fits none is looked up every minute for ten minutes, and then once an hour', async (t) => {
  for (const [minutes, looks] of [
    [5, true],
    [30, false],
    [60, true],
    [90, false],
    [1380, true],
  ] as const) {
    const sent = await createSent();
    await store.recordRelayEvents('resend', [sent.event()]);
    await sent.settle();
    const [row] = await sql`
      select invite.match_relay_events(recorded_at + ${minutes} * interval '1 minute') as matched
      from invite.relay_events where event_id = ${`event-${count}`}`;
    t.equal(row?.matched, looks ? 1 : 0, `after ${minutes} minutes`);
    await store.matchRelayEvents();
  }
});

t.test('what fits no invitation is dropped after a day, what fits is kept', async (t) => {
  const sent = await createSent();
  await sent.settle();
  await store.recordRelayEvents('resend', [
    sent.event(),
    sent.event({ event_id: `${sent.id}-foreign`, email: 'x@example.com', relay_message_id: 'other' }),
  ]);
  const left = async () =>
    [...(await sql`select event_id from invite.relay_events where event_id in (${`event-${count}`}, ${`${sent.id}-foreign`})`)]
      .length;
  await sql`select invite.match_relay_events(clock_timestamp() + interval '23 hours')`;
  t.equal(await left(), 2);
  await sql`select invite.match_relay_events(clock_timestamp() + interval '25 hours')`;
  t.equal(await left(), 1);
});

t.test('after a bounce the next invitation of the workspace to the address is suppressed, and so is the reminder', async (t) => {
  const sent = await createSent('ada@example.com', [3]);
  await sent.settle();
  await store.recordRelayEvents('resend', [sent.event()]);
  const { hash } = await createToken(store, sent.survey);
  await acceptTrigger(store, hash, { recipients: [{ email: 'ADA@example.com' }, { email: 'bob@example.com' }] }, 10_000);
  await sql`update invite.messages set not_before = now() where survey_id = ${sent.survey} and is_last`;
  const worker = await createWorker(store);
  const claimed = await store.claimInvitations(await idsOf(sql, sent.survey), worker);
  t.strictSame(
    claimed.map((invitation) => invitation.email),
    ['bob@example.com'],
  );
  t.match(await invitationsOf(sql, sent.survey), [
    { status: 'suppressed', message_kind: 'reminder', last_error_code: 'suppressed' },
    { status: 'suppressed', message_kind: 'invitation' },
    { status: 'sending' },
  ]);
  const [row] = await sql`select * from invite.suppressed_addresses where workspace_id = ${sent.workspace}`;
  t.match(row, { email: 'ada@example.com', reason: 'hard_bounce', relay: 'resend', detail: '550 no such user' });
});

t.test(
  'an address that the relay refuses to email is suppressed in the workspace, so that the relay is not asked again',
  async (t) => {
    const sent = await createSent();
    await sent.settle({ outcome: 'suppressed', code: 'suppressed', relay_message_id: undefined });
    t.strictSame(await sent.suppressed(), [{ email: 'ada@example.com', reason: 'hard_bounce' }]);
    const rejected = await createSent();
    await rejected.settle({ outcome: 'rejected' });
    t.strictSame(await rejected.suppressed(), [], 'a rejected email says nothing about the address');
  },
);

t.test('two calls with the same events in opposite order do not wait for each other in a circle', async (t) => {
  const sent = await createSent();
  const [first, second] = ['circle-a', 'circle-b'].map((event_id) => sent.event({ event_id, invitation_id: sent.id }));
  const one = await openSession(database);
  const two = await openSession(database);
  const record = (session: typeof one, ...events: unknown[]) =>
    sqlstate(session.sql`select invite.record_relay_events('resend', ${session.sql.json(events as never)})`);
  await one.sql`begin`;
  t.equal(await record(one, first), 'none');
  const opposite = record(two, second, first);
  await two.untilBlocked();
  t.equal(await record(one, second), 'none', 'who waits holds nothing that comes later in the order');
  await one.sql`commit`;
  t.equal(await opposite, 'none');
});

t.test(
  "the relay's id finds an invitation among the newest 100 of each workspace to the address, however many one has",
  async (t) => {
    const [other, many] = [await createSent('often@example.com'), await createSent('often@example.com')];
    await other.settle();
    const ids = (
      await sql`
      with invited as (
        insert into invite.invitations (batch_id, workspace_id, survey_id, email)
        select ${many.batch}, ${many.workspace}, ${many.survey}, 'Often@example.com' from generate_series(1, 101)
        returning id, workspace_id, survey_id, email
      ), found as (
        insert into invite.addresses (workspace_id, email, invitation_id) select workspace_id, lower(email), id from invited
      )
      insert into invite.messages (invitation_id, survey_id, due_at, status, sent_at, relay_message_id)
      select id, survey_id, now(), 'sent', now(), 'often-' || id from invited
      returning invitation_id as id`
    )
      .map(({ id }) => Number(id))
      .sort((a, b) => a - b);
    const found = async (event: RelayEventRecord) => {
      await store.recordRelayEvents('resend', [{ ...event, type: 'delivered', email: 'often@example.com' }]);
      const [row] = await sql`select invitation_id from invite.relay_events where event_id = ${event.event_id}`;
      return row?.invitation_id;
    };
    const about = (id?: number) => many.event({ event_id: `often-${id}`, relay_message_id: `often-${id}` });
    t.equal(await found(about(ids.at(-1))), String(ids.at(-1)));
    t.equal(await found(about(ids[1])), String(ids[1]), 'the hundredth');
    t.equal(await found(about(ids[0])), null, 'none before it');
    t.equal(await found(other.event()), other.id, "another workspace's, which is older");
  },
);
