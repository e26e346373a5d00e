// Many emails under caps for the workspace, its sender's domain and three recipients' domains: never above a cap in any hour, evenly, as forecast,
// and without an effect on a neighbor. CAPS_MANY=100000 makes it longer.
import t from 'tap';
import { countBy, createCapped, goOn, type Left, people, sendDue } from '../fixtures/capped.ts';
import { createTestDatabase, createWorker } from '../fixtures/setup.ts';

const MANY = Number(process.env.CAPS_MANY ?? 2000);
const { sql, store } = await createTestDatabase(t);
const worker = await createWorker(store);
// For the test's own look at what is due next: the service is told by jobs.
await sql`create index due_next on invite.messages (survey_id, not_before) where status = 'queued'`;
const START = '2030-01-07T12:20:00.000Z';
/** Of a day's and an hour's places, large requests have nine tenths. */
const largest = (cap: number) => cap - Math.floor(cap / 10);

t.test(`${MANY} emails leave evenly under all caps, as forecast, and a neighbor's at once`, async (t) => {
  const perHour = Math.ceil(MANY / 20);
  const caps = [
    { scope: 'workspace', domain: '', hour: perHour, day: null },
    { scope: 'sender', domain: 'many.example', hour: null, day: perHour * 20 },
    { scope: 'recipient', domain: 'one.example', hour: Math.ceil(perHour / 4), day: null },
    { scope: 'recipient', domain: 'two.example', hour: Math.ceil(perHour / 3), day: perHour * 5 },
    { scope: 'recipient', domain: 'three.example', hour: Math.ceil(perHour / 5), day: null },
  ] as const;
  const { workspace, survey, invite } = await createCapped(sql, { sender: { email: 'news@many.example' } });
  for (const { scope, domain, hour, day } of caps)
    await sql`select invite.set_cap(${workspace}, ${scope}::invite.cap_scope, ${domain}, ${hour}, ${day})`;
  const domains = new Map<number, string>();
  const DOMAINS = ['one.example', 'two.example', 'three.example', 'other.example', 'other.example'];
  for (let from = 0; from < MANY; from += 1000) {
    const emails = people(Math.min(1000, MANY - from), '', from).map((name, index) => `${name}${DOMAINS[index % 5]}`);
    for (const [index, id] of (await invite(emails, START)).entries()) domains.set(id, DOMAINS[index % 5] ?? '');
  }
  const neighbor = await createCapped(sql);
  await neighbor.invite(people(100, 'one.example'), START);

  const began = performance.now();
  const [{ said = [] } = {}] = await sql`
    select array_agg(m.leaves_at order by m.leaves_at) as said
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    cross join lateral invite.forecast_messages(w, s, 1000000, ${START}::text::timestamptz, false) as m
    where s.id = ${survey}`;
  t.comment(`the forecast took ${Math.round(performance.now() - began)} ms`);
  t.equal((await sendDue(sql, worker, START, [neighbor.survey])).length, 100, 'the neighbor waits for nobody');
  const planning = performance.now();
  const first = await sendDue(sql, worker, START, [survey]);
  t.comment(`planning took ${Math.round(performance.now() - planning)} ms`);
  const left = [...first, ...(await goOn(sql, worker, [survey], START))];
  t.equal(left.length, MANY);

  for (const { domain, scope, hour, day } of caps) {
    const counted = scope === 'recipient' ? left.filter(({ id }) => domains.get(id) === domain) : left;
    const hours = Object.values(countBy(counted, 'hour'));
    if (hour !== null) t.ok(Math.max(...hours) <= largest(hour), `${domain || 'all'}: at most ${hour} an hour`);
    if (day !== null)
      t.ok(Math.max(...Object.values(countBy(counted, 'day'))) <= largest(day), `${domain}: at most ${day} a day`);
    const minutes = Object.values(countBy(counted, 'minute'));
    if (hour !== null && scope === 'recipient')
      t.ok(Math.max(...minutes) <= Math.ceil(hour / 60) + 1, `${domain}: no more than its part in a minute`);
  }
  const forecast: Left[] = (said as Date[]).map((at) => ({ id: 0, at: at.toISOString() }));
  t.strictSame(countBy(forecast, 'minute'), countBy(left, 'minute'), 'minute by minute');
  const used =
    await sql`select scope, domain, sum(used)::integer as used from invite.cap_slots where workspace_id = ${workspace} group by 1, 2 order by 1, 2`;
  t.match(used, [{ used: MANY }, { used: MANY }, {}, {}, {}]);
  t.comment(JSON.stringify(countBy(left, 'hour')));
});
