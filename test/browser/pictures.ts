// Takes the pictures for docs/pages.md, of an imaginary shop. This isn't a test: run `npm run pictures` to write them to docs/pictures.
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { OWNER, openShop } from '../fixtures/shop.ts';
import { startBrowser } from './browser.ts';

const DIRECTORY = new URL('../../docs/pictures/', import.meta.url).pathname;
const DESK = { width: 1280, height: 900 };

const { store, sql, open, signIn } = await startBrowser(t);
const { workspace, survey, token, response } = await openShop(store, sql);
await sql`update invite.surveys set public_url = 'https://fjord-outdoor.example/feedback' where id = ${survey}`;

async function picture(t: Test, page: Page, name: string) {
  await page.screenshot({ path: `${DIRECTORY}${name}.png` });
  t.pass(name);
}

t.test('the pictures', async (t) => {
  mkdirSync(DIRECTORY, { recursive: true });
  const page = await open(t, { viewport: DESK });
  await signIn(page, OWNER);
  await page.setViewportSize({ ...DESK, height: 780 });
  await page.goto(`/surveys/${survey}/results`);
  await picture(t, page, 'results');
  await page.setViewportSize(DESK);
  await page.goto(`/surveys/${survey}/invitations`);
  await picture(t, page, 'invitations');

  await page.goto(`/workspaces/${workspace}`);
  await page.setViewportSize({ ...DESK, height: 520 });
  await picture(t, page, 'home');
  await page.goto(`/surveys/${survey}/responses/${response}`);
  await page.setViewportSize({ ...DESK, height: 640 });
  await picture(t, page, 'response');
  await page.goto(`/workspaces/${workspace}/members`);
  await page.setViewportSize({ ...DESK, height: 520 });
  await picture(t, page, 'members');

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/surveys/${survey}/settings`);
  await page.setViewportSize({ ...DESK, height: 760 });
  await picture(t, page, 'settings');
  await page.goto(`/surveys/${survey}/api-trigger/${token}`);
  await page.setViewportSize({ ...DESK, height: 760 });
  await page
    .locator('.stage iframe')
    .last()
    .contentFrame()
    .frameLocator('iframe')
    .getByText('thank you for your order')
    .last()
    .waitFor();
  await picture(t, page, 'token');

  await sql`update invite.surveys set public_url = null`;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`/surveys/${survey}/questions`);
  await picture(t, page, 'questions');
  const phone = await open(t, { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 });
  const [invitation] = await sql`select link_token from test.invitations where responded_at is null and status = 'sent' limit 1`;
  await phone.goto(`/s/${survey}?invitation=${invitation?.link_token}`);
  await phone.getByRole('radio', { name: '9' }).check({ force: true });
  await phone.getByLabel('As promised').check();
  await picture(t, phone, 'survey');
  const small = await open(t, { viewport: { width: 390, height: 780 }, storageState: await page.context().storageState() });
  await small.goto(`/surveys/${survey}/results`);
  await picture(t, small, 'results-phone');
});
