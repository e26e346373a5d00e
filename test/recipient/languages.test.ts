// The recipients' pages over HTTP in their language: the service's texts, translated questions with the same answers, and errors.
import { createHash } from 'node:crypto';
import t from 'tap';
import { LANGUAGE_TAGS, LANGUAGES } from '../../src/languages/languages.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';

const isRtl = (language: string) => ['ar', 'he'].includes(language);

const { sql, store, urlAs } = await createTestDatabase(t);
const { url, post } = await startTestServer(t, urlAs('invite_web'));
const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(url + path, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: unescaped(await response.text()) };
};
const submit = (survey: string, fields: Record<string, string>) =>
  get(`/s/${survey}`, { method: 'POST', body: new URLSearchParams(fields) });

const QUESTIONS = [
  { id: 'score', type: 'score', label: 'How was it?', min: 0, max: 10, min_label: 'Bad', required: true },
  { id: 'where', type: 'choice', label: 'Where?', choices: ['Shop', 'Web'], required: true },
];
const GERMAN = {
  title: 'Ihre Meinung',
  thanks: 'Danke Ihnen!',
  questions: {
    score: { label: 'Wie war es?', min_label: 'Schlecht' },
    where: { label: 'Wo?', choices: { Shop: 'Im Laden', Web: 'Im Netz' } },
  },
};

async function setup(recipients: object[]) {
  const fixture = await createSurvey(store);
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, questions: QUESTIONS, thanks: 'Thanks a lot!' });
  await store.setSurveyTranslation(fixture.survey, 'de', GERMAN);
  const { secret, token } = await createToken(store, fixture.survey);
  const reply = await post({ emails: recipients }, { secret });
  const rows = await sql`select id, link_token from test.invitations where survey_id = ${fixture.survey} order by id`;
  const links = rows.map((row) => ({
    token: row.link_token as string,
    page: `/s/${fixture.survey}?invitation=${row.link_token}`,
    unsubscribe: `/u/${unsubscribeToken(row.link_token)}`,
  }));
  return { ...fixture, secret, reply, links, triggerToken: token };
}

t.test('choices and questions may be called as what every object has', async (t) => {
  const { survey, workspace } = await createSurvey(store);
  const choices = ['constructor', '__proto__', 'Shop'];
  const questions = [{ id: 'toString', type: 'choice', label: 'Where?', choices }];
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
  await store.setSurveyTranslation(survey, 'de', {
    questions: { toString: { label: 'Wo?', choices: { Shop: 'Laden', constructor: 'constructor', ['__proto__']: '__proto__' } } },
  });
  const { status, text } = await get(`/s/${survey}?language=de`);
  t.equal(status, 200);
  t.notMatch(text, 'native code');
  for (const choice of ['Laden', 'constructor', '__proto__']) t.ok(text.includes(`${choice}</span>`), choice);
});

t.test('each recipient of one request gets each page in their language', async (t) => {
  const { links, survey } = await setup(LANGUAGE_TAGS.map((language) => ({ email: `${language}@example.com`, language })));
  for (const language of LANGUAGE_TAGS) await store.setSurveyTranslation(survey, language, GERMAN);
  for (const [index, language] of LANGUAGE_TAGS.entries()) {
    const { page, unsubscribe, token } = links[index] ?? { page: '', unsubscribe: '', token: '' };
    const strings = LANGUAGES[language];
    const document = `<html lang="${language}" dir="${isRtl(language) ? 'rtl' : 'ltr'}">`;
    const shown = await get(page);
    t.ok(shown.text.includes(document), language);
    t.ok(shown.text.includes(`>${strings.submit}</button>`), language);
    const refused = await submit(survey, { invitation: token });
    t.equal(refused.status, 422);
    for (const message of [strings.notSubmitted, strings.chooseNumber, strings.chooseAnswer])
      t.ok(refused.text.includes(message), message);
    const done = await submit(survey, { invitation: token, 'answer.score': '9', 'answer.where': 'Web' });
    t.equal(done.headers.get('location'), `/s/${survey}/thanks?language=${language}`);
    const thanks = await get(done.headers.get('location') ?? '');
    t.ok(thanks.text.includes(document) && thanks.text.includes(`<h1>${strings.thanksTitle}</h1>`), language);
    t.ok((await get(page)).text.includes(strings.respondedTitle), language);
    t.ok((await get(unsubscribe)).text.includes(strings.unsubscribeScope.split('{')[0] ?? ''), language);
    for (const choice of ['once-a-month', 'not-this-survey']) {
      await get(`${unsubscribe}/choose/${choice}`, { method: 'POST' });
      const { text } = await get(`${unsubscribe}?done=saved`);
      t.ok(text.includes(document) && text.includes(strings.savedTitle), language);
      const [said, undo] =
        choice === 'once-a-month'
          ? [strings.onceAMonthChosen, strings.noLimit]
          : [strings.notThisSurveyChosen, strings.thisSurveyAgain];
      t.ok(
        said.split(/\{\w+\}/).every((piece) => text.includes(piece)) && text.includes(`>${undo}</button>`),
        `${language} ${choice}`,
      );
      await get(`${unsubscribe}/take-back/${choice}`, { method: 'POST' });
    }
    const offered = await get(unsubscribe);
    for (const text of [strings.fewer, `>${strings.onceAMonth}</button>`, `>${strings.notThisSurvey}</button>`])
      t.ok(offered.text.includes(text), language);
    t.ok(offered.text.includes(language === 'en' ? 'Customer survey' : 'Ihre Meinung'), language);
    const gone = await get(unsubscribe, { method: 'POST' });
    t.ok(gone.text.includes(document) && gone.text.includes(strings.mistake), language);
    await get(`${unsubscribe}/subscribe`, { method: 'POST' });
    t.ok((await get(`${unsubscribe}?done=subscribed`)).text.includes(strings.resubscribedTitle), language);
  }
});

t.test('that a link has expired, and that there are enough responses, is said in each language', async (t) => {
  const { links, survey, workspace } = await setup(
    LANGUAGE_TAGS.map((language) => ({ email: `${language}@example.com`, language })),
  );
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'A & B' });
  for (const language of LANGUAGE_TAGS) await store.setSurveyTranslation(survey, language, GERMAN);
  await store.setSurveyEnds(survey, { linkDays: 1 });
  await sql`
    update invite.messages set status = 'sent', sent_at = now() - interval '25 hours', not_before = null, sweep_at = null
    where survey_id = ${survey}`;
  const plain = (text: string) => text.replace(/<[^>]*>/g, '');
  const says = async (heading: 'linkExpiredTitle' | 'closedTitle', sentence: 'linkExpired' | 'full') => {
    for (const [index, language] of LANGUAGE_TAGS.entries()) {
      const shown = await get(links[index]?.page ?? '');
      t.equal(shown.status, 410);
      t.match(shown.text, `<html lang="${language}" dir="${isRtl(language) ? 'rtl' : 'ltr'}">`);
      t.match(shown.text, `<h1>${LANGUAGES[language][heading]}</h1>`);
      const title = language === 'en' ? 'A & B' : 'Ihre Meinung';
      t.match(plain(shown.text), LANGUAGES[language][sentence].replace('{title}', title), language);
    }
  };
  await says('linkExpiredTitle', 'linkExpired');
  await store.setSurveyEnds(survey, { linkDays: null, responseLimit: 1 });
  await store.submitResponse(survey, { score: 1 }, undefined);
  await says('closedTitle', 'full');
});

t.test('a page is in a language when all its questions are, and answers are stored as they are asked', async (t) => {
  const { links, survey } = await setup([{ email: 'a@example.com', language: 'de-AT' }]);
  const { text } = await get(links[0]?.page ?? '');
  t.match(text, '<h1>Ihre Meinung</h1>');
  t.match(text, '<title>Ihre Meinung · Acme</title>');
  t.match(text, '<legend>Wie war es?</legend>');
  t.match(text, '<legend>Wo?</legend>');
  t.match(text, '<span>0 = Schlecht</span>');
  t.match(text, /value="Shop" required><span>Im Laden<\/span>/);
  t.match(text, /value="Web" required><span>Im Netz<\/span>/);
  const done = await submit(survey, { invitation: links[0]?.token ?? '', 'answer.score': '9', 'answer.where': 'Shop' });
  t.match((await get(done.headers.get('location') ?? '')).text, 'Danke Ihnen!');
  const [row] = await sql`select answers, language from invite.responses where survey_id = ${survey}`;
  t.same(row, { answers: { score: 9, where: 'Shop' }, language: 'de' }, 'with the language they were asked in');
  const [entry] =
    await sql`select in_words from invite.invitation_history where survey_id = ${survey} and event = 'response_recorded'`;
  t.equal(entry?.in_words, 'response recorded, in de');
  await submit(survey, { 'answer.score': '9', 'answer.where': 'Shop' });
  const [direct] = await sql`select language from invite.results where survey_id = ${survey} order by id desc limit 1`;
  t.equal(direct?.language, 'en', "the survey's");
});

t.test(
  "a page of which any text is not in the recipient's language is wholly in the survey's, and so is the email",
  async (t) => {
    const untranslated = (text: string) => {
      t.match(text, '<html lang="en" dir="ltr">');
      t.match(text, '<legend>How was it?</legend>');
      t.notMatch(text, /lang="(de|ar)"|Absenden|Wie war es/);
    };
    const { where, score } = GERMAN.questions;
    for (const half of [
      { ...GERMAN, thanks: undefined },
      { ...GERMAN, questions: { score } },
      { ...GERMAN, questions: { score, where: { ...where, choices: { Shop: 'Im Laden' } } } },
      { ...GERMAN, questions: { where, score: { label: 'Wie war es?' } } },
    ]) {
      const { links, survey } = await setup([
        { email: 'a@example.com', language: 'de' },
        { email: 'b@example.com', language: 'ar' },
      ]);
      await store.setSurveyTranslation(survey, 'de', half);
      for (const { page } of links) untranslated((await get(page)).text);
      untranslated((await get(`/s/${survey}?language=de`)).text);
      const { text } = await submit(survey, { invitation: links[0]?.token ?? '' });
      t.match(text, LANGUAGES.en.chooseNumber);
      const emails = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
      t.strictSame(
        emails.map(({ pageTranslation }) => pageTranslation),
        [null, null],
      );
    }
  },
);

t.test("the page of the request's translation is wholly in that language", async (t) => {
  const { survey, secret } = await setup([{ email: 'first@example.com' }]);
  await store.setSurveyTranslation(survey, 'pt-BR', GERMAN);
  await sql`update invite.surveys set translations = translations - 'de' where id = ${survey}`;
  await post({ emails: [{ email: 'ada@example.com', language: 'de' }], language: 'pt-BR' }, { secret });
  const [row] = await sql`select link_token from test.invitations where survey_id = ${survey} and language = 'de'`;
  const { text } = await get(`/s/${survey}?invitation=${row?.link_token}`);
  t.match(text, '<html lang="pt" dir="ltr">');
  t.ok(text.includes(`>${LANGUAGES.pt.submit}</button>`));
  t.notMatch(text, LANGUAGES.de.submit);
});

t.test('only the title may be in another language, which it names', async (t) => {
  const { links, survey } = await setup([{ email: 'a@example.com', language: 'de' }]);
  await store.setSurveyTranslation(survey, 'de', { ...GERMAN, title: undefined });
  const { text } = await get(links[0]?.page ?? '');
  t.match(text, '<html lang="de" dir="ltr">');
  t.match(text, '<h1><span lang="en" dir="ltr">Customer survey</span></h1>');
});

t.test('the unsubscribe page names the survey as its page does, in the language of that name', async (t) => {
  const { links, survey } = await setup([
    { email: 'a@example.com', language: 'ar' },
    { email: 'b@example.com', language: 'de' },
  ]);
  const named = async (index: number) => (await get(links[index]?.unsubscribe ?? '')).text;
  t.ok((await named(0)).includes('<bdi><span lang="en" dir="ltr">Customer survey</span></bdi>'));
  t.ok((await named(1)).includes('„Ihre Meinung“'));
  await store.setSurveyTranslation(survey, 'de', { ...GERMAN, thanks: undefined });
  t.ok((await named(1)).includes('„<span lang="en" dir="ltr">Customer survey</span>“'), 'a translation that is not complete');
});

t.test('a public link has the language of its address, and keeps it', async (t) => {
  const { survey } = await setup([{ email: 'a@example.com' }]);
  const { text } = await get(`/s/${survey}?language=de`);
  t.match(text, '<html lang="de" dir="ltr">');
  t.match(text, '<input type="hidden" name="language" value="de">');
  const done = await submit(survey, { language: 'de', 'answer.score': '9', 'answer.where': 'Web' });
  t.match(done.headers.get('location'), '?language=de');
  t.match((await get(`/s/${survey}`)).text, '<html lang="en" dir="ltr">', "otherwise the survey's");
  for (const odd of ['"><script>', 'x'.repeat(100), 'xx', ''])
    t.match((await get(`/s/${survey}?language=${encodeURIComponent(odd)}`)).text, '<html lang="en"', odd);
});

t.test('a survey in another language, unchanged, asks what it was made with in the language of each recipient', async (t) => {
  const { survey } = await createSurvey(store);
  t.match((await get(`/s/${survey}?language=nb`)).text, LANGUAGES.nb.recommend);
  t.match((await get(`/s/${survey}?language=ar`)).text, `0 = ${LANGUAGES.ar.leastLikely}`);
});

t.test('an error is in the language of the browser', async (t) => {
  const { text, status } = await get('/u/none', { headers: { 'accept-language': 'ar-EG, de;q=0.5' } });
  t.equal(status, 404);
  t.match(text, '<html lang="ar" dir="rtl">');
  t.match(text, `<h1>${LANGUAGES.ar.notFoundTitle}</h1>`);
  t.match((await get('/s/none', { headers: { 'accept-language': 'xx' } })).text, LANGUAGES.en.notFound);
  t.match((await get('/s/none')).text, '<html lang="en"');
});

t.test('an unknown language is named in the answer, once each, and a known one is not', async (t) => {
  const { secret, reply } = await setup([
    { email: 'a@example.com', language: 'et' },
    { email: 'b@example.com', language: 'et' },
    { email: 'c@example.com', language: 'de_AT' },
    { email: 'd@example.com', language: '???' },
    { email: 'e@example.com', language: '' },
  ]);
  t.same(
    reply.body.warnings?.map(({ code, field }) => [code, field]),
    [
      ['unknown_language', 'emails[0].language'],
      ['unknown_language', 'emails[3].language'],
    ],
  );
  t.match(reply.body.warnings?.[0]?.message, /^"et" isn't one of the languages/);
  const rows = await sql`select language from test.invitations where batch_id = ${reply.body.batch.uuid} order by id`;
  t.same(
    rows.map(({ language }) => language),
    ['et', 'et', 'de-AT', null, null],
  );
  t.match((await post({ email: 'a@example.com', language: 'xx' }, { secret })).body.warnings, [{ field: 'language' }]);
  t.equal((await post({ email: 'a@example.com', language: 'nn-NO' }, { secret })).body.warnings, undefined);
  const wrong = await post({ email: 'a@example.com', language: 7 }, { secret });
  t.match(wrong.body.error, { code: 'invalid_field', details: [{ field: 'language' }] });
  t.match((await post({ email: 'a@example.com', locale: 'de' }, { secret })).body.message, 'did you mean language?');
});

t.test(
  "a page for recipients has its style in it, with the workspace's color, and its policy allows that style alone",
  async (t) => {
    const { workspace, survey } = await createSurvey(store);
    const stylesOf = async () => {
      const { text, headers } = await get(`/s/${survey}`);
      t.notMatch(text, /<link[^>]*stylesheet| style=/);
      const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css);
      const hashes = styles.map((css) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`);
      t.match(headers.get('content-security-policy'), `style-src ${hashes.join(' ')};`);
      return styles;
    };
    t.equal((await stylesOf()).length, 1);
    await store.setWorkspaceSender(workspace, { accent_color: '#FF8800' });
    t.match(await stylesOf(), [/\.question/, /^:root\{--accent:light-dark\(#\w{6},#\w{6}\)\}$/]);
  },
);
