// The same figures everywhere: after random histories, Home, Invitations, Results, their breakdowns and lists, the CSV, views and events say what the
// rows say. FIGURES_SEED repeats a run, and FIGURES_RUNS makes it longer.
import { deepStrictEqual as same } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { csvPieces } from '../../src/console/results/csv.ts';
import type { ResultCondition } from '../../src/database/store.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const seed = Number(process.env.FIGURES_SEED ?? 20_300_131);
const numRuns = Number(process.env.FIGURES_RUNS ?? 12);
t.comment(`FIGURES_SEED=${seed} FIGURES_RUNS=${numRuns}`);

const { sql, store } = await createTestDatabase(t);
const worker = await createWorker(store);
const QUESTIONS = [
  { id: 'score', type: 'score', label: 'Would you recommend us?', nps: true },
  { id: 'why', type: 'text', label: 'Why?' },
];
/** One metadata value is missing, and one language is written in two ways. */
const COUNTRIES = ['NO', 'DK', "o'", undefined] as const;
const LANGUAGES = ['nb', 'ar', undefined] as const;

const person = fc.nat(999);
const days = fc.constantFrom(0, 1, 2.99, 3.02, 10, 45);
/** What can happen. `who` chooses among those to whom it can. */
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('invite' as const),
      people: fc.integer({ min: 1, max: 8 }),
      country: fc.nat(3),
      language: fc.nat(2),
      token: fc.nat(1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      ago: days,
      outcome: fc.constantFrom('accepted', 'accepted', 'accepted', 'rejected', 'retry'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('respond' as const),
      who: person,
      ago: days,
      score: fc.integer({ min: -1, max: 11 }),
    }),
  },
  // By the link of a preview or of a scheduled batch, before anything is sent; or while the first email is on its way.
  { weight: 2, arbitrary: fc.record({ does: fc.constant('respond early' as const), who: person, score: fc.nat(10) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('respond meanwhile' as const), who: person, ago: days, score: fc.nat(10) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('respond directly' as const), ago: days, score: fc.nat(10) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('bounce' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('retry' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('erase' as const), who: person, answers: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete response' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete invitation' as const), who: person }) },
  { weight: 2, arbitrary: fc.constant({ does: 'add up' as const }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

async function begin() {
  const { workspace, survey } = await createSurvey(store);
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)} where id = ${survey}`;
  await sql`update invite.workspaces set records_events = true where id = ${workspace}`;
  const hashes = [];
  for (const name of ['Shop', 'Till']) hashes.push((await createToken(store, survey, { name, cooldownSeconds: 0 })).hash);
  const { session } = await createMember(store, workspace, 'editor', `${workspace}@example.com`);
  return { workspace, survey, session, hashes, invited: 0, recorded: 0, low: 0 };
}
type World = Awaited<ReturnType<typeof begin>>;

const at = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
const pick = <T>(rows: readonly T[], who: number): T | undefined => rows[who % Math.max(rows.length, 1)];
const rowsOf = ({ survey }: World, where: string) =>
  sql.unsafe<{ id: string; email: string; link_token: string }[]>(
    `select id, email, link_token from test.invitations where survey_id = $1 and ${where} order by id`,
    [survey],
  );

async function respond(world: World, token: string, score: number, ago: number): Promise<void> {
  await sql`
    select invite.record_response(${world.survey}, ${sql.json({ score, why: 'x' })}, ${token}, ${at(ago)}, language => 'nb')`;
  world.recorded += 1;
  world.low += score < 7 ? 1 : 0;
}

async function act(world: World, what: Action): Promise<void> {
  const { workspace, survey, hashes } = world;
  if (what.does === 'invite') {
    const recipients = Array.from({ length: what.people }, (_, n) => ({ email: `p${world.invited + n}@example.com` }));
    world.invited += what.people;
    const country = COUNTRIES[what.country];
    await acceptTrigger(
      store,
      hashes[what.token] as Buffer,
      { recipients, metadata: country === undefined ? { vip: true } : { country }, language: LANGUAGES[what.language] },
      10_000,
    );
    await sql`update invite.batches set accepted_at = now() - interval '60 days' where survey_id = ${survey}`;
  } else if (what.does === 'send' || what.does === 'respond meanwhile') {
    const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
    if (what.does === 'respond meanwhile') {
      const found = pick(await rowsOf(world, `status = 'sending' and responded_at is null`), what.who);
      if (found) await respond(world, found.link_token, what.score, 0);
    }
    const outcome = what.does === 'send' ? what.outcome : 'accepted';
    const outcomes = claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome, code: 'x' }));
    await sql`select * from invite.settle_invitations(${sql.json(outcomes as never)}, at => ${at(what.ago)})`;
  } else if (what.does === 'respond') {
    const found = pick(await rowsOf(world, 'sent_at is not null and responded_at is null'), what.who);
    if (found) await respond(world, found.link_token, what.score, what.ago);
  } else if (what.does === 'respond early') {
    const found = pick(await rowsOf(world, 'sent_at is null and responded_at is null'), what.who);
    if (found) await respond(world, found.link_token, what.score, 0);
  } else if (what.does === 'respond directly') {
    await sql`select invite.record_response(${survey}, ${sql.json({ score: what.score })}, null, ${at(what.ago)})`;
    world.recorded += 1;
    world.low += what.score < 7 ? 1 : 0;
  } else if (what.does === 'bounce') {
    const found = pick(await rowsOf(world, 'sent_at is not null and email is not null'), what.who);
    if (found === undefined) return;
    await store.recordRelayEvents('resend', [
      { event_id: `${survey} ${found.id}`, type: 'hard_bounce', occurred_at: at(0), invitation_id: found.id, email: found.email },
    ]);
  } else if (what.does === 'retry') {
    const found = pick(await rowsOf(world, `status = 'failed'`), what.who);
    if (found) await sql`select invite.retry_survey(${survey})`;
  } else if (what.does === 'erase') {
    const found = pick(await rowsOf(world, 'email is not null'), what.who);
    if (found) await store.eraseEmail(workspace, found.email, false, what.answers);
  } else if (what.does === 'delete response') {
    const ids = await sql<{ id: string }[]>`select id from invite.responses where survey_id = ${survey} order by id`;
    const found = pick(ids, what.who);
    if (found) await sql`delete from invite.responses where id = ${found.id}`;
  } else if (what.does === 'delete invitation') {
    const found = pick(await rowsOf(world, 'true'), what.who);
    if (found) await sql`delete from invite.invitations where id = ${found.id}`;
  } else await store.foldResultCounts();
}

async function listed({ session, survey }: World, conditions: readonly ResultCondition[]): Promise<number> {
  const ids: string[] = [];
  for (;;) {
    const page = await store.console.listResults(session, survey, { conditions }, ids.at(-1), 7);
    ids.push(...page.map(({ id }) => id));
    if (page.length < 7) return new Set(ids).size;
  }
}

async function check(world: World): Promise<void> {
  const { workspace, survey, session } = world;
  const [now] = await sql<{ at: string }[]>`select to_json(now()) #>> '{}' as at`;
  const [truth] = await sql<Record<string, string>[]>`
    select
      (select count(*) from invite.responses where survey_id = ${survey}) as responses,
      count(*) filter (where i.sent_at is not null) as sent,
      count(*) filter (where i.sent_at < console.rated_until(${now?.at ?? ''}) and (i.responded_at is not null or i.bounced_at is null)) as invited,
      count(*) filter (where i.sent_at < console.rated_until(${now?.at ?? ''}) and i.responded_at is not null) as responded
    from test.invitations as i where i.survey_id = ${survey}`;
  const expected = { responses: truth?.responses, sent: truth?.sent, invited: truth?.invited, responded: truth?.responded };
  const places: Record<string, object> = {};
  const [home] =
    await sql`select responses, sent, invited, responded from console.surveys(${session}, ${workspace}, at => ${now?.at ?? ''})`;
  places.Home = { ...home };
  const [summary, rate] = [
    await store.console.resultSummary(session, survey, undefined),
    (await sql`select * from console.response_rate(${session}, ${survey}, at => ${now?.at ?? ''})`)[0],
  ];
  const sum = (numbers: readonly (string | number | null)[]) =>
    String(numbers.reduce<number>((total, number) => total + Number(number), 0));
  places.Results = {
    responses: summary.responses,
    sent: sum([rate?.invited, rate?.recent, rate?.bounced]),
    invited: rate?.invited,
    responded: rate?.responded,
  };
  places['the bars'] = { ...expected, responses: sum(summary.bins.map(({ invitation, direct }) => invitation + direct)) };
  const points: readonly { invited: number; responded: number }[] = rate?.points ?? [];
  places['the trend'] = {
    ...expected,
    invited: sum(points.map(({ invited }) => invited)),
    responded: sum(points.map(({ responded }) => responded)),
  };
  const { counts } = await store.console.surveyCounts(session, survey);
  places.Invitations = { ...expected, sent: String(counts.sent_total) };
  places['the list'] = { ...expected, responses: String(await listed(world, [])) };
  let lines = -1;
  for await (const piece of csvPieces(
    store.console,
    { session, surveyId: survey, filter: undefined },
    { answers: [], metadata: [], named: false },
    7,
  ))
    lines += piece.trimEnd().split('\r\n').length;
  places['the CSV'] = { ...expected, responses: String(lines) };
  const [views] = await sql`
    select (select count(*) from invite.results where survey_id = ${survey}) as results, s.responses from invite.survey_overview as s where s.id = ${survey}`;
  places['invite.results'] = { ...expected, responses: views?.results };
  places['invite.survey_overview'] = { ...expected, responses: String(views?.responses) };
  for (const part of [
    { dimension: 'metadata', key: 'country' },
    { dimension: 'language' },
    { dimension: 'token' },
    { dimension: 'month' },
  ] as const) {
    const breakdown = await store.console.resultBreakdown(session, survey, part, 'score', undefined);
    const rated = breakdown.map(({ invited, rate }) => Math.round(Number(invited) * (rate?.value ?? 0)));
    places[`by ${part.dimension}`] = {
      ...expected,
      responses: sum(breakdown.map(({ responses }) => responses)),
      invited: sum(breakdown.map(({ invited }) => invited)),
      responded: sum(rated),
    };
    if (part.dimension === 'month') continue;
    for (const { part: value, kind, responses } of breakdown) {
      const conditions: ResultCondition[] = [kind === 'none' ? { ...part, excludes: true } : { ...part, values: [value ?? ''] }];
      const filtered = await store.console.resultSummary(session, survey, { conditions });
      same(
        [filtered.responses, String(await listed(world, conditions))],
        [responses, responses],
        `filtered by ${part.dimension} ${value}`,
      );
    }
  }
  for (const [place, figures] of Object.entries(places)) same({ place, ...figures }, { place, ...expected });
  const events = await sql`
    select count(*) filter (where e.type = 'response.submitted') as responses, count(*) filter (where e.type = 'response.low_score') as low
    from (select type, survey_id from invite.new_events union all select type, survey_id from invite.events) as e
    where e.survey_id = ${survey}`;
  same([...events], [{ responses: String(world.recorded), low: String(world.low) }], 'events');
  same([...(await sql`select * from invite.miscounted_results where survey_id = ${survey}`)], [], 'as the rows say');
}

t.test('whatever happens, all places have the same figures', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      const world = await begin();
      // So that most histories have something to look at.
      await act(world, { does: 'invite', people: 5, country: 0, language: 0, token: 0 });
      await act(world, { does: 'send', ago: 10, outcome: 'accepted' });
      for (const [index, what] of actions.entries()) {
        await act(world, what);
        if (index % 8 === 7) await check(world);
      }
      await check(world);
    }),
    { seed, numRuns },
  );
});
