// The editor of questions: what is typed is never lost, whatever happens to the page, the server, or beside it by others; and the preview is what
// recipients get, pixel by pixel.
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { startProgram } from '../fixtures/program.ts';
import { until } from '../fixtures/setup.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, open, signIn, url, databaseUrl } = await startBrowser(t);

const LONG = `${'Wie zufrieden waren Sie mit Donaudampfschifffahrtsgesellschaftskapitänskajüten '.repeat(3)}und مرحبا 日本語?`;
const TITLE = `Your stay at ${'a very long name of a place '.repeat(8)}`.slice(0, 255);

async function createEdited(state = 'active') {
  const workspace = await store.upsertWorkspace({ name: 'Fjord Outdoor' });
  const people = ['ada', 'eve'].map((name) => `${name}@${workspace}.example`);
  for (const person of people) await store.upsertMember(workspace, person, 'editor');
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Your stay', state });
  return { workspace, survey, ada: people[0] ?? '', eve: people[1] ?? '', path: `/surveys/${survey}/questions` };
}

const draftOf = async (survey: string) => {
  const [row] = await sql`select questions from invite.question_drafts where survey_id = ${survey} and replaced_at is null`;
  return row?.questions as { label: string; removed?: true }[] | undefined;
};
const labelsOf = async (survey: string) => (await draftOf(survey))?.map(({ label }) => label);
const publishedOf = async (survey: string) => (await store.surveyPage(survey, undefined))?.questions.map(({ label }) => label);
const isKept = (page: Page) => page.getByText('Kept as a draft', { exact: true }).waitFor();
const preview = (page: Page) => page.frameLocator('.screen iframe >> nth=-1');

t.test('what is typed is kept and shown as one types; recipients see it once it is published', async (t) => {
  const { survey, ada, path } = await createEdited();
  const before = await publishedOf(survey);
  const page = await open(t);
  await signIn(page, ada);
  await page.goto(path);
  await page.locator('#label-0').press('End');
  await page.locator('#label-0').pressSequentially(' Really?');
  await isKept(page);
  await preview(page).getByText('recommend us? Really?').waitFor();
  await page.getByText('1 unpublished change').waitFor();
  t.same(await publishedOf(survey), before);
  await page.goto(`/surveys/${survey}/results`);
  await page.getByRole('link', { name: 'Questions (unpublished changes)' }).click();
  await page.getByText('1 unpublished change').click();
  await page.getByText('now reads How likely are you to recommend us? Really?').waitFor();
  await inspect(t, page, 'editor');

  const isQuiet = (role: 'button' | 'link', name: string) =>
    page
      .getByRole(role, { name, exact: true })
      .first()
      .evaluate((element) => (element as { className: string }).className.includes('quiet'));
  t.same([await isQuiet('button', 'Publish'), await isQuiet('link', 'Invite people')], [false, true], 'one button stands out');
  await page.getByRole('button', { name: 'Remove question 2' }).click();
  await page.getByRole('heading', { name: 'Removed: What is the main reason' }).waitFor();
  await page.locator('button:focus').getByText('Undo').waitFor();
  await preview(page).getByText('Really?').waitFor();
  t.equal(await preview(page).locator('textarea').count(), 0);
  await page.reload();
  await inspect(t, page, 'editor-removed');
  await page.getByRole('button', { name: 'Undo the removal of question 2' }).click();
  await page.locator('#label-1').waitFor();
  await page.getByText('1 unpublished change').click();
  await page.getByRole('link', { name: 'Discard the changes…' }).click();
  await inspect(t, page, 'editor-discard');
  await page.getByRole('link', { name: 'Keep them' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('heading', { name: 'Publish these questions?' }).waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Questions published.').waitFor();
  t.match(await publishedOf(survey), ['How likely are you to recommend us? Really?', 'What is the main reason for your score?']);
  t.equal(await draftOf(survey), undefined);
});

t.test('the preview shows the question that is being edited; the page and its focus stay', async (t) => {
  const { workspace, survey, ada, path } = await createEdited();
  const questions = Array.from({ length: 12 }, (_, index) => ({ id: `q${index}`, type: 'text', label: `Number ${index}, why?` }));
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
  const page = await open(t);
  await signIn(page, ada);
  await page.goto(path);
  const isShown = async (text: string) => {
    const part = await preview(page).getByText(text).boundingBox();
    const screen = await page.locator('.screen').boundingBox();
    return part !== null && screen !== null && part.y >= screen.y && part.y < screen.y + screen.height;
  };
  await until('the first is there', () => isShown('Number 0,'));
  t.notOk(await isShown('Number 11,'));
  await page.locator('#label-11').focus();
  await until('the frame shows the last', () => isShown('Number 11,'));
  t.notOk(await isShown('Number 0,'));
  await page.locator('#label-11').fill('Number 11, how?');
  await isKept(page);
  await preview(page).getByText('Number 11, how?').waitFor();
  await until('the new frame does, too', () => isShown('Number 11, how?'));
  await page.locator('#label-11:focus').waitFor();
});

t.test('fifty edits with reloads, a killed server and a second editor: nothing is lost', async (t) => {
  const { survey, ada, eve, path } = await createEdited('draft');
  const page = await open(t);
  const other = await open(t);
  for (const [editor, address] of [
    [page, ada],
    [other, eve],
  ] as const)
    await signIn(editor, address);
  const env = { DATABASE_URL: databaseUrl };
  let server = await startProgram<{ url: string }>(t, env, 'serve');
  const own = server.document.url;
  const { port } = new URL(own);
  await page.goto(`${own}${path}`);
  let typed = await page.locator('#label-1').inputValue();
  for (let edit = 1; edit <= 50; edit += 1) {
    const field = page.locator('#label-1');
    t.equal(await field.inputValue(), typed, `before edit ${edit}`);
    typed = `Edit ${edit}: why?`;
    const isDown = edit % 10 === 0;
    if (isDown) await server.kill();
    await field.fill(typed);
    if (isDown) {
      await page.getByText('Not kept yet: the server can’t be reached.').waitFor();
      typed = `Edit ${edit}: while the server is down?`;
      await field.fill(typed);
      server = await startProgram(t, { ...env, PORT: port }, 'serve');
      // Half of the times the page tries again by itself, and otherwise somebody reloads it.
      if (edit % 20 === 0) await isKept(page);
    }
    // At once, before anything was sent, or after it is kept.
    if (edit % 3 === 0) await isKept(page);
    if (edit % 2 === 0) {
      await page.reload();
      t.equal(await page.locator('#label-1').inputValue(), typed, `after edit ${edit} and a reload`);
    }
    t.ok(await page.locator('[data-conflict]').isHidden(), `no conflict with oneself: ${edit}`);
  }
  await isKept(page);
  t.equal((await labelsOf(survey))?.[1], typed);

  await other.goto(`${own}${path}`);
  t.equal(await other.locator('#label-1').inputValue(), typed, 'the second editor goes on from it');
  await other.locator('#label-1').fill('Of Eve');
  await isKept(other);
  await page.locator('#label-1').fill('Of Ada');
  await page.getByText(`${eve} has changed these questions since you opened them.`).waitFor();
  t.equal((await labelsOf(survey))?.[1], 'Of Eve');
  await page.reload();
  t.equal(await page.locator('#label-1').inputValue(), 'Of Ada', 'a reload keeps it, and asks again');
  await page.getByRole('alert').waitFor();
  await inspect(t, page, 'editor-conflict');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await until('it is kept', async () => (await labelsOf(survey))?.[1] === 'Of Ada');
  await page.getByText(`A draft of ${eve}`).waitFor();
  await inspect(t, page, 'editor-replaced');
  await page.getByRole('button', { name: /Put it back/ }).click();
  await until('it is back', async () => (await labelsOf(survey))?.[1] === 'Of Eve');
  await page.getByText(`A draft of ${ada}`).waitFor();
});

t.test('a button that is pressed while a draft is on its way does what it says, once', async (t) => {
  const { ada, path } = await createEdited();
  const page = await open(t);
  await signIn(page, ada);
  await page.goto(path);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/questions', async (route) => {
    if (route.request().postData()?.includes('action=autosave')) await released;
    await route.continue();
  });
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.locator('#label-0').fill('Typed');
  await sent;
  const add = page.getByRole('button', { name: 'Text', exact: true });
  await add.click();
  await add.click();
  release();
  await page.locator('#label-2').waitFor();
  t.equal(await page.locator('#label-0').inputValue(), 'Typed');
  t.equal(await page.locator('#label-3').count(), 0);
});

t.test('without scripts a button keeps what was typed, and the second editor is told', async (t) => {
  const { survey, ada, eve, path } = await createEdited();
  const [page, other] = [await open(t, { javaScriptEnabled: false }), await open(t, { javaScriptEnabled: false })];
  await signIn(page, ada);
  await signIn(other, eve);
  for (const editor of [page, other]) await editor.goto(path);
  await page.locator('#label-1').fill('Of Ada');
  await page.getByRole('button', { name: 'Keep as a draft' }).last().click();
  t.equal((await labelsOf(survey))?.[1], 'Of Ada');
  await page.reload();
  t.equal(await page.locator('#label-1').inputValue(), 'Of Ada');
  await preview(page).getByText('Of Ada').waitFor();
  await other.locator('#label-1').fill('Of Eve');
  await other.getByRole('button', { name: 'Publish' }).click();
  await other.getByRole('alert').getByText(`${ada} has changed these questions`).waitFor();
  t.equal(await other.locator('#label-1').inputValue(), 'Of Eve', 'the form has what was typed');
  await other.getByRole('button', { name: 'Keep mine' }).click();
  t.equal((await labelsOf(survey))?.[1], 'Of Eve');
  await other.getByText('Thank-you page').click();
  await other.getByText('Dark').click();
  await other.getByRole('button', { name: 'Show' }).click();
  await preview(other).getByText('Thank you').waitFor();
  await other.getByText('Desktop').click();
  const frame = await other.locator('.screen iframe').evaluate('document.querySelector(".screen iframe").offsetWidth');
  t.equal(frame, 1280);
});

/** The picture of the frame alone, as wide as it is itself. */
async function frameOf(page: Page, width: number): Promise<Buffer> {
  await page.setViewportSize({ width: width === 390 ? 1280 : 3200, height: 1400 });
  await page.getByLabel(width === 390 ? 'Phone' : 'Desktop').check();
  await until('the frame has its width', () =>
    page
      .locator('.screen iframe')
      .last()
      .evaluate(`document.querySelector('.screen iframe').getBoundingClientRect().width === ${width}`),
  );
  const { x = 0, y = 0, height = 0 } = (await page.locator('.screen iframe').last().boundingBox()) ?? {};
  // The browser puts a frame at a whole pixel.
  return page.screenshot({ clip: { x: Math.round(x), y: Math.round(y), width, height } });
}

/** Whether two pictures are the same, pixel by pixel. */
async function isSame(page: Page, one: Buffer, two: Buffer): Promise<string> {
  const [a, b] = [one, two].map((picture) => `data:image/png;base64,${picture.toString('base64')}`);
  return page.evaluate<string>(`(async () => {
    const pixels = async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d').drawImage(image, 0, 0);
      return [image.width, image.height, canvas.getContext('2d').getImageData(0, 0, image.width, image.height).data];
    };
    const [[w, h, a], [x, y, b]] = await Promise.all([pixels('${a}'), pixels('${b}')]);
    if (w !== x || h !== y) return [w, h, x, y].join(' ');
    let different = 0;
    for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) different += 1;
    return different === 0 ? 'the same' : different + ' pixels are different';
  })()`);
}

t.test(
  'the frame is the page that recipients get, pixel by pixel, on a phone and on a desktop, light and dark',
  async (t: Test) => {
    const { workspace, survey, ada, path } = await createEdited();
    await store.setWorkspaceSender(workspace, { accent_color: '#8a1c7c' });
    await store.upsertSurvey({ workspaceId: workspace, id: survey, title: TITLE });
    await store.setSurveyTranslation(survey, 'ar', { title: 'إقامتك' });
    const page = await open(t);
    await signIn(page, ada);
    await page.goto(path);
    await page.locator('#label-0').fill(LONG);
    await isKept(page);
    await page.getByRole('button', { name: 'Choice', exact: true }).click();
    await page.locator('#label-2').fill('What was best?');
    await page.getByLabel('Choices').fill('The view\nThe food\nThe people');
    await isKept(page);
    const pictures: [width: number, scheme: 'light' | 'dark', view: string, picture: Buffer][] = [];
    for (const scheme of ['light', 'dark'] as const)
      for (const [view, text] of [
        ['Questions', 'The people'],
        ['Thank-you page', 'Thank you'],
      ] as const) {
        await page.getByLabel(scheme === 'light' ? 'Light' : 'Dark').check();
        await page.getByLabel(view, { exact: true }).check();
        await until('the new frame has replaced the old one', async () => (await page.locator('.screen iframe').count()) === 1);
        await preview(page).getByText(text).waitFor();
        await preview(page).locator(`html[data-scheme=${scheme}]`).waitFor();
        await preview(page).locator('html').evaluate('scrollTo(0, 0)');
        for (const width of [390, 1280]) pictures.push([width, scheme, view, await frameOf(page, width)]);
      }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Questions published.').waitFor();

    const blank = await (await open(t)).context().newPage();
    for (const [width, colorScheme, view, picture] of pictures) {
      const height = picture.readUInt32BE(20);
      const guest = await open(t, { viewport: { width, height }, colorScheme });
      await guest.goto(`${url}/s/${survey}${view === 'Thank-you page' ? '/thanks' : ''}`);
      t.equal(await isSame(blank, picture, await guest.screenshot()), 'the same', `${view}, ${width}, ${colorScheme}`);
    }
    t.not(await isSame(blank, pictures[0]?.[3] as Buffer, pictures[2]?.[3] as Buffer), 'the same', 'pictures that differ');
  },
);

t.test('the frame is as strict as the page of recipients, and nothing can be submitted in it', async (t) => {
  const { survey, ada, path } = await createEdited();
  const page = await open(t);
  await signIn(page, ada);
  const shown = await page.goto(`/surveys/${survey}/page`);
  const own = await (await open(t)).goto(`/s/${survey}`);
  const policy = (response: typeof shown) => response?.headers()['content-security-policy'] ?? '';
  t.equal(
    policy(shown).replace("form-action 'none'", "form-action 'self'").replace("frame-ancestors 'self'", "frame-ancestors 'none'"),
    policy(own),
  );
  await page.goto(path);
  await page.removeAllListeners('console');
  await preview(page).locator('.choices label').first().click();
  await preview(page).getByRole('button', { name: 'Submit' }).click();
  await page.reload();
  const [row] = await sql`select count(*)::integer as responses from invite.responses where survey_id = ${survey}`;
  t.equal(row?.responses, 0);
});
