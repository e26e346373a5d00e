// A link with an answer: the survey page opens with it chosen, and stores it by Submit alone.
import t from 'tap';
import { answerLink } from '../../src/mail/links.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const CHOICES = ['Sehr gut & schnell', '非常に満足', '"><b>'];
const QUESTIONS = [
  { id: 'score', type: 'score', label: 'Would you recommend us?', required: true },
  { id: 'the_how', type: 'choice', label: 'How was it?', choices: CHOICES },
  { id: 'why', type: 'text', label: 'Why?', required: true },
] as const;

async function setup(publicUrl?: string) {
  const { workspace, survey } = await createSurvey(store, { ...(publicUrl && { publicUrl }) });
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: QUESTIONS });
  const { hash } = await createToken(store, survey, { questionInEmail: true });
  await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 10_000);
  const [row] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  const link = `${url}/s/${survey}?invitation=${row?.link_token}`;
  const responses = () => sql`select answers, clicked_in_email from invite.responses where survey_id = ${survey}`;
  return { survey, token: String(row?.link_token), link, responses };
}
const checked = (page: string) => Array.from(page.matchAll(/value="([^"]*)" checked/g), ([, value]) => value);
const read = async (link: string) => (await fetch(link)).text();

t.test('the page shows the answer as chosen, says that nothing is submitted yet, and stores nothing', async (t) => {
  const { link, responses } = await setup();
  const page = await read(answerLink(link, 'score', '9'));
  t.same(checked(page), ['9']);
  t.match(page, '<p class="chosen" role="status">Your answers haven’t been submitted yet</p>');
  t.match(page, '<input type="hidden" name="clicked" value="score">');
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) await fetch(answerLink(link, 'score', '0'), { method });
  t.same(await responses(), []);
  t.same(checked(await read(link)), [], 'a link without an answer chooses none');
  for (const [index, choice] of CHOICES.entries()) {
    const chosen = await read(answerLink(link, 'the_how', choice));
    t.equal(checked(chosen).length, 1);
    // After the scores and "No answer".
    t.equal(chosen.split(' checked')[0]?.match(/type="radio"/g)?.length, 11 + 1 + index + 1, choice);
    t.notMatch(chosen, '"><b>');
  }
});

t.test('Submit stores what is chosen then, and that it began with a click, also after an error', async (t) => {
  const { survey, token, responses } = await setup();
  const submit = (fields: Record<string, string>) =>
    fetch(`${url}/s/${survey}`, {
      method: 'POST',
      body: new URLSearchParams({ invitation: token, clicked: 'score', ...fields }),
      redirect: 'manual',
    });
  const refused = await submit({ 'answer.score': '9' });
  t.equal(refused.status, 422);
  const page = await refused.text();
  t.match(page, '<input type="hidden" name="clicked" value="score">', 'the click is kept');
  t.notMatch(page, 'class="chosen"', 'the summary of errors says it');
  t.equal((await submit({ 'answer.score': '3', 'answer.why': 'Late' })).status, 303);
  t.strictSame(
    [...(await responses())].map((row) => ({ ...row })),
    [{ answers: { score: 3, why: 'Late' }, clicked_in_email: 'score' }],
  );
});

t.test('what is no answer of this survey chooses nothing', async (t) => {
  const { link, survey, responses, token } = await setup();
  for (const query of [
    'answer.score=11',
    'answer.score=9.0',
    'answer.score=',
    'answer.why=Late',
    'answer.other=9',
    'answer.score=9&answer.score=8',
    'answer.__proto__=9',
    'answer.score=%F0%28',
    'answer.score=%009',
  ]) {
    const page = await read(`${link}&${query}`);
    t.same(checked(page), [], query);
    t.notMatch(page, 'name="clicked"', query);
  }
  const open = await read(`${url}/s/${survey}?answer.score=9`);
  t.same(checked(open), [], 'a link without an invitation chooses nothing');
  await fetch(`${url}/s/${survey}`, {
    method: 'POST',
    body: new URLSearchParams({ invitation: token, clicked: 'other', 'answer.score': '9', 'answer.why': 'x' }),
  });
  t.match(await responses(), [{ clicked_in_email: null }], 'nor is a click of a question that there is not');
});

t.test('a link with an answer says the same as one without when the survey is over or answered', async (t) => {
  const { link, survey, token } = await setup();
  const clicked = answerLink(link, 'score', '9');
  await sql`select invite.set_survey_state(${survey}, 'closed')`;
  t.equal((await fetch(clicked)).status, 410);
  await sql`select invite.set_survey_state(${survey}, 'active')`;
  await store.submitResponse(survey, { score: 1 }, token);
  t.match(await read(clicked), 'You’ve already responded');
  const own = await setup('https://own.example/s?x=1');
  const redirected = await fetch(answerLink(own.link, 'score', '9'), { redirect: 'manual' });
  t.equal(redirected.headers.get('location'), `https://own.example/s?x=1&invitation=${own.token}`);
});
