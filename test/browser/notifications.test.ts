// Results reach people, in a browser: a member is told of every score below 4, gets the weekly report, sees what needs attention, and finds what a
// customer said.
import type { Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { type OutboxEmail, readOutbox } from '../../src/dev/outbox.ts';
import { until } from '../fixtures/setup.ts';
import { OWNER, openShop } from '../fixtures/shop.ts';
import { inspect, openPage, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo, url } = await startBrowser(t);
const { workspace, survey } = await openShop(store, sql);
await store.upsertMember(workspace, 'viewer@example.com', 'viewer');
/** The address with its path, as the email has it. */
const here = (link: string) => link.replace(/^https?:\/\/[^/]+/, url);

/** Counts what a person clicks, from Home on. Typing isn't counted. */
function counting() {
  let clicks = 0;
  return {
    click: async (locator: Locator) => {
      clicks += 1;
      await locator.click();
    },
    clicks: () => clicks,
  };
}

/** Shows an email in light, dark and on a phone. A page of ours would not allow its inline styles. */
async function look(t: Test, email: OutboxEmail, name: string) {
  const page = await open(t);
  await page.setContent(email.html);
  await inspect(t, page, name, true);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `.data/screenshots/${name}-phone-dark.png`, fullPage: true });
}

t.test('“Tell me of every score below 4” takes four clicks, and the email comes at once', async (t) => {
  const page = await open(t);
  await signIn(page, OWNER);
  await page.goto('/');
  const { click, clicks } = counting();
  await click(page.getByRole('link', { name: 'How was your order?' }).last());
  await click(page.getByRole('navigation', { name: 'Survey' }).getByRole('link', { name: 'Notifications' }));
  await click(page.getByLabel('Scores below'));
  await page.getByLabel('Scores below').fill('4');
  await click(page.getByRole('button', { name: 'Tell me' }));
  await page.getByText('You get an email at once for each score below 4').waitFor();
  t.ok(clicks() <= 4, String(clicks()));
  await inspect(t, page, 'survey-notifications');

  await page.getByLabel('Scores below').evaluate((input) => input.removeAttribute('max'));
  await page.getByLabel('Scores below').fill('99');
  await page.getByRole('button', { name: 'Save' }).click();
  await refused(t, page, "Choose a limit above the question's lowest score");

  const [invitation] = await sql`
    select invite.link_token(i) as token, i.email from invite.invitations as i where i.survey_id = ${survey} and i.responded_at is null and i.email is not null limit 1`;
  const answer = {
    score: 3,
    comment:
      'Two of the four tent poles were missing, and nobody answered the phone for three days. We had to leave without them.',
  };
  await sql`select invite.record_response(${survey}, ${sql.json(answer)}, ${invitation?.token})`;
  const email = await until('the email', () => found(OWNER, /^3 of 10: /));
  t.match(email.text, invitation?.email);
  await look(t, email, 'email-low-score');
  const link = /https?:\S+\/responses\/\d+/.exec(email.text)?.[0] ?? '';
  await page.goto(here(link));
  await page.getByText('Two of the four tent poles').first().waitFor();
});

let box = '';
/** The newest email to an address with this subject. */
async function found(address: string, subject: RegExp): Promise<OutboxEmail | undefined> {
  const first = await mailTo(address);
  box = first.file.replace(/\/outbox\/.*$/, '');
  return readOutbox(box).findLast((email) => email.to === address && subject.test(email.subject));
}

t.test('a digest, in six scripts and none', async (t) => {
  await sql`update invite.notifications set created_at = now() where kind = 'low_scores'`;
  const comments = [
    'השירות היה איטי מאוד',
    'とても遅かったです',
    'Очень долго',
    'พอใช้ได้',
    'Zu spät & <b>nass</b>',
    '😡',
    '',
    'w'.repeat(900),
  ];
  await sql`
    insert into invite.responses (survey_id, submitted_at, answers)
    select ${survey}, now(), jsonb_build_object('score', n % 4, 'comment', (${comments}::text[])[n]) from generate_series(1, 30) as n`;
  const email = await until('the email', () => found(OWNER, /^30 low scores: /));
  await look(t, email, 'email-low-scores');
});

t.test('a viewer chooses the weekly report, gets it, and leaves it by its link', async (t) => {
  const page = await open(t);
  await signIn(page, 'viewer@example.com');
  await openPage(page, 'Account', 'Notifications');
  t.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Vienna', 'the reader’s own');
  await inspect(t, page, 'notifications');
  await page.getByLabel('Time zone').fill('Mars/Base');
  await page.getByRole('button', { name: 'Send me the report' }).click();
  await refused(t, page, 'Enter a time zone such as Europe/Berlin');
  await page.getByLabel('Time zone').fill('Europe/Vienna');
  await page.getByRole('button', { name: 'Send me the report' }).click();
  await page.getByText('You get the weekly report.').waitFor();
  await page.getByText('The next one comes').waitFor();

  await sql`update invite.responses set submitted_at = submitted_at - interval '1 day' where survey_id = ${survey}`;
  await sql`select invite.set_survey_ends(${survey}, ${sql.json({ closes_at: new Date(Date.now() + 3 * 86_400_000) })})`;
  await sql`update invite.notified_members set report_due_at = now() where email = 'viewer@example.com'`;
  await sql`select invite.wake_notifications()`;
  const email = await until('the email', () => found('viewer@example.com', /responses? to Fjord Outdoor$/));
  t.notMatch(email.html + email.text, /@mail\.example/, 'no address of a recipient');
  await look(t, email, 'email-weekly-report');

  const stop = here(/^Unsubscribe: (\S+)$/m.exec(email.text)?.[1] ?? '');
  const guest = await open(t);
  await guest.goto(stop);
  await inspect(t, guest, 'stop-notifications');
  await guest.getByRole('button', { name: 'Stop them' }).click();
  await guest.getByRole('heading', { name: 'You get no more weekly reports' }).waitFor();
  await page.goto(`/workspaces/${workspace}/notifications`);
  await page.getByRole('button', { name: 'Send me the report' }).waitFor();
});

t.test('Home says what needs attention, and each line leads to what to do', async (t) => {
  const page = await open(t);
  await signIn(page, OWNER);
  await sql`select invite.set_survey_paused(${survey}, true)`;
  await sql`select invite.set_workspace_paused(${workspace}, true)`;
  await page.goto('/');
  const part = page.getByRole('region', { name: 'What needs attention' });
  await part
    .getByText(/low scores, below 7/)
    .first()
    .waitFor();
  await inspect(t, page, 'attention');
  const links = await part.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  t.ok(links.length >= 3);
  for (const link of links) t.equal((await page.goto(link))?.status(), 200, link);
  await page.goto('/');
  await part.getByRole('link', { name: /^Read them/ }).click();
  await page.getByText('Two of the four tent poles').first().waitFor();
});

t.test('“Customer X called: what did she say?” takes at most four clicks', async (t) => {
  const page = await open(t);
  await signIn(page, OWNER);
  const [person] = await sql`
    select i.email, i.id from invite.responses as r join invite.invitations as i on i.id = r.invitation_id
    where r.answers ->> 'comment' like 'Two of the four%'`;
  await page.goto('/');
  const { click, clicks } = counting();
  await click(page.getByRole('link', { name: 'People', exact: true }));
  await page.getByRole('searchbox').fill(person?.email);
  await page.keyboard.press('Enter');
  await click(page.getByRole('link', { name: person?.email }).first());
  await click(page.locator(`main a[href$="/${person?.id}#answers"]`));
  await page.getByText('Two of the four tent poles').first().waitFor();
  t.ok(clicks() <= 4, String(clicks()));
});
