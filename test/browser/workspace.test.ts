// A workspace's pages in a browser: surveys, members, audit log, and error pages.
import t from 'tap';
import { createBatch, createSurvey, until } from '../fixtures/setup.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, open, signIn, url } = await startBrowser(t);
const { workspace, survey } = await createBatch(store, {
  recipients: Array.from({ length: 8 }, (_, index) => ({ email: `p${index}@example.com` })),
});
await store.upsertSurvey({ workspaceId: workspace, title: 'Onboarding, after the first week', state: 'draft' });
await store.upsertMember(workspace, 'ada@example.com', 'owner');
await store.upsertMember(workspace, 'vic@example.com', 'viewer');

t.test('the home page lists surveys with state, counts and response rate', async (t) => {
  await until('all is sent', async () => (await sql`select from invite.invitations where status = 'sent'`).length === 8);
  const rows = await sql`select link_token from invite.invitations order by id limit 3`;
  for (const row of rows) await store.submitResponse(survey, { score: 9 }, row.link_token);
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  t.match(await page.getByRole('row', { name: /Customer survey/ }).innerText(), /active\s+8 sent\s+3\s+38%/);
  await page.getByText(`--workspace ${workspace}`).waitFor();
  await inspect(t, page, 'home');
  await page.getByRole('link', { name: 'Customer survey' }).click();
  await page.waitForURL(`**/surveys/${survey}/invitations`);
  await inspect(t, page, 'survey-frame');
});

t.test('an owner adds a member, changes the role, removes the member, and reads it in the audit log', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByLabel('Email address').fill('eve@example.com');
  await page.getByRole('button', { name: 'Add member' }).click();
  t.match(await page.getByRole('status').innerText(), 'Member added. No email was sent');
  await page.getByText(`sign in at ${url}/sign-in with this address`).waitFor();
  await inspect(t, page, 'members');
  await page.getByLabel('Role of eve@example.com').selectOption('admin');
  await page.getByRole('button', { name: 'Change role of eve@example.com' }).click();
  await page.getByText('Role changed.').waitFor();
  await page.getByRole('link', { name: 'Remove eve@example.com' }).click();
  await page.getByRole('heading', { name: 'Remove this member?' }).waitFor();
  t.match(await page.title(), /^Remove a member · Acme$/);
  t.match(await page.getByRole('navigation', { name: 'Breadcrumb' }).innerText(), /Acme\s+Members\s+Remove a member/);
  await inspect(t, page, 'member-remove');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Remove eve@example.com' }).click();
  await page.getByRole('button', { name: 'Remove eve@example.com' }).click();
  await page.getByText('Member removed.').waitFor();
  await page.getByRole('link', { name: 'Remove ada@example.com' }).click();
  await page.getByRole('heading', { name: 'A workspace needs an owner' }).waitFor();
  t.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0);
  await inspect(t, page, 'member-remove-last');
  await page.getByRole('link', { name: 'Back to members' }).click();
  await page.getByLabel('Role of ada@example.com').selectOption('viewer');
  await page.getByRole('button', { name: 'Change role of ada@example.com' }).click();
  t.match(await page.getByRole('alert').innerText(), 'needs an owner');
  await inspect(t, page, 'members-error');
  await page.getByRole('link', { name: 'Audit log' }).click();
  t.match(await page.getByRole('row', { name: /Member removed/ }).innerText(), 'eve@example.com');
  t.equal(await page.locator('.local').count(), await page.locator('.moment').count(), "each has the reader's own time");
  await page.setViewportSize({ width: 390, height: 844 });
  const time = page.locator('.moment').first();
  t.notOk(await time.locator('time').isVisible(), 'a phone shows only the local time');
  const height = (await time.boundingBox())?.height ?? 99;
  t.ok(height < 32, `a line of ${height} pixels`);
  await inspect(t, page, 'audit');
  const utc = await open(t, { timezoneId: 'UTC' });
  await signIn(utc, 'ada@example.com');
  await utc.goto(`/workspaces/${workspace}/audit`);
  await utc.locator('.moment').first().waitFor();
  t.equal(await utc.locator('.local').count(), 0, 'readers in UTC see it once');
});

t.test('the first tab stop is the skip link, which leads to the content', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/workspaces/${workspace}/members`);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  t.ok(await skip.evaluate((link) => link.matches(':focus') && link.getBoundingClientRect().left >= 0), 'it is visible');
  await page.keyboard.press('Tab');
  t.equal(await page.evaluate('document.activeElement.className'), 'home');
  await skip.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  t.ok(await page.evaluate('document.querySelector("main").contains(document.activeElement)'), 'the next stop is in the content');
});

t.test('a viewer has access only to Results, and errors are shown in the frame', async (t) => {
  const page = await open(t);
  await signIn(page, 'vic@example.com');
  await inspect(t, page, 'home-viewer');
  await page.getByRole('link', { name: 'Customer survey' }).click();
  await page.waitForURL(`**/surveys/${survey}/results`);
  t.equal(await page.getByRole('link', { name: 'Invitations' }).count(), 0);
  t.equal((await page.goto(`/surveys/${survey}/invitations`))?.status(), 403);
  t.match(await page.title(), /^Not allowed$/);
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  await page.getByText('You are a viewer in this workspace, and this requires an editor').waitFor();
  await inspect(t, page, 'forbidden');
  const other = await createSurvey(store);
  t.equal((await page.goto(`/surveys/${other.survey}/results`))?.status(), 404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.goto('/workspaces/no/such/page');
  await page.getByRole('link', { name: 'Go to your surveys' }).click();
  await page.waitForURL(`**/workspaces/${workspace}`);
  await page.goto('/surveys/no-such-survey/results');
  await inspect(t, page, 'not-found');
});
