// What the preview of a list says of its people is what becomes of them, while the time passes: how many leave and when, who doesn't and why.
import t from 'tap';
import type { NewLine } from '../../src/database/store.ts';
import { createContacts } from '../fixtures/contacts.ts';
import { createTestDatabase } from '../fixtures/setup.ts';
import { line, people } from '../fixtures/uploads.ts';

const { sql, store } = await createTestDatabase(t);

/** Monday afternoon: the second hour's quota of three is the last that leaves today. */
const START = '2030-01-07T15:10:00Z';
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** Monday to Friday, 09:00 to 17:00. */
const OFFICE = `{${[0, 1, 2, 3, 4].map((day) => `[${day * 1440 + 540},${day * 1440 + 1020})`).join()}}`;
const after = (milliseconds: number): string => new Date(Date.parse(START) + milliseconds).toISOString();
const FIRST = after(0);

/** Of 50 people an hour, lists invite 40. The others are between those who are new, so that each hour has some. */
const LINES: readonly NewLine[] = [
  ...['late@example.com', 'soon@example.com', 'never@example.com'].map((email, at) => line(1 + at, email)),
  ...people(60, 10),
  line(100, 'declined@example.com'),
  line(101, 'P10@example.com'),
  line(102, undefined),
  ...[1, 2, 3].map((at) => line(102 + at, `tokyo${at}@example.com`, { time_zone: 'Asia/Tokyo' })),
  ...['also.late@example.com', 'also.soon@example.com'].map((email, at) => line(106 + at, email)),
  ...people(40, 110),
];

interface Said {
  readonly lines: ReadonlyMap<string, string>;
  readonly atOnce: number;
  readonly later: number;
  readonly skipped: number;
  readonly reasons: Record<string, number>;
  readonly bars: Record<string, number>;
  /** How many hours the quota takes. */
  readonly hours: number;
}

/** A workspace with hours and a rest, and a list. @param used How many its backend has invited 20 minutes before. */
async function begin(used: number) {
  const contacts = await createContacts(sql, store, { time_zone: 'UTC', open_hours: OFFICE, rest_days: 30, max_delay_hours: 72 });
  const { workspace } = contacts;
  const [survey = ''] = contacts.surveys;
  const rest = { 'soon@example.com': 29, 'also.soon@example.com': 29, 'late@example.com': 20, 'also.late@example.com': 20 };
  for (const [email, days] of Object.entries(rest)) {
    const id = await contacts.invite(email, after(-days * DAY));
    await sql`
      update invite.messages set status = 'sent', sent_at = ${after(-days * DAY)}, not_before = null, sweep_at = null where invitation_id = ${id}`;
  }
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'never@example.com', 'manual')`;
  await sql`insert into invite.recipient_choices (workspace_id, email, survey_id) values (${workspace}, 'declined@example.com', ${survey})`;
  await sql`update invite.batches set accepted_at = ${after(-DAY)} where workspace_id = ${workspace}`;
  for (let at = 0; at < used; at += 1) await contacts.invite(`order${at}@example.com`, START);
  await sql`update invite.batches set accepted_at = ${after(-20 * MINUTE)} where workspace_id = ${workspace} and accepted_at < ${after(-DAY)}`;
  const upload = await store.createUpload(survey, 'customers.csv');
  await store.putUploadLines(upload, LINES);
  await sql`
    select invite.check_upload(${upload}, ${sql.json([{ name: 'Email', as: 'email' }])}, ${Buffer.alloc(32, used)}, null, 'UTC', ${START}::text::timestamptz)`;
  return { ...contacts, survey, upload };
}
type Begun = Awaited<ReturnType<typeof begin>>;

async function preview({ upload }: Begun): Promise<Said> {
  const lines = await sql`
    select email, coalesce(reason::text, to_char(coalesce(leaves_at, ${START}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as fate
    from invite.upload_lines where upload_id = ${upload} and outcome in ('new', 'resting', 'outside_hours', 'unsent')`;
  const { atOnce = 0, later = 0, skipped = 0, bars = [], reasons = [] } = (await store.forecastUpload(upload)) ?? {};
  const [{ free, per_hour } = { free: 0, per_hour: 1 }] = await sql<{ free: number; per_hour: number }[]>`
    select q.* from invite.uploads as u join invite.surveys as s on s.id = u.survey_id
    cross join lateral invite.upload_quota(s.workspace_id, ${START}::text::timestamptz) as q where u.id = ${upload}`;
  return {
    lines: new Map(lines.map(({ email, fate }) => [email, fate])),
    ...{ atOnce, later, skipped },
    reasons: Object.fromEntries(reasons.map((one) => [one.reason, one.emails])),
    bars: Object.fromEntries(bars.map(({ at, emails }) => [new Date(at).toISOString(), emails])),
    hours: Math.ceil((lines.length - free) / per_hour),
  };
}

/** Lets the time pass: a worker accepts what is due, and sends what may leave. Returns what became of each address. */
async function pass({ upload, claim, settle }: Begun): Promise<Map<string, string>> {
  const messages = sql`
    select m.*, i.email from invite.upload_batches as u
    join invite.invitations as i on i.batch_id = u.batch_id
    join invite.messages as m on m.invitation_id = i.id and m.number = 0
    where u.upload_id = ${upload}`;
  for (let now: string | undefined = FIRST; now !== undefined; ) {
    const step = () => sql`select invite.step_upload(${upload}, 1000, ${now ?? null}::text::timestamptz)`;
    const isDue = async () =>
      (await sql`select from invite.uploads where id = ${upload} and next_at <= ${now ?? null}::text::timestamptz`).length > 0;
    while (await isDue()) await step();
    const due =
      await sql`select m.invitation_id::integer as id from (${messages}) as m where m.status = 'queued' and m.not_before <= ${now}::text::timestamptz`;
    for (const [id, by] of await claim(
      due.map(({ id }) => id),
      now,
    ))
      await settle(id, by, 'accepted', now);
    const [next] = await sql<{ at: Date | null }[]>`
      select least(
        (select u.next_at from invite.uploads as u where u.id = ${upload}),
        (select min(m.not_before) from (${messages}) as m where m.status = 'queued')) as at`;
    now = next?.at?.toISOString();
  }
  const ended = await sql`
    select m.email, case m.status when 'sent' then to_char(m.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else coalesce(m.rule::text, m.status::text) end as fate
    from (${messages}) as m`;
  return new Map(ended.map(({ email, fate }) => [email, fate]));
}

const isTime = (fate: string): boolean => /^\d/.test(fate);
const hourOf = (fate: string): string => `${fate.slice(0, 13)}:00:00.000Z`;
const countBy = (keys: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};

t.test('who leaves when, who does not and why, and until when', async (t) => {
  await sql`update invite.settings set recipients_per_hour = 50`;
  const begun = await begin(0);
  const said = await preview(begun);
  t.match(await store.findUpload(begun.upload), { people: 107 });
  t.equal(said.hours, 2);
  t.match(said.reasons, { rests_too_long: 2 }, 'the fixture has those that are not sent');
  t.equal(said.skipped >= 2, true);
  await sql`select invite.send_upload(${begun.upload}, false, at => ${START}::text::timestamptz)`;
  const became = await pass(begun);

  t.match(await store.findUpload(begun.upload), { state: 'sent', accepted: 107 });
  t.same([...became.keys()].sort(), [...said.lines.keys()].sort(), 'whom the preview counts, and nobody else');
  for (const [email, fate] of said.lines) {
    const what = became.get(email) ?? 'nothing';
    if (isTime(fate)) t.ok(Math.abs(Date.parse(what) - Date.parse(fate)) <= MINUTE, `${email}: ${what}, said ${fate}`);
    else t.equal(what, fate, email);
  }
  const left = [...became.values()].filter(isTime);
  t.same(countBy(left.map(hourOf)), said.bars, 'the curve');
  t.equal(left.filter((fate) => fate === FIRST).length, said.atOnce);
  t.equal(left.filter((fate) => fate !== FIRST).length, said.later);
  t.equal(became.size - left.length, 2);
  const [{ last } = { last: null }] = await sql<{ last: Date | null }[]>`
    select max(b.accepted_at) as last from invite.upload_batches as u join invite.batches as b on b.id = u.batch_id where u.upload_id = ${begun.upload}`;
  t.ok(Math.abs(Number(last) - Date.parse(START) - said.hours * HOUR) <= MINUTE, `the last are accepted ${last?.toISOString()}`);
});

t.test('where its backend used some of the quota, nobody leaves later than said', async (t) => {
  await sql`update invite.settings set recipients_per_hour = 50`;
  const begun = await begin(10);
  const said = await preview(begun);
  const atOnce = [...said.lines.values()].filter((fate) => fate === FIRST).length;
  t.ok(atOnce > 0 && atOnce <= 30, `of 50 an hour, 10 are used and 10 are kept: ${atOnce} leave at once`);
  await sql`select invite.send_upload(${begun.upload}, false, at => ${START}::text::timestamptz)`;
  const became = await pass(begun);
  t.equal([...became.values()].filter((fate) => fate === FIRST).length, atOnce);
  const late = [...said.lines].filter(
    ([email, fate]) => isTime(fate) && !(Date.parse(became.get(email) ?? '') <= Date.parse(fate) + MINUTE),
  );
  t.same(late, []);
  t.same(
    [...said.lines].filter(([email, fate]) => !isTime(fate) && became.get(email) !== fate),
    [],
  );
});
