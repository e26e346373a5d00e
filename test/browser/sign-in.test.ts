// Signing in with a browser: the main path, and links that don't work.
import t from 'tap';
import { createSurvey } from '../fixtures/setup.ts';
import { inspect, linkIn, openPage, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, mailTo } = await startBrowser(t);
const { workspace } = await createSurvey(store);
await store.upsertMember(workspace, 'ada@example.com', 'owner');

t.test('a member requests a link, signs in with it, gets the page that was requested, and signs out', async (t) => {
  const page = await open(t);
  await page.goto(`/workspaces/${workspace}/members`);
  await inspect(t, page, 'sign-in');
  await page.getByLabel('Email address').fill('Ada@Example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await inspect(t, page, 'sign-in-asked');

  const email = await mailTo('ada@example.com');
  await page.goto('about:blank');
  await page.setContent(email.html);
  await page.screenshot({ path: '.data/screenshots/sign-in-email-light.png', fullPage: true });
  await page.goto(linkIn(email));
  await inspect(t, page, 'sign-in-link');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`**/workspaces/${workspace}/members`);
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'session');
  t.match(cookie, { name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' });

  await openPage(page, 'Account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: "You're signed out" }).waitFor();
  await inspect(t, page, 'signed-out');
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.waitForURL('**/sign-in');
  await page.goto('/');
  await inspect(t, page, 'start-signed-out');
  await page.goto(`/workspaces/${workspace}`);
  t.match(page.url(), '/sign-in?next=');
  await page.goto(linkIn(email));
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
  await inspect(t, page, 'sign-in-used');
});

t.test('an expired link, a wrong link and an invalid address each show an error', async (t) => {
  const page = await open(t);
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill('ada@nowhere');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await refused(t, page, 'Enter a valid email address');
  await inspect(t, page, 'sign-in-error');

  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  const email = await mailTo('ada@example.com', 1);
  await page.goto(linkIn(email));
  await sql`update invite.sign_in_links set expires_at = now() where used_at is null`;
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
  await page.goto(`${linkIn(email)}x`);
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
});

for (const javaScriptEnabled of [true, false]) {
  t.test(
    `hours after signing in, a change takes a new link and keeps what was typed, ${javaScriptEnabled ? 'by keyboard' : 'without scripts'}`,
    async (t) => {
      const { workspace } = await createSurvey(store);
      const email = `again-${javaScriptEnabled}@example.com`;
      const longest = `${'n'.repeat(60)}@${'long-domain-name.'.repeat(8)}example`;
      await store.upsertMember(workspace, email, 'owner');
      const page = await open(t, { javaScriptEnabled });
      await signIn(page, email);
      await page.goto(`/workspaces/${workspace}/members`);
      await sql`update invite.sessions set created_at = now() - interval '3 hours' where email = ${email}`;
      await page.getByLabel('Email address').fill(longest);
      await page.getByLabel('Role').last().selectOption('viewer');
      await page.getByRole('button', { name: 'Add member' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: "Confirm that it's you" }).waitFor();
      if (javaScriptEnabled) await inspect(t, page, 'sign-in-again');
      await page.getByRole('button', { name: 'Email me a link' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      if (javaScriptEnabled) await inspect(t, page, 'sign-in-again-sent');
      t.notOk((await store.listMembers(workspace)).some((member) => member.email === longest));

      const tab = await page.context().newPage();
      await tab.goto(linkIn(await mailTo(email, 1)));
      t.equal(await tab.getByText('another browser').count(), 0);
      await tab.getByRole('button', { name: 'Sign in' }).click();
      await tab.getByText("You've signed in again.").waitFor();
      t.match(tab.url(), `/workspaces/${workspace}/members`);

      await page.getByRole('button', { name: 'Continue' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: "You're signed in again" }).waitFor();
      if (javaScriptEnabled) await inspect(t, page, 'sign-in-again-continue');
      await page.getByRole('button', { name: 'Send it now' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Member added.').waitFor();
      const added = (await store.listMembers(workspace)).find((member) => member.email === longest);
      t.equal(added?.role, 'viewer');
      await page.getByLabel('Email address').fill('second@example.com');
      await page.getByRole('button', { name: 'Add member' }).click();
      await page.getByText('Member added.').waitFor();
      t.equal((await store.listMembers(workspace)).length, 3, 'and nobody is asked again at once');
    },
  );
}

t.test('a member of two workspaces switches between them', async (t) => {
  const other = await createSurvey(store);
  await store.upsertWorkspace({ id: other.workspace, name: 'Beta' });
  await store.upsertMember(workspace, 'both@example.com', 'owner');
  await store.upsertMember(other.workspace, 'both@example.com', 'viewer');
  const page = await open(t);
  await signIn(page, 'both@example.com');
  await inspect(t, page, 'workspaces');
  await page.getByRole('link', { name: 'Beta' }).click();
  await page.getByText('Beta').first().click();
  await inspect(t, page, 'switcher');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Acme' }).waitFor({ state: 'hidden' });
  await page.getByText('Beta').first().click();
  await page.getByRole('link', { name: 'Acme' }).click();
  await page.waitForURL(`**/workspaces/${workspace}`);
});
