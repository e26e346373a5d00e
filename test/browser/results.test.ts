// The Results tab in a browser: without responses, charts, filter, pages, the CSV, and what a viewer can and can't see.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { createBatch, createSurvey } from '../fixtures/setup.ts';
import { inspect, openPage, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const PEOPLE = 60;
const { workspace, survey } = await createBatch(store, {
  recipients: Array.from({ length: PEOPLE }, (_, n) => ({
    email: `person${n}@example.com`,
    name: n % 3 ? `Person ${n}` : undefined,
  })),
  sendInSeconds: 3600,
});
await store.upsertMember(workspace, 'ada@example.com', 'owner');
await store.upsertMember(workspace, 'vic@example.com', 'viewer');
const QUESTIONS = [
  { id: 'score', type: 'score', label: 'How likely are you to recommend us?', min: 0, max: 10, nps: true, required: true },
  { id: 'plan', type: 'choice', label: 'Which plan do you use?', choices: ['Free', 'Team', 'Enterprise'] },
  { id: 'comment', type: 'text', label: 'What is the main reason for your score?' },
];

/** Sends the invitations over 24 days. Records 52 responses to them, and 10 more without an invitation. */
async function fill() {
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)} where id = ${survey}`;
  await sql`
    update invite.messages
    set status = 'sent', not_before = null, sweep_at = null, sent_at = now() - interval '25 days' + (invitation_id % 24) * interval '1 day'
    where survey_id = ${survey}`;
  await sql`
    insert into invite.responses (survey_id, questions_version, invitation_id, answers, metadata, submitted_at)
    select i.survey_id, (select s.questions_version from invite.surveys as s where s.id = i.survey_id), i.id,
      jsonb_build_object('score', 10 - (i.id * i.id) % 7 % 5, 'plan', (array['Free', 'Team', 'Enterprise'])[1 + i.id % 5 % 3],
        'comment', case when i.id % 2 = 0 then 'Quick and friendly, and the answer was right.' else '=HYPERLINK("http://evil.example","Look")' end),
      jsonb_build_object('order_id', 'A-' || 1000 + i.id, 'plan', case when i.id % 4 = 0 then 'enterprise' else 'team' end, 'seats', i.id,
        'basket', '{"items": [{"sku": "B-17", "count": 2}, {"sku": "C-4", "count": 1}], "coupon": "SPRING"}'::jsonb)
        || case when i.id % 10 = 0 then jsonb_build_object('region', 'eu', 'channel', 'mail', 'agent', 'Zoë', 'trial', true) else '{}' end,
      i.sent_at + (i.id % 60) * interval '1 hour'
    from test.invitations as i where i.survey_id = ${survey} order by i.id limit 52`;
  await sql`update invite.invitations set responded_at = now() where id in (select invitation_id from invite.responses)`;
  await sql`
    insert into invite.responses (survey_id, answers, submitted_at)
    select ${survey}, jsonb_build_object('score', n % 11), now() - n * interval '2 days' from generate_series(10, 1, -1) as n`;
  await sql`select invite.recount_results(${survey})`;
}

t.test('a survey without responses says what to do next, to an editor and to a viewer', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/results`);
  await page.getByText('No invitations have been sent yet.').waitFor();
  await inspect(t, page, 'results-empty');
  t.equal(await page.getByRole('link', { name: 'Download CSV' }).count(), 0);
  await page.locator('.empty').getByRole('link', { name: 'Invite people from a list' }).waitFor();
  await page.locator('.empty').getByRole('link', { name: 'let your own system invite them' }).click();
  await page.waitForURL('**/api-trigger');

  const viewer = await open(t);
  await signIn(viewer, 'vic@example.com');
  await viewer.goto(`/surveys/${survey}/results`);
  await viewer.getByText('Responses appear here as they come in.').waitFor();
  await fill();
});

t.test('an owner sees numbers, charts and responses, opens older ones, and comes back', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/results`);
  t.match(
    await page.locator('.figures').innerText(),
    /Responses\s+62\s+52 by invitation, 10 direct\s+Response rate\s+\d\d%\s+\d\d of 5\d invitations that were sent at least three days ago\s+\d sent since, in neither number[\s\S]*Comments[\s\S]*52/,
  );
  t.match(await page.locator('.hero dl').innerText(), /NPS[\s\S]*[+−]?\d+\s+±\d+\s+62 scores/);
  await page.getByRole('group', { name: 'NPS over time' }).waitFor();
  await page.getByRole('group', { name: 'How likely are you to recommend us?' }).waitFor();
  const row = page.getByRole('table', { name: 'Responses, newest first' }).locator('tbody tr').first();
  t.equal(await row.getByRole('link').count(), 1);
  await row.locator('td').first().click({ force: true });
  await page.waitForURL('**/responses/*');
  await page.goBack();
  await page.getByRole('group', { name: 'Responses by day' }).waitFor();
  t.match(await page.getByRole('table', { name: 'Which plan do you use?' }).innerText(), /Enterprise/);
  await page.getByText('Show as table: Responses by day').click();
  t.match(await page.locator('.numbers[open]').innerText(), /by invitation\s+direct/);
  await page.getByText('Show as table: Responses by day').click();
  const rows = page.getByRole('table', { name: 'Responses, newest first' }).locator('tbody tr');
  t.equal(await rows.count(), 50);
  await page
    .getByText(/person\d+@example\.com/)
    .first()
    .waitFor();
  await inspect(t, page, 'results');
  await page.getByRole('link', { name: 'Older responses' }).click();
  await page.getByRole('link', { name: 'Newest responses' }).waitFor();
  t.equal(await rows.count(), 12);
  await inspect(t, page, 'results-older');
  await page.getByRole('link', { name: 'Newest responses' }).click();
  await page.locator('.figures').waitFor();
});

/** The figures that leave a part of their row empty. */
const HOLES = `[...document.querySelectorAll('.figures > div')].filter((figure) => {
  const edge = (element) => element.getBoundingClientRect().right;
  const isLast = figure.nextElementSibling === null || figure.nextElementSibling.offsetTop > figure.offsetTop;
  return isLast && Math.abs(edge(figure) - edge(figure.parentElement)) > 2;
}).length`;

t.test('on a phone, without scripts: the NPS comes first, nothing is far below, and a button opens the filters', async (t) => {
  const page = await open(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, javaScriptEnabled: false });
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/results`);
  const nps = await page.locator('.hero dd strong').boundingBox();
  t.ok(nps && nps.y + nps.height <= 200, `the NPS within the first 200 pixels: ${JSON.stringify(nps)}`);
  const height = (await page.locator('html').boundingBox())?.height ?? 0;
  t.ok(height > 844 && height <= 5000, `a page of ${height} pixels`);
  const figures = await page.locator('.figures > div').evaluateAll((all) => all.map(({ offsetTop }) => offsetTop));
  t.equal(await page.evaluate(HOLES), 0, `no empty cell among ${figures.length} figures`);
  t.notOk(await page.getByLabel('Period', { exact: true }).isVisible());
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Add a filter').selectOption({ label: 'plan: enterprise' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Remove filter plan: enterprise' }).waitFor();
  await page.goto(`/surveys/${survey}/results?value=enterprise`);
  t.ok(await page.getByLabel('Value').isVisible(), 'a refused filter stays open');
});

t.test('a filter that is offered, and a typed one, narrow responses, charts and the CSV, and are taken back', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/results`);
  await page.getByLabel('Add a filter').selectOption({ label: 'plan: enterprise' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Remove filter plan: enterprise' }).waitFor();
  t.match(await page.locator('.figures').innerText(), /Responses\s+13/);
  await inspect(t, page, 'results-filtered');
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const file = await waiting;
  t.match(file.suggestedFilename(), /^results-customer-survey-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await file.path(), 'utf8');
  t.equal(text.trimEnd().split('\r\n').length, 1 + 13);
  t.match(text, '"metadata: order_id"');
  t.notMatch(text, /(^|,)"?=/m, 'no cell begins with =');

  await page.getByText('Other metadata').click();
  await page.getByLabel('Metadata key').fill('channel');
  await page.getByLabel('Value').fill('Mail');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No responses match' }).waitFor();
  await inspect(t, page, 'results-not-found');
  await page.getByRole('link', { name: 'Remove filter channel: Mail' }).click();
  await page.waitForURL('**/results?filter=plan%3Denterprise');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.waitForURL('**/results');
  await page.getByText('Other metadata').click();
  await page.getByLabel('Value').fill('enterprise');
  await page.keyboard.press('Enter');
  await refused(t, page, 'Enter the metadata key');
  t.equal(await page.getByLabel('Value').inputValue(), 'enterprise');
  await inspect(t, page, 'results-without-key');
});

t.test("a period has the browser's days and the period before beside it; custom dates work too", async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/results`);
  await page.getByText('Days are in Europe/Vienna.').waitFor();
  t.notOk(await page.getByLabel('From', { exact: true }).isVisible());
  await page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/, compared with \d+ \w+/).waitFor();
  t.match(await page.locator('.figures').innerText(), /(up|down|same as before)/);
  await inspect(t, page, 'results-period');
  const all = Number(/Responses\s+(\d+)/.exec(await page.locator('.figures').innerText())?.[1]);
  t.ok(all > 0 && all < 62);
  await page.getByLabel('Period', { exact: true }).selectOption('Custom dates');
  const today = new Date();
  const day = (ago: number) => new Date(today.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('From', { exact: true }).fill(day(100));
  await page.getByLabel('To', { exact: true }).fill(day(-2));
  await page.getByRole('button', { name: 'Apply' }).click();
  const shown = (day: string) =>
    `${Number(day.slice(8))} ${new Date(day).toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' })}`;
  await page
    .locator('.note')
    .getByText(new RegExp(`^${shown(day(100))}( \\d{4})? to ${shown(day(-2))} ${day(-2).slice(0, 4)}`))
    .waitFor();
  t.match(await page.locator('.figures').innerText(), /Responses\s+62/);
  await inspect(t, page, 'results-custom');
});

t.test('a bar, a choice and the comments lead to the responses behind them; metadata get columns', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/surveys/${survey}/results`);
  const rows = page.getByRole('table', { name: 'Responses, newest first' }).locator('tbody tr');
  const bar = page.getByRole('group', { name: 'How likely are you to recommend us?' }).getByRole('link').last();
  const number = Number((await bar.getAttribute('aria-label'))?.split(': ')[1]);
  await bar.click();
  await page.waitForURL(/answer=10/);
  t.equal(await rows.count(), number);
  t.strictSame([...new Set((await rows.locator('.chip').allInnerTexts()).map((text) => text.split(/\s+/).at(-1)))], ['10']);
  await page.getByRole('link', { name: /^Remove filter How likely/ }).click();
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.waitForURL(/question=plan&answer=Team/);
  t.match(await page.locator('.figures').innerText(), new RegExp(`Responses\\s+${await rows.count()}\\s`));
  await page.getByRole('link', { name: 'With comment' }).click();
  await page.waitForURL(/question=comment/);
  t.equal(await rows.count(), 50);
  await page.getByText('Quick and friendly').first().waitFor();
  await page.getByText('Columns', { exact: true }).click();
  await page.getByLabel('order_id').check();
  await page.getByLabel('seats').check();
  await page.getByRole('button', { name: 'Show columns' }).click();
  await page.getByRole('columnheader', { name: 'order_id' }).waitFor();
  t.match(await rows.first().innerText(), /A-10\d\d/);
  await inspect(t, page, 'results-columns');
});

t.test('which country is worst, and is that noise? In three clicks from Home', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await store.upsertMember(workspace, 'ida@example.com', 'owner');
  await sql`update invite.surveys set questions = ${sql.json(QUESTIONS)} where id = ${survey}`;
  // Denmark is worse than chance explains. Italy's three responses are worse still, and say nothing.
  await sql`
    insert into invite.responses (survey_id, answers, metadata, submitted_at, language)
    select ${survey}, jsonb_build_object('score', case when n % 100 < g.bad then 2 else 10 end), jsonb_build_object('country', g.country),
      now() - n * interval '5 hours', case g.country when 'DK' then 'da' else 'nb' end
    from (values ('NO', 300, 20), ('DK', 100, 70), ('SE', 150, 25), ('IT', 3, 100)) as g (country, people, bad)
    cross join lateral generate_series(0, g.people - 1) as n`;
  const page = await open(t);
  await signIn(page, 'ida@example.com');
  await page.goto(`/workspaces/${workspace}`);
  await page.getByRole('link', { name: '553', exact: true }).click();
  await page.getByRole('navigation', { name: 'Broken down by' }).getByRole('link', { name: 'country' }).click();
  const rows = page.getByRole('table', { name: 'Results by country' }).locator('tbody tr');
  const texts = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  t.match(await texts(), [
    /^DK .*−40 ±1\d .*Lower/,
    /^SE .*[+]33 ±1\d .*No clear difference/,
    /^NO .*[+]60 .*Higher/,
    /^IT fewer than 10 responses .*Too few to say/,
  ]);
  await inspect(t, page, 'results-breakdown');
  await rows.first().getByRole('link').click();
  await page.getByRole('link', { name: 'Remove filter country: DK' }).waitFor();
  t.match(await page.locator('.figures').innerText(), /Responses\s+100/, 'the third click shows what they said');
  await page.getByLabel('Add a filter').selectOption({ label: 'country: NO' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Remove filter country: DK or NO' }).waitFor();
  t.match(await page.locator('.figures').innerText(), /Responses\s+400/, 'a second value of a key is one more');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByLabel('Add a filter').selectOption({ label: 'country: NO' });
  await page.getByLabel('Match').selectOption('is not');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Remove filter country: not NO' }).waitFor();
  t.match(await page.locator('.figures').innerText(), /Responses\s+253/);
  await page.getByRole('navigation', { name: 'Broken down by' }).getByRole('link', { name: 'Language' }).click();
  await page.getByRole('table', { name: 'Results by Language' }).getByRole('link', { name: 'Danish' }).waitFor();
  await page.getByRole('navigation', { name: 'Broken down by' }).getByRole('link', { name: 'Month' }).click();
  await page.getByRole('table', { name: 'Results by Month' }).waitFor();
  await inspect(t, page, 'results-months');
});

t.test('what a customer said, from a list, from the invitation and from the person', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await page.goto(`/workspaces/${workspace}`);
  await openPage(page, 'People');
  await page.getByRole('searchbox').fill('person1@');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'person1@example.com' }).click();
  await page.locator('td[data-label="Responded"] a').click();
  await page.getByText('How likely are you to recommend us?').waitFor();
  await inspect(t, page, 'invitation-answered');
  await page.getByRole('link', { name: 'The whole response' }).click();
  await page.getByRole('heading', { name: 'Person 1', level: 2 }).waitFor();
  t.match(await page.locator('.facts').first().innerText(), /on a scale from 0 to 10 · (promoter|passive|detractor)/);
  t.match(
    await page.getByRole('link', { name: 'Write an email' }).getAttribute('href'),
    /^mailto:person1@example\.com\?subject=Your%20answer/,
  );
  await page.getByText('Response received').waitFor();
  await inspect(t, page, 'response');
  await page.goto(`/surveys/${survey}/results`);
  await page.locator('.responses tbody th a').first().click();
  await page.waitForURL('**/responses/*');
});

t.test("a viewer sees results without addresses, on the page and in the CSV; another workspace isn't found", async (t) => {
  const other = await createSurvey(store);
  const page = await open(t);
  await signIn(page, 'vic@example.com');
  await page.goto(`/surveys/${survey}/results`);
  await page.locator('.figures').waitFor();
  t.notMatch(await page.content(), /person\d+@example|Person \d/);
  await inspect(t, page, 'results-viewer');
  await page.locator('.responses tbody th a').nth(20).click();
  await page.getByRole('heading', { name: 'An invited person' }).waitFor();
  t.notMatch(await page.content(), /person\d+@example/);
  await inspect(t, page, 'response-viewer');
  const csv = await page.request.get(`/surveys/${survey}/results.csv`);
  t.match(csv.headers(), { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' });
  const text = await csv.text();
  t.match(text, 'A-10');
  t.notMatch(text, /person\d+@example|Person \d|"email"/);
  t.equal((await page.request.get(`/surveys/${other.survey}/results.csv`)).status(), 404);
});
