// invite.trigger invites from SQL, in the caller's own transaction, by the rules of the endpoint.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { ERROR_CODES } from '../../src/errors.ts';
import { parsePayload } from '../../src/trigger/payload.ts';
import { idsOf, invitationsOf, jobsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

async function setup(settings: Parameters<typeof createToken>[2] = {}) {
  const fixture = await createSurvey(store);
  return { ...fixture, ...(await createToken(store, fixture.survey, settings)) };
}
type Session = typeof sql;
const ONE = [{ email: 'ada@example.com', name: 'Ada' }];
const trigger = async (session: Session, token: string, recipients: unknown = ONE): Promise<string> =>
  (await session`select invite.trigger(${token}, ${session.json(recipients as never)}) as batch`)[0]?.batch;
/** Returns the code and the SQLSTATE with which a call is rejected. */
const refusal = (query: Promise<unknown>) =>
  query.then(
    () => 'none',
    (error) => `${error.code} ${error.constraint_name}`,
  );

t.test('an order and its invitation commit together, and are then sent', async (t) => {
  const fixture = await setup();
  const { sql: session } = await openSession(database);
  await session`begin`;
  const batch = await trigger(session, fixture.token, ['Bob@Example.com', { email: 'ada@example.com', metadata: { order: 7 } }]);
  t.same(await invitationsOf(sql, fixture.survey), [], 'nobody else sees it yet');
  await session`commit`;
  t.match(await invitationsOf(sql, fixture.survey), [
    { batch_id: batch, email: 'Bob@example.com', status: 'queued' },
    { email: 'ada@example.com', metadata: { order: 7 } },
  ]);
  t.equal((await jobsOf(sql, fixture.survey)).length, 1);
  t.equal((await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store))).length, 2);
});

t.test('they roll back together', async (t) => {
  const fixture = await setup();
  const { sql: session } = await openSession(database);
  await session`begin`;
  await trigger(session, fixture.token);
  await session`rollback`;
  t.same(await invitationsOf(sql, fixture.survey), []);
  t.same(await jobsOf(sql, fixture.survey), []);
});

t.test("texts, metadata, reminder and time are the request's, or the token's", async (t) => {
  const fixture = await setup({ defaultSubject: 'Ours', defaultReminders: [3] });
  await trigger(sql, fixture.token);
  await sql`
    select invite.trigger(
      ${fixture.token}, '["bob@example.com"]', subject => 'Theirs', message => 'Hello {{survey_link}}', metadata => '{"a": null}',
      reminder_days => 0, send_in_seconds => 3600)`;
  t.match(
    await sql`select subject, reminders, metadata, scheduled_at > now() as later from invite.batches where survey_id = ${fixture.survey} order by id`,
    [
      { subject: 'Ours', reminders: [3], metadata: null, later: false },
      { subject: 'Theirs', reminders: [], metadata: { a: null }, later: true },
    ],
  );
});

t.test('the time zone of each recipient and of the request is stored as it was sent', async (t) => {
  const fixture = await setup();
  const recipients = [
    { email: 'ada@example.com', time_zone: 'europe/berlin' },
    { email: 'bob@example.com', time_zone: null },
    'eve@example.com',
  ];
  const batch = sql`select invite.trigger(${fixture.token}, ${sql.json(recipients)}, time_zone => 'Asia/Tokyo') as id`;
  t.match(await sql`select time_zone from invite.batches where id = ${(await batch)[0]?.id}`, [{ time_zone: 'Asia/Tokyo' }]);
  t.match(await sql`select time_zone from invite.invitations where survey_id = ${fixture.survey} order by id`, [
    { time_zone: 'europe/berlin' },
    { time_zone: null },
    { time_zone: null },
  ]);
  for (const zone of ['Tokio+3', 'PST', '', ' Europe/Berlin']) {
    const refused = sql`select invite.trigger(${fixture.token}, '["x@example.com"]', time_zone => ${zone})`;
    t.equal(await refusal(refused), 'IT400 invalid_field', zone);
    t.match(await refused.catch((error) => JSON.parse(error.detail)), { field: 'time_zone' });
    const people = [...recipients, { email: 'last@example.com', time_zone: zone }];
    const detail = await trigger(sql, fixture.token, people).catch((error) => JSON.parse(error.detail));
    t.match(detail, { field: 'recipients[3]' }, zone);
  }
});

t.test('reminders are a list, or the days of the only one', async (t) => {
  const fixture = await setup({ defaultReminders: [9] });
  const one = `${fixture.token}'::uuid, '["ada@example.com"]'`;
  const call = (reminders: string) => sql.unsafe(`select invite.trigger('${one}, ${reminders}) as batch`);
  for (const [reminders, stored] of [
    ["reminders => '{3,7,14,30,365}'", [3, 7, 14, 30, 365]],
    ["reminders => '{}'", []],
    ['reminder_days => 365', [365]],
    ['reminder_days => 0', []],
    ['reminder_days => null, reminders => null', [9]],
  ] as const) {
    const [row] = await call(reminders);
    const [batch] = await sql`select reminders from invite.batches where id = ${row?.batch}`;
    t.strictSame(batch?.reminders, stored, reminders);
  }
  t.equal(await refusal(call("reminders => '{3}', reminder_days => 3")), 'IT400 invalid_field');
  for (const wrong of ["reminders => '{7,3}'", "reminders => '{0}'", "reminders => '{1,2,3,4,5,6}'", 'reminder_days => 366']) {
    t.equal(await refusal(call(wrong)), '23514 batches_reminders_ascending', wrong);
  }
  for (const days of [-1, 70_000, -70_000]) {
    t.equal(await refusal(call(`reminder_days => ${days}`)), '23514 batches_reminders_ascending');
  }
});

t.test('a refusal raises with its code', async (t) => {
  const fixture = await setup({ cooldownSeconds: 600 });
  await trigger(sql, fixture.token);
  t.equal(await refusal(trigger(sql, fixture.token)), 'IT429 cooldown');
  const detail = await trigger(sql, fixture.token).catch((error) => JSON.parse(error.detail));
  t.ok(detail.retry_after_seconds > 500);
  t.equal(await refusal(trigger(sql, '00000000-0000-0000-0000-000000000000')), 'IT400 unknown_token');
  const other = await setup();
  for (const [recipients, code] of [
    [[], 'missing_recipient'],
    [{}, 'invalid_recipient'],
    [Array.from({ length: 1001 }, (_, index) => `p${index}@example.com`), 'too_many_recipients'],
    [[{ email: 'a@example.com', phone: 1 }], 'unknown_field'],
    [[{ email: 'a@example.com', metadata: [] }], 'invalid_field'],
    [[{ email: 'a@example.com', time_zone: 'Berlin' }], 'invalid_recipient'],
    [[{ email: 'a@example.com', time_zone: 7 }], 'invalid_recipient'],
    [[{ email: 'a@example.com', time_zone: '' }], 'invalid_recipient'],
  ] as const) {
    t.equal(await refusal(trigger(sql, other.token, recipients)), `IT400 ${code}`);
    t.ok(code in ERROR_CODES);
  }
  t.equal(
    await refusal(sql`select invite.trigger(${other.token}, '["a@example.com"]', send_in_seconds => 1, send_at => now())`),
    'IT400 unsupported_timing',
  );
  t.equal(
    await sqlstate(sql`select invite.trigger(${other.token}, '["a@example.com"]', subject => ${'x'.repeat(256)})`),
    '23514',
  );
  await store.setWorkspaceSuspended(other.workspace, true);
  t.equal(await refusal(trigger(sql, other.token)), 'IT400 workspace_disabled');
  await store.deleteTriggerToken(fixture.token);
  t.equal(await refusal(trigger(sql, fixture.token)), 'IT400 unknown_token');
});

t.test('an address is valid here if it is over HTTP', async (t) => {
  const fixture = await setup();
  const limits = { maxRecipients: 1000, maxMetadataBytes: 16_384, maxMessageBytes: 65_536 };
  const addresses = [
    'ada@example.com',
    'A.B+c@Example.CO',
    'a@b.c',
    'a@1.com',
    'a@example.c0m',
    'a@x-y.example.org',
    ' ada@example.com ',
    "o'k{}|~@example.com",
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@example..com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'a b@example.com',
    'ada@-x.com',
    'ada@x-.com',
    'ada@example.com.',
    'ada@example.1',
    'ada@exa_mple.com',
    '"ada"@example.com',
    'Ada <ada@example.com>',
    'a@b@example.com',
    `${'l'.repeat(64)}@example.com`,
    `${'l'.repeat(65)}@example.com`,
    `ada@${'d'.repeat(63)}.com`,
    `ada@${'d'.repeat(64)}.com`,
    'ada@example.com\n',
    'é@example.com',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    '',
    ' ',
  ];
  for (const email of addresses) {
    let http = 'none';
    let stored: string | undefined;
    try {
      stored = parsePayload({ emails: [{ email }] }, limits, new Date(), () => false).recipients[0]?.email;
    } catch {
      http = 'IT400 invalid_recipient';
    }
    t.equal(await refusal(trigger(sql, fixture.token, [{ email }])), http, JSON.stringify(email));
    if (stored !== undefined) t.equal((await invitationsOf(sql, fixture.survey)).at(-1)?.email, stored);
  }
});

t.test('an address that is repeated counts once, the first time', async (t) => {
  const fixture = await setup();
  await trigger(sql, fixture.token, [{ email: 'ada@example.com', name: 'Ada' }, 'ADA@example.com', 'bob@example.com']);
  t.match(await invitationsOf(sql, fixture.survey), [{ email: 'ada@example.com', name: 'Ada' }, { email: 'bob@example.com' }]);
});

t.test('while its transaction is open nobody waits, for a token without a cooldown', async (t) => {
  const fixture = await setup();
  const { sql: session } = await openSession(database);
  await session`begin`;
  await trigger(session, fixture.token);
  const [result] = await store.acceptTriggers([{ secretHash: fixture.hash, request: { recipients: ONE } }], 100);
  t.equal(result?.outcome, 'accepted', 'over HTTP, with the same token');
  const other = await createToken(store, fixture.survey);
  t.ok(await trigger(sql, other.token), 'from SQL, with another of the workspace');
  t.ok(await trigger(sql, fixture.token));
  await session`commit`;
  t.equal((await invitationsOf(sql, fixture.survey)).length, 4);
});

t.test('with a cooldown, the second waits for the first, and is refused', async (t) => {
  const fixture = await setup({ cooldownSeconds: 60 });
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await trigger(first.sql, fixture.token);
  const waiting = refusal(trigger(second.sql, fixture.token));
  await second.untilBlocked();
  await first.sql`commit`;
  t.equal(await waiting, 'IT429 cooldown');
  t.match(await acceptTrigger(store, fixture.hash, { recipients: ONE }, 100), { outcome: 'cooldown' }, 'over HTTP too');
});

for (const isolation of ['repeatable read', 'serializable']) {
  t.test(`a token with a cooldown is refused in ${isolation}, which doesn't see who was invited meanwhile`, async (t) => {
    const [exact, free] = [await setup({ cooldownSeconds: 60 }), await setup()];
    const { sql: session } = await openSession(database);
    const call = async (token: string) => {
      await session.unsafe(`begin isolation level ${isolation}`);
      await session`select`;
      await acceptTrigger(store, exact.hash, { recipients: ONE }, 100);
      const outcome = trigger(session, token).then(
        () => undefined,
        (error) => error,
      );
      await outcome;
      await session`commit`;
      return outcome;
    };
    t.match(await call(exact.token), { code: '25000', constraint_name: 'trigger_tokens_isolation', hint: /read committed/ });
    t.equal((await invitationsOf(sql, exact.survey)).length, 1);
    t.equal(await call(free.token), undefined, 'any other token invites in it');
  });
}

t.test('the quota counts what came from SQL, at once and once it has its total', async (t) => {
  const fixture = await setup();
  const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));
  const accept = (count: number) => acceptTrigger(store, fixture.hash, { recipients: people(count) }, 10);
  const quota = () => store.readQuota(fixture.hash, 10);
  t.match(await accept(3), { outcome: 'accepted' });
  await trigger(sql, fixture.token, people(4));
  t.match(await quota(), { remaining: 3 });
  t.match(await accept(4), { outcome: 'flood_protection', retryAfterSeconds: Number });
  t.match(await accept(2), { outcome: 'accepted' });
  t.ok((await store.uncountedWorkspaces()).includes(fixture.workspace));
  t.equal(await store.countBatches(fixture.workspace), 1);
  t.notOk((await store.uncountedWorkspaces()).includes(fixture.workspace));
  t.match(await quota(), { remaining: 1 });
  t.match(await accept(2), { outcome: 'flood_protection' });
  t.match(await accept(1), { outcome: 'accepted' });
  const totals = await sql<{ total: string }[]>`
    select workspace_total as total from invite.batches where survey_id = ${fixture.survey} order by 1`;
  t.same(
    totals.map(({ total }) => Number(total)),
    [3, 5, 9, 10],
  );
  await sql`update invite.settings set recipients_per_hour = 10`;
  t.teardown(() => sql`update invite.settings set recipients_per_hour = null`);
  t.equal(await refusal(trigger(sql, fixture.token)), 'IT429 flood_protection');
});

t.test("the product's role invites, and the web server's does not", async (t) => {
  const fixture = await setup();
  for (const [role, expected] of [
    ['invite_admin', 'none'],
    ['invite_web', '42501'],
  ] as const) {
    const session = openDatabase(database.urlAs(role), { applicationName: 'tests' });
    t.equal(await sqlstate(trigger(session, fixture.token)), expected, role);
    await session.end();
  }
});
