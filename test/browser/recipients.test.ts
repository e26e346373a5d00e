// Delivery in a browser: the outcomes of invitations, why one person got nothing, the do-not-email list, pausing, and sessions.
import type { Page } from 'playwright-core';
import t from 'tap';
import { RECIPIENT_CHOICES, type RelayEventRecord, type Role } from '../../src/database/store.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { createBatch, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createWebhook } from '../fixtures/webhooks.ts';
import { inspect, openMenu, openPage, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const LONG = `${'long.'.repeat(12)}name@${'department.'.repeat(15)}example`;
const { workspace, survey, hash } = await createBatch(store, {
  recipients: [
    { email: 'ann@example.com', name: 'Ann Berg', metadata: { order: 'A-17' } },
    { email: 'bob@example.com', name: 'Bob Costa', metadata: { order: 'A-18' } },
    { email: 'cem@example.com', name: 'Cem Diaz' },
    { email: LONG },
  ],
});
const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;
for (const role of ROLES) await store.upsertMember(workspace, `${role}@example.com`, role);
await until('all is sent', async () => (await sql`select from test.invitations where status = 'sent'`).length === 4);
const idOf = async (email: string) =>
  (await sql`select id from test.invitations where email = ${email} order by id`)[0]?.id as string;
const report = async (email: string, type: RelayEventRecord['type'], detail?: string) =>
  store.recordRelayEvents('outbox', [
    { event_id: `${email}-${type}`, type, occurred_at: '2030-01-01T10:00:00Z', invitation_id: await idOf(email), email, detail },
  ]);

async function enter(page: Page, role: Role) {
  await signIn(page, `${role}@example.com`);
  await page.goto(`/workspaces/${workspace}`);
}

t.test('what the relay reports nothing about is not called delivered', async (t) => {
  const page = await open(t);
  await enter(page, 'editor');
  await page.goto(`/surveys/${survey}/invitations`);
  t.match(await page.locator('.figures').innerText(), /Delivered\s+–\s+not reported\s+Bounced\s+–\s+not reported/);
  t.match(await page.getByRole('row', { name: /ann@example.com/ }).innerText(), /Sent/);
  await inspect(t, page, 'funnel-unreported');
});

t.test('the numbers of the funnel lead to their invitations, and a bounce is no green "sent"', async (t) => {
  await report('ann@example.com', 'delivered');
  await report('cem@example.com', 'delivered');
  await report('cem@example.com', 'complaint');
  await report('bob@example.com', 'hard_bounce', '550 5.1.1 no such user');
  const [row] = await sql`select link_token from test.invitations where email = 'ann@example.com'`;
  await store.submitResponse(survey, { score: 9 }, row?.link_token);
  const page = await open(t);
  await enter(page, 'editor');
  t.match(await page.getByRole('row', { name: /Customer survey/ }).innerText(), /4 sent\s+1\s+–\s+after three days/);
  await page.goto(`/surveys/${survey}/invitations`);
  t.match(
    await page.locator('.figures').innerText(),
    /Invited\s+4\s+Sent\s+4\s+Delivered\s+2\s+50%\s+Bounced\s+1\s+Responded\s+1\s+Unsubscribed\s+0\s+1 reported as spam/,
  );
  const bob = page.getByRole('row', { name: /bob@example.com/ });
  t.match(await bob.innerText(), /Bounced/);
  t.equal(await bob.locator('.status.bad').count(), 1);
  const top = (await page.getByRole('row').nth(1).boundingBox())?.y ?? 999;
  t.ok(top < 720, `the first row is in the first screen: ${top}`);
  await inspect(t, page, 'funnel');
  await page.locator('.figures').getByRole('link', { name: '2' }).click();
  t.strictSame(await page.getByRole('row').count(), 3);
  await page.getByLabel('Email starts with').fill('cem');
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=cem/);
  t.strictSame(await page.getByRole('row').count(), 2, 'the search keeps the outcome');
  await page.getByRole('link', { name: 'Any status' }).click();
});

for (const role of ROLES.slice(0, 3))
  t.test(`an ${role} finds out why one person got nothing, and lifts the bounce`, async (t) => {
    await sql`
      insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'bob@example.com', 'hard_bounce')
      on conflict on constraint suppressions_pkey do nothing`;
    await store.indexRecipients();
    await store.indexRecipients();
    const [row] = await sql`select link_token from test.invitations where email = 'bob@example.com'`;
    for (const choice of RECIPIENT_CHOICES) await store.choose(unsubscribeToken(row?.link_token), choice);
    const page = await open(t);
    await enter(page, role);
    await openPage(page, 'People');
    t.equal(await page.getByRole('row').count(), 5);
    const search = page.getByLabel(/^Email, name/);
    for (const text of ['bob@', 'costa', 'a-18']) {
      await search.fill(text);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('search') === text);
      t.equal(await page.getByRole('row').count(), 2, text);
    }
    t.match(await page.getByRole('row', { name: /bob@example.com/ }).innerText(), /Bounced\s+Bounced/);
    if (role === 'owner') await inspect(t, page, 'recipients-search');
    await page.getByRole('link', { name: 'bob@example.com' }).click();
    t.match(await page.getByRole('note').innerText(), 'an email bounced: the address refused it for good');
    const history = page.getByRole('table', { name: /What happened/ });
    t.match(
      await history.innerText(),
      /Not delivered: hard bounce.*550 5\.1\.1 no such user.*Invitation sent.*Request accepted/s,
    );
    t.match(
      await page.getByLabel('Recipient', { exact: true }).innerText(),
      /Chosen by the recipient\s+at most one invitation a month \(.*; no email about “.+” \(/,
    );
    if (role === 'owner') await inspect(t, page, 'recipient');
    await page.getByRole('link', { name: 'Take it off the list…' }).click();
    await page.getByRole('heading', { name: 'Take bob@example.com off the do-not-email list?' }).waitFor();
    if (role === 'owner') await inspect(t, page, 'do-not-email-remove');
    await page.getByRole('button', { name: 'Take bob@example.com off the list' }).click();
    t.match(await page.getByRole('status').innerText(), 'off the do-not-email list');
    t.equal((await sql`select from invite.suppressions where email = 'bob@example.com'`).length, 0);
  });

t.test(
  'an editor adds an address to the do-not-email list, is told of a malformed one, and finds who may take one off',
  async (t) => {
    const page = await open(t);
    await enter(page, 'editor');
    await openPage(page, 'People', 'Do-not-email list');
    const address = page.getByLabel('Email address');
    await address.evaluate((input) => input.setAttribute('type', 'text'));
    await address.fill('never');
    await page.getByRole('button', { name: 'Add to the list' }).click();
    await refused(t, page, 'Enter a valid email address');
    await inspect(t, page, 'do-not-email-refused');
    await page.getByLabel('Email address').fill(LONG);
    await page.getByRole('button', { name: 'Add to the list' }).click();
    t.match(await page.getByRole('status').innerText(), 'is on the do-not-email list');
    const added = page.getByRole('row', { name: new RegExp(LONG.slice(0, 20)) });
    t.match(await added.innerText(), /Added by hand\s+by editor@example.com/);
    const complained = page.getByRole('row', { name: /cem@example.com/ });
    t.match(await complained.innerText(), "This can't be taken back");
    t.equal(await complained.locator('summary').count(), 0, 'a complaint has no action');
    await inspect(t, page, 'do-not-email');
    await page.getByLabel('Email starts with').fill('cem');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=cem/);
    t.equal(await page.getByRole('row').count(), 2);
    await page.getByRole('link', { name: 'Clear search' }).click();
    await openMenu(added, LONG.slice(0, 20));
    await added.getByRole('link', { name: /^Take off the list/ }).click();
    await page.getByRole('button', { name: /^Take long/ }).click();
    await page.getByText('off the do-not-email list. New requests').waitFor();
    await page.goto(`/workspaces/${workspace}/recipients/${await idOf('ann@example.com')}`);
    await page.getByRole('button', { name: 'Add to the do-not-email list' }).click();
    await page.getByRole('link', { name: 'Take it off the list…' }).waitFor();
  },
);

for (const role of ['owner', 'admin'] as const)
  t.test(`an ${role} pauses and resumes sending, for the workspace and for a survey`, async (t) => {
    const page = await open(t);
    await enter(page, role);
    await openPage(page, 'Settings', 'Sending');
    await page.getByRole('button', { name: 'Pause sending for Acme' }).click();
    t.match(await page.getByRole('status').innerText(), 'Sending is paused');
    if (role === 'owner') await inspect(t, page, 'sending-paused');
    const email = `paused-${role}@example.com`;
    await acceptTrigger(store, hash, { recipients: [{ email }] }, 10_000);
    const statusOf = async () => (await sql`select status from test.invitations where email = ${email}`)[0]?.status;
    await until('it is held', async () => (await statusOf()) === 'waiting');
    await page.goto(`/surveys/${survey}/invitations`);
    t.match(await page.getByRole('note').innerText(), 'Sending is paused. Emails that come due wait. Paused Today');
    t.match(await page.getByRole('row', { name: new RegExp(email) }).innerText(), 'Held: sending is paused for the workspace');
    await page.getByRole('note').getByRole('link', { name: 'Resume…' }).click();
    await page.getByRole('button', { name: 'Resume sending for Acme' }).click();
    t.match(await page.getByRole('status').innerText(), 'Sending is resumed');
    await until('it is sent', async () => (await statusOf()) === 'sent');
    await page.goto(`/surveys/${survey}/invitations`);
    await openMenu(page, 'survey');
    await page.getByRole('link', { name: 'Pause sending…' }).click();
    if (role === 'owner') await inspect(t, page, 'survey-sending');
    await page.getByRole('button', { name: 'Pause sending for “Customer survey”' }).click();
    t.match(await page.getByRole('note').innerText(), 'Sending is paused for this survey.');
    await page.goto(`/workspaces/${workspace}/sending`);
    await page.getByRole('link', { name: 'Customer survey' }).click();
    await page.getByRole('button', { name: 'Resume sending for “Customer survey”' }).click();
    t.match(await page.getByRole('status').innerText(), 'Sending is resumed');
  });

t.test('Sending says first what must be done, then what waits and fails, with the longest names', async (t) => {
  const title = 'Überaus-lange-Umfrage-ohne-Leerzeichen'.repeat(5);
  const long = await store.upsertSurvey({ workspaceId: workspace, title, state: 'draft' });
  const { hash: ofLong } = await createToken(store, long);
  await acceptTrigger(
    store,
    ofLong,
    { recipients: Array.from({ length: 5 }, (_, n) => ({ email: `n${n}@example.com` })) },
    10_000,
  );
  await until('they are held', async () => (await sql`select from test.invitations where status = 'waiting'`).length === 5);
  await sql`update invite.messages set status = 'failed', failed_at = now(), not_before = null, last_error_code = 'gave_up'
    where invitation_id in (select id from invite.invitations where survey_id = ${long} order by id limit 3)`;
  const { id } = await createWebhook(store, workspace, `https://hooks.example/${'a-long-part/'.repeat(60)}`);
  await sql`update invite.webhook_endpoints set failing_since = now() where id = ${id}`;
  const page = await open(t);
  await enter(page, 'owner');
  await openPage(page, 'Settings', 'Sending');
  t.match(await page.getByRole('note').innerText(), /The webhook hooks\.example has failed since .*\. Its log says why\./);
  t.match(await page.getByRole('row', { name: /The survey is a draft/ }).innerText(), /Held emails then go out\.\s+2\s+since/);
  t.match(await page.getByRole('row', { name: title }).innerText(), /Every delivery attempt failed \(gave_up\)/);
  await inspect(t, page, 'sending-acts');
  await page.getByRole('link', { name: title }).click();
  t.equal(await page.getByRole('row').count(), 4, 'it leads to those that failed');
  await page.goBack();
  await page.getByRole('note').getByRole('link').click();
  t.match(page.url(), id);
  await store.deleteWebhook(id);
  await store.deleteSurvey(long);
});

t.test('an editor can pause nothing, and a viewer sees no recipient and no list', async (t) => {
  const editor = await open(t);
  await enter(editor, 'editor');
  t.equal(await editor.getByRole('link', { name: 'Settings', exact: true }).count(), 0);
  t.equal((await editor.goto(`/surveys/${survey}/sending`))?.status(), 403);
  const viewer = await open(t);
  await enter(viewer, 'viewer');
  for (const name of ['People', 'Settings']) t.equal(await viewer.getByRole('link', { name, exact: true }).count(), 0, name);
  for (const path of ['recipients', 'do-not-email', 'sending'])
    t.equal((await viewer.goto(`/workspaces/${workspace}/${path}`))?.status(), 403, path);
});

t.test('a member ends one session with the keyboard, then all others, and stays signed in', async (t) => {
  const [one, two, three] = [await open(t), await open(t), await open(t)];
  for (const page of [one, two, three]) await enter(page, 'viewer');
  await three.goto('/sessions');
  const rows = three.getByRole('row').filter({ has: three.getByRole('button') });
  const before = await rows.count();
  t.match(await three.getByRole('row', { name: /this session/ }).innerText(), /Chrome on Linux/);
  t.equal(
    await three
      .getByRole('row', { name: /this session/ })
      .getByRole('button')
      .count(),
    0,
  );
  await rows.first().getByRole('button', { name: /^End/ }).focus();
  await three.keyboard.press('Enter');
  await three.getByText('The session has ended.').waitFor();
  t.equal(await rows.count(), before - 1);
  await inspect(t, three, 'sessions-ended');
  await three.getByRole('button', { name: /^End the (other session|\d+ others)$/ }).click();
  await three.getByText('You are signed in only here.').waitFor();
  t.equal(await rows.count(), 0);
  for (const page of [one, two]) {
    await page.goto(`/workspaces/${workspace}`);
    await page.waitForURL('**/sign-in?*');
  }
});

t.test('a member sees where they are signed in, and signs out everywhere', async (t) => {
  const [one, two] = [await open(t), await open(t)];
  await enter(one, 'viewer');
  await enter(two, 'viewer');
  await openPage(two, 'Account', 'Your sessions');
  t.match(await two.getByRole('row', { name: /this session/ }).innerText(), '127.0.0.1');
  await inspect(t, two, 'sessions');
  await two.getByRole('button', { name: /^Sign out of \d+ sessions$/ }).click();
  await two.getByRole('heading', { name: "You're signed out everywhere" }).waitFor();
  await one.goto(`/workspaces/${workspace}`);
  await one.waitForURL('**/sign-in?*');
});
