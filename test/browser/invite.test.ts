// Invite people: the first hour without a developer, and lists of all kinds.
import t from 'tap';
import { run } from '../fixtures/program.ts';
import { until } from '../fixtures/setup.ts';
import { inspect, linkIn, refused, startBrowser } from './browser.ts';

const { sql, open, mailTo, url, databaseUrl } = await startBrowser(t);
const OWNER = 'ingrid@example.com';

const file = (name: string, text: string | Buffer) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

t.test('an owner without a developer goes from the setup link to the Results of ten people', async (t) => {
  const { code, stdout } = await run(
    { DATABASE_URL: databaseUrl, PUBLIC_URL: url },
    ...['setup', '--name', 'Fjord Outdoor', '--email', OWNER, '--keep-answers', '730'],
  );
  t.equal(code, 0);
  const page = await open(t);
  await page.goto(/http\S+\/sign-in\/\S+/.exec(stdout)?.[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Create a survey' }).click();
  await page.getByLabel('Title').fill('How was your order?');
  await page.getByRole('button', { name: 'Create survey' }).click();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Your first invitation' }).waitFor();
  t.equal(await page.getByText('Invite people from a list', { exact: true }).count(), 1);
  await inspect(t, page, 'invite-home');

  // The email of lists is tested before there is a list, or any token.
  await page.getByRole('link', { name: 'How was your order?', exact: true }).click();
  await page.getByRole('link', { name: 'Send a test' }).click();
  await inspect(t, page, 'invite-test-email');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText('Test email queued').waitFor();
  t.match(await mailTo(OWNER), { subject: '[Test] Fjord Outdoor: How was your order?' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Invite people', exact: true }).click();

  // A list of ten from a sheet in German, with a repeated and a wrong line.
  const names = ['Ada Lovelace', 'Bo Ek', 'Cy', 'Di', 'Eva Müller', 'Fin', 'Gro Åse', 'Hal', 'Ina', 'Jon'];
  const lines = names.map((name, at) => `${name};${name.split(' ')[0]?.toLowerCase()}@example.com;${at < 5 ? 'NO' : 'DK'}`);
  const csv = ['Kunde;E-Mail;Land', ...lines, 'Ada again;ADA@example.com;NO', 'Nobody;nobody;NO'].join('\r\n');
  await inspect(t, page, 'invite-form');
  await page.getByRole('button', { name: 'Check the list' }).click();
  await refused(t, page, 'Enter an address, paste a list, or choose a file.');
  await page.getByLabel('Or a CSV file').setInputFiles(file('customers.csv', Buffer.from(csv, 'latin1')));
  await page.getByRole('button', { name: 'Check the list' }).click();
  await page.getByRole('heading', { name: 'customers.csv' }).waitFor();
  t.match(await page.locator('.figures').innerText(), /Lines\s+12[\s\S]*Will be invited\s+10[\s\S]*Won’t get an email\s+2/);
  await page.getByText('These emails wait: the survey is a draft').waitFor();

  // The country goes with the answers.
  await page.locator('summary', { hasText: 'Columns: Kunde, E-Mail. Left out: Land' }).click();
  await page.getByLabel('Land').selectOption({ label: 'Detail for Results' });
  await page.getByRole('button', { name: 'Use these columns' }).click();
  await page.getByText('Checked again.').waitFor();
  await page.getByRole('link', { name: 'Invalid 1' }).click();
  await page.getByText("The address isn't a valid email address: it has no @.").waitFor();
  await inspect(t, page, 'invite-invalid');
  await page.getByRole('link', { name: 'All 12' }).click();
  t.match(await page.frameLocator('iframe').locator('h1').innerText(), 'How was your order?');
  await inspect(t, page, 'invite-checked');

  // The score is asked in the email.
  const list = page.url();
  await page.getByRole('link', { name: 'Edit the email' }).click();
  await page.getByRole('checkbox', { name: 'Ask the first question in the email' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changes saved.').waitFor();
  await page.goto(list);
  await page.getByRole('button', { name: 'Invite 10 people' }).click();
  await page.getByText('10 of 12 lines').waitFor();
  await until('the list is sent', async () => {
    await page.reload();
    return (await page.locator('.status', { hasText: 'Invited' }).count()) > 0;
  });
  await inspect(t, page, 'invite-sent');
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download (CSV)' }).click();
  t.match(
    await (await waiting).createReadStream().then(async (stream) => Buffer.concat(await stream.toArray()).toString()),
    /nobody/,
  );

  // The emails wait for the survey.
  await page.getByRole('link', { name: 'you activate it' }).click();
  await page.getByRole('button', { name: /^Activate/ }).click();
  for (const [name, score] of [
    ['ada', '10'],
    ['bo', '9'],
    ['cy', '3'],
  ] as const) {
    const recipient = await open(t);
    const email = await mailTo(`${name}@example.com`);
    if (name === 'ada') t.match(email.text, 'Hello Ada Lovelace');
    if (name === 'ada') {
      const [, answer = ''] = /href="([^"]*score=10)"/.exec(email.html) ?? [];
      await recipient.goto(answer.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
      t.ok(await recipient.getByRole('radio', { name: score, exact: true }).isChecked(), 'the score of the email is chosen');
      t.same(await sql`select from invite.responses`, [], 'nothing is stored yet');
    } else {
      await recipient.goto(linkIn(email));
      await recipient.getByRole('radio', { name: score, exact: true }).check({ force: true });
    }
    await recipient.getByRole('button', { name: 'Submit' }).click();
    await recipient.getByRole('heading', { name: 'Thank you' }).waitFor();
    await recipient.close();
  }
  await page.goto('/');
  await inspect(t, page, 'invite-home-later');
  await page.getByRole('link', { name: 'How was your order?', exact: true }).click();
  await page.getByRole('link', { name: 'Results' }).click();
  await page.getByLabel('Add a filter').selectOption({ label: 'Land: NO' });
  await page.getByRole('button', { name: 'Apply' }).click();
  t.match(await page.locator('.hero').innerText(), /NPS[\s\S]*\+33/);
  const [entry] = await sql`select actor, detail ->> 'people' as people from invite.audit_log where action = 'list_sent'`;
  t.same(entry, { actor: OWNER, people: '10' });
});
