// The API trigger tab in a browser: create a token, edit it beside its preview, delete it, and see rejected requests.
import t from 'tap';
import { createSecret } from '../../src/secret.ts';
import { createSurvey, createToken, until } from '../fixtures/setup.ts';
import { inspect, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn, url } = await startBrowser(t);
const { workspace, survey } = await createSurvey(store);
await store.upsertMember(workspace, 'adam@example.com', 'admin');
await store.upsertMember(workspace, 'ed@example.com', 'editor');
await store.upsertMember(workspace, 'vic@example.com', 'viewer');
const TAB = `/surveys/${survey}/api-trigger`;

const call = (secret: string, body: object) =>
  fetch(`${url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

t.test('an editor creates a token and copies its secret; a reload creates no second token', async (t) => {
  const page = await open(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, 'ed@example.com');
  await page.goto(TAB);
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  await inspect(t, page, 'api-trigger-empty');
  await page.getByRole('link', { name: 'Create a token' }).click();
  await page.getByLabel('Name').fill('Order system');
  await page.getByLabel('Cooldown').fill('soon');
  await page.getByRole('button', { name: 'Create token' }).click();
  await refused(t, page, '0 to 86,400');
  await inspect(t, page, 'token-new-error');
  await page.getByLabel('Cooldown').fill('0');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('heading', { name: 'Secret of “Order system”' }).waitFor();
  await inspect(t, page, 'token-secret');
  await page.getByRole('button', { name: 'Copy the secret' }).click();
  await page.getByText('Copied').first().waitFor();
  const secret = String(await page.evaluate('navigator.clipboard.readText()'));
  t.match(secret, /^sit_[\w-]{51}$/);
  t.equal((await call(secret, { email: 'ada@example.com' })).status, 200, 'it is the secret');

  await page.reload();
  await page.getByText('This form has already created its token.').waitFor();
  t.equal(await page.getByRole('row', { name: /Order system/ }).count(), 1);
});

t.test('the preview follows what is typed, adds nothing to the history, and the form saves it', async (t) => {
  const { token } = await createToken(store, survey, { name: 'Webshop' });
  const page = await open(t);
  await signIn(page, 'ed@example.com');
  await page.goto(TAB);
  await page.getByRole('link', { name: 'Webshop' }).click();
  const preview = page.locator('.stage iframe').last().contentFrame();
  const subject = (name: string) => preview.getByRole('heading', { name, exact: true }).waitFor();
  const body = preview.frameLocator('iframe');
  // A wait inside a frame ends with an error if the frame is replaced meanwhile, as it is when the preview follows.
  const says = (text: string) =>
    until(`the email says ${text}`, () =>
      body
        .locator('body')
        .textContent()
        .then((shown) => shown?.includes(text))
        .catch(() => false),
    );
  await says('would like your opinion');
  await inspect(t, page, 'token');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('heading', { name: 'Preview' }).scrollIntoViewIfNeeded();
  await page.locator('.preview').screenshot({ path: '.data/screenshots/token-preview-phone.png' });
  await page.setViewportSize({ width: 1280, height: 720 });
  const steps = await page.evaluate('history.length');

  await page.getByLabel('Subject', { exact: true }).fill('Your order, {{recipient_name}}');
  await subject('Your order, Ada Lovelace');
  await page.getByLabel('Message', { exact: true }).fill('How was it?');
  await says('How was it?');
  await page.getByRole('radio', { name: 'Reminder' }).check();
  await subject('Reminder: Your order, Ada Lovelace');
  await preview.getByText('Plain text').click();
  await preview.locator('pre').getByText('How was it?').waitFor();
  t.equal(await page.evaluate('history.length'), steps);
  await until('the preview before is gone', async () => (await page.locator('iframe').count()) === 1);
  await page.getByLabel('Days until the reminders').fill('400');
  await page.getByRole('button', { name: 'Save' }).click();
  await refused(t, page, 'up to five ascending numbers of days');
  await subject('Your order, Ada Lovelace');
  await inspect(t, page, 'token-error');
  await page.getByLabel('Days until the reminders').fill('3, 7, 14');
  await page.getByRole('button', { name: 'Save' }).click();
  t.match(await page.getByRole('status').first().innerText(), 'Changes saved');
  t.match(await sql`select default_subject, default_reminders from invite.trigger_tokens where id = ${token}`, [
    { default_subject: 'Your order, {{recipient_name}}', default_reminders: [3, 7, 14] },
  ]);
  await subject('Your order, Ada Lovelace');

  await page.getByLabel('Message', { exact: true }).fill('How was it, {{recipient_nam}}?');
  await preview.getByText('Did you mean {{recipient_name}}?').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await refused(t, page, 'Did you mean {{recipient_name}}?');
  await inspect(t, page, 'token-variable');
});

t.test('without JavaScript the button previews unsaved changes', async (t) => {
  const { token } = await createToken(store, survey, { name: 'Plain' });
  const page = await open(t, { javaScriptEnabled: false });
  await signIn(page, 'ed@example.com');
  await page.goto(`${TAB}/${token}`);
  await page.getByLabel('Message', { exact: true }).fill('Typed by hand');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.locator('.stage iframe').last().contentFrame().frameLocator('iframe').getByText('Typed by hand').last().waitFor();
  t.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'Typed by hand');
});

t.test('an admin allows reading; an editor sees it', async (t) => {
  const { token } = await createToken(store, survey, { name: 'Reader' });
  const page = await open(t);
  await signIn(page, 'adam@example.com');
  await page.goto(`${TAB}/${token}`);
  await page.getByRole('button', { name: 'Allow reading' }).click();
  await page.getByText('Reading is allowed.').waitFor();
  await page.getByRole('button', { name: 'Stop allowing it' }).waitFor();
  await inspect(t, page, 'token-reading');
  const other = await open(t);
  await signIn(other, 'ed@example.com');
  await other.goto(`${TAB}/${token}`);
  await other.getByText('An owner or admin can change this.').waitFor();
  t.equal(await other.getByRole('button', { name: 'Stop allowing it' }).count(), 0);
});

t.test('rejected requests appear by code, also of a deleted token; deleting says what breaks', async (t) => {
  const { secret } = await createToken(store, survey, { name: 'Old shop' });
  const { secret: cooling } = await createToken(store, survey, { name: 'CRM', cooldownSeconds: 3600 });
  await call(cooling, { email: 'ada@example.com' });
  for (let count = 0; count < 3; count += 1) await call(cooling, { email: 'ada@example.com' });
  await call(cooling, { emails: [{ email: 'ada@example' }] });
  await call(createSecret('home0001').secret, { email: 'ada@example.com' });
  const page = await open(t);
  await signIn(page, 'ed@example.com');
  await page.goto(TAB);
  await page.getByRole('link', { name: 'Old shop' }).click();
  await page.getByRole('link', { name: 'Delete…' }).click();
  await page.getByText('Requests with its secret get HTTP 400').waitFor();
  await inspect(t, page, 'token-delete');
  await page.getByRole('button', { name: 'Delete token “Old shop”' }).click();
  t.match(await page.getByRole('status').first().innerText(), 'Token deleted');
  await call(secret, { email: 'ada@example.com' });

  const unknown = page.getByRole('row', { name: /Old shop.*unknown_token/ });
  await until('the server has written its counts', async () => {
    await page.goto(TAB);
    return unknown.count();
  });
  t.equal(await unknown.count(), 1);
  t.match(await page.getByRole('row', { name: /CRM.*cooldown/ }).innerText(), /\t3\t3\t/);
  t.match(
    await page.getByRole('row', { name: /CRM.*invalid_recipient/ }).innerText(),
    "emails[].email isn't a valid email address",
  );
  await inspect(t, page, 'api-trigger');
});

t.test('a viewer has no access; a reason that rejects all requests is shown on top', async (t) => {
  const page = await open(t);
  await signIn(page, 'vic@example.com');
  t.equal((await page.goto(TAB))?.status(), 403);
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  await store.upsertWorkspace({ id: workspace, plan: 'free' });
  const other = await open(t);
  await signIn(other, 'ed@example.com');
  await other.goto(TAB);
  await other.getByText('Requests are being rejected').waitFor();
  await inspect(t, other, 'api-trigger-rejecting');
});
