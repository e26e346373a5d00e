// A week of mail scanners: whatever they do with the links of an email that asks a score, no response is stored. A person's Submit is, and
// knows of the click. SCANNED_LINKS says how many invitations the scanners get (40).
import t from 'tap';
import { answerLink } from '../../src/mail/links.ts';
import { createSurvey, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { startBrowser } from './browser.ts';

const LINKS = Number(process.env.SCANNED_LINKS ?? 40);
/** Of the links, those that a whole browser opens: one in so many. */
const BROWSED = 10;
const AT_ONCE = 8;

const { store, sql, url, open, mailTo } = await startBrowser(t);
const { workspace, survey } = await createSurvey(store);
const questions = [
  { id: 'score', type: 'score', label: 'Would you recommend us?', required: true },
  { id: 'why', type: 'text', label: 'Why?' },
] as const;
await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Your stay', questions });
const { hash } = await createToken(store, survey, { questionInEmail: true });

async function invite(emails: readonly string[]): Promise<void> {
  for (let from = 0; from < emails.length; from += 1000) {
    const recipients = emails.slice(from, from + 1000).map((email) => ({ email }));
    await acceptTrigger(store, hash, { recipients }, 100_000);
  }
}
const responses = () => sql`select answers, clicked_in_email from invite.responses where survey_id = ${survey}`;

/** What each kind of scanner sends for a link. */
const SCANS: readonly ((link: string) => Promise<unknown>)[] = [
  (link) => fetch(link),
  (link) => fetch(link, { method: 'HEAD' }),
  (link) => fetch(link, { headers: { purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender', 'x-moz': 'prefetch' } }),
  (link) =>
    fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))', range: 'bytes=0-1023' } }),
  // Twice, and what the page itself links to and loads.
  async (link) => {
    await fetch(link);
    const page = await (await fetch(link)).text();
    for (const [, path = ''] of page.matchAll(/(?:href|src)="(\/[^"]*)"/g))
      await fetch(new URL(path.replaceAll('&#38;', '&'), url));
  },
  (link) => fetch(link, { method: 'OPTIONS' }),
];

t.test(`a scanner's week against ${LINKS} links stores no response`, async (t) => {
  await invite(Array.from({ length: LINKS }, (_, index) => `person${index}@example.com`));
  const rows = await sql`select link_token from test.invitations where survey_id = ${survey} order by id`;
  const links = rows.map(({ link_token: token }, index) =>
    answerLink(`${url}/s/${survey}?invitation=${token}`, 'score', String(index % 11)),
  );
  t.equal(links.length, LINKS);
  let requests = 0;
  for (let from = 0; from < LINKS; from += AT_ONCE)
    await Promise.all(
      links.slice(from, from + AT_ONCE).map(async (link) => {
        for (const scan of SCANS) {
          await scan(link);
          requests += 1;
        }
      }),
    );
  t.same(await responses(), []);
  t.equal(requests, LINKS * SCANS.length);

  // A browser runs the page's scripts, waits until they have, scrolls, moves the mouse over every answer, and leaves.
  const page = await open(t);
  const browsed = links.filter((_, index) => index % BROWSED === 0);
  for (const link of browsed) {
    await page.goto(link);
    await page.reload({ waitUntil: 'networkidle' });
    await page.mouse.move(200, 300);
    await page.mouse.wheel(0, 2000);
    await page.evaluate('window.dispatchEvent(new Event("pagehide")); document.dispatchEvent(new Event("visibilitychange"))');
  }
  await page.goto('about:blank');
  t.same(await responses(), []);
  t.equal(
    (await sql`select from test.invitations where responded_at is not null`).length,
    0,
    'nobody counts as having responded',
  );
  t.comment(`${LINKS} links, ${requests} requests without a browser, ${2 * browsed.length} pages in Chromium: 0 responses`);
});

t.test('a person clicks a score in the email, changes nothing, and submits', async (t) => {
  await invite(['ada@example.com']);
  const email = await mailTo('ada@example.com');
  const link = /^9: (http\S+)$/m.exec(email.text)?.[1] ?? '';
  const page = await open(t);
  await page.goto(link);
  t.ok(await page.getByRole('radio', { name: '9', exact: true }).isChecked());
  t.match(await page.getByRole('status').innerText(), 'Your answers haven’t been submitted yet');
  t.same(await responses(), []);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  t.match(await responses(), [{ answers: { score: 9 }, clicked_in_email: 'score' }]);
});

t.test(
  'in a tab with unsent answers a new click counts, a reload keeps what was chosen since, and what was typed stays',
  async (t) => {
    await invite(['grace@example.com']);
    const email = await mailTo('grace@example.com');
    const link = (score: number) => new RegExp(`^${score}: (http\\S+)$`, 'm').exec(email.text)?.[1] ?? '';
    const page = await open(t);
    const chosen = (score: number) => page.getByRole('radio', { name: String(score), exact: true });
    await page.goto(link(9));
    await page.getByLabel('Why?').fill('It rained');
    await chosen(7).check({ force: true });
    await page.reload();
    await until('the chosen answer is back', () => chosen(7).isChecked());
    await page.goto(link(3));
    t.ok(await chosen(3).isChecked(), 'the click is newer');
    await until('the text is back', async () => (await page.getByLabel('Why?').inputValue()) === 'It rained');
    t.ok(await chosen(3).isChecked());
  },
);
