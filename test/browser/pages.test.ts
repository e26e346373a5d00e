// Every page in light, dark, forced colors and at each width: axe finds nothing, and nothing is cut off. A new page is included without a
// change here.
import type { Route } from 'playwright-core';
import t from 'tap';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { RECIPIENT_ROUTES } from '../../src/recipient/routes.ts';
import { LONGEST, OWNER, openShop, pagesOf } from '../fixtures/shop.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const shop = await openShop(store, sql, LONGEST);
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
    }
  });
}
