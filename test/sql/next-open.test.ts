// next_open computes with steps, and the oracle here reads the local clock by Temporal: each minute around each change of the clocks, and at
// random times. NEXT_OPEN_SEED repeats a run. NEXT_OPEN_RUNS is how many random times a zone has; with 1000 all changes of its clocks are looked at.
import fc from 'fast-check';
import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { createTestDatabase } from '../fixtures/setup.ts';

const seed = Number(process.env.NEXT_OPEN_SEED ?? 20_300_131);
const runs = Number(process.env.NEXT_OPEN_RUNS ?? 20);
t.comment(`NEXT_OPEN_SEED=${seed} NEXT_OPEN_RUNS=${runs}`);

/** Half hours and quarters, gaps and folds at midnight and at 00:01, changes by half an hour, two hours and a day, and four a year. */
const ZONES = [
  ...[
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Pacific/Chatham',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  ],
  ...[
    'Antarctica/Troll',
    'Antarctica/Casey',
    'Africa/Casablanca',
    'Africa/El_Aaiun',
    'Asia/Gaza',
    'Asia/Beirut',
    'America/Sao_Paulo',
  ],
  'America/St_Johns',
];
/** In minutes since 1970, as all times below that aren't said to be microseconds. */
const FIRST = Date.UTC(1995, 0) / 60_000;
const LAST = Date.UTC(2036, 0) / 60_000;
const DAY = 1440;
const QUARTER = 15;
const AHEAD = 366 * DAY;
const QUARTERS_OF_WEEK = 672;
/** How many rules are looked at around a change of the clocks. */
const RULES_A_CHANGE = runs < 1000 ? 3 : 1;

const { sql, connectAsAdmin } = await createTestDatabase(t);

type Range = readonly [from: number, to: number];

/** The offset that a clock has from a time on, in minutes. */
interface Change {
  readonly at: number;
  readonly offset: number;
}

/** The change at FIRST is the offset there. */
function changesOf(zone: string): Change[] {
  const changes: Change[] = [];
  for (let at: Temporal.ZonedDateTime | null = clockAt(FIRST, zone); at !== null; at = at.getTimeZoneTransition('next')) {
    const change = { at: at.epochMilliseconds / 60_000, offset: at.offsetNanoseconds / 60e9 };
    if (change.at > LAST + AHEAD) break;
    if (change.offset !== changes.at(-1)?.offset) changes.push(change);
  }
  return changes;
}

const clockAt = (minute: number, zone: string) => new Temporal.ZonedDateTime(BigInt(minute) * 60_000_000_000n, zone);

/** The same by PostgreSQL, which looks every twelve hours, and then closely. */
const serverChangesOf = (zone: string) => sql<Change[]>`
  with shown as (
    select t, (extract(epoch from t at time zone ${zone}) - extract(epoch from t)) / 60 as shown
    from generate_series(to_timestamp(${FIRST * 60}), to_timestamp(${(LAST + AHEAD) * 60}), interval '12 hours') as t
  ),
  changed as (select s.*, lag(s.shown) over (order by s.t) as before from shown as s)
  select
    (extract(epoch from case
      when c.before is null then c.t
      else (
        select min(m) from generate_series(c.t - interval '12 hours', c.t, interval '1 minute') as m
        where (extract(epoch from m at time zone ${zone}) - extract(epoch from m)) / 60 <> c.before)
    end) / 60)::float8 as at, c.shown::float8 as offset
  from changed as c
  where c.before is distinct from c.shown
  order by c.t`;

/** When two clocks differ. */
function differencesOf(one: readonly Change[], other: readonly Change[]): Range[] {
  const offsetAt = (changes: readonly Change[], at: number) => changes.findLast((change) => change.at <= at)?.offset;
  const times = [...new Set([...one, ...other].map(({ at }) => at))].sort((a, b) => a - b);
  return times.flatMap((at, index) =>
    offsetAt(one, at) === offsetAt(other, at) ? [] : [[at, times[index + 1] ?? LAST + AHEAD] as const],
  );
}

interface Rule {
  /** As PostgreSQL takes them. Null: always, and none. */
  readonly openHours: string | null;
  readonly closedDays: string | null;
  isOpen(shown: Shown): boolean;
}

/** What a local clock shows: the quarter of the week, and the day since 1970. */
interface Shown {
  readonly quarter: number;
  readonly day: number;
}

function shownAt(minute: number, zone: string): Shown {
  const { year, month, day, dayOfWeek, hour, minute: minutes } = clockAt(minute, zone);
  return {
    quarter: Math.floor(((dayOfWeek - 1) * DAY + hour * 60 + minutes) / QUARTER),
    day: Date.UTC(year, month - 1, day) / 86_400_000,
  };
}

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

const ranges = (from: fc.Arbitrary<number>, length: fc.Arbitrary<number>, maxLength: number): fc.Arbitrary<Range[]> =>
  fc.array(
    fc.tuple(from, length).map(([from, length]) => [from, from + length] as const),
    { minLength: 1, maxLength },
  );
const between = (min: number, max: number) => fc.integer({ min, max });

const HOURS = fc.oneof(
  { weight: 6, arbitrary: ranges(between(-14, 14), between(1, 20), 4) },
  { weight: 2, arbitrary: ranges(between(0, 671), between(1, 672), 5) },
  { weight: 2, arbitrary: fc.constantFrom('office', 'nights', null) },
);
const NEAR = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: ranges(between(-3, 3), between(1, 3), 3) },
);
const FAR = fc.oneof(
  { weight: 6, arbitrary: NEAR },
  { weight: 1, arbitrary: ranges(between(-9, 360), between(1, 40), 30) },
  { weight: 1, arbitrary: ranges(between(-2, 2), between(363, 368), 1) },
);
/**
 * In quarters of the week from a time on: hours near it, any, the same in each week, or none. In days from it on: closed days near it, or none. Those far
 * off, so many that it may never open again, are for single times, because they take next_open half a millisecond.
 */
const RULES = fc.record({ hours: HOURS, days: NEAR });
const FAR_RULES = fc.record({ hours: HOURS, days: FAR });

/** The nth rule, at a time: of the seed alone. */
function ruleAt(n: number, { quarter, day }: Shown, rules = RULES): Rule {
  const [{ hours, days } = { hours: null, days: null }] = fc.sample(rules, { seed: seed + n, numRuns: 1 });
  const open = new Set<number>();
  const add = ([from, to]: Range) => {
    for (let q = from; q < to; q += 1) open.add((q + QUARTERS_OF_WEEK) % QUARTERS_OF_WEEK);
  };
  if (hours === 'office') for (let d = 0; d < 5; d += 1) add([d * 96 + 32, d * 96 + 80]);
  else if (hours === 'nights') for (let d = 0; d < 7; d += 1) add([d * 96 + 92, d * 96 + 100]);
  else for (const [from, to] of hours ?? []) add([quarter + from, quarter + to]);
  const closed = days?.map(([from, to]) => [day + from, day + to] as const);
  return {
    openHours: hours === null ? null : `{${[...open].map((q) => `[${q * QUARTER},${(q + 1) * QUARTER})`).join()}}`,
    closedDays: closed === undefined ? null : `{${closed.map(([from, to]) => `[${dateOf(from)},${dateOf(to)})`).join()}}`,
    isOpen: ({ quarter, day }) => (hours === null || open.has(quarter)) && !closed?.some(([from, to]) => from <= day && day < to),
  };
}

/** Reads each quarter of an hour of a zone's clock at most once. */
function quartersOf(zone: string): (minute: number) => Shown {
  const read: Shown[] = [];
  return (minute) => {
    const index = minute / QUARTER;
    read[index] ??= shownAt(minute, zone);
    return read[index];
  };
}

/** The first open quarter of an hour from a minute on, at most until another one. */
function nextQuarter(quarters: (minute: number) => Shown, rule: Rule, from: number, until: number): number | null {
  for (let at = Math.ceil(from / QUARTER) * QUARTER; at <= until; at += QUARTER) if (rule.isOpen(quarters(at))) return at;
  return null;
}

/** A time, and when it is next open by next_open and by the local clock. Null: not within 366 days. */
interface Found {
  readonly at: number;
  readonly got: number | null;
  readonly expected: number | null;
  /** The first open minute, if that is earlier. */
  readonly minute?: number | null;
  readonly rule: Rule;
}

/** Each minute of four days, by some rules. Reads the clock backwards, so that each minute is looked at once. */
async function findAround(zone: string, number: number, change: number): Promise<Found[]> {
  const [from, to] = [change - 2 * DAY, change + 2 * DAY];
  const shown = Array.from({ length: to - from + 1 }, (_, index) => shownAt(from + index, zone));
  const quarters = quartersOf(zone);
  const found: Found[] = [];
  for (let n = 0; n < RULES_A_CHANGE; n += 1) {
    const rule = ruleAt(number * RULES_A_CHANGE + n, shownAt(change, zone));
    const [row] = await sql<{ next: number[] }[]>`
      select array(
        select coalesce((extract(epoch from invite.next_open(${rule.openHours}, ${rule.closedDays}, ${zone}, t)) / 60)::integer, 0)
        from generate_series(to_timestamp(${from * 60}), to_timestamp(${to * 60}), interval '1 minute') as t
        order by t
      ) as next`;
    let quarter = nextQuarter(quarters, rule, to + 1, to + AHEAD);
    let minute = quarter;
    for (const [index, clock] of [...shown.entries()].reverse()) {
      const at = from + index;
      const isOpen = rule.isOpen(clock);
      if (isOpen) minute = at;
      if (isOpen && at % QUARTER === 0) quarter = at;
      const next = isOpen ? at : quarter;
      const expected = next !== null && next - at <= AHEAD ? next : null;
      found.push({ at, got: row?.next[index] || null, expected, minute, rule });
    }
  }
  return found;
}

/** Random times, to the microsecond, each with a rule of its own. */
async function findAnywhere(zone: string, number: number): Promise<Found[]> {
  const times = fc.sample(fc.tuple(between(FIRST, LAST - 1), fc.constantFrom(0, 0, 1, 30_000_000, 59_999_999)), {
    seed: seed + number,
    numRuns: runs,
  });
  const asked = times.map(([minute, microseconds], n) => ({
    minute,
    microseconds,
    rule: ruleAt(1_000_000 + 10_000 * number + n, shownAt(minute, zone), FAR_RULES),
  }));
  const rows = asked.map(({ minute, microseconds, rule: { openHours, closedDays } }) => ({
    ...{ openHours, closedDays, at: minute * 60_000_000 + microseconds },
  }));
  const [row] = await sql<{ next: string[] }[]>`
    select array(
      select coalesce((extract(epoch from invite.next_open(
        (r.rule ->> 'openHours')::int4multirange, (r.rule ->> 'closedDays')::datemultirange, ${zone},
        to_timestamp(0) + (r.rule -> 'at')::bigint * interval '1 microsecond')) * 1000000)::bigint, 0)
      from jsonb_array_elements(${sql.json(rows)}) with ordinality as r (rule, place)
      order by r.place
    ) as next`;
  const quarters = quartersOf(zone);
  return asked.map(({ minute, microseconds, rule }, n) => {
    const at = minute + microseconds / 60e6;
    const expected = rule.isOpen(shownAt(minute, zone)) ? at : nextQuarter(quarters, rule, at, at + AHEAD);
    return { at, got: Number(row?.next[n]) / 60e6 || null, expected, rule };
  });
}

for (const [number, zone] of ZONES.entries()) {
  t.test(`${zone}: it is next open when the local clock says so`, async (t) => {
    const changes = changesOf(zone);
    const all = changes.slice(1).filter(({ at }) => at < LAST);
    const count = Math.min(all.length, Math.ceil(runs / 10));
    const some = fc.shuffledSubarray(all, { minLength: count, maxLength: count });
    const [chosen = []] = fc.sample(some, { seed: seed + number, numRuns: 1 });
    const found = await findAnywhere(zone, number);
    for (const [n, { at }] of chosen.entries()) for (const one of await findAround(zone, 1000 * number + n, at)) found.push(one);

    const differences = differencesOf(changes, await serverChangesOf(zone));
    const compared = found.filter(({ at, got, expected }) => {
      const until = Math.max(got ?? at + AHEAD, expected ?? at + AHEAD);
      return !differences.some(([start, end]) => start <= until && at < end);
    });
    for (const [from, to] of differences) {
      t.comment(`PostgreSQL's clock differs from ${clockAt(from, 'UTC').toInstant()} to ${clockAt(to, 'UTC').toInstant()}`);
    }
    const late = compared.filter(({ expected, minute }) => minute != null && expected !== null && minute < expected);
    t.comment(
      `${chosen.length} of ${all.length} changes, ${compared.length} times compared, ${found.length - compared.length} left out, ${late.length} found late`,
    );
    t.ok(compared.length >= found.length / 2);

    const wrong = compared.filter(({ got, expected }) => got !== expected);
    const said = (list: Found[]) => list.slice(0, 3).map((one) => ({ ...one, clock: String(clockAt(Math.floor(one.at), zone)) }));
    t.same(said(wrong), [], `${wrong.length} are wrong`);
    const isChanged = (minute: number) => all.some(({ at }) => at % QUARTER !== 0 && minute - QUARTER < at && at <= minute);
    const tooLate = late.filter(({ expected, minute }) => (expected ?? 0) - (minute ?? 0) >= QUARTER || !isChanged(minute ?? 0));
    t.same(said(tooLate), [], 'late are only those within the quarter of an hour in which a clock is changed');
  });
}

t.test('versions', async (t) => {
  const [row] = await connectAsAdmin()<{ version: string; zones: string | null }[]>`
    select current_setting('server_version') as version, (
      select split_part(pg_read_file(substring(c.setting from '--with-system-tzdata=([^'' ]+)') || '/tzdata.zi', 0, 100, true), E'\\n', 1)
      from pg_config as c where c.name = 'CONFIGURE'
    ) as zones`;
  t.comment(`PostgreSQL ${row?.version}, time zones: ${row?.zones ?? 'its own'}; Node's: ${process.versions.tz}`);
});
