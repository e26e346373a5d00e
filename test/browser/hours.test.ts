// Opening hours, set in a browser: by keyboard, on a phone, with a mouse, and without JavaScript. The test's own server shows them on a
// page in the console's frame, keeps what was saved, and has the console's security policy.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { form } from '../../src/console/components.ts';
import { framePage } from '../../src/console/frame.ts';
import { closedDaysField } from '../../src/console/rules/closed-days-field.ts';
import { parseHours } from '../../src/console/rules/hours-form.ts';
import { hoursGrid } from '../../src/console/rules/hours-grid.ts';
import { ASSETS } from '../../src/html/assets.ts';
import { html } from '../../src/html/html.ts';
import { type Answer, page as answerPage, redirect } from '../../src/http/answer.ts';
import { readStorableForm } from '../../src/http/form.ts';
import { CONSOLE_HEADERS, headersOf } from '../../src/http/headers.ts';
import { inspect, refused, startBrowser } from './browser.ts';

const { open } = await startBrowser(t);

const workspace = {
  id: '01a1fbc3-862a-709e-ae6a-c599065a22dc',
  name: 'Fjord Outdoor',
  role: 'owner' as const,
  test: null,
  pause: null,
};
const context = {
  me: { email: 'ada@acme.example', workspaces: [workspace] },
  csrf: 'csrf',
  now: new Date(),
  flash: undefined,
} as unknown as Parameters<typeof framePage>[0];

function show(value: string | null, sent?: URLSearchParams, result?: ReturnType<typeof parseHours>): Answer {
  const errors = result !== undefined && 'errors' in result ? result.errors : undefined;
  const grid = hoursGrid({ label: 'Hours', hint: "In the recipient's time zone.", value, sent, errors });
  const main = html`<section class="card panel" aria-labelledby="when"><h2 id="when">When emails may leave</h2>
${form('csrf', html`${grid}${closedDaysField('2026-12-24..2026-12-26', undefined)}<p class="actions"><button type="submit">Save</button></p>`)}</section>
<p>Stored: <code>${value ?? 'nothing'}</code></p>`;
  const parts = { title: 'When emails leave', workspace, tab: 'settings' as const };
  return answerPage(errors ? 422 : 200, framePage(context, parts, main, errors !== undefined), CONSOLE_HEADERS);
}

/** Serves one page that stores hours, and opens it. */
async function openHours(t: Test, stored: string | null, options: BrowserContextOptions = {}) {
  let value = stored;
  let saved = 0;
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const asset = [...ASSETS.values()].find(({ path }) => path === request.url);
    if (asset !== undefined) return { status: 200, ...asset };
    if (request.method !== 'POST') return show(value);
    const sent = await readStorableForm(request, 65_536);
    const result = parseHours(sent);
    if ('errors' in result) return show(value, sent, result);
    value = result.value;
    saved += 1;
    return redirect(`/?saved=${saved}`);
  };
  const server = createServer(async (request, response) => {
    const answer = await answerTo(request);
    response.writeHead(answer.status, headersOf(answer, 'test')).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const page = await open(t, { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options });
  await page.goto('/');
  return {
    page,
    /** Saves, and returns what is then stored. */
    async save(press = () => page.getByRole('button', { name: 'Save' }).click()): Promise<string | null> {
      const next = saved + 1;
      await press();
      await page.waitForURL(`/?saved=${next}`);
      return value;
    },
  };
}

const day = (page: Page, name: string): Locator => page.getByRole('checkbox', { name });
const time = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });
const more = (page: Page, name: string): Locator => page.locator('summary', { hasText: name });
const fill = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();
/** What the page says without being saved. */
const shown = async (page: Page, name: string): Promise<string> =>
  `${await time(page, `${name} from`).inputValue()} to ${await time(page, `${name} to`).inputValue()}`;

const WORK = '{[480,1200),[1920,2640),[3360,4080),[4800,5520),[6240,6960)}';
const EVERY_DAY = '{[480,1200),[1920,2640),[3360,4080),[4800,5520),[6240,6960),[7680,8400),[9120,9840)}';
/** A lunch break, quarter hours, four ranges on Saturday, and a night. */
const ODD =
  '{[480,1200),[1920,2160),[2220,2640),[3375,4065),[4800,5760),[7200,7260),[7320,7380),[7440,7500),[7560,7575),[10065,10080)}';

t.test('by keyboard alone', async (t) => {
  const { page, save } = await openHours(t, ODD);
  /** Presses Tab until the element has the focus: a time has several parts, and each takes it. */
  const tabTo = async (to: Locator) => {
    const has = () => to.evaluate((element) => element === element.ownerDocument.activeElement);
    for (let count = 0; !(await has()); count += 1) {
      if (count > 200) throw new Error(`Tab never reaches ${to}`);
      await page.keyboard.press('Tab');
    }
  };
  await tabTo(page.getByRole('button', { name: 'Every day' }));
  await page.keyboard.press('Enter');
  t.equal(await shown(page, 'Thursday'), '08:00 to 20:00');
  t.match(await page.locator('[role="status"]').innerText(), 'Filled in: Every day 08:00–20:00');
  await tabTo(time(page, 'Monday from'));
  await page.keyboard.type('0930a');
  await tabTo(time(page, 'Monday to'));
  await page.keyboard.type('1130a');
  await tabTo(more(page, 'Monday'));
  await page.keyboard.press('Enter');
  await tabTo(time(page, 'Monday from (2)'));
  await page.keyboard.type('1145a');
  await tabTo(time(page, 'Monday to (2)'));
  await page.keyboard.type('1200a');
  await tabTo(day(page, 'Tuesday'));
  await page.keyboard.press('Space');
  t.equal(await time(page, 'Tuesday from').isVisible(), false, 'a closed day shows no times');
  await tabTo(day(page, 'Sunday'));
  await page.keyboard.press('Space');
  await tabTo(page.getByRole('button', { name: 'Save' }));
  const stored = await save(() => page.keyboard.press('Enter'));
  t.equal(stored, '{[570,690),[705,1440),[3360,4080),[4800,5520),[6240,6960),[7680,8400)}');
});

t.test('by touch, 320 pixels wide', async (t) => {
  const { page, save } = await openHours(t, null, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const fits = async (what: string) =>
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, `nothing is cut off: ${what}`);
  await fits('any time');
  await page.getByRole('button', { name: 'Mon–Fri' }).tap();
  await day(page, 'Saturday').tap();
  await time(page, 'Saturday from').fill('10:00');
  await time(page, 'Saturday to').fill('20:00');
  await more(page, 'Saturday').tap();
  await time(page, 'Saturday from (2)').fill('20:15');
  await time(page, 'Saturday to (2)').fill('00:00');
  await fits('two pairs of times');
  await page.locator('.track').first().tap();
  await page.locator('.track').last().tap();
  t.equal(await page.getByText('With a mouse').isVisible(), false);
  const stored = await save(() => page.getByRole('button', { name: 'Save' }).tap());
  t.equal(stored, WORK.replace('}', ',[7800,8400),[8415,8640)}'), 'a finger paints nothing');
});

t.test('without JavaScript', async (t) => {
  const { page, save } = await openHours(t, WORK, { javaScriptEnabled: false });
  t.equal(await page.getByRole('button', { name: 'Any time' }).count(), 0, 'what needs it is not there');
  t.equal(await page.getByText('With a mouse').isVisible(), false);
  await day(page, 'Monday').uncheck();
  t.equal(await time(page, 'Monday from').isVisible(), false);
  await day(page, 'Sunday').check();
  await more(page, 'Sunday').click();
  await time(page, 'Sunday from (2)').fill('21:10');
  await time(page, 'Sunday to (2)').fill('22:00');
  await more(page, 'Sunday').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await refused(t, page, 'Enter full quarter hours');
  t.equal(await time(page, 'Sunday to').inputValue(), '20:00', 'what was typed is still there');
  await time(page, 'Sunday from (2)').fill('21:15');
  t.equal(await save(), '{[1920,2640),[3360,4080),[4800,5520),[6240,6960),[9120,9840),[9915,9960)}');
  t.equal(await page.locator('.track').last().locator('rect').count(), 2, 'the server draws the picture');
});

const at = async (page: Page, [day, hour]: readonly [number, number]) => {
  const box = await page.locator('.track').nth(day).boundingBox();
  return box === null ? ([0, 0] as const) : ([box.x + ((hour + 0.5) / 24) * box.width, box.y + box.height / 2] as const);
};
/** Drags from one hour of the week to another, without letting go. */
async function drag(page: Page, from: readonly [day: number, hour: number], to: readonly [day: number, hour: number]) {
  // The script has begun: it sets the step.
  await page.locator('input[type=time][step="900"]').first().waitFor({ state: 'attached' });
  await page.mouse.move(...(await at(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, to)), { steps: 3 });
}

t.test('a mouse opens and closes hours on the picture', async (t) => {
  const { page, save } = await openHours(t, '{[615,690)}', { viewport: { width: 1280, height: 1100 } });
  await drag(page, [1, 8], [4, 19]);
  t.equal(await page.locator('.painting').innerText(), 'Open Tue–Fri 08:00–20:00', 'it says what it does');
  t.equal(await day(page, 'Tuesday').isChecked(), false, 'and does it when the button is released');
  await page.mouse.up();
  t.equal(await shown(page, 'Tuesday'), '08:00 to 20:00');
  await page.getByText('Not saved yet').waitFor();
  await drag(page, [4, 12], [2, 12]);
  t.equal(await page.locator('.painting').innerText(), 'Close Wed–Fri 12:00–13:00', 'it closes what was open');
  await page.mouse.up();
  t.equal(await time(page, 'Friday from (2)').inputValue(), '13:00');
  await drag(page, [0, 11], [0, 40]);
  await page.mouse.up();
  const painted = '{[615,1440),[1920,2640),[3360,3600),[3660,4080),[4800,5040),[5100,5520),[6240,6480),[6540,6960)}';
  t.equal(await save(), painted, 'quarter hours stay, and the edge of the picture is midnight');

  await drag(page, [0, 0], [6, 23]);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  t.equal(await save(), painted, 'Escape takes it back');
  for (const hour of [1, 3, 5, 7, 9]) {
    await drag(page, [6, hour], [6, hour]);
    await page.mouse.up();
  }
  t.equal(await time(page, 'Sunday to (5)').inputValue(), '10:00', 'a day may have any number of times');
  await drag(page, [1, 8], [1, 19]);
  await page.mouse.up();
  const five = ',[8700,8760),[8820,8880),[8940,9000),[9060,9120),[9180,9240)}';
  t.equal(await save(), painted.replace('[1920,2640),', '').replace('}', five));
});

t.test('presets, and Monday copied', async (t) => {
  const { page, save } = await openHours(t, ODD);
  await fill(page, 'Any time');
  t.equal(await save(), null);
  await fill(page, 'Every day');
  t.equal(await save(), EVERY_DAY);
  await fill(page, 'Mon–Fri');
  t.equal(await save(), WORK);
  await time(page, 'Monday to').fill('12:00');
  await more(page, 'Monday').click();
  await time(page, 'Monday from (2)').fill('13:00');
  await time(page, 'Monday to (2)').fill('17:45');
  await fill(page, 'Copy Monday');
  const copied = [0, 1, 2, 3, 4].flatMap((day) => [
    `[${day * 1440 + 480},${day * 1440 + 720})`,
    `[${day * 1440 + 780},${day * 1440 + 1065})`,
  ]);
  t.equal(await save(), `{${copied.join(',')}}`);
});

t.test('a refused form says where; an error goes when its day is changed', async (t) => {
  const { page, save } = await openHours(t, WORK);
  await time(page, 'Monday to').fill('07:00');
  await time(page, 'Wednesday from').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await refused(t, page, 'The end must be after the start.');
  await inspect(t, page, 'hours-refused');
  await time(page, 'Monday to').fill('09:00');
  t.equal(await page.getByRole('alert').count(), 0);
  t.equal(await page.getByText('Enter both a start and an end.').isVisible(), true, 'the other day still has its own');
  await time(page, 'Wednesday from').fill('10:00');
  t.equal(await page.locator('[aria-invalid]').count(), 0);
  t.equal(await save(), WORK.replace('1200', '540').replace('3360', '3480'));

  for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await day(page, name).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await refused(t, page, 'Check at least one day.');
  await fill(page, 'Any time');
  t.equal(await page.getByRole('alert').count(), 0);
  t.equal(await save(), null);
});

t.test('a time off the quarter hour stays in view, so that the browser can point to it', async (t) => {
  const { page } = await openHours(t, WORK);
  await more(page, 'Monday').click();
  await time(page, 'Monday from (2)').fill('21:10');
  await more(page, 'Monday').click();
  await page.locator('details[open]').waitFor();
  await day(page, 'Monday').uncheck();
  t.equal(await time(page, 'Monday from (2)').isVisible(), true);
});

t.test('the page', async (t) => {
  const { page } = await openHours(t, ODD);
  await inspect(t, page, 'hours');
  await fill(page, 'Any time');
  await inspect(t, page, 'hours-any-time');
});
