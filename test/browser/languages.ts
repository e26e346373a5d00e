// One request in some of the service's languages. Each recipient's email and pages are checked in a browser, including the language and direction
// that screen readers use. Its time is that of its languages, so they are divided among files, which run beside each other.
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '../../src/languages/languages.ts';
import { createSurvey, createToken } from '../fixtures/setup.ts';
import { inspect, linkIn, startBrowser, violations } from './browser.ts';

/** Files that divide the languages. */
const PARTS = 3;

const isRtl = (language: string) => ['ar', 'he'].includes(language);

export const NAMES: Readonly<Record<Language, string>> = {
  en: 'Ada',
  'de-CH': 'Reto',
  de: 'Jörg Müller',
  fr: 'Amélie',
  es: 'Íñigo',
  pt: 'João',
  'pt-PT': 'Inês',
  it: 'Niccolò',
  nl: 'Joost',
  nb: 'Åse',
  'fr-CA': 'Zoé',
  'es-419': 'Ñusta',
  sv: 'Björn',
  da: 'Søren',
  fi: 'Väinö',
  pl: 'Łucja',
  cs: 'Řehoř',
  ja: '山田 花子',
  'zh-Hans': '王小明',
  'zh-Hant': '陳怡君',
  ko: '김민준',
  tr: 'Işıl',
  uk: 'Ґанна',
  ro: 'Ștefania',
  hu: 'Győző',
  el: 'Ελένη',
  vi: 'Nguyễn Thị Mỹ Hạnh',
  th: 'กัญญารัตน์',
  id: 'Ratna Sari Dewi',
  hi: 'श्रीकृष्ण',
  ru: 'Артём',
  ar: 'ليلى',
  he: 'נועה',
};

const documentOf = (page: Page) => page.evaluate<string[]>('[document.documentElement.lang, document.documentElement.dir]');

/** @param part From 1 to PARTS. */
export async function checkLanguages(t: Test, part: number): Promise<void> {
  const { store, url, open, mailTo } = await startBrowser(t);
  const languages = LANGUAGE_TAGS.filter((_, index) => index % PARTS === part - 1);
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceSender(workspace, {
    name: 'Acme Outdoor',
    reply_to: 'care@acme.example',
    accent_color: '#b45309',
    postal_address: 'Acme Outdoor\nStorgata 1\n0155 Oslo',
  });
  const { secret } = await createToken(store, survey);
  const emails = languages.map((language) => ({ email: `${language}@example.com`, name: NAMES[language], language }));
  const accepted = await fetch(`${url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails }),
  });

  t.equal(accepted.status, 200, 'one request invites them all');

  for (const language of languages) {
    t.test(`the email and the pages of a recipient in ${language}`, async (t) => {
      const strings = LANGUAGES[language];
      const expected = [language, isRtl(language) ? 'rtl' : 'ltr'];
      const email = await mailTo(`${language}@example.com`);
      const page = await open(t);
      await page.setContent(email.html);
      t.same(await documentOf(page), expected);
      await inspect(t, page, `language-${language}-email`, true);

      await page.goto(linkIn(email));
      t.same(await documentOf(page), expected);
      await inspect(t, page, `language-${language}-survey`);
      await page.getByRole('button', { name: strings.submit, exact: true }).click();
      await page.getByRole('alert').waitFor();
      t.ok((await page.getByRole('alert').innerText()).includes(strings.chooseNumber));
      await inspect(t, page, `language-${language}-errors`);
      await page.getByRole('radio', { name: '9', exact: true }).check({ force: true });
      await page.getByRole('button', { name: strings.submit, exact: true }).click();
      await page.getByRole('heading', { name: strings.thanksTitle }).waitFor();
      t.same(await documentOf(page), expected);
      t.same(await violations(page), []);

      await page.goto(/https?:\S+\/u\/\S+/.exec(email.text)?.[0] ?? '');
      t.same(await documentOf(page), expected);
      await inspect(t, page, `language-${language}-unsubscribe`);
      await page.getByRole('button', { name: strings.unsubscribe, exact: true }).click();
      await page.getByRole('button', { name: strings.resubscribe, exact: true }).click();
      await page.getByRole('heading', { name: strings.resubscribedTitle }).waitFor();
      t.same(await violations(page), []);
    });
  }
}
