// The Results in SQL: pages, filter by metadata, columns, summary, and what a viewer doesn't get.
import t from 'tap';
import type { ResultFilter } from '../../src/database/store.ts';
import { createKey } from '../../src/secret.ts';
import { invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Records one response for each metadata, oldest first, in a survey without invitations. */
async function respond(survey: string, metadata: (object | null)[], submittedAt = '2030-01-01T10:00:00Z') {
  for (const entry of metadata) {
    await sql`
      insert into invite.responses (survey_id, answers, metadata, submitted_at)
      values (${survey}, '{"score": 9}', ${entry === null ? null : sql.json(entry as never)}, ${submittedAt})`;
  }
}

async function createViewed() {
  const { workspace, survey } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'viewer', `${workspace}@example.com`);
  const find = async (key: string, value?: string, before?: string, rows = 50) =>
    (
      await store.console.listResults(
        session,
        survey,
        { conditions: [{ dimension: 'metadata', key, values: value === undefined ? undefined : [value] }] },
        before,
        rows,
      )
    ).map(({ metadata }) => metadata?.n);
  return { workspace, survey, session, find };
}

t.test('pages follow each other without a gap and without a repeat, newest first', async (t) => {
  const { survey, session } = await createViewed();
  await respond(
    survey,
    Array.from({ length: 5 }, (_, n) => ({ n })),
  );
  const first = await store.console.listResults(session, survey, undefined, undefined, 3);
  const second = await store.console.listResults(session, survey, undefined, first.at(-1)?.id, 3);
  t.strictSame(
    [...first, ...second].map(({ metadata }) => metadata?.n),
    [4, 3, 2, 1, 0],
  );
});

t.test('a filter finds a key, and a key with a value of any kind as text, in this survey alone', async (t) => {
  const { survey, find } = await createViewed();
  const other = await createSurvey(store);
  const rows = [
    { n: 0, a: 'x' },
    { n: 1, a: 42 },
    { n: 2, a: '42' },
    { n: 3, a: { b: [1] } },
    { n: 4, a: null },
    { n: 5, b: 'x' },
  ];
  await respond(survey, [...rows, null]);
  await respond(other.survey, rows);
  t.strictSame(await find('a'), [4, 3, 2, 1, 0]);
  t.strictSame(await find('a', 'x'), [0]);
  t.strictSame(await find('a', '42'), [2, 1]);
  t.strictSame(await find('a', '{"b": [1]}'), [3]);
  t.strictSame(await find('A'), []);
  t.strictSame(await find('a', 'X'), []);
  t.strictSame(await find('a=x'), [], 'a key with a sign in it is another key');
});

t.test('rare matches far behind the newest responses are found by the index, page by page', async (t) => {
  const { survey, find, session } = await createViewed();
  await respond(
    survey,
    Array.from({ length: 7 }, (_, n) => ({ n, rare: 'yes' })),
  );
  await sql`
    insert into invite.responses (survey_id, answers, metadata, submitted_at)
    select ${survey}, '{}', '{"common": "yes"}', now() from generate_series(1, 6000)`;
  t.strictSame(await find('rare', 'yes', undefined, 5), [6, 5, 4, 3, 2]);
  const page = await store.console.listResults(
    session,
    survey,
    { conditions: [{ dimension: 'metadata', key: 'rare', values: ['yes'] }] },
    undefined,
    5,
  );
  t.strictSame(await find('rare', 'yes', page.at(-1)?.id, 5), [1, 0]);
  t.equal((await find('common', 'yes', undefined, 50)).length, 50);
  /** Returns how often a page scans the index of metadata. */
  const looks = (key: string) =>
    database.connect().begin(async (transaction) => {
      await transaction`select console.find_responses(${survey}, row(null, null, ${sql.json([{ dimension: 'metadata', key, values: ['yes'] }])}, null, null), null, 50)`;
      const [row] =
        await transaction`select pg_stat_get_xact_numscans('invite.responses_metadata_idx'::regclass)::integer as scans`;
      return row?.scans as number;
    });
  t.equal(await looks('rare'), 1);
  t.equal(await looks('common'), 0, 'what fills a page from the newest needs no index of metadata');
});

t.test('editors get the recipient, viewers do not, and an erased recipient is nobody', async (t) => {
  const { workspace, survey } = await createBatch(store, { metadata: { order: 1 } });
  const [invitation] = await invitationsOf(sql, survey);
  await store.submitResponse(survey, { score: 9 }, invitation?.link_token);
  const page = async (role: 'editor' | 'viewer') => {
    const { session } = await createMember(store, workspace, role);
    return store.console.listResults(session, survey, undefined, undefined, 10);
  };
  t.match(await page('editor'), [
    { email: 'ada@example.com', name: 'Ada', attribution: 'invitation', invitationId: invitation?.id, metadata: { order: 1 } },
  ]);
  t.match(await page('viewer'), [{ email: null, name: null, attribution: 'invitation', metadata: { order: 1 } }]);
  await store.eraseEmail(workspace, 'ada@example.com', false);
  t.match(await page('editor'), [{ email: null, name: null, attribution: 'invitation' }]);
});

t.test('the columns are those of the responses looked at, the most common first, and bounded', async (t) => {
  const { survey, session } = await createViewed();
  await respond(survey, [{ c: 1, a: 1 }, { b: 1, a: 1 }, { b: 1 }, null]);
  const keys = await store.console.resultKeys(session, survey, undefined, undefined, 3);
  t.match(keys, { answerKeys: ['score'], metadataKeys: ['b', 'a'], scanned: 3 });
  t.match(await store.console.resultKeys(session, survey, undefined, keys.lastId ?? undefined, 3), { metadataKeys: ['a', 'c'] });
  t.match(
    await store.console.resultKeys(
      session,
      survey,
      { conditions: [{ dimension: 'metadata', key: 'c', values: ['1'] }] },
      undefined,
      3,
    ),
    {
      metadataKeys: ['a', 'c'],
    },
  );
  const [row] = await sql`select * from console.result_keys(${session}, ${survey}, max_keys => 1)`;
  t.strictSame(row?.metadata_keys, ['a']);
});

const QUESTIONS = [
  { id: 'score', type: 'score', label: 'Score', min: 0, max: 10, nps: true },
  { id: 'ease', type: 'score', label: 'Ease', min: 1, max: 5 },
  { id: 'plan', type: 'choice', label: 'Plan', choices: ['free', 'pro'] },
  { id: 'why', type: 'text', label: 'Why' },
];

t.test('the summary counts bins and answers', async (t) => {
  const { workspace, survey } = await createBatch(store, {
    recipients: Array.from({ length: 4 }, (_, index) => ({ email: `p${index}@example.com` })),
  });
  const { session } = await createMember(store, workspace, 'viewer');
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)} where id = ${survey}`;
  const invited = await invitationsOf(sql, survey);
  const links = invited.map((row) => row.link_token);
  await sql`
    update invite.messages set status = 'sent', not_before = null, sweep_at = null, sent_at = '2030-01-01 23:00Z'
    where survey_id = ${survey} and invitation_id <> ${invited[3]?.id ?? 0}`;
  const answer = (answers: object, link: string | null, at: string) =>
    sql`select invite.record_response(${survey}, ${sql.json(answers as never)}, ${link}, ${at})`;
  await answer({ score: 9, ease: 5, plan: 'pro', why: 'a' }, links[0] ?? '', '2030-01-01 23:59Z');
  await answer({ score: 9, ease: 2, plan: 'gold' }, links[1] ?? '', '2030-01-02 00:00Z');
  await answer({ score: 'many', plan: ['free', 'pro'], why: null }, null, '2030-01-02 12:00Z');
  const summary = await store.console.resultSummary(session, survey, undefined);
  t.match(summary, {
    responses: '3',
    responsesBefore: null,
    firstDay: '2030-01-01',
    lastDay: '2030-01-02',
    unit: 'day',
    bins: [
      { day: '2030-01-01', invitation: 1, direct: 0 },
      { day: '2030-01-02', invitation: 1, direct: 1 },
    ],
    scores: [
      { question: 'score', value: 100, responses: 2, before: null, points: [{ first: 1, last: 2, value: 100, responses: 2 }] },
      { question: 'ease', value: 3.5, responses: 2, points: [{ value: 3.5 }] },
    ],
  });
  const shown = ({ answers }: typeof summary) =>
    answers.map(({ question, value, number }) => `${question} ${value} ${number}`).sort();
  t.strictSame(shown(summary), ['ease 2 1', 'ease 5 1', 'plan  2', 'plan pro 1', 'score  1', 'score 9 2', 'why  1']);
  const [share] = await sql`select * from invite.estimate_share(1, 3)`;
  t.match(
    summary.answers.find(({ value }) => value === 'pro'),
    { low: share?.low, high: share?.high },
  );
  const filtered = await store.console.resultSummary(session, survey, { question: 'score', answers: ['9'] });
  t.match(filtered, { responses: '2', scores: [{ value: 100 }, { value: 3.5 }] });
  t.strictSame(shown(filtered), ['ease 2 1', 'ease 5 1', 'plan  1', 'plan pro 1', 'score 9 2', 'why  1']);
});

t.test('a period has the days of its zone, and the period before beside it', async (t) => {
  const { survey, session } = await createViewed();
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)} where id = ${survey}`;
  // Midnight in Kathmandu is 18:15 UTC.
  for (const [score, at] of [
    [0, '2030-01-30 18:14Z'],
    [9, '2030-01-30 18:15Z'],
    [10, '2030-01-31 18:14Z'],
    [8, '2030-01-31 18:15Z'],
  ] as const)
    await sql`insert into invite.responses (survey_id, answers, submitted_at) values (${survey}, ${sql.json({ score })}, ${at})`;
  const of = (day: string) => ({ firstDay: day, lastDay: day, zone: 'Asia/Kathmandu' });
  const period = of('2030-01-31');
  for (const filter of [{ period }, { period, question: 'score' }])
    for (const folded of [false, true]) {
      if (folded) await store.foldResultCounts();
      const summary = await store.console.resultSummary(session, survey, filter, period.zone, of('2030-01-30'));
      t.match(summary, {
        responses: '2',
        responsesBefore: '1',
        firstDay: '2030-01-31',
        lastDay: '2030-01-31',
        scores: [{ value: 100, responses: 2, before: { value: -100, responses: 1 } }, { value: null }],
      });
    }
  const listed = await store.console.listResults(session, survey, { period }, undefined, 10);
  t.strictSame(
    listed.map(({ answers }) => answers.score),
    [10, 9],
  );
  t.match(
    await store.console.resultSummary(
      session,
      survey,
      { period: { ...period, firstDay: '2030-02-01', lastDay: '2030-02-01' } },
      period.zone,
    ),
    {
      responses: '1',
    },
  );
});

t.test('a long period has at most 31 bins that miss no response, and a survey without responses has none', async (t) => {
  const { survey, session } = await createViewed();
  t.match(await store.console.resultSummary(session, survey, undefined), { responses: '0', answers: [] });
  await sql`
    insert into invite.responses (survey_id, answers, submitted_at)
    select ${survey}, '{}', timestamptz '2020-02-29 12:00Z' + n * interval '1 day' from generate_series(0, 2000) as n`;
  for (const [lastDay, unit] of [
    ['2020-03-30', 'day'],
    ['2020-03-31', 'week'],
    ['2020-09-25', 'week'],
    ['2020-09-26', 'month'],
    ['2022-08-16', 'month'],
    ['2022-08-17', 'year'],
  ] as const) {
    const summary = await store.console.resultSummary(session, survey, {
      period: { firstDay: '2020-02-29', lastDay, zone: 'UTC' },
    });
    const days = (Date.parse(lastDay) - Date.parse('2020-02-29')) / 86_400_000 + 1;
    t.match(summary, { unit, responses: String(days) }, `${days} days`);
    t.ok(summary.bins.length <= 31, `${summary.bins.length} bins`);
    t.equal(
      summary.bins.reduce((sum, { direct }) => sum + direct, 0),
      days,
    );
    t.equal(summary.bins[0]?.day, '2020-02-29');
  }
});

t.test('filters combine: metadata, an answer, a period; and a quote in them is only a quote', async (t) => {
  const { survey, session } = await createViewed();
  await sql`
    insert into invite.responses (survey_id, answers, metadata, submitted_at) values
      (${survey}, '{"score": 9, "why": "x"}', '{"n": 1, "a": "x", "b": "y"}', '2030-01-01 10:00Z'),
      (${survey}, '{"score": "9"}', '{"n": 2, "a": "x", "b": "z"}', '2030-01-02 10:00Z'),
      (${survey}, '{"score": 1}', '{"n": 3, "a": "x", "b": "y"}', '2030-01-03 10:00Z'),
      (${survey}, '{"score": 7}', ${sql.json({ n: 4, "o'key": `it's "a" \\ %s $1` })}, '2030-01-04 10:00Z')`;
  const find = async (filter: ResultFilter) =>
    (await store.console.listResults(session, survey, filter, undefined, 10)).map(({ metadata }) => metadata?.n);
  const period = { firstDay: '2030-01-01', lastDay: '2030-01-02', zone: 'UTC' };
  t.strictSame(
    await find({
      conditions: [
        { dimension: 'metadata', key: 'a' },
        { dimension: 'metadata', key: 'b', values: ['y'] },
      ],
    }),
    [3, 1],
  );
  t.strictSame(await find({ conditions: [{ dimension: 'metadata', key: 'a', values: ['x'] }], period }), [2, 1]);
  t.strictSame(
    await find({ conditions: [{ dimension: 'metadata', key: 'a', values: ['x'] }], question: 'score', answers: ['9', '8'] }),
    [2, 1],
  );
  t.strictSame(await find({ question: 'why' }), [1]);
  t.strictSame(await find({ question: 'score', answers: ['7', '1'] }), [4, 3]);
  t.strictSame(await find({ conditions: [{ dimension: 'metadata', key: "o'key", values: [`it's "a" \\ %s $1`] }] }), [4]);
  t.strictSame(await find({ question: "no'ne", answers: ["'); select 1; --", '{"}'] }), []);
  const summary = await store.console.resultSummary(session, survey, { conditions: [{ dimension: 'metadata', key: "o'key" }] });
  t.equal(summary.responses, '1');
});

t.test(
  'pages follow the time of submission, also of responses that were brought in later, and after one was deleted',
  async (t) => {
    const { survey, session } = await createViewed();
    for (const [n, at] of [
      [0, '2030-01-03'],
      [1, '2030-01-01'],
      [2, '2030-01-02'],
      [3, '2030-01-04'],
    ] as const)
      await respond(survey, [{ n }], `${at} 10:00Z`);
    const page = async (before?: string) => store.console.listResults(session, survey, undefined, before, 2);
    const numbers = (rows: Awaited<ReturnType<typeof page>>) => rows.map(({ metadata }) => metadata?.n);
    const first = await page();
    t.strictSame(numbers(first), [3, 0]);
    t.strictSame(numbers(await page(first.at(-1)?.id)), [2, 1]);
    await respond(
      survey,
      Array.from({ length: 4 }, (_, n) => ({ n: 10 + n })),
      '2031-01-01 10:00Z',
    );
    const newest = await page();
    await sql`delete from invite.responses where id = ${newest.at(-1)?.id ?? ''}`;
    t.strictSame(numbers(await page(newest.at(-1)?.id)), [11, 10]);
  },
);

t.test('what is offered to filter by are the values that responses share, the most common first', async (t) => {
  const { survey, session } = await createViewed();
  await respond(survey, [
    ...Array.from({ length: 40 }, (_, n) => ({ order: `A-${n}`, country: n % 3 ? 'NO' : 'DE' })),
    { vip: true, country: 'x'.repeat(101) },
    null,
  ]);
  t.strictSame(await store.console.resultOffers(session, survey), {
    metadata: [
      { key: 'country', values: ['NO', 'DE'] },
      { key: 'vip', values: ['true'] },
    ],
    languages: [],
    tokens: [],
  });
});

t.test('a person without membership gets nothing of the Results', async (t) => {
  const { survey } = await createSurvey(store);
  const { workspace } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'owner');
  for (const who of [session, createKey('home').hash]) {
    t.equal(await sqlstate(store.console.listResults(who, survey, undefined, undefined, 1)), 'P0002');
    t.equal(await sqlstate(store.console.resultKeys(who, survey, undefined, undefined, 1)), 'P0002');
    t.equal(await sqlstate(store.console.resultSummary(who, survey, undefined)), 'P0002');
    t.equal(await sqlstate(store.console.resultOffers(who, survey)), 'P0002');
  }
});
