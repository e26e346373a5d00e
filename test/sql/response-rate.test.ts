// The response rate covers all invitations, in whichever way they were sent and responded to. It works by the day sent, with filters, and
// after invitations are deleted.
import t from 'tap';
import type { ResultFilter } from '../../src/database/store.ts';
import { idsOf, openSession } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const worker = await createWorker(store);
const AT = '2020-01-01T10:00:00Z';

/** Creates a survey with invitations to these names, which are being sent. */
async function createSending(names: string[]) {
  const fixture = await createBatch(store, { recipients: names.map((name) => ({ email: `${name}@example.com` })) });
  const { session } = await createMember(store, fixture.workspace, 'viewer', `${fixture.workspace}@example.com`);
  const claimed = await store.claimInvitations(await idsOf(sql, fixture.survey), worker);
  const of = (name: string) => claimed.find(({ email }) => email === `${name}@example.com`);
  return {
    ...fixture,
    session,
    idOf: (name: string) => String(of(name)?.id),
    settle: (name: string, outcome = 'accepted', at = AT, where = sql) =>
      where`select * from invite.settle_invitations(
        ${where.json([{ id: of(name)?.id, claim_id: of(name)?.claimId, outcome, code: 'timeout' }] as never)}, at => ${at})`,
    respond: (name: string, where = sql) =>
      where`select invite.record_response(${fixture.survey}, '{"score": 9}', ${of(name)?.linkToken ?? ''}, ${AT})`,
    bounce: (name: string) =>
      store.recordRelayEvents('resend', [
        {
          event_id: `${fixture.survey} ${name}`,
          type: 'hard_bounce',
          occurred_at: AT,
          invitation_id: String(of(name)?.id),
          email: `${name}@example.com`,
        },
      ]),
    rate: (filter?: ResultFilter, before?: ResultFilter['period']) =>
      store.console.responseRate(session, fixture.survey, filter, filter?.period?.zone, before),
    miscounted: async () => [...(await sql`select * from invite.miscounted_results where survey_id = ${fixture.survey}`)],
  };
}

const dayOf = (day: string, zone = 'UTC') => ({ firstDay: day, lastDay: day, zone });

t.test('an invitation counts once, whether the response comes before or after it is settled or confirmed', async (t) => {
  const { survey, idOf, settle, respond, bounce, rate, miscounted } = await createSending(['a', 'b', 'c', 'd', 'e', 'f']);
  const check = async (expected: object, what: string) => {
    for (const step of ['before', 'after']) {
      t.match(await rate(), expected, `${what}, ${step} adding up`);
      t.strictSame(await miscounted(), [], `${what}, ${step} adding up: as the rows say`);
      await store.foldResultCounts();
    }
  };
  await settle('a');
  await respond('b');
  await check({ invited: '1', responded: '0', bounced: '0' }, 'a response to what is not settled yet');
  await settle('b');
  await respond('a');
  await check({ invited: '2', responded: '2' }, 'both orders');
  await settle('c');
  await settle('d', 'retry');
  await check({ invited: '3', responded: '2' }, 'what was not sent does not count');
  for (const name of ['e', 'f']) {
    await settle(name, 'unconfirmed', new Date().toISOString());
    await store.recordRelayEvents('resend', [
      {
        event_id: `${survey} ${name}`,
        type: 'delivered',
        occurred_at: AT,
        invitation_id: idOf(name),
        email: `${name}@example.com`,
      },
    ]);
  }
  await respond('e');
  await check({ invited: '3', responded: '2' }, 'unconfirmed');
  await store.confirmInvitations();
  await respond('f');
  await check({ invited: '5', responded: '4' }, 'confirmed, with a response before and after');
  await bounce('c');
  await bounce('a');
  await check({ invited: '4', responded: '4', bounced: '1' }, 'what bounced does not count, unless it was responded to');
  await sql`delete from invite.invitations where id = any (${[idOf('a'), idOf('c')]}::bigint[])`;
  await check({ invited: '3', responded: '3', bounced: '0' }, 'deleted');
});

t.test('a response that meets the settle of its invitation is counted, whichever comes first', async (t) => {
  const { settle, respond, rate, miscounted } = await createSending(['a', 'b']);
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await settle('a', 'accepted', AT, first.sql);
  const responded = respond('a', second.sql).execute();
  await second.untilBlocked();
  await first.sql`commit`;
  await responded;
  await first.sql`begin`;
  await respond('b', first.sql);
  t.match(await settle('b'), [{ settled: 0, locked: [String] }], 'to be brought again');
  await first.sql`commit`;
  await settle('b');
  t.match(await rate(), { invited: '2', responded: '2' });
  t.strictSame(await miscounted(), []);
});

t.test('a period has what was sent on its days, in its zone, and the period before beside it', async (t) => {
  const { settle, respond, bounce, rate } = await createSending(['a', 'b', 'c', 'd']);
  // Midnight in Kathmandu is 18:15 UTC.
  for (const [name, at] of [
    ['a', '2020-01-30T18:14:59Z'],
    ['b', '2020-01-30T18:15:00Z'],
    ['c', '2020-01-31T18:14:59Z'],
    ['d', '2020-01-31T18:15:00Z'],
  ] as const)
    await settle(name, 'accepted', at);
  for (const name of ['a', 'b', 'd']) await respond(name);
  await bounce('c');
  const [zone, day, before] = ['Asia/Kathmandu', '2020-01-31', '2020-01-30'];
  t.match(await rate({ period: dayOf(day, zone) }, dayOf(before, zone)), {
    invited: '1',
    responded: '1',
    bounced: '1',
    recent: '0',
    invitedBefore: '1',
    respondedBefore: '1',
    points: [{ first: 1, last: 1, invited: 1, responded: 1, low: Number, high: 1 }],
  });
  t.match(await rate(), {
    invited: '3',
    responded: '3',
    invitedBefore: null,
    points: [{ first: 1, last: Number, invited: 3, responded: 3 }],
  });
});

t.test('metadata narrow it, those of the batch and of the recipient; answers have none', async (t) => {
  const { survey, hash, session } = await createSending(['a']);
  await acceptTrigger(
    store,
    hash,
    {
      metadata: { country: 'NO', "o'key": "it's" },
      recipients: [{ email: 'x@example.com' }, { email: 'y@example.com', metadata: { country: 'DK' } }],
    },
    10_000,
  );
  await sql`
    update invite.messages set status = 'sent', not_before = null, sweep_at = null, worker_id = null, claim_id = null, sent_at = ${AT}
    where survey_id = ${survey}`;
  await sql`update invite.batches set accepted_at = ${AT} where survey_id = ${survey}`;
  await sql`select invite.recount_results(${survey})`;
  const rate = (filter: ResultFilter) => store.console.responseRate(session, survey, filter);
  t.match(await rate({ conditions: [{ dimension: 'metadata', key: 'country', values: ['NO'] }] }), { invited: '1' });
  t.match(await rate({ conditions: [{ dimension: 'metadata', key: 'country', values: ['DK'] }] }), { invited: '1' });
  t.match(await rate({ conditions: [{ dimension: 'metadata', key: 'country' }] }), { invited: '2' });
  t.match(await rate({ conditions: [{ dimension: 'metadata', key: "o'key", values: ["it's"] }], period: dayOf('2020-01-01') }), {
    invited: '2',
  });
  t.match(await rate({ conditions: [{ dimension: 'metadata', key: 'country', values: ['NO'] }], period: dayOf('2020-01-02') }), {
    invited: '0',
  });
  t.match(await rate({ question: 'score' }), { invited: null, responded: null, points: null });
});

t.test('all count, however many there are, and the counts are those of the rows, in every zone and under a filter', async (t) => {
  const { workspace, survey, batch, session } = await createSending(['a']);
  await sql`update invite.batches set metadata = '{"all": "yes"}', accepted_at = '2019-01-01' where id = ${batch}`;
  await sql`
    with invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email, responded_at)
      select ${batch}, ${workspace}, ${survey}, 'p' || n || '@example.com', case when n % 3 = 0 then timestamptz '2020-03-01 00:00Z' end
      from generate_series(1, 30000) as n
      returning id
    )
    insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at)
    select i.id, ${survey}, 'sent', s.at, s.at
    from (select id, row_number() over (order by id) as n from invited) as i
    cross join lateral (select timestamptz '2019-12-25 00:00Z' + i.n * interval '97 seconds') as s (at)`;
  await sql`
    insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
    select id, 'bounced', survey_id, sent_at from test.invitations where survey_id = ${survey} and id % 10 = 0 and sent_at is not null`;
  await sql`
    update invite.invitations as i set bounced_at = o.at from invite.invitation_outcomes as o
    where i.survey_id = ${survey} and o.invitation_id = i.id and o.outcome = 'bounced'`;
  t.equal((await sql`select invite.recount_results(${survey}) as corrected`)[0]?.corrected > 0, true);
  t.match(await store.console.responseRate(session, survey, undefined), {
    invited: '28000',
    responded: '10000',
    bounced: '2000',
  });
  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns'])
    for (const folded of [false, true]) {
      if (folded) while ((await store.foldResultCounts()) > 0);
      const period = { firstDay: '2019-12-31', lastDay: '2020-01-05', zone };
      const before = { firstDay: '2019-12-25', lastDay: '2019-12-30', zone };
      const counted = await store.console.responseRate(session, survey, { period }, zone, before);
      const read = await store.console.responseRate(
        session,
        survey,
        { period, conditions: [{ dimension: 'metadata', key: 'all' }] },
        zone,
        before,
      );
      t.ok(Number(counted.invited) > 3000 && Number(counted.bounced) > 200 && Number(counted.invitedBefore) > 3000);
      t.strictSame(counted, read, `${zone}${folded ? ', added up' : ''}`);
    }
});

t.test('Home and Results have the same rate: that of the rows that are three days old, whatever the ages', async (t) => {
  const { workspace, survey, batch, session } = await createSending(['a']);
  const seed = Math.floor(Math.random() * 2 ** 31);
  await sql`select setseed(${seed / 2 ** 31})`;
  await sql`
    with invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email, responded_at, bounced_at)
      select ${batch}, ${workspace}, ${survey}, 'p' || n || '@example.com', case when random() < 0.4 then now() end,
        case when random() < 0.2 then now() end
      from generate_series(1, 400) as n
      returning id
    )
    insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at)
    select id, ${survey}, 'sent', s.at, s.at
    from invited
    cross join lateral (select now() - interval '3 days' + (random() - 0.5) * (array['1 minute', '40 minutes', '2 days', '5 days'])[1 + id % 4]::interval as at) as s`;
  await sql`select invite.recount_results(${survey})`;
  for (const folded of [false, true]) {
    if (folded) while ((await store.foldResultCounts()) > 0);
    const [at] = await sql<{ now: Date }[]>`select now() as now`;
    const now = at?.now.toISOString() ?? '';
    const [rows] = await sql`
      select
        count(*) filter (where r.responded_at is not null or r.bounced_at is null) as invited, count(r.responded_at) as responded
      from test.invitations as r
      where r.survey_id = ${survey} and r.sent_at < date_bin('15 minutes', ${now}::timestamptz - interval '3 days', '2000-01-01 00:00Z')`;
    const [home] = await sql`select invited, responded, sent from console.surveys(${session}, ${workspace}, at => ${now})`;
    const [results] = await sql`select * from console.response_rate(${session}, ${survey}, at => ${now})`;
    const what = `seed ${seed}, ${folded ? 'added up' : 'before adding up'}`;
    t.strictSame([home?.invited, home?.responded], [rows?.invited, rows?.responded], `Home, ${what}`);
    t.strictSame([results?.invited, results?.responded], [rows?.invited, rows?.responded], `Results, ${what}`);
    t.equal(
      Number(results?.invited) + Number(results?.bounced) + Number(results?.recent),
      Number(home?.sent),
      `all are somewhere, ${what}`,
    );
    t.ok(Number(results?.recent) > 0 && Number(results?.invited) > 0);
  }
});

t.test('what was counted elsewhere by mistake, and taken off again, does not widen all time', async (t) => {
  const { survey, session, settle, rate } = await createSending(['a']);
  await settle('a');
  await sql`update invite.messages set sent_at = sent_at - interval '40 days' where survey_id = ${survey}`;
  await sql`select invite.recount_results(${survey})`;
  t.match((await rate()).points, [{ first: 1, last: 1, invited: 1, responded: 0 }]);
  t.match(await store.console.resultSummary(session, survey, undefined), { firstDay: '2019-11-22', lastDay: '2019-11-22' });
});

t.test('a person without membership gets none', async (t) => {
  const { survey } = await createSending(['a']);
  const { session } = await createSending(['a']);
  await t.rejects(store.console.responseRate(session, survey, undefined), { code: 'P0002' });
});
