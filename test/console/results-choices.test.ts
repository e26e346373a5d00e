// Results by the choices of a question, over HTTP: offered, filtered by the words of the page, and the address is the view.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const viewer = await createMember(store, workspace, 'viewer');
const QUESTIONS = [
  { id: 'score', type: 'score', label: 'Would you recommend us?', nps: true },
  { id: 'constructor', type: 'choice', label: 'How did you hear of us?', choices: ['Friends', 'Web, ads & more!'] },
  { id: 'used', type: 'choice', several: true, label: 'What did you use?', choices: ['Pool', 'Sauna'] },
];
await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: QUESTIONS });
for (const [choice, count, score] of [
  ['Friends', 12, 10],
  ['Web, ads & more!', 3, 0],
] as const)
  await sql`
    insert into invite.responses (survey_id, answers, submitted_at)
    select ${survey}, ${sql.json({ score, constructor: choice })}, '2030-01-10 10:00Z' from generate_series(1, ${count})`;
await sql`select invite.recount_results(${survey})`;

const PATH = `/surveys/${survey}/results`;
const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const get = async (query = '') => unescaped(await (await visit(url, PATH + query, viewer)).text());
const plain = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const linkTo = (page: string, content: string) =>
  [...page.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].find(([, , text]) => text === content)?.[1] ?? 'none';

t.test('a question with one choice is offered, and each choice has a line that leads to its responses', async (t) => {
  const first = await get();
  const by = linkTo(first, 'How did you hear of us?');
  t.match(by, 'by=%40answer%3Aconstructor');
  t.equal(linkTo(first, 'What did you use?'), 'none', 'several choices are no single part');
  const page = unescaped(await (await visit(url, by, viewer)).text());
  t.match(plain(page), /Friends 12 \+100 .*Web, ads & more! fewer than 10 responses 3 −100 .*Too few to say/);
  t.notMatch(page, 'Count response rates');
  const web = linkTo(page, 'Web, ads & more!');
  const narrowed = unescaped(await (await visit(url, web, viewer)).text());
  t.match(plain(narrowed), 'How did you hear of us?: Web, ads & more!');
  t.match(plain(narrowed), 'Responses 3 0 by invitation, 3 direct');
  t.notMatch(plain(narrowed), 'Response rate');
});

t.test('a filter by a choice is added from the list, also that it is not', async (t) => {
  const [, value] = /<option value="([^"]*)">How did you hear of us\?: Friends</.exec(await get()) ?? [];
  t.equal(value, '@answer:constructor=Friends');
  const add = `?add=${encodeURIComponent(value ?? '')}`;
  t.match(plain(await get(add)), /How did you hear of us\?: Friends .*Responses 12 /);
  t.match(plain(await get(`${add}&match=not`)), /How did you hear of us\?: not Friends .*Responses 3 /);
  const csv = await (await visit(url, `${PATH}.csv?filter=${encodeURIComponent(value ?? '')}`, viewer)).text();
  t.equal(csv.trim().split('\n').length, 13);
});

t.test("what is no question's id shows nothing, and breaks nothing", async (t) => {
  for (const by of ['@answer:none', '@answer:', '@answer:used', '@answer:%', "@answer:'; select 1"])
    t.match(plain(await get(`?by=${encodeURIComponent(by)}`)), 'Breakdown', by);
  t.match(plain(await get(`?filter=${encodeURIComponent('@answer:none=x')}`)), 'No responses match');
});
