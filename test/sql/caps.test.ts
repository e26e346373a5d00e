// Caps: how many emails leave in an hour and in a day, by workspace, sender domain and recipients' domain, alone and shared.
import t from 'tap';
import { countBy, createCapped, goOn, people, sendDue } from '../fixtures/capped.ts';
import { createMember } from '../fixtures/members.ts';
import { createTestDatabase, createWorker } from '../fixtures/setup.ts';
import { createTestToken, testClocksOn } from '../fixtures/test-workspaces.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const worker = await createWorker(store);
const START = '2030-01-07T12:00:00.000Z';
const setCap = (workspace: string, scope: string, domain: string, hour: number | null, day: number | null, own = false) =>
  sql`select invite.set_cap(${workspace}, ${scope}::invite.cap_scope, ${domain}, ${hour}, ${day}, ${own})`;

t.test('a large batch leaves evenly, within nine tenths of each hour', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 100, null);
  await invite(people(250, 'example.com'), START);
  const left = await goOn(sql, worker, [survey], START);
  t.strictSame(countBy(left, 'hour'), { '2030-01-07T12': 90, '2030-01-07T13': 90, '2030-01-07T14': 70 });
  const minutes = Object.values(countBy(left, 'minute'));
  t.ok(Math.max(...minutes) <= 2, 'spread over the minutes');
});

t.test('a tenth of each hour is kept for small batches, which leave at once beside a backlog', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 100, null);
  await invite(people(300, 'example.com'), START);
  await sendDue(sql, worker, START, [survey]);
  const small: number[] = [];
  for (let index = 0; index < 12; index += 1) small.push(...(await invite(people(1, 'small.example', index), START)));
  const left = await goOn(sql, worker, [survey], START);
  t.strictSame(countBy(left, 'hour')['2030-01-07T12'], 100 - 2, 'two left before, and the cap is used up');
  const first = left.filter(({ id }) => small.includes(id)).map(({ at }) => at);
  t.equal(first.length, 12);
  t.equal(first.filter((at) => at < '2030-01-07T13').length, 10);
  t.ok(
    first.every((at) => at < '2030-01-07T13:30'),
    'all of them long before the backlog has left',
  );
});

t.test('one that has sent little sends a request at once, and hours begin anew', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 5, null);
  const late = '2030-01-07T12:58:00.000Z';
  await invite(people(7, 'example.com'), late);
  const left = await goOn(sql, worker, [survey], late);
  t.strictSame(countBy(left, 'hour'), { '2030-01-07T12': 5, '2030-01-07T13': 2 });
});

t.test('a cap of a day holds from midnight to midnight in UTC', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 30, 40);
  await invite(people(100, 'example.com'), '2030-01-07T22:30:00.000Z');
  const left = await goOn(sql, worker, [survey], '2030-01-07T22:30:00.000Z');
  t.strictSame(countBy(left, 'day'), { '2030-01-07': 36, '2030-01-08': 36, '2030-01-09': 28 });
  t.strictSame(countBy(left, 'hour')['2030-01-08T00'], 27);
  t.strictSame(countBy(left, 'hour')['2030-01-07T22'], 14, 'half an hour, half of them');
});

t.test('the caps of workspace, sender and domains hold together; each email waits only for those that count it', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql, { sender: { email: 'news@Acme.example' } });
  await setCap(workspace, 'workspace', '', 100, null);
  await setCap(workspace, 'sender', 'acme.example', null, 300);
  await setCap(workspace, 'recipient', 'GMAIL.com', 20, null);
  const gmail = new Set(await invite(people(100, 'Gmail.com'), START));
  await invite(people(400, 'other.example'), START);
  const left = await goOn(sql, worker, [survey], START);
  t.equal(left.length, 500);
  for (const [hour, count] of Object.entries(countBy(left, 'hour'))) t.ok(count <= 90, `${hour}: ${count}`);
  for (const [day, count] of Object.entries(countBy(left, 'day'))) t.ok(count <= 270, `${day}: ${count}`);
  const toGmail = countBy(
    left.filter(({ id }) => gmail.has(id)),
    'hour',
  );
  t.strictSame(Object.values(toGmail).slice(0, 3), [18, 18, 18]);
  t.strictSame(countBy(left, 'hour')['2030-01-07T12'], 90, 'what gmail can not take, others do');
});

t.test('the lower number of operator and owner holds', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 50, null);
  await setCap(workspace, 'workspace', '', 20, 1000, true);
  await invite(people(40, 'example.com'), START);
  t.strictSame(Object.values(countBy(await goOn(sql, worker, [survey], START), 'hour')), [18, 18, 4]);
  await setCap(workspace, 'workspace', '', null, null);
  await setCap(workspace, 'workspace', '', null, null, true);
  t.equal((await sql`select from invite.caps where workspace_id = ${workspace}`).length, 0);
});

t.test('lowered below what is promised, a cap is never exceeded, and all leave in the end', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 100, 1000);
  await invite(people(400, 'example.com'), START);
  await sendDue(sql, worker, START, [survey]);
  // By a plain update, so that nobody looks again.
  await sql`update invite.caps set per_hour = 30 where workspace_id = ${workspace}`;
  const left = await goOn(sql, worker, [survey], START);
  t.equal(left.length, 398);
  for (const [hour, count] of Object.entries(countBy(left, 'hour'))) t.ok(count <= 30, `${hour}: ${count}`);
});

t.test('raised, what waits is looked at again and gets earlier places', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 10, null);
  await invite(people(100, 'example.com'), START);
  await sendDue(sql, worker, START, [survey]);
  t.equal(
    await sql`select invite.set_cap(${workspace}, 'workspace', '', 10, null) as changed`.then(([row]) => row?.changed),
    false,
  );
  await setCap(workspace, 'workspace', '', 100, null);
  await sql`select invite.requeue_waiting(${survey}, null, ${START}::text::timestamptz)`;
  const left = await goOn(sql, worker, [survey], START);
  t.strictSame(Object.keys(countBy(left, 'hour')).length, 2, 'in two hours instead of ten');
  t.ok(Object.values(countBy(left, 'hour')).every((count) => count <= 100));
});

t.test('what was not sent in its hour, as while a relay is paused, is promised again', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 10, null);
  await invite(people(50, 'example.com'), START);
  await sendDue(sql, worker, START, [survey]);
  const left = await goOn(sql, worker, [survey], '2030-01-07T15:30:00.000Z');
  t.equal(left.length, 49);
  for (const [hour, count] of Object.entries(countBy(left, 'hour'))) t.ok(count <= 10, `${hour}: ${count}`);
  t.ok((countBy(left, 'hour')['2030-01-07T15'] ?? 0) > 0);
});

t.test('each attempt counts; one whose outcome is unknown is tried again in any case', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 3, null);
  const ids = await invite(people(3, 'example.com'), START);
  const used = async () =>
    (
      await sql`select coalesce(sum(used), 0)::integer as used from invite.cap_slots where workspace_id = ${workspace} and slot = '2030-01-07T12:00Z'`
    )[0]?.used;
  const at = '2030-01-07T12:50:00.000Z';
  t.equal((await sendDue(sql, worker, at, [survey], 'retry')).length, 3);
  t.equal(await used(), 3);
  const again = '2030-01-07T12:55:00.000Z';
  t.equal((await sendDue(sql, worker, again, [survey])).length, 0, 'the hour is used up');
  await sql`update invite.messages set not_before = ${again}::text::timestamptz, rule = null, unconfirmed_since = ${at}::text::timestamptz where invitation_id = ${ids[0] ?? 0}`;
  t.equal((await sendDue(sql, worker, again, [survey], 'unknown')).length, 1);
  t.equal(await used(), 4);
});

t.test('what would get its place after its deadline is skipped, and takes none', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 10, null);
  await sql`update invite.workspaces set max_delay_hours = 3 where id = ${workspace}`;
  await invite(people(60, 'example.com'), START);
  const left = await goOn(sql, worker, [survey], START);
  t.equal(left.length, 28, 'nine in each of three hours, and the first minute of the fourth');
  const rows =
    await sql`select status, rule, count(*)::integer from invite.messages where survey_id = ${survey} group by 1, 2 order by 1`;
  t.strictSame(
    [...rows],
    [
      { status: 'sent', rule: null, count: 28 },
      { status: 'skipped', rule: 'capped_too_long', count: 32 },
    ],
  );
  const [slots] = await sql`select sum(large)::integer as promised from invite.cap_slots where workspace_id = ${workspace}`;
  t.equal(slots?.promised, 28);
});

t.test('a place is in hours that are open for the recipient', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql, {
    open_hours: '{[540,600),[1980,2040)}',
    time_zone: 'Asia/Kathmandu',
  });
  await setCap(workspace, 'workspace', '', 100, null);
  // Monday 9:00 in Kathmandu is 3:15 in UTC.
  await invite(people(150, 'example.com'), '2030-01-07T03:15:00.000Z');
  const left = await goOn(sql, worker, [survey], '2030-01-07T03:15:00.000Z');
  t.equal(left.length, 150);
  for (const { at } of left) t.ok(/T03:(1[5-9]|[2-5]\d)|T04:(0\d|1[0-4])/.test(at), at);
  t.ok(Math.max(...Object.values(countBy(left, 'minute'))) <= 2, 'spread over the minutes');
});

t.test('what is cancelled gives its places to others', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 10, null);
  const first = await invite(people(100, 'example.com'), START);
  await sendDue(sql, worker, START, [survey]);
  await sql`select invite.cancel_invitations(${first}::bigint[], ${START}::text::timestamptz)`;
  await invite(people(20, 'other.example'), START);
  const left = await goOn(sql, worker, [survey], START);
  t.strictSame(countBy(left, 'hour'), { '2030-01-07T12': 8, '2030-01-07T13': 9, '2030-01-07T14': 3 });
  t.equal((await sql`select from invite.cap_releases`).length, 0);
});

t.test('workspaces share a cap in turns within each hour, and leave free what they do not need', async (t) => {
  const [big, other] = [await createCapped(sql), await createCapped(sql, { name: 'Other' })];
  await sql`select invite.set_shared_cap('shared.example', 100, null)`;
  const all = new Set(await big.invite(people(500, 'shared.example'), START));
  await big.invite(people(20, 'free.example'), START);
  await sendDue(sql, worker, START, [big.survey, other.survey]);
  await other.invite(people(60, 'shared.example', 1000), START);
  const left = await goOn(sql, worker, [big.survey, other.survey], START);
  t.equal(left.length, 500 + 60 + 20 - 2 - 20);
  for (const [hour, count] of Object.entries(countBy(left, 'hour'))) t.ok(count <= 100, `${hour}: ${count}`);
  const others = countBy(
    left.filter(({ id }) => !all.has(id)),
    'hour',
  );
  t.strictSame(
    Object.keys(others),
    ['2030-01-07T12', '2030-01-07T13'],
    'the backlog of the first does not make it wait for days',
  );
  await sql`select invite.set_shared_cap('shared.example', null, null)`;
});

t.test('many workers never exceed a cap', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 100, null);
  await setCap(workspace, 'recipient', 'race.example', 60, 1000);
  for (let index = 0; index < 160; index += 8) await invite(people(8, 'race.example', index), '2030-01-07T12:30:00.000Z');
  const at = '2030-01-07T12:59:30.000Z';
  const sessions = Array.from({ length: 8 }, () => database.connect());
  const ids = (
    await sql<{ id: number }[]>`select invitation_id::float8 as id from invite.messages where survey_id = ${survey} order by 1`
  ).map(({ id }) => id);
  const claims = await Promise.all(
    sessions.map(async (session, index) => {
      let count = 0;
      for (let from = index * 5; from < ids.length; from += 40) {
        const some = ids.slice(from, from + 5);
        count += (await session`select from invite.claim_invitations(${some}::bigint[], ${worker}, ${at}::text::timestamptz)`)
          .length;
      }
      return count;
    }),
  );
  t.equal(
    claims.reduce((sum, count) => sum + count),
    60,
  );
  const [row] =
    await sql`select used, small from invite.cap_slots where workspace_id = ${workspace} and scope = 'recipient' and slot = '2030-01-07T12:00Z'`;
  t.match(row, { used: 60, small: 60 });
});

t.test('what the rate turns down keeps its place or gives it back', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 100, null);
  const late = '2030-01-07T12:30:00.000Z';
  await invite(people(5, 'example.com'), late);
  const slow = await createWorker(store);
  await sql`update invite.workers set relay = 'slow', rate = 1 where id = ${slow}`;
  const ids = (await sql`select invitation_id::float8 as id from invite.messages where survey_id = ${survey}`).map(
    ({ id }) => id,
  );
  const claimed = await sql`select from invite.claim_invitations(${ids}::bigint[], ${slow}, ${late}::text::timestamptz)`;
  t.equal(claimed.length, 1);
  const [slot] = await sql`select used, small from invite.cap_slots where workspace_id = ${workspace}`;
  t.match(slot, { used: 1, small: 1 });
  t.equal((await sendDue(sql, worker, late, [survey])).length, 4);
});

t.test('somebody who keeps a cap locked makes only its emails wait', async (t) => {
  const [capped, free] = [await createCapped(sql), await createCapped(sql)];
  await setCap(capped.workspace, 'workspace', '', 100, null);
  const ids = [...(await capped.invite(people(2, 'a.example'), START)), ...(await free.invite(people(2, 'b.example'), START))];
  const product = database.connect();
  await product`begin`;
  await product`select from invite.caps where workspace_id = ${capped.workspace} for update`;
  const claimed =
    await sql`select c.id from invite.claim_invitations(${ids}::bigint[], ${worker}, ${START}::text::timestamptz) as c`;
  await product`rollback`;
  t.equal(claimed.length, 2);
  const [row] = await sql`select rule, not_before from invite.messages where invitation_id = ${ids[0] ?? 0}`;
  t.match(row, { rule: 'capped', not_before: new Date('2030-01-07T12:00:30Z') });
});

t.test('views say until when an email waits, and what a claim would say', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 10, null);
  const soon = new Date(Math.ceil((Date.now() + 60_000) / 3_600_000) * 3_600_000).toISOString();
  const ids = await invite(people(30, 'example.com'), soon);
  await sendDue(sql, worker, soon, [survey]);
  const late = await invite(people(11, 'late.example'), soon);
  const said =
    await sql`select d.reason, d.verdict, d.until from invite.departures(${[ids[29] ?? 0, late[0] ?? 0]}::bigint[], ${soon}::text::timestamptz) as d`;
  t.match(said, [
    { reason: 'capped', verdict: 'later' },
    { reason: 'capped', verdict: 'later' },
  ]);
  await sendDue(sql, worker, soon, [survey]);
  const [row] = await sql`select not_before from invite.messages where invitation_id = ${late[0] ?? 0}`;
  t.strictSame(row?.not_before, said[1]?.until);
});

/** What a forecast says of a survey at a time: when each of its emails leaves, or why not. */
async function foresee(survey: string, at: string, looksAgain = false): Promise<Map<number, string>> {
  const rows = await sql`
    select m.invitation_id::float8 as id, m.leaves_at, m.reason
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    cross join lateral invite.forecast_messages(w, s, 1000000, ${at}::text::timestamptz, ${looksAgain}) as m
    where s.id = ${survey}`;
  return new Map(rows.map(({ id, leaves_at, reason }) => [id, reason ?? leaves_at.toISOString()]));
}

t.test('a forecast says of each email what happens under all caps together', async (t) => {
  const hours = '{[540,1020),[1980,2460),[3420,3900),[4860,5340),[6300,6780)}';
  const { workspace, survey, invite } = await createCapped(sql, { sender: { email: 'a@forecast.example' }, open_hours: hours });
  await sql`update invite.workspaces set max_delay_hours = 72 where id = ${workspace}`;
  await setCap(workspace, 'workspace', '', 40, null);
  await setCap(workspace, 'sender', 'forecast.example', null, 250);
  await setCap(workspace, 'recipient', 'one.example', 12, null);
  await setCap(workspace, 'recipient', 'two.example', 11, 60);
  await invite([...people(200, 'one.example'), ...people(200, 'two.example'), ...people(300, 'three.example')], START);
  await invite(people(3, 'one.example', 900), '2030-01-07T13:20:00.000Z');
  await invite(people(60, 'two.example', 2000), '2030-01-08T10:00:00.000Z');
  const before = await foresee(survey, START);
  await sendDue(sql, worker, START, [survey]);
  const between = await foresee(survey, '2030-01-07T12:00:30.000Z');
  const left = new Map((await goOn(sql, worker, [survey], START)).map(({ id, at }) => [id, at]));
  t.equal(before.size, 763);
  const wrong = (said: Map<number, string>) =>
    [...said].filter(([id, what]) => (left.get(id) ?? 'capped_too_long') !== what && what > '2030-01-07T12:00:30');
  t.strictSame(wrong(before), []);
  t.strictSame(wrong(between), []);
  t.ok([...before.values()].includes('capped_too_long'));
});

t.test('a preview of other caps is what happens once they hold', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 10, null);
  await invite(people(200, 'example.com'), START);
  await sendDue(sql, worker, START, [survey]);
  await setCap(workspace, 'workspace', '', 25, null);
  const said = await foresee(survey, START, true);
  await sql`select invite.requeue_waiting(${survey}, null, ${START}::text::timestamptz)`;
  const left = await goOn(sql, worker, [survey], START);
  t.strictSame(
    countBy(
      [...said.values()].map((at) => ({ id: 0, at })),
      'hour',
    ),
    countBy(left, 'hour'),
  );
});

t.test('a domain earns more after two days that used half of it without a warning', async (t) => {
  const { workspace, survey, invite } = await createCapped(sql, { sender: { email: 'a@earns.example' } });
  const start = '2030-01-07T09:00:00.000Z';
  await sql`select invite.set_earned_cap(${workspace}, 'Earns.example', true, ${start}::text::timestamptz)`;
  await t.rejects(
    sql`select invite.set_earned_cap(${(await createCapped(sql)).workspace}, 'earns.example', true)`,
    /caps_sender_own/,
  );
  await invite(people(5000, 'example.com'), start);
  const earned = async () =>
    (await sql`select earned_per_day, earned_days from invite.caps where workspace_id = ${workspace}`)[0];
  const days: number[] = [];
  for (let day = 7; day < 13; day += 1) {
    const [from, until] = [
      `2030-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
      `2030-01-${String(day + 1).padStart(2, '0')}T00:00:00.000Z`,
    ];
    days.push((await goOn(sql, worker, [survey], day === 7 ? start : from, until)).length);
    // A warning on the second day: it doesn't count.
    if (day === 8)
      await sql`insert into invite.audit_log (workspace_id, at, actor, action) values (${workspace}, ${from}::text::timestamptz + interval '3 hours', 'service', 'guard_warned')`;
    await sql`select invite.earn_caps(${until}::text::timestamptz)`;
    await sql`select invite.requeue_waiting(${survey}, 10000, ${until}::text::timestamptz)`;
  }
  t.strictSame(days, [90, 90, 90, 270, 270, 810]);
  t.match(await earned(), { earned_per_day: 900, earned_days: 1 });
  await sql`select invite.set_earned_cap(${workspace}, 'earns.example', false)`;
  t.equal(await earned(), undefined);
});

t.test('a day that used less than half, and a day without a worker, do not count; each is judged once', async (t) => {
  const { workspace } = await createCapped(sql, { sender: { email: 'a@slow.example' } });
  await sql`select invite.set_earned_cap(${workspace}, 'slow.example', true, '2030-01-07T09:00Z')`;
  const use = (day: string, used: number) =>
    sql`insert into invite.cap_slots (workspace_id, scope, domain, slot, used) values (${workspace}, 'sender', 'slow.example', ${`2030-01-${day}T23:00Z`}::text::timestamptz, ${used})`;
  await use('07', 49);
  await use('08', 50);
  await use('10', 100);
  const judge = async (at: string) => {
    await sql`select invite.earn_caps(${at}::text::timestamptz)`;
    return (
      await sql`select earned_per_day as day, earned_days as days, earned_until::text as until from invite.caps where workspace_id = ${workspace}`
    )[0];
  };
  t.match(await judge('2030-01-07T23:59Z'), { day: 100, days: 0, until: '2030-01-07' });
  t.match(await judge('2030-01-10T00:00Z'), { day: 100, days: 1, until: '2030-01-10' });
  t.match(await judge('2030-01-10T12:00Z'), { day: 100, days: 1 });
  t.match(await judge('2030-01-14T00:01Z'), { day: 300, days: 0, until: '2030-01-14' });
});

t.test('owners set their own limits, and see those of the operator', async (t) => {
  const { workspace } = await createCapped(sql);
  const { session } = await createMember(store, workspace, 'admin');
  await sql`select invite.set_shared_cap('seen.example', 500, null)`;
  await setCap(workspace, 'workspace', '', 50, null);
  t.equal(await store.console.setCap(session, workspace, 'workspace', '', { perHour: 70, perDay: 1000 }), true);
  t.equal(await store.console.setCap(session, workspace, 'recipient', 'Gmail.COM', { perHour: 70, perDay: null }), true);
  t.match(await store.console.caps(session, workspace), [
    { scope: 'workspace', perHour: 50, ownPerHour: 70, ownPerDay: 1000, sentToday: 0, waiting: 0 },
    { scope: 'recipient', domain: 'gmail.com', perHour: null, ownPerHour: 70 },
    { scope: 'shared', domain: 'seen.example', perHour: 500 },
  ]);
  for (const domain of ['', 'gmail', 'a b.example', 'x@gmail.com', `${'a'.repeat(253)}.example`])
    await t.rejects(
      store.console.setCap(session, workspace, 'recipient', domain, { perHour: 1, perDay: null }),
      { code: '23514' },
      domain,
    );
  for (let index = 0; index < 98; index += 1)
    await store.console.setCap(session, workspace, 'recipient', `d${index}.example`, { perHour: 1, perDay: null });
  await t.rejects(
    store.console.setCap(session, workspace, 'recipient', 'more.example', { perHour: 1, perDay: null }),
    /caps_many/,
  );
  await sql`select invite.set_shared_cap('seen.example', null, null)`;
  t.match(
    await sql`select actor, subject, detail from invite.audit_log where workspace_id = ${workspace} and action = 'cap_changed' order by id limit 2`,
    [
      { subject: null, detail: { scope: 'workspace', own: false, per_hour: 50 } },
      { detail: { own: true, per_hour: 70, per_day: 1000 } },
    ],
  );
});

t.test('the clock of a test workspace exercises its caps, and shared ones do not count it', async (t) => {
  const { workspace, survey } = await createCapped(sql);
  await setCap(workspace, 'workspace', '', 10, null);
  await sql`select invite.set_shared_cap('sim.invalid', 1, 1)`;
  const test = await store.createTestWorkspace(workspace, undefined);
  const [{ id = '' } = {}] = await sql`select id from invite.surveys where workspace_id = ${test}`;
  const { hash } = await createTestToken(store, id);
  const recipients = people(30, 'sim.invalid').map((email) => ({ email }));
  await store.acceptTestTrigger({ secretHash: hash, request: { recipients } }, 1000);
  await store.requestTestAdvance(test, { seconds: 7200 });
  const clocks = testClocksOn(database.connect(), worker);
  while ((await store.nextTestAdvance(test)) !== null) await clocks.advance(test);
  const sent =
    await sql`select date_trunc('hour', sent_at, 'UTC') as hour, count(*)::integer as emails from invite.messages where survey_id = ${id} and status = 'sent' group by 1 order by 1`;
  t.ok(sent.length >= 2 && sent.every(({ emails }) => emails <= 10), JSON.stringify(sent));
  t.equal((await sql`select from invite.cap_slots where workspace_id = ${test} and scope = 'shared'`).length, 0);
  await sql`select invite.set_shared_cap('sim.invalid', null, null)`;
  t.ok(survey);
});
