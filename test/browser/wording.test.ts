// A workspace's own words in a browser: an owner words German and Swedish, and takes a CSV file.
import { writeFile } from 'node:fs/promises';
import t from 'tap';
import { OWN_NAMES } from '../../src/languages/languages.ts';
import { createBatch } from '../fixtures/setup.ts';
import { inspect, openPage, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const { workspace, survey } = await createBatch(store);
await store.upsertMember(workspace, 'ada@acme.example', 'owner');

t.test('an owner words a language beside ours, is told what is wrong, and sees it on the page of a survey', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@acme.example');
  await openPage(page, 'Settings', 'Wording');
  await inspect(t, page, 'wording-none');
  await page.getByLabel('Language').fill('de');
  await page.getByRole('button', { name: 'Word this language' }).click();
  await page.getByLabel('Informally: du').check();
  await page.getByLabel('Submit', { exact: true }).fill('Ab damit');
  await page.getByLabel('Email reason').fill('Du bist Kunde.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Use each of these, and no other: {workspace}.').waitFor();
  await inspect(t, page, 'wording-refused');
  await page.getByLabel('Email reason').fill('Du bist Kunde von {workspace}.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Recipients read these words from now on.').waitFor();
  await sql`update invite.wordings set originals = originals || '{"submit": "Senden"}' where workspace_id = ${workspace}`;
  await page.reload();
  await inspect(t, page, 'wording-outdated');
  await page.getByRole('link', { name: 'All languages' }).click();
  await inspect(t, page, 'wording-languages');

  const shown = await open(t, { locale: 'de' });
  await store.upsertSurvey({ workspaceId: workspace, id: survey, openResponses: true });
  await shown.goto(`/s/${survey}`);
  await shown.getByRole('button', { name: 'Ab damit' }).waitFor();
});

t.test('a file is taken after a look at what it changes, without scripts too', async (t) => {
  const page = await open(t, { javaScriptEnabled: false });
  await signIn(page, 'ada@acme.example');
  await page.goto(`/workspaces/${workspace}/wording?language=he`);
  const file = `${t.testdir({})}/he.csv`;
  await writeFile(
    file,
    `name;text\n${OWN_NAMES.slice(0, 9)
      .map((name) => `${name};"שלום"`)
      .join('\n')}\n`,
  );
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByRole('button', { name: 'Look at the changes' }).click();
  await page.getByRole('heading', { name: /The file changes/ }).waitFor();
  await page.getByRole('button', { name: /Change \d texts/ }).click();
  await page.getByText('Recipients read these words').waitFor();
  const looking = await open(t);
  await signIn(looking, 'ada@acme.example');
  await looking.goto(`/workspaces/${workspace}/wording?language=he`);
  await inspect(t, looking, 'wording-hebrew');
  await looking.getByLabel('CSV file').setInputFiles(file);
  await writeFile(
    file,
    `name;text\n${OWN_NAMES.slice(0, 12)
      .map((name) => `${name};"ערב טוב"`)
      .join('\n')}\n`,
  );
  await looking.getByLabel('CSV file').setInputFiles(file);
  await looking.getByRole('button', { name: 'Look at the changes' }).click();
  await looking.getByRole('heading', { name: /The file changes/ }).waitFor();
  await inspect(t, looking, 'wording-import');
});
