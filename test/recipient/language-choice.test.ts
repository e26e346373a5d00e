// The language of a survey's page: what the recipient chooses, the recipient's, the request's, the browser's among those that exist, the survey's.
// The language of an email: the recipient's, the request's, the survey's.
import t from 'tap';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url, post } = await startTestServer(t, urlAs('invite_web'));
const get = async (path: string, accepted = '', init: RequestInit = {}) => {
  const response = await fetch(url + path, { redirect: 'manual', headers: { 'accept-language': accepted }, ...init });
  const text = (await response.text()).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return { text, location: response.headers.get('location') ?? '', language: /<html lang="([^"]*)"/.exec(text)?.[1] };
};

const QUESTIONS = [{ id: 'where', type: 'choice', label: 'Where?', choices: ['Shop', 'Web'], required: true }];
const into = (tag: string) => ({
  title: `Title in ${tag}`,
  questions: { where: { label: `Where in ${tag}`, choices: { Shop: 'S', Web: 'W' } } },
});
const HALF = { title: 'Half', questions: { where: { label: 'Half' } } };

/** A survey in Swedish, translated into German, Persian, and half into French. */
async function setup(recipients: object[], language?: string) {
  const fixture = await createSurvey(store);
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, title: 'Enkät', questions: QUESTIONS });
  await store.setSurveyLanguage(fixture.survey, 'sv');
  for (const tag of ['de', 'fa']) await store.setSurveyTranslation(fixture.survey, tag, into(tag));
  await store.setSurveyTranslation(fixture.survey, 'fr', HALF);
  const { secret } = await createToken(store, fixture.survey);
  await post({ emails: recipients, ...(language && { language }) }, { secret });
  const rows = await sql`select link_token from test.invitations where survey_id = ${fixture.survey} order by id`;
  return { survey: fixture.survey, links: rows.map(({ link_token: token }) => `/s/${fixture.survey}?invitation=${token}`) };
}

t.test('a page is in the first language of these that has all its texts', async (t) => {
  const { survey, links } = await setup([
    { email: 'a@example.com', language: 'de-AT' },
    { email: 'b@example.com', language: 'fr' },
  ]);
  const [german = '', french = ''] = links;
  t.equal((await get(german)).language, 'de', "the recipient's");
  t.equal((await get(german, 'sv')).language, 'de', 'before the browser');
  t.equal((await get(`${german}&language=sv`)).language, 'sv', 'after what is chosen');
  t.equal((await get(`${german}&language=xx`)).language, 'de', 'if there is such a language');
  t.equal((await get(french)).language, 'sv', "half a translation counts as none: the survey's");
  t.equal((await get(french, 'es, de;q=0.5')).language, 'de', 'what the browser asks for and exists');
  t.equal((await get(`/s/${survey}`, 'fr, fa;q=0.2')).text.match(/Where in (\w+)/)?.[1], 'fa');
  t.match((await get(`/s/${survey}?language=fa`)).text, '<html lang="sv" dir="rtl">', 'in the direction of the questions');
  const both = await setup([{ email: 'a@example.com', language: 'fr' }], 'de');
  t.equal((await get(both.links[0] ?? '')).language, 'de', "the request's");
});

t.test(
  'a survey in one language has no switch; in several, each is a link under its own name, in its own direction',
  async (t) => {
    const plain = await createSurvey(store);
    t.notMatch((await get(`/s/${plain.survey}`)).text, 'class="languages"');
    const { links } = await setup([{ email: 'a@example.com', language: 'de' }]);
    const [link = ''] = links;
    const { text } = await get(link);
    const nav = /<nav class="languages" aria-label="Sprache">([\s\S]*?)<\/nav>/.exec(text)?.[1] ?? '';
    const entries = [
      ...nav.matchAll(/<a href="([^"]+)" lang="([^"]+)" dir="(...)" hreflang="[^"]+"( aria-current="true")?>([^<]+)</g),
    ];
    t.same(
      entries.map(([, , tag, direction, current, name]) => [tag, direction, current !== undefined, name]),
      [
        ['de', 'ltr', true, 'Deutsch'],
        ['sv', 'ltr', false, 'Svenska'],
        ['fa', 'rtl', false, 'فارسی'],
      ],
      'without the one that is translated in part',
    );
    const persian = entries.find(([, , tag]) => tag === 'fa')?.[1]?.replaceAll('&amp;', '&') ?? '';
    t.equal(persian, `${link}&language=fa`);
    t.match((await get(persian)).text, 'Where in fa');
    const refused = await get(link.split('?')[0] ?? '', '', {
      method: 'POST',
      body: new URLSearchParams({ invitation: link.split('=')[1] ?? '', language: 'sv' }),
    });
    t.match(refused.text, LANGUAGES.sv.chooseAnswer, 'errors are in the chosen language');
  },
);

t.test('the language that was chosen is stored with the response, and that of the thanks', async (t) => {
  const { survey, links } = await setup([{ email: 'a@example.com', language: 'de' }]);
  const page = await get(`${links[0]}&language=sv`);
  const field = /name="language" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  t.equal(field, 'sv');
  const body = new URLSearchParams({ invitation: links[0]?.split('=')[1] ?? '', language: field, 'answer.where': 'Web' });
  const done = await get(`/s/${survey}`, '', { method: 'POST', body });
  t.equal(done.location, `/s/${survey}/thanks?language=sv`);
  t.match((await get(done.location)).text, LANGUAGES.sv.thanksTitle);
  const [row] = await sql`select language from invite.results where survey_id = ${survey}`;
  t.equal(row?.language, 'sv');
});

t.test('a survey of what the service itself says is in the language of the browser', async (t) => {
  const { survey } = await createSurvey(store);
  t.match((await get(`/s/${survey}`, 'ca, en;q=0.5')).text, LANGUAGES.es.recommend);
  t.equal((await get(`/s/${survey}?language=ja`, 'ca')).language, 'ja');
  t.equal((await get(`/s/${survey}`, '*')).language, 'en');
});

t.test(
  "an email leads to the page of the first language of recipient, request and survey that has all the page's texts",
  async (t) => {
    const { survey } = await setup(
      [
        { email: 'a@example.com', language: 'fr' },
        { email: 'b@example.com', language: 'fa' },
      ],
      'de',
    );
    const emails = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
    t.same(
      emails.map(({ pageTranslation }) => pageTranslation),
      [
        { title: 'Title in de', language: 'de' },
        { title: 'Title in fa', language: 'fa' },
      ],
    );
  },
);
