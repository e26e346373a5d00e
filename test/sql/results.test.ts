// The Results in SQL: pages, filter by metadata, columns, summary, and what a viewer does not get.
import t from 'tap';
import { createKey } from '../../src/secret.ts';
import { invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Responses of a survey without invitations, one for each metadata, oldest first. */
async function respond(survey: string, metadata: (object | null)[], submittedAt = '2030-01-01T10:00:00Z') {
  for (const one of metadata) {
    await sql`
      insert into invite.responses (survey_id, answers, metadata, submitted_at)
      values (${survey}, '{"score": 9}', ${one === null ? null : sql.json(one as never)}, ${submittedAt})`;
  }
}

async function createViewed() {
  const { workspace, survey } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'viewer', `${workspace}@example.com`);
  const find = async (key: string, value?: string, before?: string, rows = 50) =>
    (await store.console.listResults(session, survey, { key, value }, before, rows)).map(({ metadata }) => metadata?.n);
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
  const page = await store.console.listResults(session, survey, { key: 'rare', value: 'yes' }, undefined, 5);
  t.strictSame(await find('rare', 'yes', page.at(-1)?.id, 5), [1, 0]);
  t.equal((await find('common', 'yes', undefined, 50)).length, 50);
  /** How often the index of metadata is looked into for a page. */
  const looks = (key: string) =>
    database.connect().begin(async (one) => {
      await one`select console.find_responses(${survey}, ${key}, 'yes', null, 50)`;
      const [row] = await one`select pg_stat_get_xact_numscans('invite.responses_metadata_idx'::regclass)::integer as scans`;
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
  t.match(await store.console.resultKeys(session, survey, { key: 'c', value: '1' }, undefined, 3), { metadataKeys: ['a', 'c'] });
  const [row] = await sql`select * from console.result_keys(${session}, ${survey}, max_keys => 1)`;
  t.strictSame(row?.metadata_keys, ['a']);
});

t.test('the summary counts days, answers and the response rate, and is bounded', async (t) => {
  const { workspace, survey } = await createBatch(store, {
    recipients: Array.from({ length: 4 }, (_, index) => ({ email: `p${index}@example.com` })),
  });
  const { session } = await createMember(store, workspace, 'viewer');
  const questions = [
    { id: 'score', type: 'score', label: 'Score', min: 0, max: 10 },
    { id: 'plan', type: 'choice', label: 'Plan', choices: ['free', 'pro'] },
    { id: 'why', type: 'text', label: 'Why' },
  ];
  await sql`update invite.surveys set questions = ${sql.json(questions)} where id = ${survey}`;
  const links = (await invitationsOf(sql, survey)).map((row) => row.link_token);
  await sql`
    update invite.invitations set status = 'sent', due_at = null, sweep_at = null, sent_at = '2030-01-01 23:00Z'
    where survey_id = ${survey} and link_token <> ${links[3] ?? ''}`;
  const answer = (answers: object, link: string | null, at: string) =>
    sql`select invite.record_response(${survey}, ${sql.json(answers as never)}, ${link}, ${at})`;
  await answer({ score: 9, plan: 'pro', why: 'a' }, links[0] ?? '', '2030-01-01 23:59Z');
  await answer({ score: 9, plan: 'gold' }, links[1] ?? '', '2030-01-02 00:00Z');
  await answer({ score: 'many', plan: ['free', 'pro'] }, null, '2030-01-02 12:00Z');
  const summary = await store.console.resultSummary(session, survey, undefined);
  t.match(summary, {
    responses: '3',
    scanned: 3,
    invited: 3,
    responded: 2,
    sentCapped: false,
    days: [
      { day: '2030-01-01', invitation: 1, direct: 0 },
      { day: '2030-01-02', invitation: 1, direct: 1 },
    ],
    sentDays: [{ day: '2030-01-01', invited: 3, responded: 2 }],
  });
  t.strictSame(summary.answers.map(({ question, value, number }) => `${question} ${value} ${number}`).sort(), [
    'plan null 2',
    'plan pro 1',
    'score 9 2',
    'score null 1',
    'why null 1',
  ]);
  const [bounded] =
    await sql`select * from console.result_summary(${session}, ${survey}, max_responses => 2, max_invitations => 2)`;
  t.match(bounded, { responses: '3', scanned: 2, sent_capped: true });
});

t.test('a person without membership gets nothing of the Results', async (t) => {
  const { survey } = await createSurvey(store);
  const { workspace } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'owner');
  for (const who of [session, createKey().hash]) {
    t.equal(await sqlstate(store.console.listResults(who, survey, undefined, undefined, 1)), 'P0002');
    t.equal(await sqlstate(store.console.resultKeys(who, survey, undefined, undefined, 1)), 'P0002');
    t.equal(await sqlstate(store.console.resultSummary(who, survey, undefined)), 'P0002');
  }
});
