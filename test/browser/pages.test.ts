// Every page in light, dark, forced colors and at each width: axe finds nothing, and nothing is cut off. A new page is included without a
// change here.
import type { Route } from 'playwright-core';
import t from 'tap';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { RECIPIENT_ROUTES } from '../../src/recipient/routes.ts';
import { ADDRESSES } from '../components/page.ts';
import { serveComponents } from '../components/serve.ts';
import { classesIn, notOnComponents, SHEETS } from '../components/style-sheets.ts';
import { countMillions, LONGEST, OWNER, openShop, pagesOf } from '../fixtures/shop.ts';
import { classesOf, inspect, isWhole, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const shop = await openShop(store, sql, LONGEST);
await countMillions(sql, shop.survey);
const routes = [...CONSOLE_ROUTES, ...RECIPIENT_ROUTES].flatMap(([method, path]) => (method === 'GET' ? [path] : []));
/** These pages are for people who are signed out. They come first, because signing in uses up other links. */
const isOpen = (pattern: string) => /^\/($|s\/|u\/|sign)/.test(pattern);
const withoutPolicy = async (route: Route) => {
  const response = await route.fetch();
  const { 'content-security-policy': _, ...headers } = response.headers();
  await route.fulfill({ response, headers });
};
/** These are files, not pages. */
const FILES = [
  '/surveys/:survey/results.csv',
  '/surveys/:survey/invite/:upload/not-invited.csv',
  '/workspaces/:workspace/audit.csv',
  '/workspaces/:workspace/wording.csv',
  '/surveys/:survey/languages.csv',
  '/surveys/:survey/api-trigger/:token/translations.csv',
  '/workspaces/:workspace/recipients/:invitation/export.json',
];

/** The pages on which a class was seen. */
const seen = new Map<string, string>();

for (const who of ['anybody', 'member'] as const) {
  t.test(`the pages of ${who}`, async (t) => {
    const page = await open(t);
    if (who === 'member') await signIn(page, OWNER);
    for (const { pattern, path } of pagesOf(shop, routes).filter(({ pattern }) => isOpen(pattern) === (who === 'anybody'))) {
      if (FILES.includes(pattern)) continue;
      // The page of an email, shown in a frame, runs no scripts, so axe needs it without its policy.
      const isFramed = /:(token|email)\/preview$|:upload\/email$/.test(pattern);
      if (isFramed) await page.route(`**${path}`, withoutPolicy);
      const answer = await page.goto(path);
      t.equal(answer?.status(), 200, pattern);
      await inspect(t, page, `page${pattern.replaceAll(/[/:]+/g, '-')}`, isFramed);
      // An email has a style of its own.
      if (!pattern.endsWith(':email/preview')) for (const name of await classesOf(page)) seen.set(name, pattern);
    }
  });
}

t.test('the pages of a workspace that has nothing yet', async (t) => {
  const owner = 'new@fjord-outdoor.example';
  const workspace = await store.upsertWorkspace({ name: 'New' });
  await store.upsertMember(workspace, owner, 'owner');
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: '?' });
  const page = await open(t);
  await signIn(page, owner);
  const plain = routes.filter(
    (pattern) => !isOpen(pattern) && !FILES.includes(pattern) && !/:(?!workspace|survey)/.test(pattern),
  );
  for (const { pattern, path } of pagesOf({ ...shop, workspace, survey }, plain)) {
    // Only test workspaces have these, and nobody is on a list.
    if (/\/(clock|outbox|remove)$/.test(pattern)) continue;
    const answer = await page.goto(path);
    t.equal(answer?.status(), 200, pattern);
    await isWhole(t, page, `${pattern} with nothing`, [320, 1280]);
    for (const name of await classesOf(page)) seen.set(name, pattern);
  }
});

/** Lets the scripts of the page see a form that is submitted. */
const SUBMIT = `(() => {
  const submitter = document.querySelector('[data-state^="being submitted"] button');
  submitter.form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, submitter }));
})()`;

t.test('each class of a page is on the page Components, or said in its style sheet to be on its page alone', async (t) => {
  const { url, server } = await serveComponents(0);
  t.teardown(() => server.close());
  const page = await open(t, { baseURL: url });
  const shown = new Set<string>();
  for (const address of ADDRESSES) {
    await page.goto(address);
    if (address === '/') {
      await page.locator('.find').click();
      await page.locator('.finder > input').fill('hut');
      await page.locator('.finder [role=option]').first().waitFor();
      await page.keyboard.press('Escape');
      for (const name of await classesOf(page)) shown.add(name);
      await page.evaluate(SUBMIT);
    }
    for (const name of await classesOf(page)) shown.add(name);
  }
  const alone = notOnComponents();
  const missing = [...seen].filter(([name]) => !shown.has(name) && !alone.includes(name));
  t.same(
    missing.map(([name, pattern]) => `.${name} of ${pattern}`),
    [],
    'add it in test/components',
  );
  t.same(
    alone.filter((name) => shown.has(name) || !seen.has(name)),
    [],
    'an entry of such a list is on its page, and not on Components',
  );
  for (const file of SHEETS)
    t.same(
      classesIn(file).filter((name) => !shown.has(name) && !seen.has(name)),
      [],
      `each class of ${file} is on a page`,
    );
});
