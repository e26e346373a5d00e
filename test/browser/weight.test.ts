// How much a page loads, and that nothing moves while it does.
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../fixtures/setup.ts';
import { OWNER, openShop } from '../fixtures/shop.ts';
import { startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const { survey, workspace, token, linkToken } = await openShop(store, sql);

/** Opens a page, and returns its requests with their bytes on the wire, headers included. */
async function load(page: Page, path: string): Promise<{ requests: string[]; bytes: number }> {
  const session = await page.context().newCDPSession(page);
  const requests: string[] = [];
  let bytes = 0;
  session.on('Network.responseReceived', ({ response }) => void requests.push(new URL(response.url).pathname));
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await page.goto(path, { waitUntil: 'networkidle' });
  await session.detach();
  return { requests, bytes };
}

t.test('Results take at most 60 KB on the first visit, with the font, and 15 KB after', async (t) => {
  const page = await open(t);
  await signIn(page, OWNER);
  const state = await page.context().storageState();
  const fresh = await open(t, { storageState: state });
  const first = await load(fresh, `/surveys/${survey}/results`);
  t.ok(
    first.requests.some((path) => path.endsWith('.woff2')),
    'the font is among the requests',
  );
  t.ok(first.bytes <= 60 * 1024, `${first.bytes} bytes`);
  const second = await load(fresh, `/surveys/${survey}/results`);
  t.same(
    second.requests.filter((path) => path.endsWith('.woff2') && second.bytes > 15 * 1024),
    [],
  );
  t.ok(second.bytes <= 15 * 1024, `${second.bytes} bytes`);
  t.comment(`first visit ${first.bytes} bytes, second ${second.bytes}`);
});

const PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0";
/** How far things moved after they were painted, as Chromium adds it up. */
const SHIFTS = `new Promise((resolve) => {
  const shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push(value + ': ' + sources.map(({ node }) => node?.className || node?.nodeName).join());
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)));
})`;

t.test('nothing moves when the font arrives after the page was painted', async (t) => {
  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
  ]) {
    const page = await open(t, { viewport });
    await signIn(page, OWNER);
    // The font arrives after the page was painted.
    let late = 0;
    await page.route('**/*.woff2', async (route) => {
      await until('the page is painted', () => page.evaluate(PAINTED).catch(() => false));
      late += 1;
      await route.continue();
    });
    for (const path of [
      `/workspaces/${workspace}`,
      ...['results', 'invitations', 'settings', `api-trigger/${token}`].map((tab) => `/surveys/${survey}/${tab}`),
    ]) {
      await page.goto(path);
      await page.evaluate('document.fonts.ready');
      t.same(await page.evaluate(SHIFTS), [], `${path}, ${viewport.width} pixels`);
    }
    t.ok(late >= 5, 'each page has waited for the font');
  }
});

t.test('one request of at most 12 KB paints the survey', async (t) => {
  const page = await open(t);
  await sql`update invite.workspaces set sender = jsonb_build_object('accent_color', '#aa3300') where id = ${workspace}`;
  const { requests, bytes } = await load(page, `/s/${survey}?invitation=${linkToken}`);
  t.match(requests, [`/s/${survey}`]);
  const blocking =
    "performance.getEntriesByType('resource').filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking').length";
  t.equal(await page.evaluate(blocking), 0);
  t.equal(await page.evaluate("getComputedStyle(document.querySelector('button')).backgroundColor"), 'rgb(170, 51, 0)');
  t.ok(bytes <= 12 * 1024, `${bytes} bytes, with its script`);
  t.same(await page.evaluate(SHIFTS), []);
  t.comment(`${requests.length} requests, ${bytes} bytes`);
});
