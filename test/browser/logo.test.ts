// A logo as people meet it: uploaded with scripts and without, on the survey page without anything moving, in emails with pictures and without.
import type { Page } from 'playwright-core';
import t from 'tap';
import { chunk, png } from '../fixtures/pictures.ts';
import { createBatch, until } from '../fixtures/setup.ts';
import { inspect, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo } = await startBrowser(t);
const LOGO = { name: 'logo.png', mimeType: 'image/png', buffer: png(480, 160) };
const MOVING = { ...LOGO, buffer: png(480, 160, chunk('acTL', Buffer.alloc(8))) };
const RENAMED = { ...LOGO, buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') };

/** What has moved since the page was painted first, and what the picture's box was before and after it came. */
const SHIFTS = `new Promise((resolve) => {
  const shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)));
})`;
const BOX = "JSON.stringify(document.querySelector('.logo').getBoundingClientRect())";
const HAS_COME = "document.querySelector('.logo').complete && document.querySelector('.logo').naturalWidth === 480";

/** Signs in as the owner of a new workspace with a survey, and opens the page Sender. */
async function openSender(page: Page) {
  const place = await createBatch(store);
  const owner = `ada@${place.workspace}.example`;
  await store.upsertMember(place.workspace, owner, 'owner');
  await signIn(page, owner);
  await page.goto(`/workspaces/${place.workspace}/sender`);
  return { ...place, owner };
}

for (const javaScriptEnabled of [true, false])
  t.test(`an owner uploads a logo, ${javaScriptEnabled ? 'with' : 'without'} scripts, and takes it away`, async (t) => {
    const page = await open(t, { javaScriptEnabled });
    const { survey, token, workspace, owner } = await openSender(page);
    const choose = async (file: typeof LOGO) => {
      await page.getByLabel(/icture$/).setInputFiles(file);
      await page.getByRole('button', { name: 'Upload' }).click();
    };
    if (javaScriptEnabled) {
      await choose(RENAMED);
      await refused(t, page, 'This file is no PNG or JPEG');
      await choose(MOVING);
      await refused(t, page, 'This picture moves.');
      await inspect(t, page, 'logo-refused');
    }
    await choose(LOGO);
    await page.getByText('Changes saved.').waitFor();
    t.ok(await page.getByRole('img', { name: 'Your logo' }).isVisible());
    if (javaScriptEnabled) await inspect(t, page, 'logo');

    const guest = await open(t, { javaScriptEnabled });
    await guest.goto(`/s/${survey}`);
    await guest.getByRole('img', { name: 'Acme' }).waitFor();
    if (javaScriptEnabled) await inspect(t, guest, 'logo-survey');

    await page.goto(`/surveys/${survey}/questions`);
    await page.frameLocator('iframe[name=survey-page]').getByRole('img', { name: 'Acme' }).waitFor();
    await page.goto(`/surveys/${survey}/api-trigger/${token}`);
    await page.frameLocator('iframe').last().frameLocator('iframe').getByRole('img', { name: 'Acme' }).waitFor();
    if (javaScriptEnabled) {
      await page.goto(`/surveys/${survey}/test-invitation?token=${token}`);
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      const { html } = await mailTo(owner, 1);
      const [, address = ''] = /<img [^>]*src="(http[^"]+\/logo\/[^"]+)"/.exec(html) ?? [];
      t.equal((await fetch(address)).headers.get('content-type'), 'image/png', 'an email shows it by an absolute address');
    }
    await page.goto(`/workspaces/${workspace}/sender`);
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByText('Changes saved.').waitFor();
    await guest.goto(`/s/${survey}`);
    await guest.getByText('Acme', { exact: true }).waitFor();
    t.equal(await guest.getByRole('img').count(), 0);
  });

t.test('the survey page is painted before the logo comes, and then nothing moves', async (t) => {
  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 320, height: 640 },
  ]) {
    const page = await open(t, { viewport });
    const { survey } = await openSender(page);
    await page.getByLabel('Picture').setInputFiles(LOGO);
    await page.getByRole('button', { name: 'Upload' }).click();
    const guest = await open(t, { viewport });
    const held = Promise.withResolvers<void>();
    await guest.route('**/logo/*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await guest.goto(`/s/${survey}`, { waitUntil: 'commit' });
    await guest.getByRole('button', { name: 'Submit' }).waitFor();
    await until('it is painted', () => guest.evaluate("performance.getEntriesByName('first-contentful-paint').length > 0"));
    t.notOk(await guest.evaluate(HAS_COME), 'it is painted without');
    const before = await guest.evaluate(BOX);
    held.resolve();
    await until('the logo has come', () => guest.evaluate(HAS_COME));
    t.equal(await guest.evaluate(BOX), before);
    t.match(JSON.parse(String(before)), { width: 120, height: 40 });
    t.same(await guest.evaluate(SHIFTS), [], 'nothing has moved');
  }
});

t.test('an email without pictures says whose it is in the place of the logo', async (t) => {
  const page = await open(t);
  const { survey, token, workspace } = await openSender(page);
  await page.getByLabel('Picture').setInputFiles(LOGO);
  await page.getByRole('button', { name: 'Upload' }).click();
  const name = 'Fjord Outdoor og Søn, Ærø and the long name of 1987';
  await sql`update invite.workspaces set name = ${name} where id = ${workspace}`;
  const email = await open(t, { storageState: await page.context().storageState() });
  await email.route('**/logo/*', (route) => route.abort());
  await email.goto(`/surveys/${survey}/api-trigger/${token}/preview`);
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const) {
    await email.emulateMedia({ colorScheme });
    await email.setViewportSize({ width, height: 720 });
    const logo = email.frameLocator('iframe').getByRole('img', { name });
    const box = await logo.boundingBox();
    t.ok((box?.width ?? 0) > 200, `its text has room: ${box?.width}`);
    t.ok((box?.x ?? 0) + (box?.width ?? 0) <= width);
    await email.screenshot({
      path: new URL(`../../.data/screenshots/logo-off-${colorScheme}-${width}.png`, import.meta.url).pathname,
    });
  }
});
