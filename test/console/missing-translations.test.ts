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
    t.same(missingTexts(await settings()), [{ language: 'da', missing: 3, texts: NEEDED }]);
    t.equal(await shownIn(), undefined, 'people who read Danish get the page in English');
    const all = {
      score: { label: 'Hvordan var turen?', min_label: 'Dårlig' },
      used: { choices: { Canoe: 'Kano', toString: 'Til streng' } },
    };
    await store.setSurveyTranslation(survey, 'da', { questions: all });
    t.same(missingTexts(await settings()), []);
    t.equal(await shownIn(), 'da');
    t.same(missingTexts({ ...(await settings()), thanks: 'Thanks' }), [{ language: 'da', missing: 1, texts: NEEDED + 1 }]);
    t.same(missingTexts({ ...(await settings()), thanks: 'Thanks', publicUrl: 'https://acme.example' }), [], 'its own page');
  },
);

t.test('the question before activating says it, with a link to each language', async (t) => {
  const { survey, get } = await createTranslated('draft');
  const text = await get('/invitations?confirm=active');
  t.match(text, 'Danish: 3 of 4 texts are missing.');
  t.match(text, `href="/surveys/${survey}/languages?language=da"`);
  t.match(text, 'people who read Danish get the page in English');
  t.notMatch(await get('/invitations?confirm=closed'), 'are missing');
  await store.setSurveyTranslation(survey, 'da', { questions: {} });
  t.match(await get('/invitations?confirm=active'), 'Danish: 4 of 4 texts are missing.');
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
  t.match(text, 'Danish: 1 of 2 texts are missing.');
});
