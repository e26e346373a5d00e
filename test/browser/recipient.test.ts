// The recipients' pages in a browser: the survey in all its states, with mouse and with keyboard, and unsubscribing and subscribing again.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { createBatch, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, url, open, mailTo, connectAsAdmin } = await startBrowser(t);
const admin = connectAsAdmin();
await admin`set session_replication_role = replica`;
const QUESTIONS = [
  {
    id: 'score',
    type: 'score',
    label: 'How likely are you to recommend us to a friend or colleague?',
    required: true,
    min_label: 'Not at all likely',
    max_label: 'Extremely likely',
  },
  { id: 'speed', type: 'score', label: 'How quick was the delivery?', min: 1, max: 5, required: true },
  {
    id: 'where',
    type: 'choice',
    label: 'Where did you hear of us?',
    choices: ['From a friend', 'In a shop', 'On the web'],
    required: true,
  },
  { id: 'why', type: 'text', label: 'What is the main reason for your score?', required: true },
  { id: 'more', type: 'text', label: 'Anything else?' },
];

/** Creates a survey with these questions. Returns the link token of an invitation to it. */
async function setup() {
  const { survey, workspace, batch } = await createBatch(store, { metadata: { order: 'order-4711' } });
  await store.upsertWorkspace({ id: workspace, name: 'Acme Outdoor' });
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'How was your order?', questions: QUESTIONS });
  const [row] = await sql`select id, link_token from test.invitations where batch_id = ${batch}`;
  const token = row?.link_token as string;
  const answers = async () => (await sql`select answers from invite.responses where survey_id = ${survey}`)[0]?.answers;
  return {
    survey,
    workspace,
    token,
    unsubscribing: unsubscribeToken(token),
    link: `/s/${survey}?invitation=${token}`,
    answers,
  };
}

t.test('a recipient is told what is missing, mends it without losing what was typed, and is thanked', async (t) => {
  const { link, answers } = await setup();
  const page = await open(t);
  await page.goto(link);
  t.equal(await page.title(), 'How was your order? · Acme Outdoor');
  await inspect(t, page, 'survey');
  await page.getByRole('radio', { name: '9' }).check({ force: true });
  await page.getByLabel('Anything else?').fill('Keep it up');
  await page.getByRole('button', { name: 'Submit' }).click();

  const alert = page.getByRole('alert');
  await alert.waitFor();
  t.equal(await page.title(), 'Error: How was your order? · Acme Outdoor');
  await page.locator('.summary:focus').waitFor();
  t.equal(await alert.getByRole('link').count(), 3);
  t.ok(await page.getByRole('radio', { name: '9' }).isChecked(), 'what was chosen is kept');
  t.equal(await page.getByLabel('Anything else?').inputValue(), 'Keep it up', 'and what was typed');
  await inspect(t, page, 'survey-errors');

  await alert.getByRole('link', { name: 'Where did you hear of us?' }).click();
  await page.locator('[name="answer.where"]:focus').waitFor();
  await page.getByLabel('In a shop').check();
  await page.getByRole('radiogroup', { name: 'How quick' }).getByRole('radio', { name: '4' }).check({ force: true });
  await page.getByLabel('What is the main reason for your score?').fill('Fast, friendly,\nand <b>cheap</b>.');
  await inspect(t, page, 'survey-filled');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  t.notMatch(page.url(), 'invitation', 'the link is not in the address any more');
  await inspect(t, page, 'survey-thanks');
  t.strictSame(await answers(), {
    score: 9,
    speed: 4,
    where: 'In a shop',
    why: 'Fast, friendly,\r\nand <b>cheap</b>.',
    more: 'Keep it up',
  });

  await page.goto(link);
  await page.getByRole('heading', { name: 'You’ve already responded' }).waitFor();
  await inspect(t, page, 'survey-answered');
});

t.test('the survey is answered by keyboard alone', async (t) => {
  const { link, answers } = await setup();
  const page = await open(t);
  await page.goto(link);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('Tab', 'Space', 'ArrowRight', 'ArrowRight', 'Tab', 'ArrowRight', 'Tab', 'Space', 'ArrowDown', 'Tab');
  await page.keyboard.type('Why not');
  await press('Tab', 'Tab', 'Enter');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  t.strictSame(await answers(), { score: 2, speed: 2, where: 'In a shop', why: 'Why not' });
});

t.test('an optional choice is taken back', async (t) => {
  const { survey, link, answers } = await setup();
  const questions = [
    { id: 'score', type: 'score', label: 'How likely?' },
    { id: 'where', type: 'choice', label: 'Where?', choices: ['Shop', 'Web'] },
    { id: 'must', type: 'choice', label: 'Sure?', choices: ['Yes', 'No'], required: true },
  ];
  await sql`update invite.surveys set questions = ${sql.json(questions)} where id = ${survey}`;
  const page = await open(t, { javaScriptEnabled: false });
  await page.goto(link);
  const group = (name: string) => page.getByRole('radiogroup', { name });
  await group('How likely?').getByRole('radio', { name: '9' }).check({ force: true });
  await group('Where?').getByLabel('Web').check();
  await group('How likely?').getByRole('radio', { name: 'No answer' }).check({ force: true });
  await group('Where?').getByLabel('No answer').check();
  t.equal(await group('Sure?').getByLabel('No answer').count(), 0, 'a required one has an answer');
  await group('Sure?').getByLabel('Yes').check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  t.strictSame(await answers(), { must: 'Yes' });
});

t.test('what was typed survives a reload of the page, for this link alone, until it is submitted', async (t) => {
  const { survey, link } = await setup();
  const page = await open(t);
  const why = page.getByLabel('What is the main reason for your score?');
  const score = page.getByRole('radio', { name: '9' });
  await page.goto(link);
  await score.check({ force: true });
  await why.fill('Fast,\nand <b>cheap</b>');
  await page.reload();
  t.ok(await score.isChecked());
  t.equal(await why.inputValue(), 'Fast,\nand <b>cheap</b>');

  await page.goto(`/s/${survey}`);
  t.equal(await why.inputValue(), '', 'who has no link sees nothing of it');

  await page.goto(link);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('alert').waitFor();
  await page.goto(link);
  t.ok(await score.isChecked(), 'answers that were refused are kept as well');
  await page.getByRole('radiogroup', { name: 'How quick' }).getByRole('radio', { name: '4' }).check({ force: true });
  await page.getByLabel('In a shop').check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  await until('nothing is left in the browser', async () => (await page.evaluate('sessionStorage.length')) === 0);
});

t.test('what can be touched is big enough for a finger', async (t) => {
  const { link } = await setup();
  const page = await open(t);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(link);
  const small = await page.evaluate(`[...document.querySelectorAll('.choices label, button')]
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => width < 44 || height < 44).length`);
  t.equal(small, 0);
  t.notOk(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'));
});

t.test('a survey that cannot be answered says why: not open yet, closed, an unknown link, no survey', async (t) => {
  const { survey, link } = await setup();
  const page = await open(t);
  for (const [state, path, heading, name] of [
    ['draft', link, 'Not open yet', 'survey-draft'],
    ['closed', link, 'Closed', 'survey-closed'],
    ['active', `/s/${survey}?invitation=unknown`, 'This link isn’t valid', 'survey-unknown-link'],
    ['active', '/s/no-such-survey', 'Page not found', 'survey-unknown'],
  ] as const) {
    await store.setSurveyState(survey, state);
    await page.goto(path);
    await page.getByRole('heading', { name: heading }).waitFor();
    t.match(await page.title(), heading);
    t.notMatch(await page.content(), /order-4711|ada@example/);
    await inspect(t, page, name);
  }
});

t.test('who has the form open when the survey ends is told so', async (t) => {
  for (const [end, heading, text, name] of [
    ['link', 'This link has expired', 'can no longer be used', 'survey-link-expired'],
    ['limit', 'Closed', 'has received enough responses', 'survey-enough'],
    ['date', 'Closed', 'is closed', 'survey-past-date'],
  ] as const) {
    const { survey, workspace, link, answers } = await setup();
    await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: [{ id: 'why', type: 'text', label: 'Why?' }] });
    await store.setSurveyEnds(survey, { responseLimit: 1, linkDays: 1 });
    const page = await open(t);
    await page.goto(link);
    await page.getByLabel('Why?').fill('So');
    if (end === 'limit') await store.submitResponse(survey, { why: 'First' }, undefined);
    if (end === 'date') await admin`update invite.surveys set closes_at = now() - interval '1 second' where id = ${survey}`;
    if (end === 'link')
      await until('the email was sent', async () => {
        const moved = await sql`
          update invite.messages set sent_at = now() - interval '25 hours' where survey_id = ${survey} and status = 'sent' returning 1`;
        return moved.length > 0;
      });
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    t.match(await page.locator('main').innerText(), text);
    await inspect(t, page, name);
    await page.goto(link);
    await page.getByRole('heading', { name: heading }).waitFor();
    t.same(await answers(), end === 'limit' ? { why: 'First' } : undefined);
  }
});

t.test('a recipient unsubscribes, and takes it back', async (t) => {
  const { unsubscribing } = await setup();
  const page = await open(t);
  await page.goto(`/u/${unsubscribing}`);
  await inspect(t, page, 'unsubscribe');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
  await inspect(t, page, 'unsubscribed');
  await page.getByRole('button', { name: 'Resubscribe' }).click();
  await page.getByRole('heading', { name: 'You’re subscribed again' }).waitFor();
  await inspect(t, page, 'subscribed-again');
  await page.reload();
  t.match(await store.unsubscribePage(unsubscribing), { unsubscribed: false });
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
});

t.test('a recipient chooses fewer emails by keyboard, without a script, on a narrow phone, and takes it back', async (t) => {
  const { unsubscribing, survey, workspace } = await setup();
  const title = `Pneumono${'ultramicroscopic'.repeat(14)}: ${'a'.repeat(21)}`;
  t.equal(title.length, 255);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title });
  const page = await open(t, { javaScriptEnabled: false });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/u/${unsubscribing}`);
  const pressed = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your choice has been saved' }).waitFor();
  };
  const choices = async () => (await store.unsubscribePage(unsubscribing))?.choices;
  await pressed('At most once a month');
  await page.getByText('Acme Outdoor will invite ada@example.com to a survey at most once a month.').waitFor();
  t.strictSame(await choices(), ['once_a_month']);
  await pressed('Not about this survey');
  await page.getByText(`any more emails about “${title}”.`).waitFor();
  t.strictSame(await choices(), ['once_a_month', 'not_this_survey']);
  await pressed('Remove this limit');
  t.strictSame(await choices(), ['not_this_survey']);
  await pressed('Receive emails about this survey again');
  t.strictSame(await choices(), []);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
});

t.test('the choices are shown with the longest title, and are big enough for a finger', async (t) => {
  const { unsubscribing, survey, workspace } = await setup();
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: `${'Longest'.repeat(36)}abc` });
  const page = await open(t);
  for (const [choice, name] of [
    [undefined, 'choices'],
    ['not_this_survey', 'choices-survey'],
    ['once_a_month', 'choices-both'],
  ] as const) {
    if (choice !== undefined) await store.choose(unsubscribing, choice);
    await page.goto(`/u/${unsubscribing}${choice === undefined ? '' : '?done=saved'}`);
    await inspect(t, page, name);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      const boxes = await page.evaluate<{ height: number; top: number; bottom: number }[]>(
        `[...document.querySelectorAll('button')].map((one) => one.getBoundingClientRect().toJSON())`,
      );
      t.ok(
        boxes.every(({ height, top }, index) => height >= 44 && top - (boxes[index - 1]?.bottom ?? 0) >= 8),
        `${name} at ${width}`,
      );
    }
  }
});

t.test('after a complaint there is no way back on the page, and of an erased address nothing at all', async (t) => {
  const { unsubscribing, workspace } = await setup();
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'ada@example.com', 'complaint')`;
  const page = await open(t);
  await page.goto(`/u/${unsubscribing}`);
  t.equal(await page.getByRole('button').count(), 0);
  await inspect(t, page, 'unsubscribed-for-good');
  await store.eraseEmail(workspace, 'ada@example.com', false);
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing to unsubscribe' }).waitFor();
  t.notMatch(await page.content(), 'ada@example');
  await inspect(t, page, 'unsubscribe-erased');
});

t.test('the mail can be read in light, dark and on a phone, and its button leads to the survey', async (t) => {
  const { survey } = await setup();
  const page = await open(t);
  const message =
    'Hello {{recipient_name}},\n\n{{workspace_name}} would like your opinion: {{survey_title}}\n\n{{survey_link}}\n\nThe address once more: {{survey_link}} Thank you!';
  await createToken(store, survey, { defaultMessage: message }).then(({ hash }) =>
    acceptTrigger(store, hash, { recipients: [{ email: 'look@example.com', name: 'Ada Lovelace' }] }, 10_000),
  );
  const mail = await mailTo('look@example.com');
  for (const [look, colorScheme, width] of [
    ['light', 'light', 800],
    ['dark', 'dark', 800],
    ['phone', 'light', 320],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 700 });
    await page.setContent(mail.html);
    await page.screenshot({ path: `.data/screenshots/mail-${look}.png`, fullPage: true });
    t.notOk(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'), look);
  }
  await page.getByRole('link', { name: 'Take the survey' }).click();
  await page.getByRole('heading', { name: 'How was your order?' }).waitFor();
});

t.test('a fault of ours says so, with the number of the request and nothing of the inside', async (t) => {
  const { link } = await setup();
  await sql`alter function invite.survey_page(text, text, integer, text, timestamptz, text[]) rename to survey_page_away`;
  t.teardown(
    () => sql`alter function invite.survey_page_away(text, text, integer, text, timestamptz, text[]) rename to survey_page`,
  );
  const page = await open(t);
  t.equal((await page.goto(url + link))?.status(), 503);
  await inspect(t, page, 'not-available');
});
