// The language in which somebody answered, wherever responses are: SQL, Results with its filters and breakdown, the response's page, CSV, events, and
// the history.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url, post } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
await store.setWorkspaceEvents(workspace, true);
await store.upsertSurvey({
  ...{ workspaceId: workspace, id: survey, title: 'Order', openResponses: true },
  questions: [
    { id: 'score', type: 'score', label: 'How?', nps: true },
    { id: 'where', type: 'choice', label: 'Where?', choices: ['Shop', 'Web'] },
  ],
});
const into = (label: string, shop: string) => ({
  questions: { score: { label }, where: { label, choices: { Shop: shop, Web: 'W' } } },
});
await store.setSurveyTranslation(survey, 'he', into('איך היה?', 'חנות'));
await store.setSurveyTranslation(survey, 'sv', into('Hur var det?', 'Butik'));
const { secret } = await createToken(store, survey);
await post(
  {
    emails: [
      { email: 'a@example.com', language: 'sv' },
      { email: 'b@example.com', language: 'de' },
    ],
  },
  { secret },
);
const [swede = '', german = ''] = (
  await sql`select link_token from test.invitations where survey_id = ${survey} order by id`
).map(({ link_token: token }) => token as string);

/** Opens a page, answers what it asks and submits it in its language. */
async function answer(score: string, query: string, browser = '') {
  const path = `/s/${survey}${query}`;
  const page = await (await fetch(url + path, { headers: { 'accept-language': browser } })).text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ 'answer.score': score, 'answer.where': 'Shop' });
  for (const name of ['invitation', 'language', 'version']) if (field(name) !== '') body.set(name, field(name));
  const { status } = await fetch(`${url}/s/${survey}`, { method: 'POST', redirect: 'manual', body });
  if (status !== 303) throw new Error(`${query}: ${status}`);
}
await answer('9', `?invitation=${swede}`);
await answer('3', `?invitation=${german}&language=he`);
await answer('10', '', 'he-IL');
await sql`select invite.record_response(${survey}, '{"score": 5}')`;

const owner = await createMember(store, workspace, 'owner');
const read = async (path: string) =>
  (await (await visit(url, `/surveys/${survey}/${path}`, owner)).text()).replace(/&#(\d+);/g, (_, code) =>
    String.fromCharCode(Number(code)),
  );
const plain = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

t.test('SQL and the CSV have its tag, and answers are in the words of the questions', async (t) => {
  const rows =
    await sql`select language, answers ->> 'where' as shop from invite.results where survey_id = ${survey} order by id`;
  t.same(
    rows.map(({ language, shop }) => [language, shop]),
    [
      ['sv', 'Shop'],
      ['he', 'Shop'],
      ['he', 'Shop'],
      [null, null],
    ],
  );
  const [head = '', ...lines] = (await read('results.csv')).trim().split('\r\n');
  const place = head.split(',').findIndex((name) => name.replaceAll('"', '') === 'language');
  t.not(place, -1);
  t.same(lines.map((line) => line.split(',')[place]?.replaceAll('"', '')).sort(), ['', 'he', 'he', 'sv']);
});

t.test('Results offer it as a filter, for the file too, and as a breakdown', async (t) => {
  t.match(await read('results'), '<option value="@language=he">Language: Hebrew</option>');
  const filtered = plain(await read('results?filter=%40language%3Dhe'));
  t.match(filtered, 'Language: Hebrew');
  t.match(filtered, /\b2 responses\b/);
  const csv = await read('results.csv?filter=%40language%3Dhe');
  t.equal(csv.trim().split('\r\n').length, 3);
  const parts = plain(await read('results?by=%40language'));
  t.match(parts, /Hebrew fewer than 10 responses 2 /);
  t.match(parts, /Swedish fewer than 10 responses 1 /);
});

t.test("the response's page and the history of the invitation and the recipient say it", async (t) => {
  const [{ id } = { id: '' }] =
    await sql`select r.id, r.invitation_id from invite.results as r where survey_id = ${survey} and language = 'he' and invitation_id is not null`;
  t.match(plain(await read(`responses/${id}`)), /Language Hebrew/);
  const [row] = await sql`select invitation_id from invite.results where id = ${id}`;
  t.match(plain(await read(`invitations/${row?.invitation_id}`)), /In Hebrew/);
  const history =
    await sql`select event, detail from invite.invitation_history where id = ${row?.invitation_id} and event = 'response_recorded'`;
  t.match(history, [{ detail: 'he' }]);
  const recipient = await store.console.exportRecipient(owner.session, workspace, row?.invitation_id);
  t.match(JSON.stringify(recipient), /"language":"he"/, 'and what a recipient gets to see');
});

t.test('events have it; null, where nobody knows it', async (t) => {
  await until('all is published', async () => (await store.publishEvents(1000)) === 0);
  const events = await sql`
    select e.event -> 'data' -> 'response' as response
    from (select invite.event_envelope(l) as event from invite.list_events(0, 1000, ${workspace}) as l) as e
    where e.event ->> 'type' = 'response.submitted'`;
  t.same(events.map(({ response }) => response.language).sort(), ['he', 'he', null, 'sv']);
});
