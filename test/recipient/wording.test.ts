// What recipients read of a workspace that has words of its own: its pages, and the emails that a worker sends.
import t from 'tap';
import { en } from '../../src/languages/en.ts';
import { LANGUAGES, OWN_NAMES } from '../../src/languages/languages.ts';
import { Speeches } from '../../src/languages/speeches.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { render } from '../../src/mail/render.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url, post } = await startTestServer(t, urlAs('invite_web'));
const worker = await createWorker(store);
const speeches = new Speeches(store.findWording);
const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const get = async (path: string, init: RequestInit = {}) => unescaped(await (await fetch(url + path, init)).text());
/** Each text in Arabic letters: its name, so that a test sees which it is, and the placeholders. */
const URDU: Record<string, string> = Object.fromEntries(
  OWN_NAMES.map((name) => [name, `سلام ${name} ${(en[name].match(/\{\{?\w+\}\}?/g) ?? []).join(' ')}`.trim()]),
);

URDU.defaultMessage = 'سلام {{recipient_name}},\n\n{{workspace_name}}: {{survey_title}}\n\n{{survey_link}}\n\nشکریہ';

async function setup(recipients: object[]) {
  const fixture = await createSurvey(store);
  const questions = [
    { id: 'score', type: 'score', label: en.recommend, min_label: en.leastLikely, max_label: en.mostLikely, required: true },
  ];
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, questions });
  const { secret } = await createToken(store, fixture.survey);
  await post({ emails: recipients }, { secret });
  const rows = await sql`select link_token from test.invitations where survey_id = ${fixture.survey} order by id`;
  return {
    ...fixture,
    pages: rows.map(({ link_token: link }) => ({
      page: `/s/${fixture.survey}?invitation=${link}`,
      unsubscribe: `/u/${unsubscribeToken(link)}`,
    })),
    async emails() {
      const claimed = await store.claimInvitations(await idsOf(sql, fixture.survey), worker);
      const options = { publicUrl: url, from: { name: 'Surveys', email: 'surveys@example.org' } };
      return Promise.all(claimed.map(async (one) => render({ ...one, speech: await speeches.of(one.wording) }, options)));
    },
  };
}

t.test('without words of its own, a workspace is served as before, and asks for none', async (t) => {
  const { pages, emails } = await setup([{ email: 'a@example.com', language: 'de' }]);
  const [one = { page: '', unsubscribe: '' }] = pages;
  t.match(await get(one.page), `>${LANGUAGES.de.submit}</button>`);
  t.match((await emails())[0]?.text, LANGUAGES.de.emailReason.replace('{workspace}', 'Acme'));
});

t.test('a survey in Urdu is Urdu in all that its recipient reads, from right to left', async (t) => {
  const { workspace, survey, pages, emails } = await setup([
    { email: 'a@example.com', name: 'Ada', language: 'ur' },
    { email: 'b@example.com', language: 'ur-PK' },
    { email: 'c@example.com', language: 'de' },
  ]);
  await store.setWording(workspace, 'ur', URDU);
  const [ada = pages[0], nameless, german] = pages;
  for (const { page, unsubscribe } of [ada, nameless].filter((one) => one !== undefined)) {
    const shown = await get(page);
    t.match(shown, '<html lang="ur" dir="rtl">');
    for (const name of ['submit', 'recommend', 'leastLikely'] as const) t.match(shown, URDU[name], name);
    for (const text of [en.submit, en.recommend, 'Your answers go to']) t.notMatch(shown, text);
    const left = await get(unsubscribe);
    t.match(left, '<html lang="ur" dir="rtl">');
    t.match(left, '<h1>سلام unsubscribeTitle</h1>');
    t.match(left, 'سلام unsubscribeScope <bdi>Acme</bdi>');
  }
  t.match(await get(`/s/${survey}`, { headers: { 'accept-language': 'ur' } }), URDU.submit, 'the browser asks for it');
  t.match(await get(`/s/${survey}/thanks?language=ur`), URDU.thanks);
  t.match(await get(german?.page ?? ''), LANGUAGES.de.submit, 'others read theirs');
  const [first, second, third] = await emails();
  for (const email of [first, second]) {
    t.match(email?.html, '<html lang="ur" dir="rtl">');
    t.match(email?.text, 'سلام emailReason \u2068Acme\u2069');
    t.match(email?.html, '>سلام takeSurvey</a>');
    t.match(email?.text, 'شکریہ');
    t.notMatch(email?.text, /receiving|Unsubscribe|opinion/);
    t.match(email?.subject, 'سلام defaultSubject');
  }
  t.match(first?.text, 'Ada');
  t.match(third?.text, LANGUAGES.de.emailReason.replace('{workspace}', 'Acme'));
});

t.test('a workspace that says du says it in emails and on pages, and its own words too', async (t) => {
  const { workspace, pages, emails } = await setup([{ email: 'a@example.com', name: 'Ada', language: 'de-AT' }]);
  await store.setWording(workspace, 'de', { unsubscribe: 'Nichts mehr schicken' }, true);
  const [one = { page: '', unsubscribe: '' }] = pages;
  const shown = await get(one.page);
  t.match(shown, 'Wie wahrscheinlich ist es, dass du uns weiterempfiehlst?');
  t.match(shown, 'Deine Antworten gehen an Acme.');
  t.match(await get(one.unsubscribe), '>Nichts mehr schicken</button>');
  const [email] = await emails();
  t.match(email?.text, 'Hallo Ada,');
  t.match(email?.text, 'Du erhältst diese E‑Mail, weil Acme dich');
  t.match(email?.html, '>Nichts mehr schicken</a>');
  t.match(email?.html, '<html lang="de" dir="ltr">');
});

t.test('changed words count from the next page and email on', async (t) => {
  const { workspace, pages } = await setup([{ email: 'a@example.com', language: 'de' }]);
  const [one = { page: '', unsubscribe: '' }] = pages;
  for (const submit of ['Eins', 'Zwei', '']) {
    await store.setWording(workspace, 'de', { submit });
    t.match(await get(one.page), `>${submit || LANGUAGES.de.submit}</button>`);
  }
});

t.test('another workspace reads nothing of them', async (t) => {
  const [one, other] = [
    await setup([{ email: 'a@example.com', language: 'de' }]),
    await setup([{ email: 'a@example.com', language: 'de' }]),
  ];
  await store.setWording(one.workspace, 'de', { submit: 'Nur wir' });
  t.match(await get(one.pages[0]?.page ?? ''), 'Nur wir');
  t.notMatch(await get(other.pages[0]?.page ?? ''), 'Nur wir');
});

t.test('words are texts: no markup, and a value is not expanded again', async (t) => {
  const { workspace, pages, emails } = await setup([{ email: 'a@example.com', language: 'de' }]);
  await store.setWording(workspace, 'de', {
    submit: '<script>alert(1)</script>',
    emailReason: '<b>{workspace}</b> $&',
  });
  const [one = { page: '', unsubscribe: '' }] = pages;
  t.notMatch(await (await fetch(url + one.page)).text(), '<script>alert');
  const [email] = await emails();
  t.notMatch(email?.html, '<b>Acme');
  t.match(email?.text, '<b>Acme</b> $&');
});
