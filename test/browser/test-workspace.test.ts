// A test workspace in a browser: an owner creates it, moves its clock and reads its outbox, also on a phone, by keyboard and without JavaScript.
import t from 'tap';
import { createBatch, until } from '../fixtures/setup.ts';
import { createTestToken } from '../fixtures/test-workspaces.ts';
import { inspect, openPage, refused, startBrowser } from './browser.ts';

const { sql, store, open, signIn, url } = await startBrowser(t);
const NAME = 'Bundesverband der Wohnungseigentümergemeinschaften und Hausverwaltungen Berlin-Brandenburg e. V. '
  .repeat(3)
  .slice(0, 255)
  .trim();
const { workspace } = await createBatch(store, {});
await store.upsertWorkspace({ id: workspace, name: NAME });
await store.upsertMember(workspace, 'ada@acme.example', 'owner');
await store.upsertMember(workspace, 'vic@acme.example', 'viewer');

/** Invites people to the survey of a test workspace, as a backend does. */
async function invite(test: string, emails: readonly string[]) {
  const [{ id } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${test}`;
  const { secret } = await createTestToken(store, id);
  const answer = await fetch(`${url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails, reminders: [3], subject: 'How was your stay?', message: 'Please tell us: {{survey_link}}' }),
  });
  t.equal(answer.status, 200, await answer.text());
  return id as string;
}
const LONG = `never+${'x'.repeat(50)}@sim.invalid`;

t.test('an owner on a narrow phone creates one, moves its clock, and reads an email', async (t) => {
  const page = await open(t, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await signIn(page, 'ada@acme.example');
  await openPage(page, 'Settings', 'Workspace');
  await page.getByRole('heading', { name: 'Test workspaces' }).waitFor();
  await inspect(t, page, 'test-workspaces-none');
  await page.getByRole('button', { name: 'Create a test workspace' }).click();
  t.match(await page.getByRole('status').innerText(), 'Test workspace created');
  t.match(
    await page.getByRole('note').innerText(),
    /^Test workspace of Bundesverband .*\. Its clock says \w+, \d+ \w+ \d{4}, \d\d:\d\d UTC\. No invitation leaves it\.$/,
  );
  await inspect(t, page, 'test-clock-new');
  const test = `${workspace}-test`;
  const survey = await invite(test, ['responds-9@sim.invalid', 'bounces@sim.invalid', 'scanner@sim.invalid', LONG]);

  await page.reload();
  await page.getByText('Something next happens now.').waitFor();
  await page.getByRole('button', { name: '1 week' }).click();
  // The page reloads itself until a worker has moved the clock.
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  t.strictSame(await page.getByRole('definition').allInnerTexts(), ['4', '3', '1', '1', '2', '1']);
  await inspect(t, page, 'test-clock-moved');

  await page.getByRole('link', { name: 'Outbox' }).click();
  await page.getByRole('link', { name: LONG }).first().waitFor();
  await inspect(t, page, 'outbox');
  await page.getByLabel("Recipient's whole address").fill('RESPONDS-9@sim.invalid');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Clear search' }).waitFor();
  t.equal(await page.getByRole('row').count(), 2, 'a head and one email');
  await page.getByRole('link', { name: 'responds-9@' }).click();
  const email = page.frameLocator('iframe[name="email-preview"]');
  t.match(await email.getByRole('heading').innerText(), /^How was your stay/);
  await email.frameLocator('iframe').getByRole('link').first().waitFor();
  await inspect(t, page, 'outbox-email');

  await page.goto(`/surveys/${survey}/invitations`);
  await page.getByRole('note').getByRole('link', { name: 'Move its clock' }).waitFor();
  await inspect(t, page, 'test-survey');
  await page.goto(`/surveys/${survey}/api-trigger/new`);
  await page.getByLabel('Name').fill('Tests');
  await page.getByRole('button', { name: 'Create token' }).click();
  t.match(await page.getByLabel('the secret', { exact: true }).innerText(), /^sit_test_/);
  await inspect(t, page, 'test-token');
  await page.goto(`/workspaces/${workspace}/settings`);
  await page.getByRole('table', { name: 'Test workspaces' }).waitFor();
  await inspect(t, page, 'test-workspaces');
});

t.test('by keyboard alone, and told what is wrong', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@acme.example');
  await page.goto(`/workspaces/${workspace}-test/clock`);
  const before = await page.getByRole('heading', { level: 2 }).first().innerText();
  await page.getByLabel('By days').focus();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await until('the clock has moved', async () => {
    const heading = page.getByRole('heading', { level: 2 }).first();
    return (await heading.innerText()) !== before && (await page.getByText('A worker moves the clock').count()) === 0;
  });
  // Browsers check the limits of a field themselves; another client may not.
  await page.getByLabel('By days').evaluate((field) => field.closest('form')?.setAttribute('novalidate', ''));
  await page.getByLabel('By days').focus();
  await page.keyboard.type('401');
  await page.keyboard.press('Enter');
  await refused(t, page, 'Enter a number of days from 1 to 400.');
  await inspect(t, page, 'test-clock-refused');
});

t.test('without JavaScript, the page says that a worker moves the clock, and a link looks again', async (t) => {
  const page = await open(t, { javaScriptEnabled: false });
  await signIn(page, 'ada@acme.example');
  const path = `/workspaces/${workspace}-test/clock`;
  await page.goto(path);
  // Nothing runs it: it isn't asked for by a job.
  await sql`insert into invite.test_advances (workspace_id, until) select id, test_now + interval '1 day' from invite.workspaces where id = ${`${workspace}-test`}`;
  await page.goto(path);
  t.match(await page.getByRole('status').innerText(), /^A worker moves the clock to .* UTC\.\s+Reload\s+to see how far it is\.$/);
  await page.getByRole('link', { name: 'Reload' }).click();
  await page.getByText('A worker moves the clock').waitFor();
  t.equal(await page.getByRole('button', { name: '1 week' }).count(), 0);
  await page.screenshot({ path: '.data/screenshots/test-clock-moving.png', fullPage: true });
});

t.test('a viewer sees the banner, and the choice of workspaces marks the test', async (t) => {
  const page = await open(t, { viewport: { width: 320, height: 640 } });
  await signIn(page, 'vic@acme.example');
  await page.locator('summary', { hasText: 'Workspace:' }).click();
  await page.getByRole('link', { name: /\(test\)$/ }).click();
  await page.getByRole('note').waitFor();
  t.equal(await page.getByRole('note').getByRole('link').count(), 0);
  await inspect(t, page, 'test-viewer');
});
