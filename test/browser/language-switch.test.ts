// The switch of languages on a survey's page, in a browser: windows, dark mode, both directions, the keyboard, without scripts.
import t from 'tap';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { createSurvey, createToken } from '../fixtures/setup.ts';
import { inspect, linkIn, startBrowser } from './browser.ts';

const { store, url, open, mailTo } = await startBrowser(t);
const QUESTIONS = [
  {
    id: 'score',
    type: 'score',
    label: 'Hur troligt är det att du rekommenderar oss?',
    min: 0,
    max: 10,
    min_label: 'Inte alls',
    max_label: 'Mycket',
    required: true,
  },
  { id: 'where', type: 'choice', label: 'Var handlade du?', choices: ['Butik', 'Webb'] },
  { id: 'why', type: 'text', label: 'Varför?' },
];
const into = (title: string, words: string[]) => ({
  title,
  questions: {
    score: { label: words[0], min_label: words[1], max_label: words[2] },
    where: { label: words[3], choices: { Butik: words[4], Webb: words[5] } },
    why: { label: words[6] },
  },
});
const { survey, workspace } = await createSurvey(store);
await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Hur var din beställning?', questions: QUESTIONS });
await store.setSurveyLanguage(survey, 'sv');
await store.setSurveyTranslation(
  survey,
  'he',
  into('איך הייתה ההזמנה?', ['מה הסיכוי שתמליצו עלינו?', 'בכלל לא', 'מאוד', 'איפה קניתם?', 'חנות', 'אתר', 'למה?']),
);
await store.setSurveyTranslation(
  survey,
  'ar',
  into('كيف كان طلبك؟', ['ما مدى احتمال أن توصي بنا؟', 'غير محتمل', 'محتمل', 'أين اشتريت؟', 'متجر', 'موقع', 'لماذا؟']),
);
await store.setSurveyTranslation(
  survey,
  'de',
  into('Wie war Ihre Bestellung?', [
    'Wie wahrscheinlich ist es, dass Sie uns empfehlen?',
    'Gar nicht',
    'Sehr',
    'Wo haben Sie gekauft?',
    'Laden',
    'Web',
    'Warum?',
  ]),
);
const { secret } = await createToken(store, survey);
await fetch(`${url}/api/invitation-trigger`, {
  method: 'POST',
  headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'a@example.com', language: 'de' }),
});
const link = linkIn(await mailTo('a@example.com'));
for (const tag of ['de', 'sv', 'he', 'ar']) {
  t.test(`the page in ${tag} has the switch, in its direction, in every window`, async (t) => {
    const page = await open(t, { locale: 'sv' });
    await page.goto(`${link}&language=${tag}`);
    const isRtl = tag === 'he' || tag === 'ar';
    t.equal(await page.evaluate('document.documentElement.dir'), isRtl ? 'rtl' : 'ltr');
    t.equal(await page.locator('.languages [aria-current]').getAttribute('lang'), tag);
    await inspect(t, page, `language-switch-${tag}`);
  });
}

t.test('without scripts it is a link like any other', async (t) => {
  const page = await open(t, { javaScriptEnabled: false });
  await page.goto(link);
  await page.getByRole('link', { name: 'Svenska' }).click();
  t.match(await page.innerText('h1'), 'Hur var din');
});

t.test('the switch works by keyboard, keeps what was entered, and leads to the thanks in that language', async (t) => {
  const page = await open(t);
  await page.goto(link);
  await page.locator('textarea').fill('För sent');
  await page.getByRole('link', { name: 'Svenska' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hur var din beställning?' }).waitFor();
  t.equal(await page.locator('textarea').inputValue(), 'För sent');
  await page.getByRole('button', { name: LANGUAGES.sv.submit, exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Wie war Ihre Bestellung?' }).waitFor();
  t.equal(await page.locator('textarea').inputValue(), 'För sent', 'also after they were refused');
  await page.getByRole('link', { name: 'Svenska' }).click();
  await page.getByRole('heading', { name: 'Hur var din beställning?' }).waitFor();
  await page.getByRole('radio', { name: '9', exact: true }).check({ force: true });
  await page.getByRole('button', { name: LANGUAGES.sv.submit, exact: true }).click();
  await page.getByRole('heading', { name: LANGUAGES.sv.thanksTitle }).waitFor();
  t.equal((await store.listResults(survey, 1))[0]?.language, 'sv');
});
