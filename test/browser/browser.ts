// A real Chromium and the real service for the browser tests (make test-browser). Server, worker and outbox run in this process.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { startAll } from '../../src/commands/service.ts';
import { type OutboxEmail, readOutbox } from '../../src/dev/outbox.ts';
import { createTestDatabase, silent, testConfig, until } from '../fixtures/setup.ts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PICTURES = new URL('../../.data/screenshots/', import.meta.url).pathname;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { width: 390, height: 844 };
/** The window of a laptop. */
const DESK = { width: 1280, height: 720 };
/** Cells of a table in which a text of more than one line has less than 64 pixels. */
const NARROW = `[...document.querySelectorAll('.rows :is(th, td):not(.menu)')].filter((cell) => {
  const { width, height } = cell.getBoundingClientRect();
  return cell.textContent.trim().length > 8 && width > 0 && width < 64 && height > 80;
}).map((cell) => cell.outerHTML.slice(0, 120))`;
/** Texts that are cut, neither in a link, nor with a title, nor in something that scrolls or is open to the keyboard. */
const CUT = `[...document.querySelectorAll('main *, header *')].filter((element) => {
  const { overflowX, overflowY, display } = getComputedStyle(element);
  const isCut = (overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1)
    || (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1);
  return isCut && display !== 'inline' && element.textContent.trim() !== '' && element.clientWidth > 1 && element.clientHeight > 1
    && element.closest('a[href], [title]') === null && element.querySelector('a[href], [title]') === null
    && element.closest('tr, svg')?.querySelector('a[href]') == null && element.closest('.hidden, svg') === null;
}).map((element) => element.outerHTML.slice(0, 160))`;
const TOO_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
/** Timeout in milliseconds. It allows for other work on the machine. */
const PATIENCE = 120_000;

/** Starts the service and the browser for a test file, and stops both at its end. */
export async function startBrowser(t: Test) {
  const database = await createTestDatabase(t);
  const config = testConfig({ DATA_DIR: t.testdir({}) });
  const all = await startAll(config, database.url, silent);
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS, timeout: PATIENCE });
  t.teardown(async () => {
    await browser.close();
    await all.stop();
  });
  const { url } = all.server;

  /** Waits for an email to an address. @param before How many emails the address already had. */
  const mailTo = (address: string, before = 0): Promise<OutboxEmail> =>
    until(`an email to ${address}`, () => readOutbox(config.DATA_DIR).filter(({ to }) => to === address)[before]);

  return {
    ...database,
    url,
    /** Commands use this address. */
    databaseUrl: database.url,
    mailTo,
    /** Opens a page with a new browser profile, and closes it with the test. A script error on the page fails the test. */
    async open(t: Test, options: BrowserContextOptions = {}): Promise<Page> {
      const context: BrowserContext = await browser.newContext({
        viewport: DESK,
        baseURL: url,
        timezoneId: 'Europe/Vienna',
        ...options,
      });
      t.teardown(() => context.close());
      context.setDefaultTimeout(PATIENCE);
      const page = await context.newPage();
      clickUntilLoaded(page);
      // The browser asks before it leaves unsaved changes. The answer is always yes.
      page.on('dialog', (dialog) => void dialog.accept());
      page.on('pageerror', (error) => t.fail(`script error: ${error.message}`));
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) t.fail(message.text());
      });
      return page;
    },
    /** Signs in as a person does: requests the link, opens it from the email, and presses the button. */
    async signIn(page: Page, address: string): Promise<void> {
      const before = readOutbox(config.DATA_DIR).filter(({ to }) => to === address).length;
      await page.goto('/sign-in');
      await page.getByLabel('Email address').fill(address);
      await page.getByRole('button', { name: 'Email me a link' }).click();
      const email = await mailTo(address, before);
      await page.goto(linkIn(email));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'));
    },
  };
}

let isPatched = false;
/**
 * Playwright's click ends as soon as the response has begun, but the page may arrive in parts. This makes click wait for the whole page.
 * After a key press, a test must wait for something on the page itself.
 */
function clickUntilLoaded(page: Page): void {
  if (isPatched) return;
  isPatched = true;
  const locators = Object.getPrototypeOf(page.locator('html')) as Locator;
  const { click } = locators;
  locators.click = async function (this: Locator, options) {
    await click.call(this, options);
    await this.page().waitForLoadState();
  };
}

export const linkIn = ({ text }: OutboxEmail): string => /^http\S+$/m.exec(text)?.[0] ?? '';

/** Checks the page in light, in dark and on a phone: axe finds nothing, and nothing is cut off. Saves screenshots in .data/screenshots. */
export async function inspect(t: Test, page: Page, name: string, wcagOnly = false): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const [look, colorScheme, viewport] of [
    ['light', 'light', DESK],
    ['dark', 'dark', DESK],
    ['phone', 'light', PHONE],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    // Chromium doesn't paint frames outside the window, so the window gets the page's height.
    if ((await page.locator('iframe').count()) > 0) {
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.setViewportSize({ ...viewport, height });
    }
    await page.screenshot({ path: `${PICTURES}${name}-${look}.png`, fullPage: true });
    t.same(await violations(page, wcagOnly), [], `axe finds nothing: ${name}, ${look}`);
    t.notOk(await page.evaluate(TOO_WIDE), `nothing is cut off: ${name}, ${look}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await isWhole(t, page, name, [320, 390, 640, 768, 1280, 1920]);
  await page.setViewportSize(DESK);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.screenshot({ path: `${PICTURES}${name}-forced.png` });
  await page.emulateMedia({ forcedColors: 'none' });
}

/** Checks that the page is whole at each width. 640 pixels are those of a laptop at 200 %. */
export async function isWhole(t: Test, page: Page, name: string, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ ...DESK, width });
    t.notOk(await page.evaluate(TOO_WIDE), `nothing is cut off: ${name}, ${width} pixels`);
    t.same(await page.evaluate(NARROW), [], `no column is under its minimum: ${name}, ${width} pixels`);
    t.same(await page.evaluate(CUT), [], `what is cut can be read: ${name}, ${width} pixels`);
  }
}

/** All classes on the page. */
export const classesOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[...new Set([...document.querySelectorAll('[class]')].flatMap(({ classList }) => [...classList]))]`);

/**
 * Checks a rejected form. Its error is visible, announced and in the page title. Either the error has the focus, or it describes the field
 * that has it.
 */
export async function refused(t: Test, page: Page, text: string | RegExp): Promise<void> {
  await until('the page is one with an error', async () => (await page.title()).startsWith('Error: '));
  const error = page.getByRole('alert');
  t.match(await error.innerText(), text);
  // The browser sets the focus and scrolls after it has loaded the page.
  await until('the error is in the window, and has the focus or describes what has it', () =>
    error.evaluate((error) => {
      const { top, bottom } = error.getBoundingClientRect();
      const active = error.ownerDocument.activeElement;
      const described =
        active?.matches('[aria-invalid="true"]') && active.getAttribute('aria-describedby')?.split(' ').includes(error.id);
      return top >= 0 && bottom <= error.ownerDocument.documentElement.clientHeight && (active === error || described);
    }),
  );
}

/** Opens a page of a section of the sidebar, or of the account menu, as a person does. @param name Undefined: its first page. */
export async function openPage(
  page: Page,
  section: 'Surveys' | 'Responses' | 'People' | 'Settings' | 'Account',
  name?: string,
): Promise<void> {
  if (section === 'Account') await page.locator('summary', { hasText: 'Account: ' }).click();
  else await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: section, exact: true }).click();
  if (name === undefined) return;
  const place = section === 'Account' ? page.locator('.account') : page.getByRole('navigation', { name: section });
  await place.getByRole('link', { name, exact: true }).click();
}

/** Opens the menu of actions. @param of The item that the menu belongs to. */
export const openMenu = (where: Page | Locator, of: string): Promise<void> =>
  where.locator('summary', { hasText: `Actions: ${of}` }).click();

/**
 * Returns what axe-core finds, as rule and elements, by its rules for A and AA of WCAG 2.0, 2.1 and 2.2 and its best practices. It uses
 * evaluate because the page's CSP blocks other scripts.
 * @param wcagOnly Leaves out the best practices, because an email has no landmarks and headings.
 */
export async function violations(page: Page, wcagOnly = false): Promise<string[]> {
  await page.evaluate(AXE);
  const only = wcagOnly ? "runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], " : '';
  return page.evaluate(`axe.run({ preload: false, ${only}rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}
