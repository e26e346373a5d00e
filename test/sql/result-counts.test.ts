// The counts behind the Results are exact at any moment, whatever happens to the responses.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

const QUESTIONS = [
  { id: 'score', type: 'score', label: 'Score' },
  { id: 'plan', type: 'choice', label: 'Plan', choices: ['free', 'pro'] },
  { id: 'why', type: 'text', label: 'Why' },
];

async function createCounted() {
  const fixture = await createSurvey(store);
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)} where id = ${fixture.survey}`;
  return fixture;
}

const respond = (survey: string, answers: object, at = '2030-01-01 10:00Z') =>
  sql`insert into invite.responses (survey_id, answers, submitted_at) values (${survey}, ${sql.json(answers as never)}, ${at})`;

const miscounted = async (survey: string) => [
  ...(await sql`select * from invite.miscounted_results where survey_id = ${survey}`),
];

/** Returns the counts of all days together as `question value number`. The counts of the single days must add up to them. */
async function counted(survey: string): Promise<string[]> {
  const days = await sql`
    select question, value, sum(number) as number from invite.result_counts
    where survey_id = ${survey} and whole_day and starts_at > '-infinity' group by 1, 2
    except
    select question, value, number from invite.result_counts where survey_id = ${survey} and whole_day and starts_at = '-infinity'`;
  t.same(days, [], 'all days together');
  const rows = await sql`
    select c.question, c.value, sum(c.number) as number
    from (
      select question, value, number from invite.result_counts where survey_id = ${survey} and whole_day and starts_at = '-infinity'
      union all
      select question, value, number from invite.result_changes where survey_id = ${survey}
    ) as c
    group by 1, 2 having sum(c.number) <> 0 order by 1, 2`;
  return rows.map(({ question, value, number }) => `${question} ${value} ${number}`);
}

t.test('responses count when they are added, changed and deleted, before and after they are added up', async (t) => {
  const { survey } = await createCounted();
  const check = async (expected: string[], what: string) => {
    for (const step of ['before', 'after']) {
      t.strictSame(await counted(survey), expected, `${what}, ${step}`);
      t.strictSame(await miscounted(survey), [], `${what}, ${step}: as the responses say`);
      await store.foldResultCounts();
    }
  };
  await respond(survey, { score: 9, plan: 'pro', why: 'Because' });
  await respond(survey, { score: '9', plan: 'gold', why: '' }, '2030-01-01 10:14:59.999Z');
  await respond(survey, { score: 9.5, plan: null, other: 1 }, '2030-01-01 10:15Z');
  await check([' direct 3', 'plan gold 1', 'plan pro 1', 'score  1', 'score 9 2', 'why  2'], 'added');
  await sql`update invite.responses set answers = answers || '{"score": 3}' where survey_id = ${survey} and answers ->> 'plan' = 'gold'`;
  await check([' direct 3', 'plan gold 1', 'plan pro 1', 'score  1', 'score 3 1', 'score 9 1', 'why  2'], 'changed');
  await sql`delete from invite.responses where survey_id = ${survey} and answers ->> 'plan' = 'pro'`;
  await check([' direct 2', 'plan gold 1', 'score  1', 'score 3 1', 'why  1'], 'one deleted');
  await sql`delete from invite.responses where survey_id = ${survey}`;
  await check([], 'all deleted');
  t.equal((await sql`select from invite.result_counts where survey_id = ${survey}`).length, 0, 'no row is left for nothing');
});

t.test('erasing a person keeps the counts; the retention of responses takes them off', async (t) => {
  const { workspace, survey } = await createBatch(store, {
    recipients: [{ email: 'ada@example.com' }, { email: 'bo@example.com' }],
  });
  const links = await sql`select link_token from test.invitations where survey_id = ${survey} order by id`;
  for (const { link_token: link } of links) await store.submitResponse(survey, { score: 9 }, link);
  await store.foldResultCounts();
  await store.eraseEmail(workspace, 'ada@example.com', false);
  t.strictSame(await counted(survey), [' invitation 2', 'score 9 2']);
  await sql`update invite.retention set days = 1 where what = 'responses'`;
  await sql`update invite.responses set submitted_at = submitted_at - interval '3 days' where id = (select min(id) from invite.responses where survey_id = ${survey})`;
  await sql`select invite.prune_expired('responses')`;
  await sql`update invite.retention set days = null where what = 'responses'`;
  t.strictSame(await counted(survey), [' invitation 1', 'score 9 1']);
  t.strictSame(await miscounted(survey), []);
});

t.test('a response that is being added while others are added up is counted once', async (t) => {
  const { survey } = await createCounted();
  await respond(survey, { score: 1 });
  const [late, folding] = [database.connect(), database.connect()];
  await late`begin`;
  await late`insert into invite.responses (survey_id, answers, submitted_at) values (${survey}, '{"score": 2}', '2030-01-01 10:00Z')`;
  await folding`begin`;
  await folding`select invite.fold_result_counts()`;
  await respond(survey, { score: 3 });
  t.equal(await store.foldResultCounts(), 0, 'one run at a time');
  t.strictSame(await counted(survey), [' direct 2', 'score 1 1', 'score 3 1'], 'what others see is exact');
  await folding`commit`;
  await late`commit`;
  t.strictSame(await counted(survey), [' direct 3', 'score 1 1', 'score 2 1', 'score 3 1']);
  await store.foldResultCounts();
  t.strictSame(await counted(survey), [' direct 3', 'score 1 1', 'score 2 1', 'score 3 1']);
  t.strictSame(await miscounted(survey), []);
});

t.test('a response whose transaction stays open while others are added up for long is counted once', async (t) => {
  const { survey } = await createCounted();
  const late = database.connect();
  await late`begin`;
  await late`insert into invite.responses (survey_id, answers, submitted_at) values (${survey}, '{"score": 2}', '2030-01-01 10:00Z')`;
  for (let minute = 0; minute < 4; minute += 1) {
    await respond(survey, { score: 3 });
    await store.foldResultCounts();
  }
  await late`commit`;
  t.strictSame(await counted(survey), [' direct 5', 'score 2 1', 'score 3 4']);
  await store.foldResultCounts();
  t.strictSame(await counted(survey), [' direct 5', 'score 2 1', 'score 3 4']);
  t.strictSame(await miscounted(survey), []);
});

t.test('what was added up is not read again, though a held snapshot keeps it', async (t) => {
  const { survey } = await createCounted();
  const holder = database.connect();
  await holder`begin isolation level repeatable read`;
  await holder`select from invite.surveys`;
  for (let minute = 0; minute < 4; minute += 1) {
    await respond(survey, { score: 3 });
    await store.foldResultCounts();
  }
  // Two of the newest responses may remain. Each makes two changes.
  const [progress] = await sql`
    select p.read_from > s.last_value - 5 as near from invite.queue_progress as p, invite.result_changes_id_seq as s
    where p.queue = 'result_changes'`;
  t.match(progress, { near: true });
  for (let n = 0; n < 6; n += 1) await respond(survey, { score: 4 });
  const [before] = await sql`select read_from::integer as at from invite.queue_progress where queue = 'result_changes'`;
  for (let step = 0; step < 3; step += 1) t.equal((await sql`select invite.fold_result_counts(2) as moved`)[0]?.moved, 2);
  const [after] = await sql`select read_from::integer as at from invite.queue_progress where queue = 'result_changes'`;
  t.ok(after?.at > before?.at, 'also while there are more');
  t.match(
    await sql`select read_from from invite.queue_progress where queue = 'new_events'`,
    [{ read_from: '0' }],
    'and of this queue alone',
  );
  t.strictSame(await counted(survey), [' direct 10', 'score 3 4', 'score 4 6']);
});

t.test('responses to one survey, and their deletion, wait for nobody', async (t) => {
  const { survey } = await createCounted();
  await respond(survey, { score: 1 });
  await store.foldResultCounts();
  await respond(survey, { score: 1 });
  const blocker = database.connect();
  await blocker`begin`;
  await blocker`insert into invite.responses (survey_id, answers, submitted_at) values (${survey}, '{"score": 1}', '2030-01-01 10:00Z')`;
  await blocker`delete from invite.responses where id = (select min(id) from invite.responses where survey_id = ${survey})`;
  const other = database.connect();
  await other`set lock_timeout = '10s'`;
  await other`insert into invite.responses (survey_id, answers, submitted_at) values (${survey}, '{"score": 1}', '2030-01-01 10:00Z')`;
  await other`delete from invite.responses where id = (select max(id) from invite.responses where survey_id = ${survey})`;
  await other`select invite.fold_result_counts()`;
  await blocker`commit`;
  t.strictSame(await counted(survey), [' direct 2', 'score 1 2']);
});

t.test('a new question counts what responses already have under its id', async (t) => {
  const { survey } = await createCounted();
  await respond(survey, { score: 9, later: 'yes' });
  await respond(survey, { score: 9 });
  await store.foldResultCounts();
  t.strictSame(await counted(survey), [' direct 2', 'score 9 2']);
  const later = { id: 'later', type: 'choice', label: 'Later?', choices: ['yes', 'no'] };
  await sql`update invite.surveys set questions = ${sql.json([...QUESTIONS, later])} where id = ${survey}`;
  t.strictSame(await counted(survey), [' direct 2', 'later yes 1', 'score 9 2']);
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)} where id = ${survey}`;
  await sql`delete from invite.responses where survey_id = ${survey} and answers ? 'later'`;
  t.strictSame(await counted(survey), [' direct 1', 'score 9 1'], 'a removed question still counts');
  await respond(survey, { later: 'no' });
  t.strictSame(await miscounted(survey), []);
  await sql`update invite.surveys set questions = ${sql.json([...QUESTIONS, later])} where id = ${survey}`;
  t.strictSame(await counted(survey), [' direct 2', 'later no 1', 'score 9 1'], 'and is not counted twice when it comes back');
  t.strictSame(await miscounted(survey), []);
});

t.test('a load without triggers is found and corrected by counting again', async (t) => {
  const { survey } = await createCounted();
  await respond(survey, { score: 5 });
  await store.foldResultCounts();
  const admin = database.connectAsAdmin();
  await admin`set session_replication_role = replica`;
  await admin`insert into invite.responses (survey_id, answers, submitted_at) values (${survey}, '{"score": 6}', '2030-01-01 10:00Z')`;
  await admin`update invite.responses set answers = '{"score": 7}' where survey_id = ${survey} and answers = '{"score": 5}'`;
  t.match(
    await sql`select question, value, given, counted from invite.miscounted_results where survey_id = ${survey} order by 1, 2`,
    [
      { question: '', value: 'direct', given: '2', counted: '1' },
      { question: 'score', value: '5', given: '0', counted: '1' },
      { question: 'score', value: '6', given: '1', counted: '0' },
      { question: 'score', value: '7', given: '1', counted: '0' },
    ],
  );
  const [row] = await sql`select invite.recount_results(${survey}) as corrected`;
  t.equal(row?.corrected, 4);
  t.strictSame(await counted(survey), [' direct 2', 'score 6 1', 'score 7 1']);
  t.match(await sql`select invite.recount_results(${survey}) as corrected`, [{ corrected: 0 }]);
});

t.test('the counts by time and the responses one by one say the same, in every zone', async (t) => {
  const { survey } = await createCounted();
  await sql`
    insert into invite.responses (survey_id, answers, submitted_at)
    select ${survey}, jsonb_build_object('score', n % 11, 'plan', (array['free', 'pro', 'gold'])[1 + n % 3]),
      timestamptz '2029-12-25 00:00Z' + n * interval '97 minutes 13 seconds'
    from generate_series(1, 2000) as n`;
  for (const folded of [false, true]) {
    if (folded) await store.foldResultCounts();
    for (const zone of ['UTC', 'Europe/Vienna', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham'])
      for (const unit of ['day', 'week', 'month']) {
        const edges = sql`array(
          select d::timestamp at time zone ${zone}
          from generate_series(timestamp '2030-01-01', timestamp '2030-05-01', ${`1 ${unit}`}::interval) as d order by d)`;
        const [row] = await sql`
          select count(*)::integer as different
          from console.count_by_time(${survey}, ${edges}) as a
          full join console.count_by_filter(${survey}, null, ${edges}) as b using (bin, question, value)
          where a.number is distinct from b.number`;
        t.equal(row?.different, 0, `${zone}, ${unit}${folded ? ', added up' : ''}`);
      }
  }
  const [row] =
    await sql`select count(*)::integer as given from console.count_by_time(${survey}, array['2030-01-01Z', '2030-02-01Z']::timestamptz[])`;
  t.ok(row?.given > 10, 'there was something to compare');
});

t.test('a filter counts the responses that it selects, also where most are counted by the others', async (t) => {
  const { survey } = await createCounted();
  const tokens = [randomUUID(), randomUUID()];
  const odd = `it's 100%s "odd" \u{1F600}`;
  const several = { id: 'used', type: 'choice', label: 'Used', several: true, choices: ['mail', 'chat'] };
  await sql`update invite.surveys set questions = ${sql.json([...QUESTIONS, several])} where id = ${survey}`;
  await sql`
    insert into invite.responses (survey_id, invitation_id, trigger_token_id, language, answers, metadata, submitted_at)
    select ${survey}, case when n % 4 > 0 then 7000000 + n end, case when n % 4 > 0 then ${tokens[0] as string}::uuid end, (array['en', 'nb', null])[1 + n % 3],
      jsonb_build_object('score', n % 11, 'plan', (array['free', 'pro', null, repeat('x', 300)])[1 + n % 4])
        || case when n % 9 > 0 then jsonb_build_object('used', (array['["mail"]', '["chat", "mail"]', '"mail"'])[1 + n % 3]::jsonb) else '{}' end
        || case when n % 5 = 0 then jsonb '{"why": "Because", "gone": 1}' else '{}' end,
      case when n % 10 > 0 then jsonb_build_object('country', (array['NO', 'NO', 'NO', 'SE'])[1 + n % 4], ${odd}::text, n, '', n % 2) end,
      timestamptz '2030-01-01 00:00Z' + n * interval '97 minutes 13 seconds'
    from generate_series(1, 1500) as n`;
  await store.foldResultCounts();
  // Not added up yet, and one that a product's own page has recorded as a list.
  await respond(survey, { score: 10, plan: 'pro', used: ['mail'] }, '2030-02-02 10:00Z');
  await respond(survey, { plan: ['free'] }, '2030-02-02 10:00Z');
  await sql`update invite.responses set answers = '{}', metadata = null, erased_at = now() where survey_id = ${survey} and invitation_id % 7 = 0`;
  await sql`
    insert into invite.result_changes (survey_id, starts_at, question, value, number)
    select ${survey}, '2030-01-05 10:00Z', '', v.value, 100 from unnest('{sent, responded, bounced}'::text[]) as v (value)`;
  const metadata = (key: string, values?: string[], excludes = false) => ({
    dimension: 'metadata',
    key,
    ...(values && { values }),
    excludes,
  });
  const filters: [conditions: object[] | null, question?: string, answers?: string[]][] = [
    [[metadata('country')]],
    [[metadata('country', undefined, true)]],
    [[metadata('country', ['NO'])]],
    [[metadata('country', ['NO'], true)]],
    [[metadata('country', ['SE', 'DK'])]],
    [[metadata('country', ['SE'], true)]],
    [[metadata(odd, ['7', "O'Hara %L"], true)]],
    [[metadata('', ['1']), metadata(odd)]],
    [[metadata('country', ['SE'], true), { dimension: 'language', values: ['fr'], excludes: true }]],
    [[{ dimension: 'language', excludes: true }]],
    [[{ dimension: 'token' }]],
    [[{ dimension: 'token', values: tokens }]],
    [[{ dimension: 'token', values: ['no token'] }]],
    [[{ dimension: 'answer', key: 'plan', values: ['free'], excludes: true }]],
    [null, 'score'],
    [null, 'why'],
    [null, 'used', ['mail']],
    [null, 'used', ['chat']],
    [null, 'plan', ['free', 'pro']],
    [[metadata('country', ['DK'], true)], 'score', ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']],
  ];
  const edges = sql`array['2030-01-01Z', '2030-01-09Z', '2030-02-01Z', '2030-03-01Z']::timestamptz[]`;
  const ways = new Set();
  for (const [conditions, question = null, answers = null] of filters) {
    const filter = sql`row(null, null, ${conditions === null ? null : sql.json(conditions as never)}, ${question}, ${answers}::text[])::console.result_filter`;
    const [row] = await sql`
      select
        console.selects_most(${survey}, ${filter}, '2030-01-01Z', '2030-03-01Z') as most,
        exists (select from console.count_answers(${survey}, ${filter}, ${edges})) as some,
        (
          select count(*)::integer
          from console.count_answers(${survey}, ${filter}, ${edges}) as a
          full join console.count_by_filter(${survey}, ${filter}, ${edges}) as b using (bin, question, value)
          where a.number is distinct from b.number
        ) as different,
        (
          select count(*)::integer
          from console.count_by_filter(${survey}, null, ${edges}) as a
          left join console.count_by_filter(${survey}, ${filter}, ${edges}) as b using (bin, question, value)
          left join console.count_by_filter(${survey}, ${filter}, ${edges}, true) as c using (bin, question, value)
          where a.number <> coalesce(b.number, 0) + coalesce(c.number, 0)
        ) as lost`;
    t.match(row, { different: 0, lost: 0 }, JSON.stringify([conditions, question, answers]));
    ways.add(`${row?.most}, ${row?.some}`);
  }
  t.strictSame(ways, new Set(['true, true', 'false, true', 'false, false']), 'in both ways, and with nothing');
  const [row] = await sql`
    select
      (select sum(c.number) from console.count_answers(${survey}, null, ${edges}) as c where c.question = 'plan' and c.value = 'free') as counted,
      (
        select sum(c.number)
        from console.count_answers(${survey}, row(null, null, null, 'plan', '{free}')::console.result_filter, ${edges}) as c
        where c.question = ''
      ) as selected`;
  t.ok(row?.counted > 0);
  t.equal(row?.selected, row?.counted, 'an answer selects as many as its bar says');
});

t.test('whether a filter selects most is seen all over its time, not only in the newest responses', async (t) => {
  const { survey } = await createCounted();
  await sql`
    insert into invite.responses (survey_id, answers, metadata, submitted_at)
    select ${survey}, '{}', case when n <= 900 then jsonb '{"order": 1}' end, timestamptz '2030-01-01 00:00Z' + n * interval '1 hour'
    from generate_series(1, 1000) as n`;
  const most = async (since: string, until: string) =>
    (
      await sql`
      select console.selects_most(${survey}, row(null, null, '[{"dimension": "metadata", "key": "order"}]', null, null), ${since}, ${until}) as most`
    )[0]?.most;
  t.equal(await most('2030-01-01Z', '2030-03-01Z'), true);
  t.equal(await most('2030-02-07 13:00Z', '2030-03-01Z'), false);
  t.equal(await most('2031-01-01Z', '2031-03-01Z'), false, 'there are none');
});

t.test('a full step of adding up queues the next, and a deleted survey leaves no count', async (t) => {
  const { survey } = await createCounted();
  const { workspace } = await createSurvey(store);
  await createMember(store, workspace, 'owner', 'o@example.com');
  for (let n = 0; n < 3; n += 1) await respond(survey, { score: n });
  await sql`delete from graphile_worker._private_jobs`;
  while ((await sql`select invite.fold_result_counts(2) as moved`)[0]?.moved === 2);
  t.ok((await sql`select from graphile_worker.jobs where task_identifier = 'fold_result_counts'`).length >= 1);
  await respond(survey, { score: 7 });
  for (let more = true; more; ) more = (await store.deleteSurvey(survey)).more;
  t.equal((await sql`select from invite.result_counts where survey_id = ${survey}`).length, 0);
  t.equal((await sql`select from invite.result_changes where survey_id = ${survey}`).length, 0);
});

t.test(
  'the page of surveys has exact numbers, before and after they are added up, and a rate of what had three days to be responded to',
  async (t) => {
    const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));
    const { workspace, survey } = await createBatch(store, { recipients: people(120) });
    const { session } = await createMember(store, workspace, 'viewer', `${survey}@example.com`);
    // Sixty invitations are older than three days, and a fifth of them have a response. Of the newer ones, a tenth have one.
    const places = sql`(select x.id, row_number() over (order by x.id) as place from invite.invitations as x where x.survey_id = ${survey})`;
    await sql`
    update invite.messages as m
    set status = 'sent', not_before = null, sweep_at = null,
      sent_at = now() - interval '1 hour' * case when n.place <= 60 then 73 + n.place else n.place / 2 end
    from ${places} as n
    where m.invitation_id = n.id`;
    await sql`
    update invite.invitations as i set responded_at = now()
    from ${places} as n
    where i.id = n.id and n.place % case when n.place <= 60 then 5 else 10 end = 0`;
    await sql`
    insert into invite.responses (survey_id, invitation_id, answers, submitted_at)
    select survey_id, id, '{}', responded_at from invite.invitations where survey_id = ${survey} and responded_at is not null`;
    for (let response = 0; response < 1500; response += 500)
      await sql`insert into invite.responses (survey_id, answers, submitted_at) select ${survey}, '{}', now() from generate_series(1, 500)`;
    await sql`select invite.recount_results(${survey})`;
    for (const step of ['before', 'after', 'and again']) {
      const [card] = await store.console.listSurveys(session, workspace);
      t.match(card, { responses: 1518, sent: 120, invited: 60, responded: 12 }, step);
      const rate = await store.console.responseRate(session, survey, undefined);
      t.match(rate, { invited: '60', responded: '12', recent: '60' }, 'and Results have the same');
      await store.foldResultCounts();
    }
  },
);
