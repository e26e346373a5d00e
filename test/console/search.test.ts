// The search of a workspace: what each role finds in which group, and what is said of it elsewhere.
import t from 'tap';
import { excerpt } from '../../src/console/search/search-view.ts';
import { createLog } from '../../src/log.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, type SignedInMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const { store, sql, urlAs } = await createTestDatabase(t);
const lines: string[] = [];
const log = createLog('debug', { write: (line) => void lines.push(line) });
const { url } = await startTestServer(t, urlAs('invite_web'), {}, log);
const LONG = `${'o'.repeat(64)}@${'department.'.repeat(16)}example`;
const { workspace, survey } = await createBatch(store, {
  recipients: [
    { email: 'amara.okafor@example.com', name: 'Amara Okafor', metadata: { order_id: 'A-1001' } },
    { email: 'li@example.com', name: '李小龙', metadata: { order_id: 'A-1002' } },
    { email: LONG, name: `<b>${'Very Long Name '.repeat(16)}` },
  ],
});
for (const [index, comment] of ['The delivery was LATE, again!', '配送が遅かった。', 'Great'].entries()) {
  const [row] =
    await sql`select link_token from test.invitations where survey_id = ${survey} order by id offset ${index} limit 1`;
  await store.submitResponse(survey, { score: 3, comment }, row?.link_token);
}
const owner = await createMember(store, workspace, 'owner');
const viewer = await createMember(store, workspace, 'viewer');
for (const _ of ['what a transaction may still add', 'all']) await store.indexRecipients();
const post = (path: string, search: string, member: SignedInMember) =>
  visit(url, `/workspaces/${workspace}/search${path}`, member, { search });
const main = async (search: string, member = owner) => {
  const text = await (await post('', search, member)).text();
  return text.slice(text.indexOf('<main'));
};
/** Groups with the texts of their links. */
const found = async (search: string, member = owner) => {
  const answer = await post('/suggestions', search, member);
  const groups = (await answer.json()) as { label: string; items: { title: string }[] }[];
  return Object.fromEntries(groups.map(({ label, items }) => [label, items.map(({ title }) => title)]));
};

t.test('any part of a name or address finds the person, the last word while it is typed, in any script', async (t) => {
  for (const search of ['amara okaf', 'okaf', 'OKAFOR ama', 'mara.oka', '@example.com okafor', 'ok am'])
    t.match(await found(search), { People: ['Amara Okafor'] }, search);
  t.match(await found('小龙'), { People: ['李小龙'] });
  t.match(await found('o'.repeat(40)), { People: [/^<b>Very Long/] });
  t.strictSame(await found('amara okafx'), {});
  t.strictSame(await found('%'), {});
  t.strictSame(await found('okaf_r'), {});
});

t.test(
  'a value of the metadata finds the invitation, whole; words of a comment the response; a title the survey; a name the page',
  async (t) => {
    t.match(await found('a-1001'), { Invitations: ['order_id: a-1001'] });
    t.strictSame(await found('A-100'), {});
    t.match(await found('late deliv'), { Responses: ['The delivery was LATE, again!'] });
    t.match(await found('遅かった'), { Responses: ['配送が遅かった。'] });
    t.strictSame(await found('elivery'), {}, 'a word from its beginning');
    t.match(await found('customer'), { Surveys: ['Customer survey'] });
    t.match(await found('audit'), { Pages: ['Audit log'] });
    t.match(await found('team'), { Pages: ['Members'] });
  },
);

t.test('the page has the groups with links to each, and escapes what people wrote', async (t) => {
  const text = await main('okafor');
  t.match(text, /<h2 id="hits-person">People<\/h2>/);
  t.match(text, new RegExp(`href="/workspaces/${workspace}/recipients/\\d+"`));
  t.match(await main('great'), new RegExp(`href="/surveys/${survey}/responses/\\d+"`));
  t.match(await main('<b>very'), /&#60;b&#62;Very|&lt;b&gt;Very/);
  t.match(await main('nobody at all'), /Nothing matches/);
});

t.test('viewers find no persons and no orders; comments without who wrote them', async (t) => {
  t.strictSame(await found('okafor', viewer), {});
  t.strictSame(await found('A-1001', viewer), {});
  t.match(await found('late', viewer), { Responses: ['The delivery was LATE, again!'] });
  t.notMatch(await main('late', viewer), /Amara|okafor/i);
  t.match(await main('late'), /Amara Okafor/);
  t.strictSame(await found('audit', viewer), {}, 'nor pages that they may not open');
});

t.test('what was searched for reaches no log', (t) => {
  t.ok(lines.length > 20);
  t.match(lines.join(''), /workspaces\/:workspace\/search/);
  t.notMatch(lines.join(''), /okaf|a-100/i);
  t.end();
});

t.test('a comment is shown around the word that was found', (t) => {
  t.equal(excerpt('short', ['short']), 'short');
  const long = `${'before '.repeat(30)}forklift${' after'.repeat(40)}`;
  t.match(excerpt(long, ['forklift']), /^….{40,50}forklift after.*…$/);
  t.ok(excerpt(long, ['forklift']).length < 165);
  t.notMatch(excerpt('😀'.repeat(200), ['x']), /[\ud800-\udbff]…/);
  t.end();
});
