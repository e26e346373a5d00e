// The questions of a survey over time. The questions that were asked stay with their answers.
import t from 'tap';
import { constraint } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const SCORE = { id: 'score', type: 'score', label: 'How was it?' };
const WHY = { id: 'why', type: 'text', label: 'Why?' };

const versionOf = async (survey: string) => (await store.findSurvey(survey))?.questions_version;
const pastOf = (survey: string) =>
  sql`select version, questions from invite.past_questions where survey_id = ${survey} order by version`;
const detailOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'none',
    (error: { detail: string }) => JSON.parse(error.detail),
  );

t.test('questions that nobody was asked are replaced without a trace', async (t) => {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  t.equal(await versionOf(survey), 1);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: [SCORE] });
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: [{ ...SCORE, type: 'text' }] });
  t.equal(await versionOf(survey), 3);
  t.same(await pastOf(survey), []);
  const created = await store.upsertSurvey({ workspaceId: workspace, title: 'At once', state: 'active', questions: [WHY] });
  t.equal(await versionOf(created), 1);
  t.same(await pastOf(created), []);
});

t.test('each response is kept with the questions that it answered, whatever they are now', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const ask = (...questions: object[]) => store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
  await ask(SCORE, WHY);
  const before = await store.surveyPage(survey, undefined);
  await store.submitResponse(survey, { score: 9 }, undefined, before?.questionsVersion);
  await ask({ ...SCORE, label: 'How was your order?' });
  const now = await store.surveyPage(survey, undefined);
  t.equal(now?.questionsVersion, (before?.questionsVersion ?? 0) + 1);

  t.comment('a page that was opened before the change');
  const old = await store.surveyPage(survey, undefined, before?.questionsVersion);
  t.same(old?.questions, [SCORE, WHY]);
  t.equal(old?.questionsVersion, before?.questionsVersion);
  await store.submitResponse(survey, { score: 2, why: 'Late' }, undefined, old?.questionsVersion);
  await store.submitResponse(survey, { score: 7 }, undefined, now?.questionsVersion);
  await sql`select invite.record_response(${survey}, '{"score": 1}')`;

  const asked = await sql`
    select r.answers ->> 'score' as score, invite.questions_as_asked(r.survey_id, r.questions_version) -> 0 ->> 'label' as label
    from invite.responses as r where r.survey_id = ${survey} order by r.id`;
  t.same(
    asked.map(({ score, label }) => [score, label]),
    [
      ['9', 'How was it?'],
      ['2', 'How was it?'],
      ['7', 'How was your order?'],
      ['1', 'How was your order?'],
    ],
  );
});

t.test('a version that nobody was asked shows the present questions, with their version', async (t) => {
  const { survey } = await createSurvey(store);
  for (const version of [2, 999]) t.equal((await store.surveyPage(survey, undefined, version))?.questionsVersion, 1);
});

t.test('a question that was asked keeps its id only with its type and scale', async (t) => {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  const ask = (...questions: object[]) => store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
  await ask(SCORE, { id: 'how', type: 'choice', label: 'How?', choices: ['Fast', 'Slow'] });
  await sql`select invite.record_response(${survey}, '{"score": 9}')`;
  t.same(await detailOf(ask({ ...SCORE, max: 5 })), { code: 'asked_otherwise', question: 1, id: 'score' });
  t.same(await detailOf(ask(WHY, { ...SCORE, type: 'text' })), { code: 'asked_otherwise', question: 2, id: 'score' });
  t.equal(await constraint(ask({ ...SCORE, min: 1, max: 10 })), 'surveys_questions_form');
  t.equal(await constraint(ask({ ...SCORE, min: 0, max: 10, nps: true, required: true })), 'none', 'the same scale, spelled out');
  t.equal(await constraint(ask({ id: 'how', type: 'choice', label: 'How was it?', choices: ['Fast', 'Late'] })), 'none');
  t.match(await detailOf(ask({ ...SCORE, max: 5 })), { code: 'asked_otherwise' }, 'also after it was removed');
  t.equal(await constraint(ask({ ...SCORE, id: 'score_2', max: 5 })), 'none');
  t.same((await pastOf(survey)).length, 3);
});

t.test('the past questions go with their survey', async (t) => {
  const { workspace, survey } = await createBatch(store);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: [WHY] });
  t.equal((await pastOf(survey)).length, 1);
  for (let more = true; more; ) more = (await store.deleteSurvey(survey)).more;
  t.same(await pastOf(survey), []);
});

t.test('only a score from 0 to 10 is NPS, and only if its author says so', async (t) => {
  const { workspace } = await createSurvey(store);
  const code = async (question: object) =>
    (await detailOf(store.upsertSurvey({ workspaceId: workspace, title: 'Survey', questions: [question] }))).code ?? 'none';
  t.equal(await code({ ...SCORE, nps: true }), 'none');
  t.equal(await code({ ...SCORE, nps: false, max: 5 }), 'none');
  t.equal(await code({ ...SCORE, nps: true, max: 5 }), 'invalid_nps');
  t.equal(await code({ ...SCORE, nps: true, min: 1 }), 'invalid_nps');
  t.equal(await code({ ...SCORE, nps: 'yes' }), 'invalid_nps');
  t.equal(await code({ ...WHY, nps: true }), 'unknown_field');
});

t.test('an empty public address or thank-you text removes it; a null one keeps it', async (t) => {
  const { workspace, survey } = await createSurvey(store, { publicUrl: 'https://acme.example/survey' });
  const found = () => store.findSurvey(survey);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, thanks: 'Thanks a lot!' });
  t.match(await found(), { public_url: 'https://acme.example/survey', thanks: 'Thanks a lot!' });
  t.equal((await store.surveyPage(survey, undefined))?.thanks, 'Thanks a lot!');
  await store.upsertSurvey({ workspaceId: workspace, id: survey, publicUrl: '', thanks: '' });
  t.match(await found(), { public_url: null, thanks: null });
  t.equal(
    await constraint(store.upsertSurvey({ workspaceId: workspace, id: survey, thanks: 'x'.repeat(2001) })),
    'surveys_thanks_length',
  );
});

t.test('a copy has the questions and settings, and nothing that was sent or answered', async (t) => {
  const { workspace, survey } = await createBatch(store);
  await store.upsertSurvey({
    workspaceId: workspace,
    id: survey,
    questions: [WHY],
    thanks: 'Thanks!',
    openResponses: false,
    publicUrl: 'https://acme.example',
  });
  await sql`select invite.record_response(${survey}, '{"why": "so"}')`;
  const copy = await store.duplicateSurvey(survey, undefined, 'A copy');
  t.match(await store.findSurvey(copy), {
    title: 'A copy',
    state: 'draft',
    public_url: null,
    questions_version: 1,
    open_responses: false,
    thanks: 'Thanks!',
    responses: 0,
  });
  t.same((await store.surveyPage(copy, undefined))?.questions, [WHY]);
  t.same(await sql`select from invite.trigger_tokens where survey_id = ${copy}`, []);
  t.same(await pastOf(copy), []);
  t.equal(await constraint(store.duplicateSurvey(survey, copy, undefined)), 'surveys_pkey');
});

t.test('who changed what of a survey is in the audit log', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Other', questions: [WHY], thanks: 'Thanks!' });
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Other', questions: [WHY] });
  const log = await sql`select action::text, subject, detail from invite.audit_log where workspace_id = ${workspace} order by id`;
  t.same(
    log.map(({ action, subject, detail }) => [action, subject, detail]),
    [
      ['survey_created', 'Customer survey', { survey }],
      ['survey_changed', 'Other', { changed: ['title', 'questions', 'thanks'] }],
    ],
  );
});
