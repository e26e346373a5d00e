// Surveys in a browser: an owner's first five minutes, the editor with and without scripts, settings, and deletion.
import t from 'tap';
import { inspect, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo, url } = await startBrowser(t);

t.test(
  'from the first sign-in to a survey, a token, a test email and an active survey, the next step always in view',
  async (t) => {
    const workspace = await store.upsertWorkspace({ name: 'Fjord Outdoor' });
    await store.upsertMember(workspace, 'ingrid@example.com', 'owner');
    const page = await open(t);
    await signIn(page, 'ingrid@example.com');
    await inspect(t, page, 'first-steps');
    await page.getByRole('link', { name: 'Create a survey' }).click();
    await page.getByLabel('Title').fill('How was your order?');
    await inspect(t, page, 'survey-new');
    await page.getByRole('button', { name: 'Create survey' }).click();
    t.match(await page.getByRole('status').innerText(), 'Survey created');
    await inspect(t, page, 'questions');

    await page.getByRole('link', { name: 'create a trigger token for your developer' }).click();
    await page.getByLabel('Name').fill('Webshop');
    await page.getByRole('button', { name: 'Create token' }).click();
    t.match(await page.getByRole('region', { name: 'the curl example' }).innerText(), /curl.*Bearer sit_/s);
    await inspect(t, page, 'first-token');

    await page.getByRole('link', { name: 'send yourself a test email' }).click();
    const before = 1;
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('Test email queued.').waitFor();
    const email = await mailTo('ingrid@example.com', before);
    t.match(email.subject, '[Test] ');

    await page.goto(`/workspaces/${workspace}`);
    await inspect(t, page, 'first-steps-later');
    await page.getByRole('link', { name: 'Activate the survey' }).click();
    await page.getByRole('button', { name: /^Activate/ }).click();
    await page.getByText('The survey is active.').waitFor();
    await page.getByRole('link', { name: 'have your developer make the first call' }).waitFor();
  },
);

t.test('an editor builds a survey, sees it in the preview, and a recipient responds to it', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const workspace = await store.upsertWorkspace({ name: 'Acme' });
    await store.upsertMember(workspace, 'eve@example.com', 'editor');
    const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Your stay', questions: [] });
    const page = await open(t, { javaScriptEnabled });
    await signIn(page, 'eve@example.com');
    await page.goto(`/surveys/${survey}/questions`);
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    // The focus comes after the page.
    await page.locator('#label-0:focus').waitFor();
    await page.getByLabel('Question', { exact: true }).fill('How likely are you to come back?');
    await page.getByRole('button', { name: 'Choice', exact: true }).click();
    await page.locator('#label-1').fill('What was best?');
    await page.getByLabel('Choices').fill('The view\nThe food\nThe people');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByRole('button', { name: 'Save questions' }).click();
    await refused(t, page, 'needs a label');
    await page.locator('#label-2').fill('Anything else?');
    await page.getByRole('button', { name: 'Move up question 3' }).click();
    await page.getByText('Not saved yet').waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    t.match(await preview.innerText(), /come back\?.*Anything else\?.*What was best\?.*The people/s);
    if (javaScriptEnabled) await inspect(t, page, 'questions-edited');
    await page.getByRole('button', { name: 'Save questions' }).click();
    await page.getByText('Questions saved.').waitFor();
    await store.setSurveyState(survey, 'active');
    await page.goto(`/surveys/${survey}/settings`);
    await page.getByLabel('Thank-you text').fill('See you next summer!');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changes saved.').waitFor();
    if (javaScriptEnabled) await inspect(t, page, 'survey-settings');
    const link = await page.getByRole('region', { name: 'the public link' }).locator('pre').innerText();
    t.equal(link, `${url}/s/${survey}`);

    const guest = await open(t);
    await guest.goto(link);
    await guest.getByText('The food').click();
    await guest.getByRole('button', { name: 'Submit' }).click();
    await guest.getByText('See you next summer!').waitFor();

    await page.goto(`/surveys/${survey}/questions`);
    await page.getByRole('button', { name: 'Remove question 2' }).click();
    await page.getByLabel('To', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Save questions' }).click();
    await page.getByRole('heading', { name: 'Save these questions?' }).waitFor();
    t.match(await page.getByRole('main').innerText(), /1 response\..*another scale.*Anything else\? is no longer asked/s);
    if (javaScriptEnabled) await inspect(t, page, 'questions-consequences');
    await page.getByRole('button', { name: 'Go on editing' }).click();
    t.equal(await page.getByLabel('To', { exact: true }).inputValue(), '5');
    await page.getByRole('button', { name: 'Save questions' }).click();
    await page.getByRole('button', { name: 'Save questions' }).click();
    await page.getByText('Questions saved.').waitFor();
    const [stored] = await sql`select answers from invite.responses where survey_id = ${survey}`;
    t.same(stored?.answers, { choice: 'The food' });
  }
});

t.test('a survey is duplicated, and deleted by its title; a workspace is renamed', async (t) => {
  const workspace = await store.upsertWorkspace({ name: 'Acme' });
  await store.upsertMember(workspace, 'ada@example.com', 'owner');
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'First' });
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/settings`);
  await page.getByRole('button', { name: 'Duplicate survey' }).click();
  await page.getByRole('heading', { name: 'Copy of First' }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).last().click();
  await page.getByRole('link', { name: 'Delete survey…' }).click();
  await page.getByLabel('To confirm, enter its title').fill('First');
  await page.getByRole('button', { name: 'Delete survey for good' }).click();
  await refused(t, page, 'This is not its title');
  await inspect(t, page, 'survey-delete');
  await page.getByLabel('To confirm, enter its title').fill('Copy of First');
  await page.getByRole('button', { name: 'Delete survey for good' }).click();
  await page.getByText('Survey deleted.').waitFor();
  t.equal(await page.getByRole('link', { name: 'Copy of First' }).count(), 0);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name').fill('Acme Norway');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changes saved.').waitFor();
  t.match(await page.title(), 'Acme Norway');
  await inspect(t, page, 'workspace-settings');
});
