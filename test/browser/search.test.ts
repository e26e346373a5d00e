// The search in a browser: its dialog with the keyboard, and its page without scripts.
import t from 'tap';
import { createBatch, until } from '../fixtures/setup.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const { workspace, survey } = await createBatch(store, {
  recipients: [
    { email: 'amara.okafor@example.com', name: 'Amara Okafor', metadata: { order_id: 'A-1001' } },
    { email: 'amir@example.com', name: 'Amir' },
    { email: `${'a'.repeat(60)}@${'department.'.repeat(16)}example`, name: 'אמיר כהן' },
  ],
});
for (const role of ['owner', 'viewer'] as const) await store.upsertMember(workspace, `${role}@example.com`, role);
await until('all is sent', async () => (await sql`select from test.invitations where status = 'sent'`).length === 3);
for (const _ of ['what a transaction may still add', 'all']) await store.indexRecipients();
const [row] = await sql`select link_token from test.invitations where email like 'amara%'`;
await store.submitResponse(survey, { score: 2, comment: `${'The parcel came a week late. '.repeat(12)}` }, row?.link_token);

t.test('a person is found from any page by keyboard: open, type, down, Enter', async (t) => {
  const page = await open(t);
  await signIn(page, 'owner@example.com');
  await page.goto(`/surveys/${survey}/results`);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^Person, order/ });
  await field.fill('amara okaf');
  const option = page.getByRole('option', { name: /Amara Okafor/ });
  await option.waitFor();
  t.equal(await field.getAttribute('aria-expanded'), 'true');
  await inspect(t, page, 'search-dialog');
  await field.press('ArrowDown');
  t.equal(await option.getAttribute('aria-selected'), 'true');
  t.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'));
  await field.press('ArrowUp');
  t.equal(await field.getAttribute('aria-activedescendant'), null, 'back in the field');
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.waitForURL(/\/recipients\/\d+$/);
  await page.getByRole('heading', { name: 'amara.okafor@example.com' }).waitFor();
});

t.test('Escape closes it, / opens it unless it is switched off or somebody types, and Enter leads to all results', async (t) => {
  const page = await open(t);
  await signIn(page, 'owner@example.com');
  await page.goto(`/workspaces/${workspace}/recipients`);
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await page.keyboard.press('/');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.locator('#search').press('/');
  t.equal(await page.locator('#search').inputValue(), '/');
  t.equal(await dialog.isVisible(), false);
  await page.getByRole('link', { name: /^Search/ }).click();
  await dialog.getByLabel('Open with /').uncheck();
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await page.keyboard.press('/');
  t.equal(await dialog.isVisible(), false);
  await page.keyboard.press('Control+k');
  await dialog.getByRole('combobox').fill('ami');
  await dialog.getByRole('combobox').press('Enter');
  await page.waitForURL(/\/search#ami$/);
  await page.getByRole('link', { name: 'Amir', exact: true }).waitFor();
});

t.test('without scripts it is a page with a form, and each group leads on', async (t) => {
  const page = await open(t, { javaScriptEnabled: false });
  await signIn(page, 'owner@example.com');
  await page.goto(`/workspaces/${workspace}`);
  await page.getByRole('link', { name: 'Search' }).click();
  for (const [text, heading, link] of [
    ['okafor', 'People', 'Amara Okafor'],
    ['a-1001', 'Invitations', 'order_id: a-1001'],
    ['late parcel', 'Responses', /^The parcel came a week late/],
    ['customer', 'Surveys', 'Customer survey'],
    ['webhooks', 'Pages', 'Webhooks'],
  ] as const) {
    await page.getByLabel('Search this workspace').fill(text);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    t.ok(await page.locator('main').getByRole('link', { name: link }).isVisible(), text);
  }
});

t.test('the page of results is readable in each look', async (t) => {
  const page = await open(t);
  await signIn(page, 'owner@example.com');
  for (const [search, name, text] of [
    ['a', 'search', 'Amir'],
    ['parcel', 'search-comments', /^The parcel came/],
    ['nobody at all', 'search-nothing', 'Nothing matches'],
  ] as const) {
    await page.goto(`/workspaces/${workspace}/search#${search}`);
    await page.locator('#found').getByText(text).first().waitFor();
    await inspect(t, page, name);
  }
});

t.test('viewers are offered what they find, and no persons', async (t) => {
  const page = await open(t);
  await signIn(page, 'viewer@example.com');
  await page.goto(`/workspaces/${workspace}`);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Comment, survey or page' });
  await field.fill('amara');
  await page.getByRole('option', { name: /^Nothing found/ }).waitFor();
  await field.fill('late');
  await page.getByRole('option', { name: /parcel came a week late/ }).waitFor();
  t.equal(await page.getByRole('option', { name: /Amara/ }).count(), 0);
});
