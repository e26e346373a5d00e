// Hours, closed days and time zones: next_open by examples, what constraints ask, and which time zones there are. next-open.test.ts proves next_open.
import postgres from 'postgres';
import t from 'tap';
import type { Sql } from '../../src/database/pool.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const { sql, url } = await createTestDatabase(t);

/** Monday to Friday, 8:00 to 20:00. */
const OFFICE = '{[480,1200),[1920,2640),[3360,4080),[4800,5520),[6240,6960)}';
const SUNDAY = 6 * 1440;
const BERLIN = 'Europe/Berlin';
const CHRISTMAS = '{[2026-12-24,2026-12-27)}';

type Example = readonly [
  name: string,
  rule: readonly [openHours: string | null, closedDays: string | null, zone: string | null],
  at: string,
  next: string | null,
];

const EXAMPLES: readonly Example[] = [
  ['nothing is set', [null, null, BERLIN], '2026-11-21T23:07:08.123456Z', '2026-11-21T23:07:08.123456Z'],
  ['open, to the microsecond', [OFFICE, null, BERLIN], '2026-11-23T18:59:59.999999Z', '2026-11-23T18:59:59.999999Z'],
  ['the end is closed', [OFFICE, null, BERLIN], '2026-11-23T19:00:00Z', '2026-11-24T07:00:00Z'],
  ['the start is open', [OFFICE, null, BERLIN], '2026-11-24T07:00:00Z', '2026-11-24T07:00:00Z'],
  ['a moment before', [OFFICE, null, BERLIN], '2026-11-24T06:59:59.999999Z', '2026-11-24T07:00:00Z'],
  ['a weekend', [OFFICE, null, BERLIN], '2026-11-27T19:30:00Z', '2026-11-30T07:00:00Z'],
  ['a weekend with a change of the clocks', [OFFICE, null, BERLIN], '2026-10-23T18:30:00Z', '2026-10-26T07:00:00Z'],
  ['Sunday night is followed by Monday', ['{[0,60),[10020,10080)}', null, 'UTC'], '2026-11-23T01:00:00Z', '2026-11-29T23:00:00Z'],
  ['closed days', [OFFICE, CHRISTMAS, BERLIN], '2026-12-24T10:00:00Z', '2026-12-28T07:00:00Z'],
  ['closed days alone end at midnight', [null, CHRISTMAS, BERLIN], '2026-12-24T10:00:00Z', '2026-12-26T23:00:00Z'],
  ['closed days of the local date', [null, CHRISTMAS, 'Pacific/Kiritimati'], '2026-12-23T09:59:59Z', '2026-12-23T09:59:59Z'],
  ['and of no other', [null, CHRISTMAS, 'Pacific/Kiritimati'], '2026-12-23T10:00:00Z', '2026-12-26T10:00:00Z'],
  [
    'an hour that the clocks leave out',
    [`{[${SUNDAY + 120},${SUNDAY + 180})}`, null, BERLIN],
    '2027-03-27T12:00:00Z',
    '2027-04-04T00:00:00Z',
  ],
  [
    'an opening in it is at its end',
    [`{[${SUNDAY + 150},${SUNDAY + 240})}`, null, BERLIN],
    '2027-03-27T12:00:00Z',
    '2027-03-28T01:00:00Z',
  ],
  [
    'an hour that they show twice opens twice',
    [`{[${SUNDAY + 150},${SUNDAY + 165})}`, null, BERLIN],
    '2026-10-25T00:46:00Z',
    '2026-10-25T01:30:00Z',
  ],
  [
    'midnight is left out',
    [`{[${SUNDAY},${SUNDAY + 30})}`, null, 'America/Sao_Paulo'],
    '2018-11-03T12:00:00Z',
    '2018-11-11T02:00:00Z',
  ],
  [
    'a day is left out',
    [null, '{[2011-12-29,2011-12-30),[2011-12-31,2012-01-01)}', 'Pacific/Apia'],
    '2011-12-29T12:00:00Z',
    '2011-12-31T10:00:00Z',
  ],
  [
    'half an hour is left out',
    [`{[${SUNDAY + 120},${SUNDAY + 165})}`, null, 'Australia/Lord_Howe'],
    '2026-10-03T12:00:00Z',
    '2026-10-03T15:30:00Z',
  ],
  [
    'clocks that are changed at 00:01',
    ['{[8580,8640)}', null, 'America/St_Johns'],
    '2010-11-07T02:30:00Z',
    '2010-11-07T02:45:00Z',
  ],
  ['three quarters', [OFFICE, null, 'Asia/Kathmandu'], '2026-11-23T00:00:00Z', '2026-11-23T02:15:00Z'],
  ['closed for 366 days', [null, '{[2026-01-01,2027-01-03)}', 'UTC'], '2026-01-01T00:00:00Z', null],
  ['closed for a day less', [null, '{[2026-01-01,2027-01-02)}', 'UTC'], '2026-01-01T00:00:00Z', '2027-01-02T00:00:00Z'],
  ['closed for good', [OFFICE, '{[2026-01-01,)}', 'UTC'], '2026-06-01T12:00:00Z', null],
  ['no time zone is never open', [OFFICE, null, null], '2026-11-23T12:00:00Z', null],
  ['no time', [OFFICE, null, BERLIN], 'infinity', null],
];

const nextOpen = async (sql: Sql | postgres.Sql, [openHours, closedDays, zone]: Example[1], at: string) => {
  const [row] = await sql<{ next: string | null }[]>`
    select to_char(
      invite.next_open(${openHours}::text::int4multirange, ${closedDays}::text::datemultirange, ${zone}, ${at}::text::timestamptz) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.USZ') as next`;
  return row?.next?.replace(/\.?0*Z$/, 'Z') ?? null;
};

for (const [name, rule, at, next] of EXAMPLES) {
  t.test(`when it is next open: ${name}`, async (t) => t.equal(await nextOpen(sql, rule, at), next));
}

t.test('a session with odd settings opens at the same times', async (t) => {
  const odd = postgres(url, {
    max: 1,
    connection: {
      ...{ DateStyle: 'German', TimeZone: 'Asia/Tokyo', IntervalStyle: 'sql_standard', timezone_abbreviations: 'India' },
      default_transaction_isolation: 'serializable',
    },
  });
  t.teardown(() => odd.end());
  t.equal((await odd`select '2026-11-23'::date::text as date`)[0]?.date, '23.11.2026');
  for (const [name, rule, at, next] of EXAMPLES) t.equal(await nextOpen(odd, rule, at), next, name);
  const all = (sql: Sql | postgres.Sql) => sql`
    select extract(epoch from t)::bigint as at, extract(epoch from invite.next_open(${OFFICE}, '{[2026-03-27,2026-03-28)}', z, t))::bigint as next
    from generate_series(to_timestamp(1774310400), to_timestamp(1774915200), interval '5 minutes') as t
    cross join unnest('{Europe/Berlin,Asia/Tokyo,America/New_York}'::text[]) as z
    order by z, t`;
  t.same([...(await all(odd))], [...(await all(sql))]);
  t.same(
    [...(await odd`select invite.zone_of('ist', 'asia/kolkata') as zone, invite.is_time_zone('IST') as known`)],
    [{ zone: 'Asia/Kolkata', known: false }],
  );
});

t.test('open hours are quarters of an hour within a week', async (t) => {
  const [row = {}] = await sql`
    select ${sql.unsafe(
      [
        ...['{[0,10080)}', '{[480,1200),[1920,2640)}', '{[10065,10080)}', '{[0,15)}', '{[480,500),[500,600)}'],
        ...[
          '{}',
          '{[-15,15)}',
          '{[10065,10095)}',
          '{[480,1199)}',
          '{[481,1200)}',
          '{[480,1200]}',
          '{(,480)}',
          '{[480,)}',
          '{(,)}',
        ],
      ]
        .map((hours) => `invite.are_open_hours('${hours}') as "${hours}"`)
        .join(),
    )}, invite.are_open_hours(null) as null`;
  const yes = ['{[0,10080)}', '{[480,1200),[1920,2640)}', '{[10065,10080)}', '{[0,15)}', '{[480,500),[500,600)}'];
  for (const [hours, are] of Object.entries(row)) t.equal(are, hours === 'null' ? null : yes.includes(hours), hours);
  t.equal(Object.keys(row).length, 15);
});

t.test('closed days are at most 1,000 ranges of dates', async (t) => {
  const are = async (days: string | null) =>
    (await sql`select invite.are_closed_days(${days}::text::datemultirange) as are`)[0]?.are;
  const ranges = (count: number) =>
    `{${Array.from({ length: count }, (_, n) => `[${2000 + n}-12-24,${2000 + n}-12-27)`).join()}}`;
  t.equal(await are(CHRISTMAS), true);
  t.equal(await are(ranges(1000)), true);
  t.equal(await are(ranges(1001)), false);
  t.equal(await are('{[9999-12-31,9999-12-31]}'), true);
  for (const days of [
    '{}',
    '{(,)}',
    '{[2026-12-24,)}',
    '{(,2026-12-24)}',
    '{[2026-12-24,infinity)}',
    '{[1969-12-31,1970-01-02)}',
  ]) {
    t.equal(await are(days), false, days);
  }
  t.equal(await are(null), null);
});

t.test('a time zone is known by its name, in any case', async (t) => {
  const is = async (name: string | null) => (await sql`select invite.is_time_zone(${name}) as is`)[0]?.is;
  for (const name of [
    'Europe/Berlin',
    'europe/BERLIN',
    'America/Argentina/Buenos_Aires',
    'UTC',
    'utc',
    'GMT',
    'Etc/GMT+3',
    'Japan',
  ]) {
    t.equal(await is(name), true, name);
  }
  const others = [
    'Tokio+3',
    'UTC+3',
    '+03:00',
    '3',
    'PST',
    'CET',
    'EST',
    'posix/Europe/Berlin',
    'Factory',
    'localtime',
    ' UTC',
    '',
    null,
  ];
  for (const name of others) t.equal(await is(name), false, String(name));
});

t.test('what PostgreSQL takes for the abbreviation of a time zone is no name of one', async (t) => {
  const rows = await sql`
    select z.name from invite.time_zones as z
    join pg_timezone_abbrevs as a on a.abbrev = upper(z.name)
    where a.is_dst or a.utc_offset <> '0' or z.name not in ('UTC', 'GMT')`;
  t.same([...rows], []);
});

t.test('the first time zone that the server knows counts, then UTC', async (t) => {
  const [row] = await sql`
    select invite.zone_of('Asia/Tokyo', 'Europe/Berlin') as first, invite.zone_of(null, 'Mars/Base', 'europe/berlin', 'Asia/Tokyo') as next,
      invite.zone_of('Tokio+3', 'PST') as "none", invite.zone_of(null) as "null"`;
  t.same(row, { first: 'Asia/Tokyo', next: 'Europe/Berlin', none: 'UTC', null: 'UTC' });

  await sql`insert into invite.time_zones values ('Mars/Base')`;
  const [later] = await sql`select invite.zone_of('Mars/Base', 'Asia/Tokyo') as zone`;
  await sql`delete from invite.time_zones where name = 'Mars/Base'`;
  t.equal(later?.zone, 'Asia/Tokyo', 'it was known to a server before this one');
});

t.test('the names of time zones are read again by another PostgreSQL or schema, or always', async (t) => {
  const names = async () => (await sql`select name from invite.time_zones order by name`).map(({ name }) => name);
  const before = await names();
  t.ok(before.length > 400);
  const change = () => sql`
    with gone as (delete from invite.time_zones where name = 'Europe/Berlin')
    insert into invite.time_zones values ('Mars/Base')`;
  await change();
  const changed = await names();
  await sql`select invite.renew_time_zones()`;
  t.same(await names(), changed);
  await sql`select invite.renew_time_zones(always => true)`;
  t.same(await names(), before);

  await change();
  await sql`update invite.definitions set digest = 'of another PostgreSQL' where file = 'time_zones'`;
  await sql`select invite.renew_time_zones()`;
  t.same(await names(), before);
});
