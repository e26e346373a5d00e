// The main pages by keyboard alone, and in forced colors, where a theme replaces our colors.
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { LONGEST, OWNER, openShop } from '../fixtures/shop.ts';
import { startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const { survey, workspace, token, linkToken } = await openShop(store, sql, LONGEST);
const MEMBER_PAGES = [
  `/workspaces/${workspace}`,
  `/surveys/${survey}/results`,
  `/surveys/${survey}/invitations`,
  `/surveys/${survey}/api-trigger/${token}`,
  `/workspaces/${workspace}/sender`,
];
const SURVEY = `/s/${survey}?invitation=${linkToken}`;

/** What can be clicked, and numbers it. A group of radio buttons is one stop of the keyboard. What is in a closed menu isn't there. */
const NUMBER = `(() => {
  const isStop = (one) => {
    if (one.type !== 'radio') return true;
    const group = [...document.getElementsByName(one.name)].filter(({ form }) => form === one.form);
    return (group.find(({ checked }) => checked) ?? group[0]) === one;
  };
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, iframe, [tabindex="0"]')]
    .filter((one) => !one.disabled && one.type !== 'hidden' && one.checkVisibility({ visibilityProperty: true }))
    .filter(isStop)
    .map((one, index) => {
      one.dataset.stop = index;
      return one.outerHTML.slice(0, 120);
    });
})()`;
/** The element that has the focus, and whether that can be seen: on it, on its label, or on the mark of a chart. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const isOutlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  };
  const { width, height } = one.getBoundingClientRect();
  const hit = one.querySelector('.hit');
  const isVisible = (isOutlined(one) && width > 1 && height > 1) || (one.labels?.[0] && isOutlined(one.labels[0]))
    || (hit !== null && getComputedStyle(hit).stroke !== 'none') || one.tagName === 'IFRAME';
  return { stop: one.dataset.stop, isVisible: Boolean(isVisible), html: one.outerHTML.slice(0, 120) };
})()`;

interface Focused {
  readonly stop?: string;
  readonly isVisible: boolean;
  readonly html: string;
}

/** Presses Tab until the focus leaves the page, and checks each stop. */
async function tabThrough(t: Test, page: Page, path: string) {
  await page.goto(path);
  const all = await page.evaluate<string[]>(NUMBER);
  const reached = new Map<string, Focused>();
  await page.evaluate('document.activeElement?.blur()');
  for (let presses = 0; presses < all.length + 20; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused | null>(FOCUSED);
    if (focused === null) {
      if (presses > 0) break;
      continue;
    }
    if (focused.stop !== undefined) reached.set(focused.stop, focused);
  }
  t.ok(all.length >= 3, `${path} has ${all.length} stops`);
  t.same(
    all.filter((_, index) => !reached.has(String(index))),
    [],
    `all that can be clicked on ${path} is reached`,
  );
  t.same(
    [...reached.values()].filter(({ isVisible }) => !isVisible).map(({ html }) => html),
    [],
    `the focus can be seen on ${path}`,
  );
}

t.test('a member reaches everything by keyboard, and sees where the focus is', async (t) => {
  const page = await open(t);
  await signIn(page, OWNER);
  for (const path of MEMBER_PAGES) await tabThrough(t, page, path);
});

t.test('a recipient reaches everything by keyboard, and sees where the focus is', async (t) => {
  await tabThrough(t, await open(t), SURVEY);
});

/** A property of the elements that match. */
const styles = (page: Page, selector: string, property: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => getComputedStyle(one)[${JSON.stringify(property)}])`,
  );
const differ = (...lists: string[][]): boolean =>
  lists.every(([first], index) => first !== undefined && lists.every(([other], place) => place === index || other !== first));

t.test('what colors say is said in forced colors, too', async (t) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(t, { forcedColors: 'active', colorScheme });
    await signIn(page, OWNER);
    await page.goto(`/surveys/${survey}/results`);
    t.ok(await page.evaluate("matchMedia('(forced-colors: active)').matches"), `the colors are forced, ${colorScheme}`);
    const kinds = (property: string, selector: string) =>
      Promise.all(['promoter', 'passive', 'detractor'].map((kind) => styles(page, `${selector}.${kind}`, property)));
    t.ok(differ(...(await kinds('fill', '.bar'))), 'the bars of the three groups');
    const chips = await kinds('borderTopColor', '.chip');
    t.ok(differ(...chips.filter((found) => found.length > 0)) && chips.flat().length > 10, 'the chips of the groups');
    t.same(new Set(await styles(page, '.chip', 'borderTopWidth')), new Set(['2px']), 'a chip is a shape');
    t.ok(
      differ(...(await Promise.all(['.s1', '.rail'].map((bar) => styles(page, `.share ${bar}`, 'fill'))))),
      'a share and its rail',
    );
    const of = (links: string, property: string) =>
      Promise.all([styles(page, `${links} [aria-current]`, property), styles(page, `${links} a:not([aria-current])`, property)]);
    t.ok(differ(...(await of('.tabs', 'borderBottomColor'))), 'the current tab');
    t.ok(differ(...(await of('.segments', 'outlineStyle'))), 'the current filter');
    t.ok(differ(...(await of('.side nav', 'outlineStyle'))), 'the current page in the sidebar');
    await page.goto(SURVEY);
    await page.getByRole('radio', { name: '9' }).check({ force: true });
    const label = (state: string) => styles(page, `.choices label${state}:not(.none)`, 'backgroundColor');
    t.ok(differ(await label(':has(:checked)'), await label(':not(:has(:checked))')), 'the chosen answer');
  }
});
