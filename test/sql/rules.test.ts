// What the rules make of emails, from the claim to the end: rest, hours, deadlines, and changes of them. The database has the odd defaults of
// another country, which must not matter.
import postgres from 'postgres';
import t from 'tap';
import { createContacts, wordsOf } from '../fixtures/contacts.ts';
import { clearJobs, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createTestDatabase, createWorker } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store, url } = database;
const admin = database.connectAsAdmin();
const [{ name } = { name: '' }] = await admin<{ name: string }[]>`select current_database() as name`;
const ODD = {
  DateStyle: 'SQL, DMY',
  TimeZone: 'Asia/Kolkata',
  IntervalStyle: 'sql_standard',
  default_transaction_isolation: 'serializable',
};
for (const [setting, value] of Object.entries(ODD)) await admin.unsafe(`alter database ${name} set ${setting} = '${value}'`);

/** A connection of the product, with the database's own settings. */
const product = postgres(url, { max: 1, onnotice: () => {} });
t.teardown(() => product.end());

/** Monday noon. */
const NOON = '2030-01-07T12:00:00Z';
const SUNDAY = (from: number, to: number) => `{[${8640 + from * 60},${8640 + to * 60})}`;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((_, day) => `[${day * 1440 + 540},${day * 1440 + 1020})`);
const OFFICE = `{${DAYS.join()}}`;
const words = async (...ids: number[]) => (ids.length === 1 ? (await wordsOf(sql, ids))[0] : wordsOf(sql, ids));
const waiting = async (survey: string) =>
  jobsOf(sql, survey).then((jobs) => jobs.filter(({ task }) => task === 'requeue_waiting'));
const heal = (at: string) => sql`select invite.heal_invitations(at => ${at}::text::timestamptz)`;

const CLOCKS: readonly { name: string; hours: string; open?: string; closed: string; until: string }[] = [
  {
    name: 'opening in an hour that is left out, it leaves at the first minute after it',
    ...{ hours: SUNDAY(2, 4), closed: '2030-03-31T00:59:45Z', until: '2030-03-31T01:00:00Z' },
  },
  {
    name: 'closing in an hour that is left out, it is closed from the first minute after it',
    ...{ hours: SUNDAY(0, 2.5), open: '2030-03-31T00:59:45Z', closed: '2030-03-31T01:00:00Z', until: '2030-04-06T22:00:00Z' },
  },
  {
    name: 'opening in an hour that comes twice, it is closed until then once more',
    ...{ hours: SUNDAY(2.5, 5), open: '2030-10-27T00:45:00Z', closed: '2030-10-27T01:00:00Z', until: '2030-10-27T01:30:00Z' },
  },
  {
    name: 'closing in an hour that comes twice, it opens again',
    ...{ hours: SUNDAY(1, 2.5), open: '2030-10-27T00:15:00Z', closed: '2030-10-27T00:30:00Z', until: '2030-10-27T01:00:00Z' },
  },
];
for (const { name, hours, open, closed, until } of CLOCKS)
  t.test(`where clocks are changed, ${name}`, async (t) => {
    const { invite, claim } = await createContacts(sql, store, { time_zone: 'Europe/Berlin', open_hours: hours });
    const late = await invite('late@example.com', closed);
    t.equal((await claim([late], closed)).size, 0);
    t.equal(await words(late), `queued outside_hours ${until}`);
    t.equal((await claim([late], new Date(Date.parse(until) - 1).toISOString())).size, 0);
    t.equal((await claim([late], until)).size, 1);
    if (open) t.equal((await claim([await invite('early@example.com', open)], open)).size, 1);
  });

t.test('a zone that the server no longer knows counts as none: the next one does, and without any UTC', async (t) => {
  await sql`insert into invite.time_zones (name) values ('Mars/Olympus')`;
  const { invite, claim } = await createContacts(sql, store, { time_zone: 'Mars/Olympus', open_hours: OFFICE });
  const ids = [
    await invite('a@example.com', NOON, { zone: 'Mars/Olympus', batchZone: 'Asia/Kolkata' }),
    await invite('b@example.com', NOON, { zone: 'Mars/Olympus', batchZone: 'Tokio+3' }),
    await invite('c@example.com', NOON, { zone: 'europe/berlin', batchZone: 'Asia/Kolkata' }),
  ];
  const claimed = await claim(ids, NOON);
  t.strictSame([...claimed.keys()], ids.slice(1), '12:00 in UTC, and 13:00 in Berlin');
  t.equal(await words(ids[0] ?? 0), 'queued outside_hours 2030-01-08T03:30:00Z', 'it is 17:30 in Kolkata');
  const shown = await sql`select from invite.unsent_messages as u where u.id = any (${ids}::bigint[])`;
  t.equal(shown.length, 3, 'and the views can be read');
});

for (const delay of [undefined, 8760])
  t.test(`closed for more than a year, an email ends, ${delay ? 'with' : 'without'} a deadline`, async (t) => {
    const rules = { closed_days: '{[2029-06-01,2032-01-01)}', ...(delay && { max_delay_hours: delay }) };
    const { invite, claim, surveys } = await createContacts(sql, store, rules);
    const id = await invite('ada@example.com', NOON);
    await clearJobs(sql);
    t.equal((await claim([id], NOON)).size, 0);
    t.equal(await words(id), 'skipped opens_too_late');
    t.strictSame(await jobsOf(sql, surveys[0] ?? ''), []);
  });

t.test(
  'of two surveys and two workers at one address, one leaves, the other looks again, and rests once it is known',
  async (t) => {
    const { invite, claim, settle, worker } = await createContacts(sql, store, { rest_days: 7 }, 2);
    const [first, second] = [await invite('Ada@Example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
    const [one, two] = [await openSession(database), await openSession(database)];
    const other = await createWorker(store);
    await one.sql`begin`;
    const claimed = await claim([first], NOON, { sql: one.sql, worker });
    t.equal((await claim([second], NOON, { sql: two.sql, worker: other })).size, 0, 'the first claim is still open');
    t.equal(await words(second), 'queued resting 2030-01-07T12:00:30Z');
    await one.sql`commit`;
    t.equal((await claim([second], '2030-01-07T12:00:30Z', { worker: other })).size, 0);
    t.equal(await words(second), 'queued resting 2030-01-07T12:01:00Z', 'it is being sent');
    await settle(first, claimed.get(first), 'accepted', '2030-01-07T12:00:40Z');
    // Without its own deadline: it was wanted before the first one left, so that its rest would end too late.
    await sql`update invite.surveys set max_delay_hours = 8760`;
    t.equal((await claim([second], '2030-01-07T12:01:00Z', { worker: other })).size, 0);
    t.equal(await words(second), 'queued resting 2030-01-14T12:00:40Z');
    t.equal((await claim([second], '2030-01-14T12:00:39Z')).size, 0);
    t.equal((await claim([second], '2030-01-14T12:00:40Z')).size, 1);
  },
);

t.test('a claim that waits for no lock still sees who has just left: the look comes after the lock', async (t) => {
  const { invite, claim, worker } = await createContacts(sql, store, { rest_days: 7 }, 2);
  const [first, second] = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
  const [one, two] = [await openSession(database), await openSession(database)];
  const [{ isolation } = {}] = await two.sql`select current_setting('transaction_isolation') as isolation`;
  t.equal(isolation, 'read committed', 'in spite of the default of the database');
  await two.sql`begin`;
  // A snapshot, which the claim of a stricter transaction would go on using.
  await two.sql`select from invite.messages limit 1`;
  t.equal((await claim([first], NOON, { sql: one.sql, worker })).size, 1);
  t.equal((await claim([second], NOON, { sql: two.sql, worker: await createWorker(store) })).size, 0);
  await two.sql`commit`;
});

t.test('while a claim is open, another takes nothing to its address, although it can not see what that takes', async (t) => {
  const { invite, claim, worker } = await createContacts(sql, store, { rest_days: 7 }, 2);
  const older = await invite('ada@example.com', NOON);
  const exempt = await invite('ADA@Example.com', NOON, { survey: 1, ignoresRest: true });
  const one = await openSession(database);
  await one.sql`begin`;
  t.equal((await claim([exempt], NOON, { sql: one.sql, worker })).size, 1);
  t.equal((await claim([older], NOON, { worker: await createWorker(store) })).size, 0);
  t.equal(await words(older), 'queued resting 2030-01-07T12:00:30Z');
  await one.sql`commit`;
});

t.test('a claim looks at an address after it has locked it, and not as all was when the claim began', async (t) => {
  const { invite, claim, worker } = await createContacts(sql, store, { rest_days: 7 }, 2);
  const open = await createContacts(sql, store, { open_hours: OFFICE });
  const first = await open.invite('bob@example.com', NOON, { zone: 'UTC' });
  const older = await invite('ada@example.com', NOON);
  const exempt = await invite('ada@example.com', NOON, { survey: 1, ignoresRest: true });
  const [holder, one] = [await openSession(database), await openSession(database)];
  // Hours need the time zones: the claim is held up at its first message.
  await holder.sql`begin`;
  await holder.sql`lock table invite.time_zones in access exclusive mode`;
  const claimed = claim([first, older], NOON, { sql: one.sql, worker: await createWorker(store) });
  await one.untilBlocked();
  t.equal((await claim([exempt], NOON, { worker })).size, 1);
  await holder.sql`commit`;
  t.strictSame([...(await claimed).keys()], [first]);
});

t.test('while the first is unknown the second waits; unconfirmed, it rests from when the first ended', async (t) => {
  const { invite, claim, settle } = await createContacts(sql, store, { rest_days: 2, max_delay_hours: 8760 }, 2);
  const [first, second] = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
  await settle(first, (await claim([first], NOON)).get(first), 'unknown', NOON);
  t.equal((await claim([second], NOON)).size, 0);
  t.equal(await words(second), 'queued resting 2030-01-07T12:00:30Z');
  const again = await claim([first, second], '2030-01-07T20:00:00Z');
  t.strictSame([...again.keys()], [first], 'it is tried again, whatever the rules say');
  await settle(first, again.get(first), 'unknown', '2030-01-07T20:00:10Z', 2);
  t.equal(await words(first), 'failed gave_up');
  await claim([second], '2030-01-07T20:01:00Z');
  t.equal(await words(second), 'queued resting 2030-01-09T20:00:10Z', 'the last attempt may have left, too');
});

t.test(
  'nothing is skipped for a rest that may not come: while another is on its way, it waits, to its deadline and beyond closing time',
  async (t) => {
    const hours = { open_hours: '{[0,735)}' };
    for (const rules of [
      { rest_days: 7, max_delay_hours: 1 },
      { rest_days: 7, max_delay_hours: 48, ...hours },
    ]) {
      const { invite, claim, settle } = await createContacts(sql, store, rules, 2);
      // The deadline is in ten seconds, or the workspace closes then.
      const at = 'open_hours' in rules ? '2030-01-07T12:14:50Z' : '2030-01-07T12:59:50Z';
      const [first, second] = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
      const claimed = await claim([first, second], at);
      t.strictSame([...claimed.keys()], [first]);
      t.match(await words(second), /^queued resting 2030-01-07T1[23]:[01]/);
      await settle(first, claimed.get(first), 'rejected', at);
      await claim([second], '2030-01-07T13:00:30Z');
      t.equal(await words(second), 'open_hours' in rules ? 'skipped opens_too_late' : 'skipped too_late');
    }
  },
);

for (const end of ['cancelled', 'answered'] as const)
  t.test(`what may have left before it was ${end} starts a rest`, async (t) => {
    const { invite, claim, settle } = await createContacts(sql, store, { rest_days: 2, max_delay_hours: 8760 }, 2);
    const [first, second] = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
    const claimed = await claim([first], NOON);
    if (end === 'cancelled')
      await sql`update invite.messages set cancelled_at = ${NOON}::text::timestamptz where invitation_id = ${first}`;
    else await sql`update invite.invitations set responded_at = ${NOON}::text::timestamptz where id = ${first}`;
    await settle(first, claimed.get(first), 'unknown', '2030-01-07T12:00:10Z');
    t.equal(await words(first), end);
    await claim([second], '2030-01-07T12:01:00Z');
    t.equal(await words(second), 'queued resting 2030-01-09T12:00:10Z');
  });

t.test('a held email blocks nobody, though it was wanted first', async (t) => {
  const { invite, claim, surveys } = await createContacts(sql, store, { rest_days: 7 }, 2);
  const [first, second] = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
  await sql`update invite.surveys set paused_at = now() where id = ${surveys[0] ?? ''}`;
  t.equal((await claim([first], NOON)).size, 0);
  t.equal((await claim([second], NOON)).size, 1);
});

t.test('a certain failure frees the address: the first fails, the second leaves', async (t) => {
  const { invite, claim, settle } = await createContacts(sql, store, { rest_days: 7 }, 2);
  const [first, second] = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
  const claimed = await claim([first, second], NOON);
  t.strictSame([...claimed.keys()], [first], 'of two in one claim, the one that was wanted first');
  await settle(first, claimed.get(first), 'rejected', NOON);
  t.equal((await claim([second], '2030-01-07T12:00:30Z')).size, 1);
});

t.test('a reminder that could leave only after its link has expired is skipped', async (t) => {
  const { invite, claim, settle, surveys } = await createContacts(sql, store, { open_hours: OFFICE });
  await sql`update invite.surveys set link_days = 6 where id = ${surveys[0] ?? ''}`;
  // Due on Saturday, with an expiry on Sunday less a day.
  const id = await invite('ada@example.com', NOON, { reminderDays: 5 });
  await settle(id, (await claim([id], NOON)).get(id), 'accepted', NOON);
  t.equal((await claim([id], '2030-01-12T12:00:00Z')).size, 0);
  t.equal(await words(id), 'skipped opens_too_late');
});

t.test(
  'closed for longer than the delay: it is skipped while it waits, and stays so when the survey is opened again',
  async (t) => {
    const { invite, claim, settle, surveys } = await createContacts(sql, store, { max_delay_hours: 24 });
    const [survey = ''] = surveys;
    const [ada, bob] = [await invite('ada@example.com', NOON), await invite('bob@example.com', NOON)];
    await settle(bob, (await claim([bob], NOON)).get(bob), 'unknown', NOON);
    await sql`update invite.surveys set state = 'closed' where id = ${survey}`;
    await claim([ada, bob], '2030-01-07T20:00:00Z');
    t.strictSame(await words(ada, bob), ['waiting', 'waiting']);
    await heal('2030-01-08T12:00:00Z');
    t.strictSame(await words(ada, bob), ['waiting', 'waiting'], 'until the last moment');
    await heal('2030-01-08T12:00:01Z');
    t.strictSame(await words(ada, bob), ['skipped too_late', 'failed unconfirmed'], 'what may have left is not called skipped');
    await sql`update invite.surveys set state = 'active' where id = ${survey}`;
    t.equal(await store.requeueWaiting(survey), 0);
  },
);

t.test('in draft an email waits, however late it is: the delay counts from the first activation', async (t) => {
  const { invite, claim, surveys } = await createContacts(sql, store, { max_delay_hours: 24 });
  const [survey = ''] = surveys;
  await sql`update invite.surveys set state = 'draft', activated_at = null where id = ${survey}`;
  const id = await invite('ada@example.com', NOON);
  await claim([id], NOON);
  await heal('2031-01-01T00:00:00Z');
  t.equal(await words(id), 'waiting');
  await sql`update invite.surveys set state = 'active', activated_at = '2031-01-01Z' where id = ${survey}`;
  await sql`select invite.requeue_waiting(${survey}, at => '2031-01-01Z')`;
  t.equal((await claim([id], '2031-01-01T00:00:00Z')).size, 1);
});

t.test(
  'a change of a rule looks once at each email that it may free, in steps, and at none again that was put off again',
  async (t) => {
    const { invite, claim, workspace, surveys } = await createContacts(sql, store, { time_zone: 'UTC', open_hours: OFFICE });
    const [survey = ''] = surveys;
    const evening = '2030-01-07T20:00:00Z';
    const ids: number[] = [];
    for (let person = 0; person < 7; person += 1) ids.push(await invite(`person${person}@example.com`, evening));
    await claim(ids, evening);
    await clearJobs(sql);
    await sql`update invite.workspaces set time_zone = 'Asia/Kolkata' where id = ${workspace}`;
    t.strictSame(
      (await jobsOf(sql, workspace)).map(({ task }) => task),
      ['requeue_workspace', 'requeue_workspace'],
      'at once, and when claims that read the old rule have ended',
    );
    await clearJobs(sql);
    t.equal(await store.requeueWorkspace(workspace), 1);
    let [step] = await waiting(survey);
    const taken: number[] = [];
    while (step && taken.length < 20) {
      await clearJobs(sql);
      const [{ requeued } = {}] = await sql`
      select invite.requeue_waiting(${survey}, 2, ${evening}::text::timestamptz, ${step.payload.after ?? null}) as requeued`;
      taken.push(requeued);
      // Workers are quick: it is night in Kolkata, too.
      await claim(ids, evening);
      [step] = await waiting(survey);
    }
    t.strictSame(taken, [2, 2, 2, 1, 0]);
    t.strictSame(new Set(await wordsOf(sql, ids)), new Set(['queued outside_hours 2030-01-08T03:30:00Z']));
  },
);

t.test('the product reads the same as a worker, with its own formats and isolation', async (t) => {
  const { invite, claim, settle } = await createContacts(
    sql,
    store,
    { rest_days: 7, max_delay_hours: 720, open_hours: OFFICE },
    2,
  );
  const ids = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
  await settle(ids[0] ?? 0, (await claim(ids, NOON)).get(ids[0] ?? 0), 'accepted', NOON);
  const look = (session: typeof sql) => session`
    select d.reason, d.verdict, extract(epoch from d.until)::integer as until
    from invite.departures(${ids}::bigint[], '2030-01-12 12:00:00+00') as d`;
  const [, second] = await look(sql);
  t.match(second, { reason: 'resting', until: Date.parse(NOON) / 1000 + 7 * 86_400 });
  t.strictSame([...(await look(product))], [...(await look(sql))]);
  const [{ style } = {}] = await product`select current_setting('DateStyle') as style`;
  t.equal(style, 'SQL, DMY');
});

t.test('a reminder neither rests nor starts a rest, and a token may ignore a rest but no choice of the recipient', async (t) => {
  const { invite, claim, settle, workspace } = await createContacts(sql, store, { rest_days: 7, max_delay_hours: 8760 }, 2);
  const id = await invite('ada@example.com', NOON, { reminderDays: 8 });
  await settle(id, (await claim([id], NOON)).get(id), 'accepted', NOON);
  const exempt = await invite('ada@example.com', '2030-01-08T12:00:00Z', { survey: 1, ignoresRest: true });
  await settle(exempt, (await claim([exempt], '2030-01-08T12:00:00Z')).get(exempt), 'accepted', '2030-01-08T12:00:00Z');
  t.equal(await words(exempt), 'sent');
  const reminded = '2030-01-15T12:00:00Z';
  const reminder = await claim([id], reminded);
  t.equal(reminder.size, 1, 'though another was sent seven days before');
  await settle(id, reminder.get(id), 'accepted', reminded);
  const later = await invite('ADA@example.com', reminded, { survey: 1 });
  const laterClaim = await claim([later], reminded);
  t.equal(laterClaim.size, 1);
  await sql`insert into invite.recipient_choices (workspace_id, email) values (${workspace}, 'ada@example.com')`;
  const another = await invite('ada@example.com', reminded, { ignoresRest: true });
  await settle(later, laterClaim.get(later), 'rejected', reminded);
  await claim([another], '2030-01-15T12:00:01Z');
  const month = 'queued resting 2030-02-07T12:00:00Z';
  t.equal(await words(another), month, '30 days after the one that ignored the rest');
  await sql`update invite.messages set ignores_rest = true, not_before = ${reminded}::text::timestamptz where invitation_id = ${another}`;
  await claim([another], '2030-01-15T12:00:01Z');
  t.equal(await words(another), month);
});

t.test(
  'of two messages to an address in one claim one leaves, also when the survey of the other is paused meanwhile',
  async (t) => {
    const { invite, claim, surveys } = await createContacts(sql, store, { rest_days: 7 }, 2);
    const [first, second] = [await invite('ada@example.com', NOON), await invite('ada@example.com', NOON, { survey: 1 })];
    t.same([...(await claim([first, second], NOON)).keys()], [first]);
    await sql`update invite.surveys set paused_at = now() where id = ${surveys[0] ?? ''}`;
    t.equal((await claim([second], '2030-01-07T12:01:00Z')).size, 0, 'the first is on its way');
  },
);

t.test('who chose at most one a month gets no ever older invitations where no delay is set', async (t) => {
  const { invite, claim, settle, workspace } = await createContacts(sql, store, {});
  await sql`insert into invite.recipient_choices (workspace_id, email) values (${workspace}, 'ada@example.com')`;
  const ids = [];
  for (const day of ['07', '08', '09']) ids.push(await invite('ada@example.com', `2030-01-${day}T12:00:00Z`));
  const [first = 0, second = 0, third = 0] = ids;
  const claimed = await claim([first], NOON);
  await settle(first, claimed.get(first), 'accepted', NOON);
  await claim([second, third], '2030-01-09T12:00:00Z');
  t.match(await wordsOf(sql, [second, third]), ['queued resting 2030-02-06T12:00:00Z', 'queued resting 2030-02-06T12:00:00Z']);
  const again = await claim([second], '2030-02-06T12:00:00Z');
  await settle(second, again.get(second), 'accepted', '2030-02-06T12:00:00Z');
  await claim([third], '2030-02-06T12:00:30Z');
  t.match(await wordsOf(sql, [third]), ['skipped rests_too_long'], 'it would leave two months late');
});
