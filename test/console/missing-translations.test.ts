// Before a survey is activated or its questions are published, members are told which texts of its translations are missing.
import t from 'tap';
import { missingTexts } from '../../src/console/surveys/missing-translations.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const QUESTIONS = [
  { id: 'score', type: 'score', label: 'How was the Fjord tour?', min_label: 'Bad', max_label: 'Extremely likely' },
  { id: 'used', type: 'choice', label: 'Yes', choices: ['Yes', 'No', '10–20 €', 'Canoe', 'toString'], several: true },
];
/** What can be missing: two texts of the score, and two choices. */
const NEEDED = 4;

async function createTranslated(state: 'draft' | 'active') {
  const { workspace, survey } = await createSurvey(store);
  await sql`update invite.surveys set state = ${state}, title = 'Tour' where id = ${survey}`;
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: QUESTIONS as never });
  await store.setSurveyTranslation(survey, 'da', { title: 'Tur', questions: { score: { label: 'Hvordan var turen?' } } });
  const editor = await createMember(store, workspace, 'editor', `e@${workspace}.example`);
  const get = async (path: string) => (await visit(url, `/surveys/${survey}${path}`, editor)).text();
  return { workspace, survey, editor, get };
}

t.test(
  'a text is missing if neither the translation nor the service has it; the same rule decides what people see',
  async (t) => {
    const { survey, editor } = await createTranslated('active');
    const settings = () => store.console.surveySettings(editor.session, survey);
    const shownIn = async () => (await store.surveyPage(survey, undefined, undefined, 'da'))?.translation?.language;
    t.same(missingTexts(await settings()), [
      { language: 'da', missing: ['Question 1: lowest score', 'Question 2: choice 4', 'Question 2: choice 5'], texts: NEEDED },
    ]);
    t.equal(await shownIn(), undefined, 'people who read Danish get the page in English');
    const all = {
      score: { label: 'Hvordan var turen?', min_label: 'Dårlig' },
      used: { choices: { Canoe: 'Kano', toString: 'Til streng' } },
    };
    await store.setSurveyTranslation(survey, 'da', { questions: all });
    t.same(missingTexts(await settings()), []);
    t.equal(await shownIn(), 'da');
    t.same(missingTexts({ ...(await settings()), thanks: 'Thanks' }), [
      { language: 'da', missing: ['Thank-you text'], texts: NEEDED + 1 },
    ]);
    t.same(missingTexts({ ...(await settings()), thanks: 'Thanks', publicUrl: 'https://acme.example' }), [], 'its own page');
  },
);

t.test('the question before activating says it, with a link to each language', async (t) => {
  const { survey, get } = await createTranslated('draft');
  const text = await get('/invitations?confirm=active');
  t.match(
    text,
    'Danish: 3 of 4 texts are missing</strong> (Question 1: lowest score, Question 2: choice 4, Question 2: choice 5).',
  );
  t.match(text, `href="/surveys/${survey}/languages?language=da"`);
  t.match(text, 'people who read Danish get the page in English');
  t.notMatch(await get('/invitations?confirm=closed'), 'are missing');
  await store.setSurveyTranslation(survey, 'da', { questions: {} });
  t.match(
    await get('/invitations?confirm=active'),
    'Danish: 4 of 4 texts are missing</strong> (Question 1, Question 1: lowest score, Question 2: choice 4 …).',
  );
});

t.test('so does the question before publishing, of the draft', async (t) => {
  const { survey, editor } = await createTranslated('active');
  const fields = {
    action: 'publish',
    version: String((await store.surveyPage(survey, undefined))?.questionsVersion),
    revision: 'none',
  };
  const draft = { 'kind-0': 'score', 'id-0': 'score', 'label-0': 'How was the Fjord tour?', 'min-0': '0', 'max-0': '10' };
  const response = await visit(url, `/surveys/${survey}/questions`, editor, {
    ...fields,
    ...draft,
    'kind-1': 'text',
    'id-1': 'why',
    'label-1': 'Why this tour?',
  });
  const text = await response.text();
  t.match(text, 'Publish these questions?');
  t.match(text, 'Danish: 1 of 2 texts is missing</strong> (Question 2).');
  const get = async (more: string) => (await visit(url, `/surveys/${survey}/${more}`, editor)).text();
  t.match(await get('questions'), 'Danish: 1 of 2 texts is missing</strong> (Question 2).', 'beside the preview, too');
  const form = await get('languages?language=da');
  t.match(form, /Question 3 <strong class="warning">missing</, 'what the draft adds can be translated before it is published');
  t.match(form, 'Recipients get their own language if none of its texts is missing, and otherwise English.');
});

t.test("a draft's languages have the texts of its edited questions, which stay up to date once they are published", async (t) => {
  const { survey, editor, get } = await createTranslated('draft');
  const languages = `/surveys/${survey}/languages`;
  const send = (fields: Readonly<Record<string, string>>) => visit(url, languages, editor, { language: 'da', ...fields });
  const draft = { 'kind-0': 'score', 'id-0': 'score', 'label-0': 'How was the boat?', 'min-0': '0', 'max-0': '10' };
  const version = String((await store.surveyPage(survey, undefined))?.questionsVersion);
  await visit(url, `/surveys/${survey}/questions`, editor, { action: 'keep', version, revision: 'none', ...draft });
  const page = await get('/languages?language=da');
  t.match(page, 'How was the boat?');
  t.match(page, /The original has changed\. It read: <span[^>]+>How was the Fjord tour/);
  const saw = (/name="saw" value="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll(/&(#34|quot);/g, '"');
  t.equal((await send({ action: 'translate', 'label.score': 'Hvordan var båden?', saw })).status, 303);
  t.notMatch(await get('/languages?language=da'), /original (has|was) changed/);
  const [row] = await sql`select revision from invite.question_drafts where survey_id = ${survey}`;
  await visit(url, `/surveys/${survey}/questions`, editor, { action: 'publish', version, revision: row?.revision, ...draft });
  t.match(await store.surveyPage(survey, undefined), { questions: [{ label: 'How was the boat?' }] });
  t.notMatch(await get('/languages?language=da'), /original (has|was) changed/);
});
