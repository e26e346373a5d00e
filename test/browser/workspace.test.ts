// A workspace's pages in a browser: surveys, members, audit log, and error pages.
import t from 'tap';
import { createBatch, createSurvey, until } from '../fixtures/setup.ts';
import { inspect, linkIn, openMenu, openPage, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo, url } = await startBrowser(t);
const { workspace, survey } = await createBatch(store, {
  recipients: Array.from({ length: 8 }, (_, index) => ({ email: `p${index}@example.com` })),
});
await store.upsertSurvey({ workspaceId: workspace, title: 'Onboarding, after the first week', state: 'draft' });
await store.upsertMember(workspace, 'ada@example.com', 'owner');
await store.upsertMember(workspace, 'vic@example.com', 'viewer');

t.test('the home page lists surveys with state, counts and response rate', async (t) => {
  await until('all is sent', async () => (await sql`select from test.invitations where status = 'sent'`).length === 8);
  const rows = await sql`select link_token from test.invitations order by id limit 3`;
  for (const row of rows) await store.submitResponse(survey, { score: 9 }, row.link_token);
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  t.match(await page.getByRole('row', { name: /Customer survey/ }).innerText(), /Active\s+8 sent\s+3\s+–\s+after three days/);
  await page.getByRole('link', { name: 'New survey' }).waitFor();
  await inspect(t, page, 'home');
  await page.getByRole('link', { name: 'Customer survey' }).click();
  await page.waitForURL(`**/surveys/${survey}/results`);
  await inspect(t, page, 'survey-frame');
});

t.test('an owner adds a member, changes the role, removes the member, and reads it in the audit log', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await openPage(page, 'Settings', 'Members');
  await page.getByLabel('Email address').fill('eve@example.com');
  await page.getByRole('button', { name: 'Add member' }).click();
  t.match(await page.getByRole('status').innerText(), 'Member added.');
  const email = await mailTo('eve@example.com');
  t.match(email.subject, 'ada@example.com added you to Acme');
  t.match(linkIn(email), `${url}/sign-in?next=%2Fworkspaces%2F${workspace}`);
  await inspect(t, page, 'members');
  await openMenu(page, 'eve@example.com');
  await page.keyboard.press('Escape');
  await page.getByLabel('Role of eve@example.com').waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.getByLabel('Role of eve@example.com').selectOption('admin');
  await page.getByRole('button', { name: 'Change role of eve@example.com' }).click();
  await page.getByText('Role changed.').waitFor();
  await openMenu(page, 'eve@example.com');
  await page.getByRole('link', { name: 'Remove… eve@example.com' }).click();
  await page.getByRole('heading', { name: 'Remove eve@example.com?' }).waitFor();
  t.match(await page.title(), /^Remove a member · Acme$/);
  t.match(await page.getByRole('navigation', { name: 'Breadcrumb' }).innerText(), /Members\s+Remove a member/);
  await inspect(t, page, 'member-remove');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await openMenu(page, 'eve@example.com');
  await page.getByRole('link', { name: 'Remove… eve@example.com' }).click();
  await page.getByRole('button', { name: 'Remove eve@example.com' }).click();
  await page.getByText('Member removed.').waitFor();
  await openMenu(page, 'ada@example.com');
  await page.getByRole('link', { name: 'Remove… ada@example.com' }).click();
  await page.getByRole('heading', { name: 'A workspace needs an owner' }).waitFor();
  t.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0);
  await inspect(t, page, 'member-remove-last');
  await page.getByRole('link', { name: 'Back to members' }).click();
  await openMenu(page, 'ada@example.com');
  await page.getByLabel('Role of ada@example.com').selectOption('viewer');
  await page.getByRole('button', { name: 'Change role of ada@example.com' }).click();
  await refused(t, page, /role of ada@example.com wasn't changed.*needs an owner/);
  await inspect(t, page, 'members-error');
  await page.getByRole('link', { name: 'Audit log' }).click();
  t.match(await page.getByRole('row', { name: /Member removed/ }).innerText(), 'eve@example.com');
  const time = page.getByRole('table').locator('time').first();
  t.match(await time.innerText(), /^(Today|Yesterday), \d\d:\d\d$/, "in the reader's own time");
  await page.getByText('Times are in Europe/Vienna.').waitFor();
  await page.getByRole('button', { name: 'Show UTC' }).click();
  t.match(await time.innerText(), /^\d+ \w+ \d+, \d\d:\d\d UTC$/);
  await page.getByRole('button', { name: 'Show my time' }).click();
  await inspect(t, page, 'audit');
  for (const options of [{ timezoneId: 'UTC' }, { javaScriptEnabled: false }]) {
    const utc = await open(t, options);
    await signIn(utc, 'ada@example.com');
    await utc.goto(`/workspaces/${workspace}/audit`);
    t.match(await utc.getByRole('table').locator('time').first().innerText(), / UTC$/);
  }
});

t.test('what a form did is said once; a refused one says why where the eyes and the focus are', async (t) => {
  for (let count = 0; count < 30; count += 1) await store.upsertMember(workspace, `many${count}@example.com`, 'viewer');
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/workspaces/${workspace}/members`);
  await page.getByLabel('Email address').fill('nobody@nowhere');
  await page.getByRole('button', { name: 'Add member' }).click();
  await refused(t, page, 'Enter a valid email address');
  await inspect(t, page, 'members-error-add');
  await page.getByLabel('Email address').fill('zoe@example.com');
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByText('Member added.').waitFor();
  await page.reload();
  t.equal(await page.getByText('Member added.').count(), 0);
  await sql`delete from invite.members where email like 'many%'`;
});

t.test('an owner gives up the role only after a question; addresses of 230 characters fit into every window', async (t) => {
  const long = (letter: string) => `${letter.repeat(60)}@${`${'sub'.repeat(18)}.`.repeat(3).slice(0, 161)}.example`;
  await store.upsertMember(workspace, 'olga@example.com', 'owner');
  await store.upsertMember(workspace, long('x'), 'owner');
  t.equal(long('x').length, 230);
  const page = await open(t);
  await signIn(page, long('x'));
  await page.goto(`/workspaces/${workspace}/members`);
  await inspect(t, page, 'members-long');
  await openMenu(page, long('x'));
  await page.getByLabel(`Role of ${long('x')}`).selectOption('viewer');
  await page.getByRole('button', { name: 'Change role' }).locator('visible=true').click();
  await page.getByRole('heading', { name: 'Change your own role from owner to viewer?' }).waitFor();
  await inspect(t, page, 'member-own-role');
  await page.getByRole('link', { name: 'Stay owner' }).click();
  const role = async () => (await sql`select role from invite.members where email = ${long('x')}`)[0]?.role;
  t.equal(await role(), 'owner');
  await openMenu(page, long('x'));
  await page.getByLabel(`Role of ${long('x')}`).selectOption('viewer');
  await page.getByRole('button', { name: 'Change role' }).locator('visible=true').click();
  await page.getByRole('button', { name: `Make ${long('x')} a viewer` }).click();
  await page.getByText('Role changed.').waitFor();
  t.equal(await role(), 'viewer');
  const owner = await open(t);
  await signIn(owner, 'olga@example.com');
  await owner.goto(`/workspaces/${workspace}/audit`);
  await inspect(t, owner, 'audit-long');
  await owner.goto(`/workspaces/${workspace}/members/remove?email=${long('x')}`);
  await inspect(t, owner, 'member-remove-long');
});

t.test('in forced colors the current page and tab are still told from the others', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/invitations`);
  await page.emulateMedia({ forcedColors: 'active' });
  const style = (which: string, property: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector('${which}'), ${which.endsWith('good') ? "'::before'" : 'null'}).${property}`,
    );
  t.not(
    await style('.tabs [aria-current]', 'borderBlockEndColor'),
    await style('.tabs a:not([aria-current])', 'borderBlockEndColor'),
  );
  t.equal(await style('.side [aria-current]', 'outlineStyle'), 'solid');
  const dot = await style('.status.good', 'backgroundColor');
  t.match(dot, 'rgb(18, 112, 58)', 'a status keeps its color');
});

t.test('printed, a page is its content', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/invitations`);
  await page.emulateMedia({ media: 'print' });
  for (const part of ['.side', '.tabs', '.bar', '.head .actions']) t.notOk(await page.locator(part).first().isVisible(), part);
  t.ok(await page.getByRole('table').isVisible());
});

t.test('the first row of a list is in the first screen of a laptop', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  const workspacePath = `/workspaces/${workspace}`;
  const surveyPath = `/surveys/${survey}`;
  for (const path of [
    workspacePath,
    `${workspacePath}/members`,
    `${workspacePath}/audit`,
    `${surveyPath}/invitations`,
    `${surveyPath}/batches`,
    `${surveyPath}/api-trigger`,
  ]) {
    await page.goto(path);
    const row = await page.locator('.rows tbody tr').first().boundingBox();
    t.ok(row && row.y + row.height < 480, `${path}: ${row?.y}`);
  }
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
