// What needs attention in a workspace, for whom, and what is only noise.
import t from 'tap';
import type { Attention, Role } from '../../src/database/store.ts';
import { attentionLine } from '../../src/mail/attention.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const NPS = [
  { id: 'nps', type: 'score', label: 'Recommend?', min: 0, max: 10, nps: true },
  { id: 'why', type: 'text', label: 'Why?' },
];
const STARS = [{ id: 'stars', type: 'score', label: 'Stars?', min: 1, max: 5 }];

const attentionOf = async (workspace: string, role: Role = 'owner'): Promise<Attention[]> =>
  (await sql`select to_jsonb(a) as found from invite.attention_of(${workspace}, ${role}, now()) as a`).map(({ found }) => found);
const kinds = async (workspace: string, role?: Role) => (await attentionOf(workspace, role)).map(({ kind }) => kind);

/** Invitations that were sent some days ago; so many of them have a response. Only the counts are written, which Results read. */
const invited = (survey: string, daysAgo: number, sent: number, responded: number) => sql`
  insert into invite.result_changes (survey_id, starts_at, question, value, number)
  select ${survey}, date_bin('15 minutes', now() - ${daysAgo} * interval '1 day', '2000-01-01 00:00Z'), '', v.value, v.number
  from (values ('sent', ${sent}::integer), ('responded', ${responded}::integer)) as v (value, number)`;

t.test('low scores are those of the field, of seven days, and the link shows exactly them', async (t) => {
  for (const [questions, id, low, high] of [
    [NPS, 'nps', [0, 6], [7, 10, 99]],
    [STARS, 'stars', [1, 2], [0, 3, 5]],
  ] as const) {
    const { workspace, survey } = await createSurvey(store);
    await store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
    const add = (score: unknown, days = 0) => sql`
      insert into invite.responses (survey_id, submitted_at, answers)
      values (${survey}, now() - ${days} * interval '1 day', ${sql.json({ [id]: score } as never)})`;
    for (const score of high) await add(score);
    for (const score of [null, 'low', 1.5]) await add(score);
    await add(low[0], 8);
    t.same(await attentionOf(workspace), [], id);
    for (const score of low) await add(score);
    const [found, ...others] = await attentionOf(workspace, 'viewer');
    t.same(others, []);
    t.match(found, { kind: 'low_scores', number: 2, survey_id: survey, detail: { question: id, values: low.map(String) } });
    const { path } = attentionLine(found as Attention, { workspaceId: workspace, role: 'viewer', zone: 'UTC' });
    t.equal(path, `/surveys/${survey}/results?period=7&question=${id}${low.map((score) => `&answer=${score}`).join('')}`);
  }
});

t.test('surveys without questions, without a score, and workspaces without surveys need none', async (t) => {
  const workspace = await store.upsertWorkspace({ name: 'Empty' });
  t.same(await attentionOf(workspace), []);
  await store.upsertSurvey({ workspaceId: workspace, title: 'None', questions: [] });
  await store.upsertSurvey({ workspaceId: workspace, title: 'Text', questions: [NPS[1]] });
  t.same(await attentionOf(workspace), []);
});

t.test('a rate that fell far is said, and one that may be noise is not', async (t) => {
  for (const [now, before, fell] of [
    [[400, 40], [4000, 1200], true],
    [[400, 110], [4000, 1200], false],
    [[12, 1], [4000, 1200], false],
    [[400, 0], [4000, 1200], true],
    [[400, 40], [10, 3], false],
    [[400, 200], [4000, 1200], false],
    [[0, 0], [4000, 1200], false],
    [[400, 400], [4000, 4000], false],
    [[400, 0], [4000, 0], false],
  ] as const) {
    const { workspace, survey } = await createSurvey(store);
    await invited(survey, 5, now[0], now[1]);
    await invited(survey, 40, before[0], before[1]);
    // Too young to be rated.
    await invited(survey, 1, 5000, 0);
    t.same(await kinds(workspace, 'viewer'), fell ? ['rate_fell'] : [], JSON.stringify([now, before]));
  }
});

t.test('failed emails, pauses, closing dates and expiring links are said while they last, each to who may see it', async (t) => {
  const { workspace, survey, batch } = await createBatch(store);
  await sql`update invite.messages set status = 'failed', sweep_at = null, not_before = null, failed_at = now() - interval '8 days' where survey_id = ${survey}`;
  t.same(await kinds(workspace), []);
  await sql`update invite.messages set failed_at = now() where survey_id = ${survey}`;
  await store.setSurveyEnds(survey, { linkDays: 30, closesAt: new Date(Date.now() + 6 * 86_400_000) });
  await invited(survey, 25, 10, 4);
  await invited(survey, 20, 10, 4);
  await sql`select invite.set_survey_paused(${survey}, true)`;
  await sql`select invite.set_workspace_paused(${workspace}, true)`;
  t.match(await attentionOf(workspace), [
    { kind: 'sending_paused', detail: { scope: 'workspace' } },
    { kind: 'survey_closing' },
    { kind: 'sending_paused', detail: { scope: 'survey' } },
    { kind: 'emails_failed', number: 1 },
    { kind: 'links_expiring', number: 6 },
  ]);
  t.same(await kinds(workspace, 'viewer'), ['survey_closing']);
  t.ok(batch);
  await sql`select invite.set_survey_paused(${survey}, false)`;
  await sql`select invite.set_workspace_paused(${workspace}, false)`;
  await store.setSurveyEnds(survey, { closesAt: new Date(Date.now() + 8 * 86_400_000), linkDays: 40 });
  t.same(await kinds(workspace), ['emails_failed']);
});

t.test('nobody sees another workspace’s', async (t) => {
  const one = await createSurvey(store);
  const other = await createSurvey(store);
  await sql`insert into invite.responses (survey_id, submitted_at, answers) values (${other.survey}, now(), '{"score": 1}')`;
  const { session } = await createMember(store, one.workspace, 'viewer');
  t.same(await store.console.attention(session, one.workspace), []);
  await t.rejects(store.console.attention(session, other.workspace), { code: 'P0002' });
  const { session: neighbor } = await createMember(store, other.workspace, 'viewer', 'neighbor@example.com');
  t.match(await store.console.attention(neighbor, other.workspace), [{ kind: 'low_scores', number: 1 }]);
});
