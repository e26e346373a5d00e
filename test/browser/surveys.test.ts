// Surveys in a browser: an owner's first five minutes, the editor with and without scripts, settings, and deletion.
import t from 'tap';
import { inspect, openPage, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo, url } = await startBrowser(t);

t.test('from the first sign-in to a survey, a test email and an active survey, the next step always in view', async (t) => {
  const workspace = await store.upsertWorkspace({ name: 'Fjord Outdoor' });
  await store.upsertMember(workspace, 'ingrid@example.com', 'owner');
  const page = await open(t);
  await signIn(page, 'ingrid@example.com');
  await inspect(t, page, 'first-steps');
  await page.getByRole('link', { name: 'Create a survey' }).click();
  await page.getByLabel('Title').fill('How was your order?');
  await inspect(t, page, 'survey-new');
  await page.getByRole('button', { name: 'Create survey' }).click();
  t.match(await page.getByRole('status').first().innerText(), 'Survey created');
  await inspect(t, page, 'questions');

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
  await page.getByRole('link', { name: 'invite people from a list' }).first().waitFor();
  await page.getByRole('link', { name: 'let your own system invite them' }).first().click();
  await page.getByRole('link', { name: 'Create a token' }).first().click();
  await page.getByLabel('Name').fill('Webshop');
  await page.getByRole('button', { name: 'Create token' }).click();
  t.match(await page.getByRole('region', { name: 'the curl example' }).innerText(), /curl.*Bearer sit_/s);
  await inspect(t, page, 'first-token');
});

t.test('an editor builds a survey, sees it in the preview, and a recipient responds to it', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const workspace = await store.upsertWorkspace({ name: 'Acme' });
    await store.upsertMember(workspace, 'eve@example.com', 'editor');
    const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Your stay', questions: [] });
    const page = await open(t, { javaScriptEnabled });
    await signIn(page, 'eve@example.com');
    await page.goto(`/surveys/${survey}/questions`);
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    // The page sets the focus after it has loaded.
    await page.locator('#label-0:focus').waitFor();
    await page.getByLabel('Question', { exact: true }).fill('How likely are you to come back?');
    await page.getByRole('button', { name: 'Choice', exact: true }).click();
    await page.locator('#label-1').fill('What was best?');
    await page.getByLabel('Choices').fill('The view\nThe food\nThe people');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await refused(t, page, 'Enter the question.');
    await page.locator('#label-2').fill('Anything else?');
    await page.getByRole('button', { name: 'Move up question 3' }).click();
    await page.getByText('3 unpublished changes').waitFor();
    const preview = page.frameLocator('.screen iframe');
    await preview.getByText('The people').waitFor();
    t.match(await preview.locator('form').innerText(), /come back\?.*Anything else\?.*What was best\?.*The people/s);
    if (javaScriptEnabled) await inspect(t, page, 'questions-edited');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Questions published.').waitFor();
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
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: 'Publish these questions?' }).waitFor();
    t.match(await page.getByRole('main').innerText(), /1 response\..*another scale.*Anything else\? is no longer asked/s);
    if (javaScriptEnabled) await inspect(t, page, 'questions-consequences');
    await page.getByRole('link', { name: 'Go on editing' }).click();
    t.equal(await page.getByLabel('To', { exact: true }).inputValue(), '5');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Questions published.').waitFor();
    const [stored] = await sql`select answers from invite.responses where survey_id = ${survey}`;
    t.same(stored?.answers, { choice: 'The food' });
  }
});

t.test('what is typed and not saved is marked, and asked about before another page is opened', async (t) => {
  const workspace = await store.upsertWorkspace({ name: 'Acme' });
  await store.upsertMember(workspace, 'typist@example.com', 'owner');
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Your stay' });
  const signedIn = await open(t);
  await signIn(signedIn, 'typist@example.com');
  // This page answers no dialogs, unlike the pages of the other tests.
  const page = await signedIn.context().newPage();
  for (const [path, label, elsewhere, save] of [
    [`/surveys/${survey}/languages?language=de`, 'Title', 'Results', 'Save translation'],
    [`/surveys/${survey}/settings`, 'Title', 'Results', 'Save'],
    [`/workspaces/${workspace}/sender`, 'Name', 'Members', 'Save'],
  ] as const) {
    await page.goto(path);
    const field = page.getByLabel(label, { exact: true }).first();
    const mark = page.getByText('Not saved yet');
    t.equal(await mark.count(), 0, 'nothing is said of what is as stored');
    const before = await field.inputValue();
    await field.fill('Typed for five minutes');
    await mark.waitFor();
    await field.fill(before);
    await mark.waitFor({ state: 'detached' });
    await field.fill('Typed for five minutes');

    const leave = page.getByRole('link', { name: elsewhere, exact: true }).first();
    const asked = page.waitForEvent('dialog');
    const clicked = leave.click({ noWaitAfter: true }).catch(() => {});
    const question = await asked;
    t.equal(question.type(), 'beforeunload', path);
    await question.dismiss();
    await clicked;
    t.equal(await field.inputValue(), 'Typed for five minutes', 'it is still there');

    page.on('dialog', () => t.fail('saving asks nothing'));
    await page.getByRole('button', { name: save, exact: true }).click();
    await page
      .getByText(/saved\./i)
      .first()
      .waitFor();
    await leave.click();
    await page.waitForURL((address) => address.pathname !== path);
    page.removeAllListeners('dialog');
  }
  await page.close();
});

t.test('what is wrong with a question is said at its field, in the words of the page, and wide enough to read', async (t) => {
  const workspace = await store.upsertWorkspace({ name: 'Acme' });
  await store.upsertMember(workspace, 'wrong@example.com', 'editor');
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Your stay' });
  const page = await open(t, { viewport: { width: 320, height: 700 } });
  await signIn(page, 'wrong@example.com');
  for (const [fields, id, text] of [
    [{ 'min-0': 'a' }, 'min-0', 'Enter a whole number from -100 to 100.'],
    [{ 'min-0': '0', 'max-0': '1.5' }, 'max-0', 'Enter a whole number from -100 to 100.'],
    [{ 'max-0': '0' }, 'max-0', 'Enter a number above 0.'],
    [{ 'max-0': '21' }, 'max-0', 'Enter at most 20'],
    [{ 'max-0': '10', 'label-1': '' }, 'label-1', 'Enter the question.'],
  ] as const) {
    await page.goto(`/surveys/${survey}/questions`);
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
    await page.getByRole('button', { name: 'Publish' }).click();
    await refused(t, page, text);
    const error = page.locator(`#${id}-error`);
    t.match(await error.innerText(), text);
    t.ok(((await error.boundingBox())?.width ?? 0) > 200, `${id}: it can be read`);
    t.notMatch(await error.innerText(), /nps|min|max|true|false|\(score\)/, 'no name of a field of ours');
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
  await openPage(page, 'Settings', 'Workspace');
  await page.getByLabel('Name').fill('Acme Norway');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changes saved.').waitFor();
  t.match(await page.title(), 'Acme Norway');
  await inspect(t, page, 'workspace-settings');
});
