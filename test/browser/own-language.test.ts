// A Hebrew and a Swedish survey that a member makes in the console alone, from the template to the answer, with all that a recipient sees.
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { createSurvey } from '../fixtures/setup.ts';
import { linkIn, startBrowser } from './browser.ts';

const { store, open, signIn, mailTo } = await startBrowser(t);
const PICTURES = new URL('../../.data/screenshots/', import.meta.url).pathname;
const LOOKS = [
  {
    tag: 'he',
    dir: 'rtl',
    workspace: 'חנות ההרים',
    title: 'איך היה המשלוח #1024?',
    own: 'איפה קניתם?',
    choices: ['בחנות', 'באתר Fjord.example'],
    name: 'Björn (5)',
  },
  {
    tag: 'sv',
    dir: 'ltr',
    workspace: 'Fjällbutiken',
    title: 'Hur var din beställning?',
    own: 'Var handlade du?',
    choices: ['Butik', 'Webb'],
    name: 'נועה (5)',
  },
] as const;

const look = async (t: Test, page: Page, name: string, dir: string, lang: string) => {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}own-language-${lang}-${name}.png`, fullPage: true });
  t.same(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]'), [lang, dir], name);
  t.notOk(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'), name);
};

for (const { tag, dir, workspace: name, title, own, choices, name: recipient } of LOOKS) {
  t.test(`a survey in ${tag} is made in the console alone, and is in ${tag} wherever its recipients see it`, async (t) => {
    const strings = LANGUAGES[tag];
    const { workspace } = await createSurvey(store);
    await store.upsertWorkspace({ id: workspace, name });
    const owner = `owner-${tag}@example.com`;
    await store.upsertMember(workspace, owner, 'owner');
    const page = await open(t, { viewport: { width: 700, height: 800 } });
    await signIn(page, owner);

    await page.goto(`/workspaces/${workspace}/surveys/new`);
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Create survey' }).click();
    const survey = new URL(page.url()).pathname.replace('/questions', '');
    await page.getByRole('button', { name: 'Choice', exact: true }).click();
    await page.locator('#label-2').fill(own);
    await page.locator('#choices-2').fill(choices.join('\n'));
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Questions published.').waitFor();
    await page.goto(`${survey}/languages`);
    await page.getByLabel('Written in').fill(tag);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changes saved.').waitFor();
    await page.goto(`${survey}/invitations?confirm=active`);
    await page.getByRole('button', { name: /^Activate/ }).click();
    await page.getByText('The survey is active.').waitFor();
    await page.goto(`${survey}/invite`);
    await page
      .getByLabel('Addresses, or cells copied from a sheet')
      .fill(`Email\tName\nnamed-${tag}@example.com\t${recipient}\nplain-${tag}@example.com\t`);
    await page.getByRole('button', { name: 'Check the list' }).click();
    await page.getByRole('button', { name: 'Invite 2 people' }).click();

    for (const who of ['named', 'plain']) {
      const email = await mailTo(`${who}-${tag}@example.com`);
      t.equal(email.subject.replace(/[\u2066-\u2069]/g, ''), `${name}: ${title}`);
      const text = email.text.replace(/[\u2066-\u2069]/g, '');
      t.ok(
        text.startsWith(
          who === 'named'
            ? (strings.defaultMessage.replace('{{recipient_name}}', recipient).split('\n')[0] ?? '')
            : `${strings.greeting}\n`,
        ),
        text,
      );
      t.notMatch(text, `${who}-${tag}@example.com,`, 'nobody is greeted by an address');
      const guest = await open(t, { viewport: { width: 700, height: 800 } });
      await guest.setContent(email.html);
      await look(t, guest, `email-${who}`, dir, tag);
      await guest.goto(linkIn(email));
      await look(t, guest, `survey-${who}`, dir, tag);
      t.match(await guest.locator('main').innerText(), strings.leastLikely);
      await guest.getByRole('radio', { name: '9', exact: true }).check({ force: true });
      await guest.getByRole('radio', { name: choices[1] }).check({ force: true });
      await guest.getByRole('button', { name: strings.submit, exact: true }).click();
      await guest.getByRole('heading', { name: strings.thanksTitle }).waitFor();
      await look(t, guest, `thanks-${who}`, dir, tag);
      await guest.goto(linkIn(email));
      await look(t, guest, `responded-${who}`, dir, tag);
      await guest.goto(/https?:\S+\/u\/\S+/.exec(email.text)?.[0] ?? '');
      await look(t, guest, `unsubscribe-${who}`, dir, tag);
      const address = guest.locator('b', { hasText: `${who}-${tag}@` });
      const { height = 0 } = (await address.boundingBox()) ?? {};
      t.ok(height > 0 && height < 40, `the address is on one line: ${height}`);
      await guest.close();
    }
    await page.goto(`${survey}/results`);
    const ends = await page.evaluate<number[]>(`[0, -1].map((at) => {
      const text = document.querySelector('.head h1').firstChild;
      const from = at < 0 ? text.length - 1 : at;
      const range = document.createRange();
      range.setStart(text, from);
      range.setEnd(text, from + 1);
      return range.getBoundingClientRect().left;
    })`);
    t.equal((ends[0] ?? 0) > (ends[1] ?? 0), dir === 'rtl', 'the title runs in its own direction in the console too');
    const results = await page.locator('main').innerText();
    t.match(results, choices[1]);
    t.match(results, '+100', 'it is a Net Promoter Score');
    await page.screenshot({ path: `${PICTURES}own-language-${tag}-results.png`, fullPage: true });
  });
}
