// The kinds of questions on the survey page: answered by keyboard and without scripts, at 320 px, right to left, and kept over a reload.
import t from 'tap';
import { createSurvey } from '../fixtures/setup.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, open } = await startBrowser(t);

const QUESTIONS = [
  { id: 'stars', type: 'score', label: 'How was it?', min: 1, max: 10, stars: true, min_label: 'Bad', max_label: 'Great' },
  { id: 'used', type: 'choice', label: 'What did you use?', choices: ['Pool', 'Sauna', 'مسبح'], several: true, required: true },
  { id: 'again', type: 'choice', label: 'Would you come again?', choices: ['Yes', 'No'], required: true },
];

async function createAsked() {
  const { workspace, survey } = await createSurvey(store);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Your stay', questions: QUESTIONS as never });
  const answers = async () => (await sql`select answers from invite.responses where survey_id = ${survey}`)[0]?.answers;
  return { survey, answers };
}

t.test('several choices, yes or no, and stars are answered by keyboard alone, and a reload keeps them', async (t) => {
  const { survey, answers } = await createAsked();
  const page = await open(t);
  await page.goto(`/s/${survey}`);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole('radio', { name: '1', exact: true }).focus();
  await press('Space', 'ArrowRight', 'ArrowRight', 'Tab', 'Space', 'Tab', 'Tab', 'Space');
  t.ok(await page.getByRole('radio', { name: '3', exact: true }).isChecked());
  const stars = await page.evaluate<string>(
    `[...document.querySelectorAll('.star')].map((star) => getComputedStyle(star, '::before').content[1]).join('')`,
  );
  t.equal(stars, '★★★☆☆☆☆☆☆☆', 'those up to the chosen one are full');
  await page.reload();
  t.same(await page.evaluate(`[...document.querySelectorAll('input:checked')].map(({ value }) => value)`), ['3', 'Pool', 'مسبح']);
  await inspect(t, page, 'question-types');
  await page.getByRole('button', { name: 'Submit' }).press('Enter');
  await page.getByRole('alert').waitFor();
  await inspect(t, page, 'question-types-error');
  await page.getByRole('alert').getByRole('link').press('Enter');
  await press('Space', 'Tab', 'Enter');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  t.same(await answers(), { stars: 3, used: ['Pool', 'مسبح'], again: 'Yes' });
});

t.test('they work without scripts', async (t) => {
  const { survey, answers } = await createAsked();
  const page = await open(t, { javaScriptEnabled: false });
  await page.goto(`/s/${survey}`);
  await page.locator('.stars label').nth(9).click();
  await page.getByText('Sauna').click();
  await page.getByText('No', { exact: true }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  t.same(await answers(), { stars: 10, used: ['Sauna'], again: 'No' });
});
