// Results broken down by metadata, language, token and month: the numbers of each line, the largest values, and filters that select a line's responses.
import t from 'tap';
import type { BreakdownLine, ResultFilter } from '../../src/database/store.ts';
import { createKey } from '../../src/secret.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const QUESTIONS = [
  { id: 'ease', type: 'score', label: 'How easy was it?', min: 1, max: 5 },
  { id: 'score', type: 'score', label: 'Would you recommend us?', nps: true },
  { id: 'why', type: 'text', label: 'Why?' },
  { id: 'constructor', type: 'choice', label: 'How did you hear of us?', choices: ['Friends', 'Web, "ads"', 'صديق'] },
  { id: 'used', type: 'choice', several: true, label: 'What did you use?', choices: ['Pool', 'Sauna'] },
];

async function createBroken() {
  const { workspace, survey } = await createSurvey(store);
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)}, state = 'active' where id = ${survey}`;
  const { session } = await createMember(store, workspace, 'viewer', `${workspace}@example.com`);
  const respond = (answers: object, metadata: object | null, more: { at?: string; language?: string; token?: string } = {}) =>
    sql`
      insert into invite.responses (survey_id, answers, metadata, submitted_at, language, trigger_token_id)
      values (${survey}, ${sql.json(answers as never)}, ${metadata === null ? null : sql.json(metadata as never)},
        ${more.at ?? '2030-01-10 10:00Z'}, ${more.language ?? null}, ${more.token ?? null})`;
  const by = (part: Parameters<typeof store.console.resultBreakdown>[2], filter?: ResultFilter, question?: string) =>
    store.console.resultBreakdown(session, survey, part, question, filter);
  return { workspace, survey, session, respond, by };
}

const shown = (lines: readonly BreakdownLine[]) =>
  lines
    .map(({ part, kind, responses, score, invited }) => `${part ?? kind} ${responses} ${score?.value ?? '–'} ${invited ?? '–'}`)
    .sort();

t.test('each value has its responses and score, with the interval; those without the key have a line too', async (t) => {
  const { respond, by } = await createBroken();
  await respond({ score: 10, ease: 5 }, { country: 'NO' });
  await respond({ score: 9 }, { country: 'NO' });
  await respond({ score: 3, ease: 1 }, { country: 'DK' });
  await respond({ score: 'many', why: 'x' }, { country: 'DK' });
  await respond({ score: 11 }, { country: 7 });
  await respond({ score: 7 }, {});
  await respond({ score: 0 }, null);
  const lines = await by({ dimension: 'metadata', key: 'country' });
  t.strictSame(shown(lines), ['7 1 – 0', 'DK 2 -100 0', 'NO 2 100 0', 'none 2 -50 0']);
  const [estimate] = await sql`select (invite.estimate_nps(2, 0, 0)).*`;
  t.match(lines.find(({ part }) => part === 'NO')?.score, { low: estimate?.low, high: estimate?.high, responses: 2 });
  t.strictSame(shown(await by({ dimension: 'metadata', key: 'country' }, undefined, 'ease')), [
    '7 1 – 0',
    'DK 2 1 0',
    'NO 2 5 0',
    'none 2 – 0',
  ]);
  t.strictSame(shown(await by({ dimension: 'metadata', key: 'no such key' })), ['none 7 0 0']);
});

t.test('the 50 values with the most responses have a line each, and all others share one', async (t) => {
  const { survey, session, by } = await createBroken();
  await sql`
    insert into invite.responses (survey_id, answers, metadata, submitted_at)
    select ${survey}, '{"score": 9}', jsonb_build_object('shop', 'S' || lpad(n::text, 2, '0')), '2030-01-10 10:00Z'
    from generate_series(1, 60) as n, generate_series(1, n)`;
  const lines = await by({ dimension: 'metadata', key: 'shop' });
  t.equal(lines.length, 51);
  t.match(
    lines.find(({ kind }) => kind === 'others'),
    { part: null, responses: String((10 * 11) / 2), score: { value: 100, responses: 55 } },
  );
  const values = lines.flatMap(({ part }) => part ?? []);
  t.strictSame([values.length, values.toSorted()[0]], [50, 'S11']);
  const conditions = [
    { dimension: 'metadata', key: 'shop' } as const,
    { dimension: 'metadata', key: 'shop', values, excludes: true } as const,
  ];
  t.equal((await store.console.resultSummary(session, survey, { conditions })).responses, '55', 'a filter selects the others');
});

t.test('languages, tokens and months have lines, and a filter selects the responses of each', async (t) => {
  const { survey, session, respond, by } = await createBroken();
  const [one, other] = [await createToken(store, survey, { name: 'Shop' }), await createToken(store, survey, { name: 'Till' })];
  const ids = await sql<{ id: string; name: string }[]>`select id, name from invite.trigger_tokens where survey_id = ${survey}`;
  const tokens = ['Shop', 'Till'].map((name) => ids.find((token) => token.name === name)?.id ?? '');
  t.ok(one.token !== other.token);
  await respond({ score: 9 }, { vip: true }, { language: 'de', token: tokens[0] ?? '', at: '2029-12-31 23:30Z' });
  await respond({ score: 2 }, { vip: false }, { language: 'de', token: tokens[1] ?? '', at: '2030-01-31 22:59Z' });
  await respond({ score: 9 }, null, { language: 'ar', at: '2030-02-01 00:00Z' });
  await respond({ score: 9 }, null);
  t.strictSame(shown(await by({ dimension: 'language' })), ['ar 1 100 0', 'de 2 0 0', 'none 1 100 0']);
  t.strictSame(shown(await by({ dimension: 'token' })), [`${tokens[0]} 1 100 0`, `${tokens[1]} 1 -100 0`, 'none 2 100 0'].sort());
  t.strictSame(shown(await by({ dimension: 'month' })), ['2029-12 1 100 0', '2030-01 2 0 0', '2030-02 1 100 0']);
  const inZone = await store.console.resultBreakdown(
    session,
    survey,
    { dimension: 'month' },
    undefined,
    undefined,
    'Europe/Oslo',
  );
  t.strictSame(shown(inZone), ['2030-01 3 33.33333333333333 0', '2030-02 1 100 0'], 'by the days of the zone');
  t.strictSame(shown(await by({ dimension: 'month' }, { conditions: [{ dimension: 'language', values: ['de'] }] })), [
    '2029-12 1 100 0',
    '2030-01 1 -100 0',
  ]);
  for (const [conditions, responses] of [
    [[{ dimension: 'language', values: ['de'] }], '2'],
    [[{ dimension: 'language', values: ['de', 'ar'] }], '3'],
    [[{ dimension: 'language', values: ['de'], excludes: true }], '2'],
    [[{ dimension: 'language', excludes: true }], '1'],
    [[{ dimension: 'language' }], '3'],
    [[{ dimension: 'token', values: [tokens[0] ?? ''] }], '1'],
    [[{ dimension: 'token', excludes: true }], '2'],
    [[{ dimension: 'metadata', key: 'vip', values: ['true', 'false'] }], '2'],
    [[{ dimension: 'metadata', key: 'vip', values: ['true'], excludes: true }], '3'],
    [[{ dimension: 'metadata', key: 'vip', excludes: true }], '2'],
  ] as const) {
    const listed = await store.console.listResults(session, survey, { conditions }, undefined, 50);
    const { responses: counted } = await store.console.resultSummary(session, survey, { conditions });
    t.strictSame([String(listed.length), counted], [responses, responses], JSON.stringify(conditions));
  }
  t.match(await store.console.resultOffers(session, survey), {
    languages: ['de', 'ar'],
    tokens: [
      { id: tokens[0], name: 'Shop' },
      { id: tokens[1], name: 'Till' },
    ],
  });
});

t.test('each choice has its responses and score, and a filter selects them', async (t) => {
  const { survey, session, respond, by } = await createBroken();
  const how = { dimension: 'answer', key: 'constructor' } as const;
  const answer = (choice: string | undefined, score: number, more: object = {}) =>
    respond({ score, ...(choice !== undefined && { constructor: choice }), ...more }, { constructor: 'a key of the same name' });
  await answer('Friends', 10, { used: ['Pool', 'Sauna'] });
  await answer('Friends', 9);
  await answer('Web, "ads"', 0, { why: 'Ads' });
  await answer('صديق', 7);
  await answer('No longer offered', 6);
  await answer(undefined, 8);
  const lines = ['Friends 2 100 –', 'No longer offered 1 -100 –', 'Web, "ads" 1 -100 –', 'none 1 0 –', 'صديق 1 0 –'];
  t.strictSame(shown(await by(how)), lines);
  t.strictSame(
    shown(await by(how, { conditions: [{ dimension: 'metadata', key: 'constructor' }] })),
    lines,
    'beside a filter by metadata',
  );
  for (const key of ['why', 'used', 'score', 'unknown', '__proto__'])
    t.strictSame(await by({ dimension: 'answer', key }), [], `${key} has no lines`);
  for (const [condition, responses] of [
    [{ ...how, values: ['Friends'] }, '2'],
    [{ ...how, values: ['Friends', 'Web, "ads"'] }, '3'],
    [{ ...how, values: ['Friends'], excludes: true }, '4'],
    [how, '5'],
    [{ ...how, excludes: true }, '1'],
  ] as const) {
    const filter = { conditions: [condition] };
    const { responses: counted } = await store.console.resultSummary(session, survey, filter);
    const { length } = await store.console.listResults(session, survey, filter, undefined, 50);
    t.strictSame([String(length), counted], [responses, responses], JSON.stringify(condition));
    t.equal((await store.console.responseRate(session, survey, filter)).invited, null, 'invitations have no answers');
    t.ok((await by({ dimension: 'month' }, filter)).every(({ invited }) => invited === null));
  }
});

t.test('the rate of each part counts invitations that were sent three days ago, and falls with a bounce', async (t) => {
  const { survey, session, by } = await createBroken();
  const { hash } = await createToken(store, survey, { cooldownSeconds: 0, name: 'Shop' });
  for (const [country, people] of [
    ['NO', 4],
    ['DK', 2],
  ] as const)
    await acceptTrigger(
      store,
      hash,
      {
        metadata: { country },
        language: country === 'NO' ? 'nb' : undefined,
        recipients: Array.from({ length: people }, (_, n) => ({ email: `${country.toLowerCase()}${n}@example.com` })),
      },
      10_000,
    );
  const ids = (await sql`select id, link_token from test.invitations where survey_id = ${survey} order by id`) as unknown as {
    id: string;
    link_token: string;
  }[];
  await sql`
    update invite.messages
    set status = 'sent', not_before = null, sweep_at = null,
      sent_at = now() - case when invitation_id = ${ids[5]?.id ?? ''} then interval '2 days' else interval '4 days' end
    where survey_id = ${survey}`;
  await sql`update invite.batches set accepted_at = now() - interval '5 days' where survey_id = ${survey}`;
  await sql`select invite.recount_results(${survey})`;
  await store.submitResponse(survey, { score: 9 }, ids[0]?.link_token);
  await sql`update invite.invitations set bounced_at = now() where id = ${ids[1]?.id ?? ''}`;
  await sql`select invite.recount_results(${survey})`;
  const rates = (lines: readonly BreakdownLine[]) =>
    lines.map(({ part, invited, rate }) => `${part} ${invited} ${rate?.value?.toFixed(2)}`).sort();
  t.strictSame(rates(await by({ dimension: 'metadata', key: 'country' })), ['DK 1 0.00', 'NO 3 0.33']);
  t.strictSame(rates(await by({ dimension: 'language' })), ['en 1 0.00', 'nb 3 0.33', 'null 0 undefined']);
  t.strictSame(
    (await by({ dimension: 'token' })).map(({ responses, invited }) => `${responses} ${invited}`),
    ['1 4'],
    'the response has the token of its batch',
  );
  t.match(
    await by({ dimension: 'metadata', key: 'country' }, { question: 'score' }),
    [{ part: 'NO', invited: null, rate: null }],
    'none under a filter by answers',
  );

  // The newest three: of the batch of two and of a part of the other, which counts as a whole.
  const newest = async (most: number) =>
    (await sql`
      select b.part, b.invited, b.rated_since from console.result_breakdown(${session}, ${survey}, 'metadata', 'country', max_rated => ${most}) as b
      order by 1`) as unknown as { part: string; invited: string; rated_since: Date | null }[];
  const [older, newer] = (
    await sql`
    update invite.batches set accepted_at = now() - case when metadata ->> 'country' = 'NO' then interval '6 days' else interval '5 days' end
    where survey_id = ${survey} returning accepted_at`
  )
    .map(({ accepted_at }) => accepted_at as Date)
    .toSorted((a, b) => +a - +b);
  t.strictSame(
    (await newest(6)).map(({ part, invited, rated_since }) => [part, invited, rated_since]),
    [
      ['DK', '1', null],
      ['NO', '3', null],
    ],
    'exactly as many',
  );
  t.strictSame(
    (await newest(3)).map(({ part, invited, rated_since }) => [part, invited, rated_since]),
    [
      ['DK', '1', older],
      ['NO', '3', older],
    ],
    'the batch that goes beyond counts as a whole',
  );
  t.strictSame(
    (await newest(1)).map(({ part, invited, rated_since }) => [part, invited, rated_since]),
    [
      ['DK', '1', newer],
      ['NO', '0', newer],
    ],
  );

  // Under a filter, the rate of all and of months covers as many.
  const filter = sql`row(null, null, '[{"dimension": "metadata", "key": "country", "values": ["NO", "DK"]}]', null, null)::console.result_filter`;
  const rate = async (most: number) => {
    const [row] = await sql`
      select invited, responded, recent, invited_before, rated_since
      from console.response_rate(
        ${session}, ${survey}, ${filter}, 'UTC', (now() - interval '4 days')::date, now()::date, (now() - interval '8 days')::date,
        (now() - interval '5 days')::date, max_rated => ${most})`;
    const months = await sql`
      select b.invited, b.rated_since from console.result_breakdown(${session}, ${survey}, 'month', filter => ${filter}, max_rated => ${most}) as b`;
    const invited = months.reduce((sum, month) => sum + Number(month.invited), 0);
    return [...Object.values(row ?? {}), invited, months[0]?.rated_since];
  };
  t.strictSame(await rate(6), ['4', '1', '1', '0', null, 4, null]);
  t.strictSame(await rate(1), ['1', '0', '1', null, newer, 1, newer], 'the period before would be a part of it');
  const unfiltered = await store.console.responseRate(session, survey, undefined);
  t.match(unfiltered, { invited: '4', ratedSince: null }, 'without a filter they are counted already');
});

t.test('a person without membership gets no breakdown', async (t) => {
  const { survey } = await createBroken();
  const { session } = await createBroken();
  for (const who of [session, createKey('home').hash])
    await t.rejects(store.console.resultBreakdown(who, survey, { dimension: 'month' }, undefined, undefined), { code: 'P0002' });
});

t.test('of a key in which nearly all of a large survey differ, only values that several have stand alone', async (t) => {
  const { survey, respond, by } = await createBroken();
  const differing = async (first: number, last: number) => {
    for (let from = first; from <= last; from += 2000)
      await sql`
        insert into invite.responses (survey_id, answers, metadata, submitted_at)
        select ${survey}, jsonb_build_object('score', n % 11),
          jsonb_build_object('order', case when n % 10 = 0 then 'none' when n % 4 = 1 then null else 'A-' || n end, 'country', 'C' || n % 3, 'id', n),
          '2030-01-10 10:00Z'::timestamptz - n * interval '1 second'
        from generate_series(${from}::integer, ${Math.min(last, from + 1999)}::integer) as n`;
  };
  const frequent = async (key: string, rows: number) =>
    (await sql`select console.frequent_values(${survey}, ${key}, ${rows}) as values`)[0]?.values;
  await differing(1, 5_000);
  t.equal((await by({ dimension: 'metadata', key: 'order' })).length, 52, 'a small survey shows its largest');
  await differing(5_001, 12_000);
  await respond({ score: 9 }, { order: 'rare' }, { at: '2029-01-01 10:00Z' });
  const [truth] = await sql`
    select count(*) filter (where metadata ->> 'order' = 'none') as several, count(*) filter (where metadata ->> 'order' <> 'none') as others,
      count(*) filter (where metadata ->> 'order' is null) as none
    from invite.responses where survey_id = ${survey}`;
  const lines = await by({ dimension: 'metadata', key: 'order' });
  t.strictSame(
    lines.map(({ part, kind, responses }) => `${part ?? kind} ${responses}`).sort(),
    [`none ${truth?.none}`, `none ${truth?.several}`, `others ${truth?.others}`].sort(),
  );
  t.strictSame(
    (await by({ dimension: 'metadata', key: 'id' })).map(({ part, kind, responses }) => `${part} ${kind} ${responses}`).sort(),
    ['null none 1', 'null others 12000'],
    'no value stands alone where all differ',
  );
  const conditions = [{ dimension: 'metadata', key: 'country', values: ['C1'] } as const];
  t.equal((await by({ dimension: 'metadata', key: 'order' }, { conditions })).length, 52, 'under a filter all are counted');
  t.equal((await by({ dimension: 'metadata', key: 'country' })).length, 4, 'a key with few values has them all');
  t.strictSame(
    [await frequent('order', 100), await frequent('country', 100), await frequent('no such key', 100)],
    [['none'], null, null],
  );
});
