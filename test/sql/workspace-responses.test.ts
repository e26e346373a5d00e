// The responses to all surveys of a workspace, page by page.
import t from 'tap';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { store, sql } = await createTestDatabase(t);
const { workspace, survey } = await createBatch(store, { recipients: [{ email: 'ann@example.com', name: 'Ann' }] });
const others = [];
for (const title of ['Second', 'Third'])
  others.push(await store.upsertSurvey({ workspaceId: workspace, title, state: 'active' }));
const elsewhere = await createSurvey(store);
const owner = await createMember(store, workspace, 'owner');
const viewer = await createMember(store, workspace, 'viewer');
// Several at one time, and the surveys' responses beside each other.
await sql`
  insert into invite.responses (survey_id, answers, submitted_at)
  select (${[survey, ...others, elsewhere.survey]}::text[])[1 + n % 4], jsonb_build_object('score', n % 11, 'comment', 'No. ' || n),
    now() - interval '1 day' - (n / 3) * interval '1 hour'
  from generate_series(1, 40) as n`;
const [invitation] = await sql`select link_token from test.invitations`;
await store.submitResponse(survey, { score: 3 }, invitation?.link_token);

const read = (before?: string, rows = 7, { session } = owner) =>
  store.console.workspaceResponses(session, workspace, before, rows);

t.test('pages show each response once, newest first, and no response of another workspace', async (t) => {
  const all = await sql`
    select r.id::text from invite.responses as r join invite.surveys as s on s.id = r.survey_id
    where s.workspace_id = ${workspace} order by r.submitted_at desc, r.id desc`;
  const found: string[] = [];
  // A page that began again would never end.
  for (let page = await read(); page.length > 0 && found.length < 100; page = await read(found.at(-1)))
    found.push(...page.map(({ id }) => id));
  t.equal(found.length, 31);
  t.strictSame(
    found,
    all.map(({ id }) => id),
  );
});

t.test('a score with its question, a comment, and the person for editors alone', async (t) => {
  const [newest] = await read();
  t.match(newest, { email: 'ann@example.com', name: 'Ann', score: 3, question: { id: 'score' }, comment: null });
  t.match((await read(undefined, 1, viewer))[0], { email: null, name: null, score: 3 });
  t.match((await read())[1], { email: null, invitationId: null, comment: /^No\. \d+$/ });
});

t.test('after a response that was deleted, or of another workspace, comes the first page', async (t) => {
  const first = (await read()).map(({ id }) => id);
  const [foreign] = await sql`select id::text from invite.responses where survey_id = ${elsewhere.survey} limit 1`;
  for (const before of ['999999', foreign?.id])
    t.strictSame(
      (await read(before)).map(({ id }) => id),
      first,
    );
});
