// Each role that may do a task does it, from the workspace's home page to the end. The other roles find no link to it, and the page of the
// task tells them why.
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { isAtLeast, ROLES, type Role } from '../../src/database/store.ts';
import { createBatch, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { openMenu, openPage, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo } = await startBrowser(t);
const { workspace, survey, token, hash } = await createBatch(store, {
  recipients: [{ email: 'ann@example.com', metadata: { order: 'A-17' } }, { email: 'bob@example.com' }],
});
for (const role of ROLES) await store.upsertMember(workspace, `${role}@example.com`, role);
await until('all is sent', async () => (await sql`select from test.invitations where status = 'sent'`).length === 2);
const [ann] = await sql`select id, link_token from test.invitations where email = 'ann@example.com'`;
await store.submitResponse(survey, { score: 9 }, ann?.link_token);

/** Waits for what the page says about the last form. */
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
const click = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
/** The sidebar and the tabs share some names, so this looks only in the tabs. */
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Survey' }).getByRole('link', { name, exact: true }).click();

interface Task {
  readonly what: string;
  readonly min: Role;
  /** What to follow from the workspace's home page: the survey, a link, or a page of a section. */
  readonly from:
    | 'survey'
    | { readonly link: string }
    | { readonly section: 'People' | 'Settings' | 'Account'; readonly page: string };
  /** The address of the page where the task is done. */
  readonly path: string;
  /** Does the task and checks its result. */
  run(as: { t: Test; page: Page; role: Role }): Promise<void>;
}

const ofWorkspace = (page: string) => `/workspaces/${workspace}/${page}`;
const ofSurvey = (page: string) => `/surveys/${survey}/${page}`;

const TASKS: readonly Task[] = [
  {
    what: 'reads and downloads the results',
    min: 'viewer',
    from: 'survey',
    path: ofSurvey('results'),
    async run({ t, page }) {
      await page.locator('.figures').getByText('Responses').waitFor();
      const waiting = page.waitForEvent('download');
      await click(page, 'Download CSV');
      t.match((await waiting).suggestedFilename(), /\.csv$/);
    },
  },
  {
    what: 'reads the responses to all surveys',
    min: 'viewer',
    from: { link: 'Responses' },
    path: ofWorkspace('responses'),
    async run({ t, page, role }) {
      const row = page.getByRole('row').filter({ hasText: 'Customer survey' });
      t.equal(await row.getByText('Ann').count(), role === 'viewer' ? 0 : 1, 'who it is, for editors');
      await row.getByRole('link', { name: /^Response: / }).click();
      await page.getByRole('heading', { name: 'Answers' }).waitFor();
    },
  },
  {
    what: 'gets the weekly report, and stops it',
    min: 'viewer',
    from: { section: 'Account', page: 'Notifications' },
    path: ofWorkspace('notifications'),
    async run({ page }) {
      await press(page, 'Send me the report');
      await said(page, 'You get the weekly report.');
      await press(page, 'Stop the report');
      await said(page, 'You get no more weekly reports.');
    },
  },
  {
    what: 'creates a survey with a question',
    min: 'editor',
    from: { link: 'New survey' },
    path: ofWorkspace('surveys/new'),
    async run({ page, role }) {
      await fill(page, 'Title', `Survey of ${role}`);
      await press(page, 'Create survey');
      await said(page, 'Survey created');
      await press(page, 'Publish');
      await said(page, 'Nothing has changed since the questions were published.');
    },
  },
  {
    what: 'translates the survey',
    min: 'editor',
    from: 'survey',
    path: ofSurvey('languages'),
    async run({ page }) {
      await tab(page, 'Settings');
      await click(page, 'Change or translate');
      await page.getByRole('combobox', { name: 'Language', exact: true }).fill('fr');
      await press(page, 'Translate');
      await fill(page, 'Title', 'Votre avis');
      await press(page, 'Save translation');
      await said(page, 'Translation saved.');
    },
  },
  {
    what: 'creates a token, tests its email and deletes it',
    min: 'editor',
    from: 'survey',
    path: ofSurvey('api-trigger/new'),
    async run({ t, page, role }) {
      await tab(page, 'API trigger');
      await click(page, 'Create a token');
      await fill(page, 'Name', `Shop of ${role}`);
      await press(page, 'Create token');
      t.match(await page.getByRole('region', { name: 'the secret' }).innerText(), /sit_[\w-]{51}/);
      await click(page, 'Edit the email');
      await fill(page, 'Subject', `Asked by ${role}`);
      await press(page, /^Save$/);
      await said(page, 'Changes saved.');
      await click(page, 'Test this email');
      await press(page, 'Send the invitation');
      await said(page, 'Test email queued.');
      const tests = async () => (await sql`select from invite.test_invitations where email = ${`${role}@example.com`}`).length;
      t.equal(await tests(), 1);
      await tab(page, 'API trigger');
      await click(page, `Shop of ${role}`);
      await click(page, 'Delete…');
      await press(page, `Delete token “Shop of ${role}”`);
      await said(page, 'Token deleted.');
    },
  },
  {
    what: 'sets the sender of a token',
    min: 'editor',
    from: 'survey',
    path: ofSurvey(`api-trigger/${token}/sender`),
    async run({ page, role }) {
      await tab(page, 'API trigger');
      await click(page, 'Token');
      await page.getByRole('main').getByRole('link', { name: 'Sender', exact: true }).click();
      await fill(page, 'Name', `Acme ${role}`);
      await press(page, /^Save$/);
      await said(page, 'Changes saved.');
    },
  },
  {
    what: 'closes and reopens the survey',
    min: 'editor',
    from: 'survey',
    path: ofSurvey('invitations'),
    async run({ page }) {
      await openMenu(page, 'survey');
      await click(page, 'Close survey…');
      await press(page, /^Close survey/);
      await said(page, 'The survey is closed.');
      await click(page, 'Activate survey…');
      await press(page, /^Activate survey/);
      await said(page, 'The survey is active.');
    },
  },
  {
    what: 'cancels a scheduled batch',
    min: 'editor',
    from: 'survey',
    path: ofSurvey('batches'),
    async run({ t, page, role }) {
      const email = `later-${role}@example.com`;
      await acceptTrigger(store, hash, { recipients: [{ email }], sendInSeconds: 86_400 }, 10_000);
      await tab(page, 'Batches');
      const row = page.getByRole('row', { name: /Scheduled/ });
      await openMenu(row, 'batch');
      await row.getByRole('link', { name: 'Cancel…' }).click();
      await press(page, 'Cancel 1 unsent invitation');
      await said(page, 'Batch cancelled.');
      t.equal((await sql`select status from test.invitations where email = ${email}`)[0]?.status, 'cancelled');
    },
  },
  {
    what: 'sends a failed invitation again',
    min: 'editor',
    from: 'survey',
    path: ofSurvey('batches'),
    async run({ page }) {
      await sql`
        update invite.messages set status = 'failed', sent_at = null, failed_at = now(), last_error_code = 'gave_up', attempts = 12
        where invitation_id in (select id from invite.invitations where email = 'bob@example.com')`;
      await tab(page, 'Invitations');
      await page.getByRole('link', { name: 'bob@example.com', exact: true }).click();
      await press(page, 'Send the invitation again');
      await said(page, 'The email is queued again.');
      await until('it is sent', async () => {
        const [row] = await sql`select status from test.invitations where email = 'bob@example.com'`;
        return row?.status === 'sent';
      });
    },
  },
  {
    what: 'finds a recipient, and keeps an address from being emailed',
    min: 'editor',
    from: { section: 'People', page: 'People' },
    path: ofWorkspace('recipients'),
    async run({ page }) {
      await fill(page, 'Email, name, metadata value, or batch id', 'ann@example.com');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Clear search' }).waitFor();
      await page.getByRole('link', { name: 'ann@example.com', exact: true }).click();
      await press(page, 'Add to the do-not-email list');
      await said(page, 'The address is on the do-not-email list.');
      await click(page, 'Take it off the list…');
      await press(page, 'Take ann@example.com off the list');
      await said(page, 'The address is off the do-not-email list.');
    },
  },
  {
    what: 'adds a member, changes the role and removes the member',
    min: 'admin',
    from: { section: 'Settings', page: 'Members' },
    path: ofWorkspace('members'),
    async run({ t, page, role }) {
      const email = `new-of-${role}@example.com`;
      await fill(page, 'Email address', email);
      await press(page, 'Add member');
      await said(page, 'Member added.');
      t.match((await mailTo(email)).subject, 'added you to Acme');
      await openMenu(page, email);
      await page.getByLabel(`Role of ${email}`).selectOption('viewer');
      await press(page, `Change role of ${email}`);
      await said(page, 'Role changed.');
      await openMenu(page, email);
      await page.getByRole('link', { name: `Remove… ${email}` }).click();
      await press(page, `Remove ${email}`);
      await said(page, 'Member removed.');
      await click(page, 'Audit log');
      t.equal(await page.getByRole('row', { name: new RegExp(email) }).count(), 3);
    },
  },
  {
    what: 'renames the workspace',
    min: 'admin',
    from: { section: 'Settings', page: 'Workspace' },
    path: ofWorkspace('settings'),
    async run({ t, page, role }) {
      for (const name of [`Acme of ${role}`, 'Acme']) {
        await fill(page, 'Name', name);
        await press(page, /^Save$/);
        await said(page, 'Changes saved.');
        t.match(await page.title(), name);
      }
    },
  },
  {
    what: "sets the workspace's sender",
    min: 'admin',
    from: { section: 'Settings', page: 'Sender' },
    path: ofWorkspace('sender'),
    async run({ page, role }) {
      await fill(page, 'Name', `Acme by ${role}`);
      await press(page, /^Save$/);
      await said(page, 'Changes saved.');
    },
  },
  {
    what: "changes the service's words",
    min: 'admin',
    from: { section: 'Settings', page: 'Wording' },
    path: ofWorkspace('wording'),
    async run({ page, role }) {
      await fill(page, 'Language', 'de');
      await press(page, 'Word this language');
      await fill(page, 'Submit', `Ab damit, ${role}`);
      await press(page, /^Save$/);
      await said(page, 'Recipients read these words from now on.');
    },
  },
  {
    what: 'says when emails leave',
    min: 'admin',
    from: { section: 'Settings', page: 'When emails leave' },
    path: ofWorkspace('rules'),
    async run({ page, role }) {
      await fill(page, 'Maximum delay', role === 'owner' ? '7 days' : '8 days');
      await press(page, 'Preview changes');
      await press(page, 'Save rules');
      await said(page, 'Changes saved.');
    },
  },
  {
    what: "gives a survey's emails a time zone of their own",
    min: 'editor',
    from: 'survey',
    path: ofSurvey('rules'),
    async run({ page, role }) {
      await tab(page, 'Settings');
      await click(page, 'Time zone and maximum delay');
      await fill(page, 'Time zone', { owner: 'Asia/Tokyo', admin: 'Europe/Oslo', editor: 'UTC', viewer: '' }[role]);
      await press(page, 'Preview changes');
      await press(page, 'Save rules');
      await said(page, 'Changes saved.');
    },
  },
  {
    what: 'adds a webhook endpoint and deletes it',
    min: 'admin',
    from: { section: 'Settings', page: 'Webhooks' },
    path: ofWorkspace('webhooks'),
    async run({ t, page }) {
      await fill(page, 'Address', 'https://app.example.com/hook');
      await press(page, 'Add endpoint');
      t.match(await page.getByRole('main').innerText(), /whsec_/);
      await click(page, 'Go to the endpoint');
      await click(page, 'Delete…');
      await press(page, 'Delete endpoint');
      await said(page, 'Endpoint deleted.');
    },
  },
  {
    what: 'pauses and resumes sending',
    min: 'admin',
    from: { section: 'Settings', page: 'Sending' },
    path: ofWorkspace('sending'),
    async run({ page }) {
      await press(page, 'Pause sending for Acme');
      await said(page, 'Sending is paused.');
      await press(page, 'Resume sending for Acme');
      await said(page, 'Sending is resumed.');
    },
  },
  {
    what: 'deletes a survey',
    min: 'admin',
    from: { link: 'New survey' },
    path: ofSurvey('delete'),
    async run({ page, role }) {
      const title = `Mistake of ${role}`;
      await fill(page, 'Title', title);
      await press(page, 'Create survey');
      await tab(page, 'Settings');
      await click(page, 'Delete survey…');
      await fill(page, 'To confirm, enter its title', title);
      await press(page, 'Delete survey for good');
      await said(page, 'Survey deleted.');
    },
  },
];

for (const role of ROLES) {
  t.test(`a workspace's ${role}`, async (t) => {
    const page = await open(t);
    await signIn(page, `${role}@example.com`);
    for (const { what, min, from, path, run } of TASKS) {
      await page.goto(`/workspaces/${workspace}`);
      const link = from === 'survey' ? 'Customer survey' : 'link' in from ? from.link : from.section;
      if (isAtLeast(role, min)) {
        if (from !== 'survey' && 'section' in from) await openPage(page, from.section, from.page);
        else await click(page, link);
        await run({ t, page, role });
        t.pass(what);
        continue;
      }
      // Editors can create surveys but not delete them.
      const isWayOfOthers = from === 'survey' || (link === 'New survey' && role === 'editor');
      if (!isWayOfOthers) t.equal(await page.getByRole('link', { name: link, exact: true }).count(), 0, `no link: ${what}`);
      t.equal((await page.goto(path))?.status(), 403, `not: ${what}`);
      await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
    }
  });
}

t.test('every page of the settings belongs to a task here', async (t) => {
  const page = await open(t);
  await signIn(page, 'owner@example.com');
  await openPage(page, 'Settings');
  const pages = await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allInnerTexts();
  const visited = TASKS.flatMap(({ from }) => (typeof from === 'object' && 'page' in from ? [from.page] : []));
  t.ok(pages.length > 5);
  t.same(
    pages.filter((name) => !['Audit log', ...visited].includes(name)),
    [],
  );
});
