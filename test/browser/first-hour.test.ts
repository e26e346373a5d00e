// The first hour of a new owner without a developer, in the browser alone. It begins with the link that `setup` prints and ends with last
// month's NPS of one country. The end of the file tests what each role may do.
import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Role } from '../../src/database/store.ts';
import { run } from '../fixtures/program.ts';
import { until } from '../fixtures/setup.ts';
import { inspect, linkIn, openPage, startBrowser } from './browser.ts';

const { sql, store, open, signIn, mailTo, url, databaseUrl } = await startBrowser(t);
const OWNER = 'ingrid@example.com';

/** Plays the developer: runs the example that the owner copied, with other recipients. */
async function runExample(example: string, recipients: object) {
  const [, endpoint = ''] = /'(http[^']+)'/.exec(example) ?? [];
  const [, authorization = ''] = /'Authorization: ([^']+)'/.exec(example) ?? [];
  const [, body = ''] = /-d '([^']+)'/.exec(example) ?? [];
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ ...JSON.parse(body), ...recipients }),
  });
  return response.status;
}

t.test("an owner goes from the setup link to last month's NPS of one country, in the browser alone", async (t) => {
  const { code, stdout } = await run(
    { DATABASE_URL: databaseUrl, PUBLIC_URL: url },
    ...['setup', '--name', 'Fjord Outdoor', '--email', OWNER, '--keep-answers', '730'],
  );
  t.equal(code, 0);
  const page = await open(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(/http\S+\/sign-in\/\S+/.exec(stdout)?.[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();

  // Create a survey.
  await page.getByRole('heading', { name: 'Your first invitation' }).waitFor();
  await inspect(t, page, 'first-hour-home');
  await page.getByRole('link', { name: 'Create a survey' }).click();
  await page.getByLabel('Title').fill('How was your order?');
  await page.getByLabel('Empty').check();
  await page.getByRole('button', { name: 'Create survey' }).click();
  await inspect(t, page, 'first-hour-empty');
  await page.goto('/');
  await page.getByRole('link', { name: 'Add its questions' }).click();
  await page.getByRole('button', { name: 'Score', exact: true }).click();
  await page.locator('#label-0:focus').waitFor();
  await page.getByLabel('Question', { exact: true }).fill('How likely are you to recommend us?');
  await page.getByLabel('Net Promoter Score').check();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.locator('#label-1').fill('Why?');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Questions published. People see them once the survey is active.').waitFor();

  // Create a token for the developer.
  await page.getByRole('link', { name: 'API trigger', exact: true }).click();
  await page.getByRole('link', { name: 'Create a token' }).first().click();
  await page.getByLabel('Name').fill('Webshop');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: 'Copy the curl example' }).click();
  await page.getByText('Copied').first().waitFor();
  const example = String(await page.evaluate('navigator.clipboard.readText()'));

  // Send a test email to the owner's inbox.
  await page.getByRole('link', { name: 'send yourself a test email' }).click();
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText('Test email queued.').waitFor();
  const email = await mailTo(OWNER);
  t.match(email.subject, '[Test] ');
  await page.reload();
  const inbox = await open(t);
  // On another device the link asks the owner to sign in. On this one it opens the preview.
  await inbox.goto(linkIn(email));
  await inbox.getByText('the page you opened').waitFor();
  const preview = await page.context().newPage();
  await preview.goto(linkIn(email));
  await preview.frameLocator('iframe').getByText('How likely are you to recommend us?').waitFor();
  await inspect(t, preview, 'first-hour-test-page');
  await preview.close();

  // Activate the survey and open its public link.
  await page.getByRole('link', { name: 'activate the survey' }).click();
  await page.getByRole('button', { name: /^Activate/ }).click();
  await page.getByText('The survey is active.').waitFor();
  await inspect(t, page, 'first-hour-active');
  await page.getByRole('link', { name: 'public link' }).click();
  const link = await page.getByRole('region', { name: 'the public link' }).locator('pre').innerText();
  const guest = await open(t);
  await guest.goto(link);
  await guest.getByRole('radio', { name: '9' }).check({ force: true });
  await guest.getByRole('button', { name: 'Submit' }).click();
  await guest.getByRole('heading', { name: 'Thank you' }).waitFor();

  // The developer calls the API, and recipients respond.
  const people = [
    ['ada', 'NO', '10', 'Arrived a day early.'],
    ['bo', 'NO', '9', ''],
    ['cy', 'NO', '3', 'The parcel was wet.'],
    ['di', 'DK', '2', 'Late.'],
  ] as const;
  t.equal(
    await runExample(example, {
      email: undefined,
      name: undefined,
      emails: people.map(([name, country]) => ({ email: `${name}@example.com`, metadata: { country } })),
    }),
    200,
  );
  await page.goto('/');
  for (const [name, , score, comment] of people) {
    const recipient = await open(t);
    await recipient.goto(linkIn(await mailTo(`${name}@example.com`)));
    await recipient.getByRole('radio', { name: score, exact: true }).check({ force: true });
    if (comment) await recipient.getByLabel('Why?').fill(comment);
    await recipient.getByRole('button', { name: 'Submit' }).click();
    await recipient.getByRole('heading', { name: 'Thank you' }).waitFor();
    await recipient.close();
  }
  await sql`update invite.responses set submitted_at = date_trunc('month', submitted_at) - interval '10 days'`;
  await sql`update invite.messages set sent_at = date_trunc('month', sent_at) - interval '11 days'`;
  await sql`update invite.batches set accepted_at = date_trunc('month', accepted_at) - interval '12 days'`;
  await sql`select invite.recount_results(id) from invite.surveys`;

  // Read last month's NPS of one country, its comments, and the responses behind a bar.
  await page.goto('/');
  await page.getByRole('link', { name: 'How was your order?' }).click();
  await page.getByRole('link', { name: 'Results' }).click();
  await page.getByLabel('Period', { exact: true }).selectOption('Last month');
  await page.getByLabel('Add a filter').selectOption({ label: 'country: NO' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Remove filter country: NO' }).waitFor();
  await inspect(t, page, 'first-hour-country');
  t.match(await page.locator('main').innerText(), '+33');
  t.match(await page.locator('.figures').innerText(), /Responses\s+3[\s\S]*Response rate\s+100%\s+3 of 3[\s\S]*Comments[\s\S]*2/);
  await page.getByRole('link', { name: 'With comment' }).click();
  const rows = page.getByRole('table', { name: 'Responses, newest first' }).locator('tbody tr');
  await until('two comments', async () => (await rows.count()) === 2);
  await page.getByText('The parcel was wet.').waitFor();
  await inspect(t, page, 'first-hour-comments');
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByRole('group', { name: 'How likely are you to recommend us?' }).getByRole('link', { name: '3: 1' }).click();
  await page.waitForURL(/answer=3/);
  t.equal(await rows.count(), 1);
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  t.match(readFileSync(await (await waiting).path(), 'utf8'), /"cy@example\.com".*"The parcel was wet\."|The parcel was wet/);

  // Add a colleague who may only read.
  await openPage(page, 'Settings', 'Members');
  await page.getByLabel('Email address').fill('vic@example.com');
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByText('Member added.').waitFor();
  const viewer = await open(t);
  await viewer.goto(linkIn(await mailTo('vic@example.com')));
  await inspect(t, viewer, 'first-hour-invited');
  await signIn(viewer, 'vic@example.com');
  await viewer.getByRole('link', { name: 'How was your order?' }).click();
  await viewer.locator('.figures').waitFor();
  t.notMatch(await viewer.content(), /@example\.com.{0,200}country/s);
});

/** For each role: what the pages of the workspace and of a survey show, and which pages reject it. */
const EDITOR = {
  sidebar: ['Surveys', 'Responses', 'People'],
  tabs: ['Results', 'Invitations', 'Batches', 'API trigger', 'Notifications', 'Questions', 'Settings'],
};
const ADMIN = {
  sidebar: [...EDITOR.sidebar, 'Settings'],
  tabs: EDITOR.tabs,
};
const ROLES = {
  owner: { ...ADMIN, refused: [] },
  admin: { ...ADMIN, refused: [] },
  editor: {
    ...EDITOR,
    refused: ['/members', '/settings', '/audit', '/sending', '/webhooks', '/sender', '/surveys/SURVEY/delete'],
  },
  viewer: {
    sidebar: ['Surveys', 'Responses'],
    tabs: ['Results', 'Notifications'],
    refused: [
      '/members',
      '/recipients',
      '/surveys/new',
      '/surveys/SURVEY/questions',
      '/surveys/SURVEY/settings',
      '/surveys/SURVEY/api-trigger',
    ],
  },
};

t.test('each role finds what it may do, and nothing else', async (t) => {
  const workspace = await store.upsertWorkspace({ name: 'Roles' });
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Everyone', state: 'active' });
  await store.submitResponse(survey, { score: 9 }, undefined);
  for (const [role, { sidebar, tabs, refused }] of Object.entries(ROLES)) {
    await store.upsertMember(workspace, `${role}@example.com`, role as Role);
    const page = await open(t);
    await signIn(page, `${role}@example.com`);
    await page.waitForURL(`**/workspaces/${workspace}`);
    t.strictSame(await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link').allInnerTexts(), sidebar, role);
    t.equal(await page.getByRole('link', { name: 'New survey' }).count(), role === 'viewer' ? 0 : 1);
    await page.getByRole('link', { name: 'Everyone' }).click();
    await page.getByRole('navigation', { name: 'Survey', exact: true }).waitFor();
    t.strictSame(
      await page.getByRole('navigation', { name: 'Survey', exact: true }).getByRole('link').allInnerTexts(),
      tabs,
      role,
    );
    await page.goto(`/surveys/${survey}/results`);
    await page.getByRole('link', { name: 'Download CSV' }).waitFor();
    for (const path of refused) {
      const address = path.startsWith('/surveys/SURVEY') ? path.replace('SURVEY', survey) : `/workspaces/${workspace}${path}`;
      t.equal((await page.goto(address))?.status(), 403, `${role}: ${path}`);
    }
    if (role === 'viewer') continue;
    // Editors can create and copy surveys. Only owners and admins can delete them, and only owners can add owners.
    await page.goto(`/surveys/${survey}/settings`);
    await page.getByRole('button', { name: 'Duplicate survey' }).waitFor();
    t.equal(await page.getByRole('link', { name: 'Delete survey' }).count(), role === 'editor' ? 0 : 1, role);
    if (role === 'editor') continue;
    await page.goto(`/workspaces/${workspace}/members`);
    const offered = await page.getByLabel('Role', { exact: true }).locator('option').allInnerTexts();
    t.equal(offered.includes('owner'), role === 'owner', `${role} adds ${offered.join(', ')}`);
  }
});
