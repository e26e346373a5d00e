// The sender and the languages of emails, as owners and editors set them in a browser.
import t from 'tap';
import { createBatch } from '../fixtures/setup.ts';
import { inspect, openPage, refused, startBrowser } from './browser.ts';

const { store, open, signIn, mailTo } = await startBrowser(t);
const { workspace, survey, token } = await createBatch(store);
await store.upsertMember(workspace, 'ada@acme.example', 'owner');

t.test('an owner says whom emails come from, is told what is wrong, and sees it in a test email', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@acme.example');
  await openPage(page, 'Settings', 'Sender');
  await inspect(t, page, 'sender-empty');
  await page.getByLabel('Name', { exact: true }).fill('Acme Outdoor');
  await page.getByLabel('Postal address').fill('Acme Outdoor\nStorgata 1\n0155 Oslo');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Changes saved.').waitFor();
  await page.getByLabel('Color').fill('forest green');
  await page.getByRole('button', { name: 'Save the brand' }).click();
  await refused(t, page, 'six hexadecimal digits');
  await inspect(t, page, 'sender-refused');
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Acme Outdoor');
  t.equal(await page.getByLabel('Color').inputValue(), 'forest green', 'nothing is cut off');
  await page.getByLabel('Color').fill('');
  await page.getByLabel('Pick another').fill('#0f6b3a');
  await page.getByRole('button', { name: 'Save the brand' }).click();
  t.match(await page.getByRole('status').innerText(), 'Changes saved.');
  t.equal(await page.getByLabel('Color').inputValue(), '#0f6b3a');

  await page.goto(`/surveys/${survey}/api-trigger/${token}`);
  await page.getByRole('link', { name: 'Sender', exact: true }).last().click();
  await page.getByLabel('Name', { exact: true }).fill('Acme Support');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Changes saved.').waitFor();
  await inspect(t, page, 'sender-token');
  await page.goto(`/surveys/${survey}/test-invitation?token=${token}`);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  const email = await mailTo('ada@acme.example', 1);
  t.match(email.text, '0155 Oslo');
  t.match(email.html, '#0f6b3a');
});

t.test('an editor translates a survey and its email, and looks at the preview', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@acme.example');
  await page.goto(`/surveys/${survey}/settings`);
  await page.getByRole('link', { name: 'Change or translate' }).click();
  await page.getByRole('combobox', { name: 'Language', exact: true }).fill('ar');
  await page.getByRole('button', { name: 'Translate' }).click();
  await page.getByLabel('Title').fill('رأيك في خدمتنا');
  await inspect(t, page, 'survey-languages');
  await page.getByRole('button', { name: 'Save translation' }).click();
  await page.getByText('Translation saved.').waitFor();

  await page.goto(`/surveys/${survey}/api-trigger/${token}`);
  await page.getByRole('link', { name: 'Translations' }).click();
  await page.getByRole('combobox', { name: 'Language', exact: true }).fill('de');
  await page.getByRole('button', { name: 'Translate' }).click();
  await page.getByLabel('Subject', { exact: true }).fill('Ihre Meinung, {{recipient_name}}?');
  await inspect(t, page, 'token-translations');
  await page.getByRole('button', { name: 'Save translation' }).click();
  await page.getByRole('link', { name: 'Back to the email' }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('German');
  await page.frameLocator('iframe').last().getByRole('heading', { name: 'Ihre Meinung, Ada Lovelace?' }).waitFor();
  await inspect(t, page, 'token-german');
});
