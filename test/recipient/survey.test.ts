// The survey page: a GET never uses up the link, a POST records one response, and a survey that can't be answered says why.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs, connectAsAdmin } = await createTestDatabase(t);
const admin = connectAsAdmin();
await admin`set session_replication_role = replica`;
const { url } = await startTestServer(t, urlAs('invite_web'));

/** Creates a survey with one invitation. Returns its page and its link token. */
async function setup() {
  const { batch, survey, workspace } = await createBatch(store, { metadata: { order: 'order-4711' } });
  const [invitation] = await sql`select id, link_token from test.invitations where batch_id = ${batch}`;
  const token = invitation?.link_token as string;
  return {
    survey,
    workspace,
    token,
    invitation: invitation?.id,
    page: `${url}/s/${survey}`,
    link: `${url}/s/${survey}?invitation=${token}`,
  };
}

const submit = (page: string, fields: Record<string, string>) =>
  fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
const responses = async (survey: string) =>
  (await sql`select invitation_id, answers, metadata from invite.responses where survey_id = ${survey} order by id`).map(
    (row) => ({ ...row }),
  );
const GOOD = { 'answer.score': '9', 'answer.comment': ' Fine <b> ' };

t.test('opening the link any number of times spends nothing; the first answer through it is recorded as its own', async (t) => {
  const { survey, token, invitation, page, link } = await setup();
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD', 'GET']) t.equal((await fetch(link, { method })).status, 200, method);
  t.strictSame(await responses(survey), []);

  const answered = await submit(page, { ...GOOD, invitation: token });
  t.equal(answered.status, 303);
  t.equal(answered.headers.get('location'), `/s/${survey}/thanks?language=en`);
  t.strictSame(await responses(survey), [
    { invitation_id: invitation, answers: { score: 9, comment: 'Fine <b>' }, metadata: { order: 'order-4711' } },
  ]);
  const thanks = await fetch(url + answered.headers.get('location'));
  t.equal(thanks.status, 200);
  t.match(await thanks.text(), 'Thank you!');
});

t.test('a second answer through the link is told that it was answered, and is not recorded', async (t) => {
  const { survey, token, page, link } = await setup();
  await submit(page, { ...GOOD, invitation: token });
  const again = await submit(page, { 'answer.score': '1', invitation: token });
  t.equal(again.status, 200);
  t.match(await again.text(), 'You’ve already responded');
  t.match(await (await fetch(link)).text(), 'You’ve already responded');
  t.match(await responses(survey), [{ answers: { score: 9 } }]);
  t.equal((await responses(survey)).length, 1);
});

t.test('of two answers at the same moment one is recorded', async (t) => {
  const { survey, token, page } = await setup();
  const answers = await Promise.all([1, 2, 3, 4].map(() => submit(page, { ...GOOD, invitation: token })));
  t.strictSame(answers.map((answer) => answer.status).sort(), [200, 200, 200, 303]);
  t.equal((await responses(survey)).length, 1);
});

t.test('answers without a link are recorded, attributed to nobody, as many as come', async (t) => {
  const { survey, page } = await setup();
  for (let count = 1; count <= 2; count += 1) t.equal((await submit(page, GOOD)).status, 303);
  const unattributed = { invitation_id: null, metadata: null };
  t.match(await responses(survey), [unattributed, unattributed]);
});

t.test('a survey by invitation only takes responses through a link, and says so without one', async (t) => {
  const { workspace, survey, token, page, link } = await setup();
  await store.upsertSurvey({ workspaceId: workspace, id: survey, openResponses: false });
  for (const response of [await fetch(page), await submit(page, GOOD), await submit(page, { ...GOOD, invitation: '' })]) {
    t.equal(response.status, 403);
    t.match(await response.text(), '<h1>By invitation only</h1>');
  }
  const submitted = await sql`select outcome from invite.submit_response(${survey}, '{"score": 9}')`;
  t.strictSame([...submitted], [{ outcome: 'link_required' }], 'nor does SQL');
  t.strictSame(await responses(survey), []);
  t.notMatch(await (await fetch(`${page}/thanks`)).text(), (await store.surveyPage(survey, token))?.title, 'its title is theirs');
  t.equal((await fetch(link)).status, 200);
  t.equal((await submit(page, { ...GOOD, invitation: token })).status, 303);
  await store.setSurveyState(survey, 'closed');
  t.equal((await fetch(page)).status, 410, 'closed comes first');
});

t.test('an unknown link or survey is 404, and nothing is recorded or repeated on the page', async (t) => {
  const { survey, page, link } = await setup();
  const other = await setup();
  for (const path of [
    `${page}?invitation=unknown-link`,
    `${page}?invitation=${other.token}`,
    `${page}?invitation=%00`,
    `${link}&invitation=unknown-link`,
    `${page}?invitation=%22%3E%3Cscript%3Ealert(1)%3C/script%3E`,
    `${url}/s/unknown-survey`,
    `${url}/s/%00`,
    `${url}/s/%E0%A4%A`,
  ]) {
    const response = await fetch(path);
    t.equal(response.status, 404, path.slice(url.length));
    t.notMatch(await response.text(), /unknown-link|<script>/);
  }
  for (const invitation of ['unknown-link', other.token, '\0']) {
    t.equal((await submit(page, { ...GOOD, invitation })).status, 404);
  }
  t.strictSame(await responses(survey), []);
});

t.test('a survey that is not open says so, to a GET and to a POST, and records nothing', async (t) => {
  for (const [state, status, title] of [
    ['draft', 403, 'Not open yet'],
    ['closed', 410, 'Closed'],
  ] as const) {
    const { survey, token, page, link } = await setup();
    await store.setSurveyState(survey, state);
    for (const response of [await fetch(link), await submit(page, { ...GOOD, invitation: token }), await submit(page, GOOD)]) {
      t.equal(response.status, status, state);
      t.match(await response.text(), `<h1>${title}</h1>`);
    }
    t.strictSame(await responses(survey), []);
  }
});

t.test('the survey of a suspended workspace is closed', async (t) => {
  const { workspace, link } = await setup();
  await store.setWorkspaceSuspended(workspace, true);
  t.equal((await fetch(link)).status, 410);
});

const pastDate = (survey: string) =>
  admin`update invite.surveys set closes_at = now() - interval '1 second' where id = ${survey}`;
const says = async (response: Response, heading: string) => {
  t.equal(response.status, 410, heading);
  const text = await response.text();
  t.match(text, `<h1>${heading}</h1>`);
  t.notMatch(text, /<form|order-4711|ada@example/);
  return text;
};

t.test('an expired link says so, also to someone who had the form open; a response stays one', async (t) => {
  const [expired, responded] = [await setup(), await setup()];
  await submit(responded.page, { ...GOOD, invitation: responded.token });
  for (const { survey, token, link, page } of [expired, responded]) {
    t.equal((await fetch(link)).status, 200);
    await store.setSurveyEnds(survey, { linkDays: 30 });
    await sql`
      update invite.messages set status = 'sent', sent_at = now() - interval '721 hours', not_before = null, sweep_at = null, skipped_at = null
      where survey_id = ${survey}`;
    if (token === responded.token) continue;
    for (const response of [await fetch(link), await submit(page, { ...GOOD, invitation: token })])
      t.match(await says(response, 'This link has expired'), 'It can no longer be used to respond to “<b>Customer survey</b>”.');
    t.strictSame(await responses(survey), []);
    t.equal((await fetch(page)).status, 200, 'the public link goes on');
    await store.setSurveyState(survey, 'draft');
    await says(await fetch(link), 'This link has expired');
    await store.setSurveyState(survey, 'closed');
    await says(await fetch(link), 'Closed');
  }
  t.match(await (await fetch(responded.link)).text(), 'You’ve already responded');
  const again = await submit(responded.page, { ...GOOD, invitation: responded.token });
  t.match(await again.text(), 'You’ve already responded');
});

t.test('from its closing date on a survey is closed, before any job has run', async (t) => {
  const { survey, token, link, page } = await setup();
  t.equal((await fetch(link)).status, 200);
  await pastDate(survey);
  for (const response of [
    await fetch(link),
    await fetch(page),
    await submit(page, GOOD),
    await submit(page, { ...GOOD, invitation: token }),
  ])
    t.match(await says(response, 'Closed'), '“<b>Customer survey</b>” is closed.');
  t.strictSame(await responses(survey), []);
  t.equal((await fetch(`${page}/thanks`)).status, 200, 'who has just responded is thanked');
});

t.test('after the last response that fits everyone is told that there are enough', async (t) => {
  const { survey, token, link, page } = await setup();
  await store.setSurveyEnds(survey, { responseLimit: 2 });
  t.equal((await submit(page, GOOD)).status, 303);
  t.equal((await fetch(link)).status, 200);
  const last = await submit(page, GOOD);
  t.equal(last.status, 303);
  t.match(await (await fetch(new URL(last.headers.get('location') ?? '', url))).text(), 'Thank you!');
  for (const response of [await submit(page, { ...GOOD, invitation: token }), await fetch(link), await fetch(page)])
    t.match(await says(response, 'Closed'), '“<b>Customer survey</b>” has received enough responses and is closed.');
  t.equal((await responses(survey)).length, 2);
  await store.setSurveyEnds(survey, { responseLimit: 3 });
  t.match(await says(await fetch(link), 'Closed'), '“<b>Customer survey</b>” is closed.');
});

t.test('an invalid answer comes back with the error beside its question, what was typed, and the link unspent', async (t) => {
  for (const [score, sentence] of [
    [undefined, 'Please choose a number.'],
    ['', 'Please choose a number.'],
    ['-1', 'Please choose an answer.'],
    ['11', 'Please choose an answer.'],
    ['9.5', 'Please choose an answer.'],
    ['nine', 'Please choose an answer.'],
  ] as const) {
    const { survey, token, page } = await setup();
    const fields = { invitation: token, 'answer.comment': 'typed', ...(score !== undefined && { 'answer.score': score }) };
    const response = await submit(page, fields);
    t.equal(response.status, 422, `score ${score}`);
    const text = await response.text();
    t.match(text, new RegExp(`recommend us\\?</legend>\\s*<p class="error" id="q1-error">${sentence}</p>`));
    t.match(text, /aria-describedby="[^"]*q1-error" aria-invalid="true"/);
    t.match(text, new RegExp(`<a href="#q1">[^<]*</a><br>${sentence}</li>`), 'the summary names it too');
    t.match(text, />\ntyped<\/textarea>/);
    t.strictSame(await responses(survey), []);
    t.equal((await submit(page, { ...GOOD, invitation: token })).status, 303, 'fixed');
  }
});

t.test('a score of 0 and of 10 and a text of 10,000 characters are answers; one character more is not', async (t) => {
  const { survey, page } = await setup();
  for (const score of ['0', '10']) t.equal((await submit(page, { 'answer.score': score })).status, 303);
  t.match(await responses(survey), [{ answers: { score: 0 } }, { answers: { score: 10 } }]);
  t.equal((await submit(page, { 'answer.score': '5', 'answer.comment': 'x'.repeat(10_000) })).status, 303);
  // Each € takes three bytes in UTF-8, and nine in a form.
  t.equal((await submit(page, { 'answer.score': '5', 'answer.comment': '\u20ac'.repeat(10_000) })).status, 303);
  const long = await submit(page, { 'answer.score': '5', 'answer.comment': 'x'.repeat(10_001) });
  t.equal(long.status, 422);
  t.match(await long.text(), 'Please use at most 10,000 characters.');
});

t.test('the texts of a response have 65,536 characters in all', async (t) => {
  const { workspace, survey, page } = await setup();
  const questions = Array.from({ length: 20 }, (_, index) => ({ id: `q${index}`, type: 'text', label: 'Why?' }));
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
  const answers = (length: number) => Object.fromEntries(questions.map(({ id }) => [`answer.${id}`, 'x'.repeat(length)]));
  t.match(await (await fetch(page)).text(), 'maxlength="3276"');
  const long = await submit(page, answers(3_277));
  t.equal(long.status, 422);
  t.match(await long.text(), 'Please use at most 3,276 characters.');
  t.equal((await submit(page, answers(3_276))).status, 303);
});

t.test('fields that no question asked for are not recorded', async (t) => {
  const { survey, page } = await setup();
  await submit(page, { ...GOOD, 'answer.admin': '1', score: '3', metadata: 'x' });
  t.match(await responses(survey), [{ metadata: null }]);
  t.strictSame((await responses(survey))[0]?.answers, { score: 9, comment: 'Fine <b>' });
});

t.test('title, workspace, questions and answers are shown escaped, and the metadata is not shown', async (t) => {
  const { survey, workspace, link, page } = await setup();
  const hostile = (what: string) => `</title><script>${what}</script>"'&`;
  await store.upsertWorkspace({ id: workspace, name: hostile('workspace') });
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: hostile('title') });
  const questions = [
    { id: hostile('id'), type: 'text', label: hostile('label'), required: true },
    { id: 'pick', type: 'choice', label: 'Pick', choices: [hostile('choice'), 'other'], required: true },
  ];
  // These questions were stored before the rule existed. The current rule rejects such an id.
  await sql`alter table invite.surveys disable trigger _400_questions`;
  await sql`update invite.surveys set questions = ${sql.json(questions)} where id = ${survey}`;
  await sql`alter table invite.surveys enable trigger _400_questions`;
  const open = await (await fetch(link)).text();
  const faulty = await (await submit(page, { [`answer.${hostile('id')}`]: hostile('typed') })).text();
  for (const what of ['workspace', 'title', 'id', 'label', 'choice']) t.match(open, `&#60;script&#62;${what}&#60;/script&#62;`);
  t.match(faulty, '&#60;script&#62;typed&#60;/script&#62;');
  t.notMatch(open + faulty, /<script>|order-4711/);
});

t.test(
  'a page is not stored, sends no referrer, and allows no frames and no scripts but our own, which only questions have',
  async (t) => {
    const { link, page } = await setup();
    for (const response of [await fetch(link), await fetch(`${page}?invitation=unknown`), await submit(page, {})]) {
      t.match(Object.fromEntries(response.headers), {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
      });
      const isQuestions = response.status !== 404;
      const policy = response.headers.get('content-security-policy') ?? '';
      t.strictSame(policy.match(/script-src[^;]*|unsafe/g), isQuestions ? ["script-src 'self'"] : null);
      t.equal(/<script/.test(await response.text()), isQuestions);
    }
  },
);

t.test('what was typed comes back as it was, with a line break at its beginning', async (t) => {
  const { page } = await setup();
  const text = await (await submit(page, { 'answer.comment': 'one\n\n two' })).text();
  t.match(text, />\none\n\n two<\/textarea>/, 'the first line break belongs to the tag and not to the text');
});

t.test(
  'no page says more than the survey itself: a draft has no title yet, and there is no thanks for what does not exist',
  async (t) => {
    const { survey, workspace, link } = await setup();
    await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'A secret plan', state: 'draft' });
    for (const path of [link, `${url}/s/${survey}`, `${url}/s/${survey}?invitation=unknown`, `${url}/s/${survey}/thanks`]) {
      t.notMatch(await (await fetch(path)).text(), /A secret plan|ada@example|order-4711|has been recorded/, path);
    }
    const thanks = await fetch(`${url}/s/${survey}/thanks`);
    t.equal(thanks.status, 403);
    t.match(await thanks.text(), '<h1>Not open yet</h1>');
    t.equal((await fetch(`${url}/s/no-such-survey/thanks`)).status, 404);
  },
);

t.test('a survey with an id of the product has its page under it', async (t) => {
  const { workspace } = await createSurvey(store);
  const survey = await store.upsertSurvey({ workspaceId: workspace, id: 'shop:nps.2030', title: 'NPS', state: 'active' });
  t.equal((await fetch(`${url}/s/${encodeURIComponent(survey)}`)).status, 200);
  const answered = await submit(`${url}/s/${encodeURIComponent(survey)}`, GOOD);
  t.equal((await fetch(new URL(answered.headers.get('location') ?? '', url))).status, 200);
});

t.test('a survey with a page of its own is answered there and nowhere else', async (t) => {
  const { survey, batch } = await createBatch(store, {}, { publicUrl: 'https://app.example.com/answer?id=1' });
  const [row] = await sql`select link_token from test.invitations where batch_id = ${batch}`;
  const shown = await fetch(`${url}/s/${survey}?invitation=${row?.link_token}`, { redirect: 'manual' });
  t.equal(shown.status, 302);
  t.equal(shown.headers.get('location'), `https://app.example.com/answer?id=1&invitation=${row?.link_token}`);
  const posted = await fetch(`${url}/s/${survey}`, { method: 'POST', body: new URLSearchParams({ 'answer.score': '1' }) });
  t.equal(posted.status, 404);
  t.strictSame([...(await sql`select from invite.responses where survey_id = ${survey}`)], []);
});

t.test('a question may be called as what every object has, and is answered like any other', async (t) => {
  const { survey, page } = await setup();
  const questions = ['constructor', '__proto__'].map((id) => ({ id, type: 'text', label: `Question ${id}`, required: true }));
  await sql`update invite.surveys set questions = ${sql.json(questions)} where id = ${survey}`;
  const empty = await submit(page, { 'answer.constructor': 'one' });
  t.equal(empty.status, 422);
  t.equal((await empty.text()).match(/class="error"/g)?.length, 1, 'the one without an answer');
  t.equal((await submit(page, { 'answer.constructor': 'one', 'answer.__proto__': 'two' })).status, 303);
  t.equal(JSON.stringify((await responses(survey))[0]?.answers), '{"__proto__":"two","constructor":"one"}');
});

t.test("a survey's own page in another script is led to in an address that a header can have", async (t) => {
  const { survey } = await createSurvey(store, { publicUrl: 'https://umfrage.example/größe?x=ä' });
  const shown = await fetch(`${url}/s/${survey}`, { redirect: 'manual' });
  t.equal(shown.status, 302);
  t.equal(shown.headers.get('location'), 'https://umfrage.example/gr%C3%B6%C3%9Fe?x=%C3%A4');
  const other = await createSurvey(store, { publicUrl: 'https://пример.example/ответ' });
  const { status, headers } = await fetch(`${url}/s/${other.survey}`, { redirect: 'manual' });
  t.equal(status, 302);
  t.equal(headers.get('location'), 'https://xn--e1afmkfd.example/%D0%BE%D1%82%D0%B2%D0%B5%D1%82');
  const broken = await createSurvey(store, { publicUrl: 'https://x.example:99999/漢' });
  t.equal((await fetch(`${url}/s/${broken.survey}`, { redirect: 'manual' })).status, 302, 'as it is, if it is none');
});

t.test('a page that was opened before the questions changed is answered as it was asked', async (t) => {
  const { workspace, survey, page } = await setup();
  const ask = (...questions: object[]) => store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
  const version = /name="version" value="(\d+)"/.exec(await (await fetch(page)).text())?.[1] ?? '';
  await ask({ id: 'more', type: 'text', label: 'Anything else?', required: true });
  t.equal((await submit(page, { ...GOOD, version })).status, 303);
  t.equal((await submit(page, { 'answer.more': 'No', version: String(Number(version) + 1) })).status, 303);
  t.same(
    (
      await sql`select answers, questions_version - ${Number(version)} as later from invite.responses where survey_id = ${survey} order by id`
    ).map(({ answers, later }) => [answers, later]),
    [
      [{ score: 9, comment: 'Fine <b>' }, 0],
      [{ more: 'No' }, 1],
    ],
  );
});

t.test('a page of questions that nobody was asked shows the present ones before it records anything', async (t) => {
  const { survey, page } = await setup();
  const answer = await submit(page, { ...GOOD, version: '7' });
  t.equal(answer.status, 422);
  const text = await answer.text();
  t.match(text, 'The questions have changed since you opened this page.');
  t.match(text, 'value="9" checked', 'what was given is kept');
  t.strictSame(await responses(survey), []);
});

t.test('the page of thanks has the text of its author', async (t) => {
  const { workspace, survey, page } = await setup();
  await store.upsertSurvey({ workspaceId: workspace, id: survey, thanks: 'See you <soon>!' });
  t.match(await (await fetch(`${page}/thanks`)).text(), '<p class="text" dir="auto">See you &#60;soon&#62;!</p>');
  await store.setSurveyState(survey, 'draft');
  t.notMatch(await (await fetch(`${page}/thanks`)).text(), 'See you');
});
