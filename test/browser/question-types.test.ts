// The kinds of questions on the survey page: answered by keyboard and without scripts, at 320 px, right to left, and kept over a reload.
import t from 'tap';
import { createSurvey } from '../fixtures/setup.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);

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

t.test('a follow-up is there after the answers that lead to it, by keyboard, without scripts, and over a reload', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const questions = [
    { id: 'score', type: 'score', label: 'Would you recommend us?', nps: true, required: true },
    { id: 'wrong', type: 'text', label: 'What went wrong?', required: true, ask_if: { question: 'score', min: 0, max: 6 } },
    { id: 'best', type: 'text', label: 'What was best?', ask_if: { question: 'score', min: 9, max: 10 } },
  ];
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Your stay', questions: questions as never });
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(t, { javaScriptEnabled });
    await page.goto(`/s/${survey}`);
    t.same(await page.getByRole('textbox').count(), 0);
    await page.getByRole('radio', { name: '9', exact: true }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('textbox', { name: 'What was best?' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('textbox').waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowLeft');
    const wrong = page.getByRole('textbox', { name: 'What went wrong?' });
    await wrong.waitFor();
    if (javaScriptEnabled) {
      await page.reload();
      await wrong.waitFor();
      await inspect(t, page, 'follow-up');
    }
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('alert').getByText('Please enter an answer.').waitFor();
    await wrong.fill('Slow');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  }
  const rows = await sql`select answers from invite.responses where survey_id = ${survey}`;
  t.same(
    rows.map(({ answers }) => answers),
    Array(2).fill({ score: 6, wrong: 'Slow' }),
  );
});

t.test('an editor makes each kind by keyboard alone, and sees it in the frame', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await store.upsertMember(workspace, 'kim@example.com', 'editor');
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Your stay', questions: [] });
  const page = await open(t);
  await signIn(page, 'kim@example.com');
  await page.goto(`/surveys/${survey}/questions`);
  const type = async (text: string) => page.keyboard.insertText(text);
  const press = async (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  await press('Score');
  await page.locator('#label-0:focus').waitFor();
  await type('Would you recommend us?');
  await press('Several choices');
  await page.locator('#label-1:focus').waitFor();
  await type('What did you use?');
  await page.keyboard.press('Tab');
  await type('Pool\nSauna');
  await press('Stars');
  await page.locator('#label-2:focus').waitFor();
  await type('How was it?');
  await press('Text');
  await page.locator('#label-3:focus').waitFor();
  await type('Why?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.getByText('Kept as a draft', { exact: true }).waitFor();
  const frame = page.frameLocator('.screen iframe >> nth=-1');
  await frame.getByText('Sauna').waitFor();
  t.equal(await frame.locator('.follow-1:not(.follow-up)').count(), 7, 'after 0 to 6');
  await inspect(t, page, 'editor-kinds');
  await page.getByRole('button', { name: 'Publish' }).press('Enter');
  await page.getByRole('heading', { name: 'Publish these questions?' }).waitFor();
  await page.getByRole('button', { name: 'Publish' }).press('Enter');
  await page.getByText('Questions published.').waitFor();
  const [row] = await sql`select questions from invite.surveys where id = ${survey}`;
  t.match(row?.questions, [
    { type: 'score' },
    { type: 'choice', several: true, choices: ['Pool', 'Sauna'] },
    { type: 'score', stars: true, min: 1, max: 5 },
    { type: 'text', ask_if: { question: 'score', min: 0, max: 6 } },
  ]);
});
