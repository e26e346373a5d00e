// The question that an email asks: which one it is, who is asked it, and what is recorded of a click.
import t from 'tap';
import { idsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const worker = await createWorker(store);
const SCORE = { id: 'score', type: 'score', label: 'Would you recommend us?', required: true };
const WHY = { id: 'why', type: 'text', label: 'Why?' };
const choice = (count: number) => ({
  id: 'c',
  type: 'choice',
  label: 'Which?',
  choices: Array.from({ length: count }, (_, index) => `${index}`),
});

async function setup(questions: readonly object[] = [WHY, SCORE], settings: Parameters<typeof createToken>[2] = {}) {
  const { workspace, survey } = await createSurvey(store);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: questions as never });
  await store.setWorkspaceEvents(workspace, true);
  const token = await createToken(store, survey, { questionInEmail: true, ...settings });
  const invite = (email = 'ada@example.com', language?: string) =>
    acceptTrigger(store, token.hash, { recipients: [{ email, ...(language && { language }) }] }, 10_000);
  const claim = async () => store.claimInvitations(await idsOf(sql, survey), worker);
  return { workspace, survey, ...token, invite, claim };
}

const question = async (questions: readonly object[], publicUrl: string | null = null) => {
  const [row] = await sql`
    select invite.email_question(jsonb_populate_record(null::invite.surveys, ${sql.json({ questions, public_url: publicUrl } as never)})) as found`;
  return row?.found?.id ?? null;
};

t.test('it is the first score or choice question with at most 11 answers', async (t) => {
  t.equal(await question([WHY, SCORE, choice(2)]), 'score');
  t.equal(await question([choice(11), SCORE]), 'c');
  t.equal(await question([choice(12), SCORE]), 'score');
  t.equal(await question([{ ...SCORE, min: -1 }]), null, 'twelve scores');
  t.equal(await question([{ ...SCORE, min: 90, max: 100 }]), 'score');
  t.equal(await question([WHY]), null);
  t.equal(await question([]), null);
  t.equal(await question([SCORE], 'https://own.example/'), null, "the product's page need not know of answers in links");
});

t.test('a claim has it if the token asked when the request was accepted', async (t) => {
  const { token, invite, claim } = await setup();
  await invite('one@example.com');
  await store.updateTriggerToken(token, { questionInEmail: false });
  await invite('two@example.com');
  const claimed = await claim();
  t.match(
    claimed.map(({ email, question }) => [email, question?.id ?? null]),
    [
      ['one@example.com', 'score'],
      ['two@example.com', null],
    ],
  );
  t.same(claimed[0]?.question, SCORE, 'as its author wrote it');
});

t.test("its texts are those of the survey's translation that the page has in the recipient's language", async (t) => {
  const { survey, invite, claim } = await setup([SCORE]);
  const texts = { title: 'Umfrage', questions: { score: { label: 'Empfehlen Sie uns?' } } };
  await store.setSurveyTranslation(survey, 'de', texts);
  await invite('de@example.com', 'de-AT');
  await invite('fr@example.com', 'fr');
  const claimed = await claim();
  t.match(claimed, [{ question: { translated: texts.questions.score } }, { question: SCORE }]);
  t.notOk(claimed[1]?.question?.translated);
});

t.test('a response knows that its answer began with a click, in results, events and exports, until it is erased', async (t) => {
  const { workspace, survey, invite } = await setup();
  const { session } = await createMember(store, workspace, 'owner', `owner-${survey}@example.com`);
  for (const name of ['clicked', 'typed', 'changed', 'skipped']) await invite(`${name}@example.com`);
  const link = async (name: string) => {
    const [row] =
      await sql`select link_token from test.invitations where survey_id = ${survey} and email = ${`${name}@example.com`}`;
    return String(row?.link_token);
  };
  await store.submitResponse(survey, { score: 9 }, await link('clicked'), 1, 'en', 'score');
  await store.submitResponse(survey, { score: 8 }, await link('typed'), 1);
  await store.submitResponse(survey, { score: 2, why: 'No' }, await link('changed'), 1, 'en', 'score');
  await store.submitResponse(survey, { why: 'Yes' }, await link('skipped'), 1, 'en', 'score');
  await store.submitResponse(survey, { score: 5 }, undefined, 1, 'en', 'score');
  const expected = [
    ['clicked@example.com', 'score'],
    ['typed@example.com', null],
    ['changed@example.com', 'score'],
    ['skipped@example.com', null],
    [null, null],
  ];
  const results = await store.console.listResults(session, survey, undefined, undefined, 10);
  t.same(results.map(({ email, clickedInEmail }) => [email, clickedInEmail]).reverse(), expected);
  const listed = await store.listResults(survey, 10);
  t.same(listed.map((row) => [row.email, row.clicked_in_email]).reverse(), expected);
  await sql`select invite.publish_events()`;
  const events = await sql`
    select e.data -> 'response' as response from invite.list_events(0, 100, survey_id => ${survey}) as e where e.type = 'response.submitted'`;
  t.same(
    events.map(({ response }) => response.clicked_in_email ?? null),
    expected.map(([, clicked]) => clicked),
  );
  t.notOk(Object.hasOwn(events[1]?.response ?? {}, 'clicked_in_email'), 'only if there was a click');

  const [clicked] = await sql`select id from test.invitations where survey_id = ${survey} and email = 'clicked@example.com'`;
  const exported = await store.console.exportRecipient(session, workspace, clicked?.id);
  t.match(JSON.stringify(exported), '"clicked_in_email":"score"');
  await store.console.eraseRecipient(session, workspace, clicked?.id, false, true);
  const [erased] = await sql`select answers, clicked_in_email from invite.responses where invitation_id = ${clicked?.id}`;
  t.same(erased, { answers: {}, clicked_in_email: null });
});

t.test('of an invitation whose email asked nothing, no click is recorded', async (t) => {
  const { survey, invite } = await setup([SCORE], { questionInEmail: false });
  await invite();
  const [row] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  await store.submitResponse(survey, { score: 9 }, row?.link_token, 1, 'en', 'score');
  t.match(await sql`select clicked_in_email from invite.responses where survey_id = ${survey}`, [{ clicked_in_email: null }]);
});

t.test('a token says which question its emails can ask', async (t) => {
  const { workspace, survey, token } = await setup([WHY, SCORE], { questionInEmail: false });
  const editor = await createMember(store, workspace, 'editor', `editor-${survey}@example.com`);
  t.match(await store.console.findTriggerToken(editor.session, survey, token), { questionInEmail: false, emailQuestion: SCORE });
  await store.upsertSurvey({ workspaceId: workspace, id: survey, publicUrl: 'https://own.example/' });
  t.match(await store.console.findTriggerToken(editor.session, survey, token), { emailQuestion: null });
});
