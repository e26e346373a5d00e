// Members create, edit, duplicate and delete surveys over HTTP. The server has the web server's role.
import t from 'tap';
import { differencesOf } from '../../src/console/surveys/differences.ts';
import { freeId, isUnchanged, readDrafts, renamedWhereAskedOtherwise } from '../../src/console/surveys/question-form.ts';
import { TEMPLATES } from '../../src/console/surveys/templates.ts';
import type { Question } from '../../src/database/store.ts';
import deleteSurveyTask from '../../tasks/delete_survey.ts';
import { startTestServer } from '../fixtures/http.ts';
import { constraint } from '../fixtures/inspect.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store, urlAs, connectAsAdmin } = await createTestDatabase(t);
const admin = connectAsAdmin();
await admin`set session_replication_role = replica`;
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace } = await createSurvey(store);
const owner = await createMember(store, workspace, 'owner');
const editor = await createMember(store, workspace, 'editor');

/** As editors see them. */
const questionsOf = async (survey: string) =>
  (await store.surveyPage(survey, undefined))?.questions?.map(({ choice_ids: _, ...question }: Question) => question);
const SCORE: Question = { id: 'score', type: 'score', label: 'How was it?' };
const WHY: Question = { id: 'why', type: 'text', label: 'Why?' };

async function make(questions: readonly Question[], state: string) {
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Edited', state, questions });
  return { survey, path: `/surveys/${survey}/questions` };
}

/** Returns the fields of the editor's form as they are on the page. */
function formOf(text: string): Record<string, string> {
  const plain = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  const fields: Record<string, string> = {};
  for (const [tag] of text.matchAll(/<input [^>]*>/g)) {
    const value = (name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
    if (/-\d+$|^(version|revision|theirs|action)$/.test(value('name')) && (!/type="checkbox"/.test(tag) || / checked/.test(tag)))
      fields[value('name')] = value('value');
  }
  for (const [, name = '', value = ''] of text.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>\n([^<]*)</g))
    fields[name] = plain(value);
  return fields;
}

t.test('each template makes a draft that the survey page can show; the form makes one however often it is sent', async (t) => {
  for (const [template, { questions }] of Object.entries(TEMPLATES)) {
    const form = await (await visit(url, `/workspaces/${workspace}/surveys/new`, editor)).text();
    const survey = /name="survey" value="([^"]+)"/.exec(form)?.[1] ?? '';
    for (let count = 0; count < 2; count += 1) {
      const created = await visit(url, `/workspaces/${workspace}/surveys/new`, editor, { survey, title: template, template });
      t.equal(created.headers.get('location'), `/surveys/${survey}/questions?done=survey_created`);
    }
    t.match(await store.findSurvey(survey), { title: template, state: 'draft', workspace_id: workspace });
    t.same(await questionsOf(survey), questions);
  }
  const wrong = await visit(url, `/workspaces/${workspace}/surveys/new`, editor, { title: ' ', template: 'nps' });
  t.equal(wrong.status, 422);
  t.match(await wrong.text(), 'A title has 1 to 255 characters.');
});

t.test(
  'questions are added, moved and removed without a script, kept at each button, and people see them once they are published',
  async (t) => {
    const { survey, path } = await make([SCORE, WHY], 'draft');
    let text = await (await visit(url, path, editor)).text();
    const press = async (action: string, edits: Record<string, string> = {}) => {
      const answer = await visit(url, path, editor, { ...formOf(text), ...edits, action });
      text = await (answer.status === 303 ? await visit(url, answer.headers.get('location') ?? '', editor) : answer).text();
      return answer;
    };
    await press('add:choice');
    t.match(text, '1 unpublished change');
    await press('up:2', { 'label-2': 'Where <b>?', 'choices-2': ' Oslo \r\n\r\nBergen', 'required-2': 'yes' });
    t.match(text, /3\. Text/);
    await press('remove:0');
    t.match(text, 'Removed: How was it?');
    await press('remove:1');
    await press('back:1');
    t.same(await questionsOf(survey), [SCORE, WHY], 'nothing is published yet');
    const old = formOf(text);
    t.equal((await press('publish')).status, 303);
    t.same(await questionsOf(survey), [
      { id: 'choice', type: 'choice', label: 'Where <b>?', required: true, choices: ['Oslo', 'Bergen'] },
      { ...WHY, required: false },
    ]);
    t.notMatch(text, /unpublished change|Removed:/);
    t.equal((await press('publish', old)).status, 422, 'by a form of before');
    t.match(text, 'Somebody has published or discarded changes of these questions');
    t.equal((await press('publish', { ...formOf(text), revision: 'x'.repeat(5000) })).status, 422);
  },
);

t.test('what is wrong with each question is said at once, each at its own field', async (t) => {
  const { path, survey } = await make([SCORE, WHY], 'draft');
  const form = formOf(await (await visit(url, path, editor)).text());
  const answer = await visit(url, path, editor, {
    ...form,
    action: 'publish',
    'max-0': 'x',
    'label-1': '',
    'kind-2': 'choice',
    'id-2': 'c',
    'label-2': 'Which?',
  });
  t.equal(answer.status, 422);
  const text = await answer.text();
  for (const [field, sentence] of [
    ['max-0', 'Enter a whole number from -100 to 100.'],
    ['label-1', 'Enter the question.'],
    ['choices-2', 'Enter at least one choice.'],
  ] as const)
    t.match(text, new RegExp(`id="${field}-error"[^>]*>${sentence}`), field);
  t.same(await questionsOf(survey), [SCORE, WHY], 'people still see the published ones');
});

t.test('invisible marks that turn the direction are named at their field', async (t) => {
  const { path } = await make([SCORE, WHY], 'draft');
  const form = formOf(await (await visit(url, path, editor)).text());
  const answer = await visit(url, path, editor, {
    ...form,
    action: 'publish',
    'label-0': 'How was \u202eit?',
    'kind-2': 'choice',
    'id-2': 'c',
    'label-2': 'Which?',
    'choices-2': 'One\nT\u202ewo',
  });
  t.equal(answer.status, 422);
  const text = await answer.text();
  for (const field of ['label-0', 'choices-2'])
    t.match(text, new RegExp(`id="${field}-error"[^>]*>This text has invisible marks that turn its direction`), field);
  const other = await make([SCORE, WHY], 'draft');
  const fields = formOf(await (await visit(url, other.path, editor)).text());
  const ends = await visit(url, other.path, editor, { ...fields, action: 'publish', 'max_label-0': 'Good\u2066' });
  t.match(await ends.text(), /id="max_label-0-error"[^>]*>This text has invisible marks/);
});

t.test('what is wrong with a question is said beside it, and kept as it was typed', async (t) => {
  for (const [edits, message] of [
    [{ 'label-0': '' }, 'Enter the question.'],
    [{ 'max-0': 'many' }, 'Enter a whole number from -100 to 100.'],
    [{ 'max-0': '9000000' }, 'Enter a whole number from -100 to 100.'],
  ] as const) {
    const { survey, path } = await make([SCORE], 'draft');
    const form = formOf(await (await visit(url, path, editor)).text());
    const answer = await visit(url, path, editor, { ...form, ...edits, 'min_label-0': 'Bad', action: 'publish' });
    t.equal(answer.status, 422);
    const text = await answer.text();
    t.match(text, message);
    t.match(text, 'value="Bad"');
    t.same(await questionsOf(survey), [SCORE]);
    t.match(await (await visit(url, path, editor)).text(), 'value="Bad"', 'it is kept');
  }
});

t.test('what an edit means for responses is said before it is saved, and the Results stay true', async (t) => {
  const { survey, path } = await make([SCORE, WHY], 'active');
  await store.submitResponse(survey, { score: 9, why: 'Quick' }, undefined);
  const form = formOf(await (await visit(url, path, editor)).text());
  const asked = await visit(url, path, editor, { ...form, 'label-1': 'Why so?', 'max-0': '5', action: 'publish' });
  t.equal(asked.status, 200);
  const text = await asked.text();
  for (const phrase of [
    '1 response.',
    'now reads <strong>Why so?</strong>',
    'another scale (0 to 5), so it becomes a new question',
  ])
    t.match(text, phrase);
  t.same(await questionsOf(survey), [SCORE, WHY]);
  const back = await (await visit(url, path, editor)).text();
  t.match(back, 'value="Why so?"', 'going back keeps the edit');
  t.match(back, '2 unpublished changes');
  t.equal((await visit(url, path, editor, { ...formOf(text), revision: 'none' })).status, 422, 'not what was seen');
  t.equal((await visit(url, path, editor, formOf(text))).status, 303);
  t.match(await questionsOf(survey), [
    { id: 'score_2', max: 5 },
    { id: 'why', label: 'Why so?' },
  ]);
  const [response] = await sql`
    select invite.questions_as_asked(survey_id, questions_version) as asked from invite.responses where survey_id = ${survey}`;
  t.same(response?.asked, [SCORE, WHY]);
  const other = formOf(await (await visit(url, path, editor)).text());
  const nothing = await visit(url, path, editor, { ...other, action: 'publish' });
  t.match(nothing.headers.get('location'), 'questions_unchanged', 'nothing changed, nothing asked');
  const noChoices = JSON.stringify({ id: 'a', type: 'choice', label: 'A', choices: [{ a: 1 }] });
  for (const removed of ['1', 'x', noChoices])
    t.equal((await visit(url, path, editor, { ...other, 'removed-0': removed, action: 'keep' })).status, 400);
});

t.test('differences, ids and unchanged questions', async (t) => {
  const choice: Question = { id: 'where', type: 'choice', label: 'Where?', choices: ['Oslo', 'Rome'] };
  const kinds = (before: readonly Question[], after: readonly Question[]) => differencesOf(before, after).map(({ kind }) => kind);
  t.same(kinds([SCORE, WHY], [WHY, SCORE]), ['moved']);
  t.same(kinds([SCORE, WHY], [{ ...choice, id: 'first' }, SCORE]), ['removed', 'added'], 'an order that is not another one');
  t.same(kinds([SCORE], [WHY]), ['removed', 'added']);
  t.same(kinds([SCORE], [{ ...SCORE, min: 0, max: 10, required: true, nps: true }]), ['required', 'nps_on']);
  t.same(kinds([choice], [{ ...choice, choices: ['Oslo', 'Paris'] }]), ['choice_gone', 'choice_new']);
  t.same(kinds([{ ...SCORE, required: true }], [{ ...SCORE, max_label: 'Great' }]), ['ends', 'optional']);
  t.equal(freeId('text', new Set(['text', 'text_2'])), 'text_3');
  t.same(
    renamedWhereAskedOtherwise([{ ...SCORE, max: 5 }, WHY], [SCORE, WHY], ['score_2']).map(({ id }) => id),
    ['score_3', 'why'],
  );
  t.ok(isUnchanged([SCORE], [{ min: 0, max: 10, required: false, ...SCORE }]));
  t.notOk(isUnchanged([SCORE], [{ ...SCORE, label: 'Else' }]));
  const hidden = { ...WHY, extra: 1 } as Question;
  t.match(readDrafts(new URLSearchParams({ 'id-0': 'why', 'kind-0': 'text', 'label-0': 'New' }), [hidden]), [
    { extra: 1, label: 'New' },
  ]);
});

t.test('settings are changed, and what is wrong is said beside its field', async (t) => {
  const { survey } = await make([WHY], 'active');
  const path = `/surveys/${survey}/settings`;
  t.match(await (await visit(url, path, editor)).text(), `/s/${survey}</pre>`);
  const fields = { action: 'save', title: 'Renamed', publicUrl: 'https://acme.example/s', thanks: 'Bye!\r\nAcme' };
  t.equal((await visit(url, path, editor, fields)).status, 303);
  t.match(await store.findSurvey(survey), {
    title: 'Renamed',
    public_url: fields.publicUrl,
    thanks: 'Bye!\nAcme',
    open_responses: false,
  });
  t.match(await (await visit(url, path, editor)).text(), 'https://acme.example/s</pre>');
  t.equal(
    (await visit(url, path, editor, { action: 'save', title: 'Renamed', publicUrl: '', thanks: '', openResponses: 'yes' }))
      .status,
    303,
  );
  t.match(await store.findSurvey(survey), { public_url: null, thanks: null, open_responses: true });
  const wrong = await visit(url, path, editor, { ...fields, publicUrl: 'javascript:alert(1)' });
  t.equal(wrong.status, 422);
  t.match(await wrong.text(), 'A public address starts with');
  const copied = await visit(url, path, editor, { action: 'duplicate', copyTitle: 'Second' });
  const copy = /\/surveys\/([^/]+)\//.exec(copied.headers.get('location') ?? '')?.[1] ?? '';
  t.match(await store.findSurvey(copy), { title: 'Second', state: 'draft' });
});

t.test('a survey is deleted by an admin who enters its title', async (t) => {
  const { survey } = await createBatch(store);
  const { workspace_id: id } = (await store.findSurvey(survey)) ?? {};
  const admin = await createMember(store, String(id), 'admin', 'admin@example.org');
  const path = `/surveys/${survey}/delete`;
  t.equal((await visit(url, path, admin, { title: 'Another' })).status, 422);
  t.equal(
    (await visit(url, path, admin, { title: 'Customer survey' })).headers.get('location'),
    `/workspaces/${id}?done=survey_deleted`,
  );
  t.equal(await store.findSurvey(survey), undefined);
});

t.test('a large survey is deleted by a job', async (t) => {
  const { survey, workspace: id } = await createBatch(store, {
    recipients: Array.from({ length: 300 }, (_, index) => ({ email: `p${index}@example.com` })),
  });
  const admin = await createMember(store, id, 'admin', 'admin@example.net');
  t.equal(await store.console.deleteSurvey(admin.session, survey), false);
  const jobs =
    await sql`select payload from graphile_worker.jobs as j join graphile_worker._private_jobs as p using (id) where j.task_identifier = 'delete_survey'`;
  t.same(
    jobs.map(({ payload }) => payload),
    [{ survey_id: survey }],
  );

  const see = async (path: string) => (await visit(url, path, admin)).text();
  t.match(await see(`/workspaces/${id}`), /Customer survey<.{0,120}Being deleted/s, 'the list says so');
  const page = await see(`/surveys/${survey}/invitations`);
  t.match(page, 'This survey is being deleted with all its invitations and responses.');
  t.notMatch(page, /Activate survey|Close survey|Send a test/, 'and offers nothing');
  t.equal(await store.duplicateSurvey(survey, 'copied', undefined), 'copied');
  t.match(await store.console.listSurveys(admin.session, id), [{ isBeingDeleted: false }, { isBeingDeleted: true }]);

  // One invitation is being sent. The rest is deleted, and the job runs again later.
  await sql`update invite.messages set status = 'sending', worker_id = gen_random_uuid(), claim_id = gen_random_uuid(), sweep_at = null
    where invitation_id = (select min(id) from test.invitations where survey_id = ${survey})`;
  const later: unknown[] = [];
  const helpers = { addJob: async (...job: unknown[]) => later.push(job) } as never;
  await deleteSurveyTask({ store })({ survey_id: survey }, helpers);
  const jobKey = `delete_survey ${survey}`;
  t.strictSame(later.splice(0), [['delete_survey', { survey_id: survey }, { jobKey }]], 'at once, while something was deleted');
  await deleteSurveyTask({ store })({ survey_id: survey }, helpers);
  t.match(later, [['delete_survey', { survey_id: survey }, { jobKey, runAt: Date }]], 'then after a pause');
  t.equal((await sql`select from test.invitations where survey_id = ${survey}`).length, 1);
  await sql`update invite.messages set status = 'sent', sent_at = now(), not_before = null, worker_id = null, claim_id = null where survey_id = ${survey}`;
  await deleteSurveyTask({ store })({ survey_id: survey }, helpers);
  t.equal(await store.findSurvey(survey), undefined);
  await deleteSurveyTask({ store })({ survey_id: survey }, helpers);
  t.equal(later.length, 1, 'what is gone is done');
});

t.test('a workspace is renamed; its plan and the use of the hour are shown', async (t) => {
  const { workspace: id } = await createBatch(store);
  const admin = await createMember(store, id, 'admin', 'admin@example.info');
  const path = `/workspaces/${id}/settings`;
  t.equal((await visit(url, path, admin, { name: 'Fjord' })).status, 303);
  const text = await (await visit(url, path, admin)).text();
  t.match(text, 'value="Fjord"');
  t.match(text, /Used in the last hour<\/dt><dd>1</);
  t.match(text, /<dt>Plan<\/dt><dd>pro</);
  t.equal((await visit(url, path, admin, { name: '' })).status, 422);
  t.match(await sql`select detail from invite.audit_log where workspace_id = ${id} and action = 'workspace_renamed'`, [
    { detail: { from: 'Acme' } },
  ]);
});

t.test('the steps to the first invitation lead from an empty workspace to the first request, and are gone then', async (t) => {
  const id = await store.upsertWorkspace({ name: 'New' });
  const member = await createMember(store, id, 'owner', 'owner@new.example');
  const home = async () => (await visit(url, `/workspaces/${id}`, member)).text();
  const current = (text: string) => /aria-current="step"><a class="button" href="([^"]+)"/.exec(text)?.[1];
  t.equal(current(await home()), `/workspaces/${id}/surveys/new`);
  const survey = await store.upsertSurvey({ workspaceId: id, title: 'First', questions: [] });
  t.equal(current(await home()), `/surveys/${survey}/questions`);
  await store.upsertSurvey({ workspaceId: id, id: survey, publicUrl: 'https://acme.example/survey' });
  t.equal(current(await home()), `/surveys/${survey}/test-invitation`, 'a page of its own has its own questions');
  await store.upsertSurvey({ workspaceId: id, id: survey, publicUrl: '', questions: [SCORE] });
  const questions = async () => (await visit(url, `/surveys/${survey}/questions`, member)).text();
  t.match(await questions(), `<a href="/surveys/${survey}/test-invitation">send yourself a test email</a>`);
  const token = await store.createTriggerToken({
    surveyId: survey,
    name: 'Token',
    secretHash: Buffer.alloc(40, 7),
    secretHint: 'x',
  });
  t.equal(current(await home()), `/surveys/${survey}/test-invitation`);
  await store.console.requestTestInvitation(member.session, survey, { tokenId: token, kind: 'invitation' });
  t.equal(current(await home()), `/surveys/${survey}/invitations?confirm=active`);
  t.match(
    await home(),
    /Your first invitation: <bdi>First<[\s\S]*“<bdi>New<\/bdi>” asks them[\s\S]*Send yourself a test email <span class="status good">Done/,
  );
  await store.setSurveyState(survey, 'active');
  t.equal(current(await home()), `/surveys/${survey}/invite`);
  const second = await store.upsertSurvey({ workspaceId: id, title: 'Second', state: 'active' });
  t.match(
    await home(),
    /Your first invitation: <bdi>Second<[\s\S]*Send yourself a test email<\/li>/,
    'what one survey had, another lacks',
  );
  await store.submitResponse(second, { score: 9 }, undefined);
  t.notMatch(await home(), 'Your first invitation', 'it has a response');
  await sql`update invite.surveys set created_at = created_at - interval '1 day' where id = ${second}`;
  t.equal(current(await home()), `/surveys/${survey}/invite`);
  await acceptTrigger(store, Buffer.alloc(40, 7), { recipients: [{ email: 'ada@example.com' }] }, 1000);
  t.notMatch(await home(), 'Your first invitation');
  const viewer = await createMember(store, id, 'viewer', 'viewer@new.example');
  t.notMatch(await (await visit(url, `/workspaces/${id}`, viewer)).text(), 'Your first invitation');
});

t.test('only the owner can read and change: SQL decides', async (t) => {
  const { survey } = await make([WHY], 'draft');
  const viewer = await createMember(store, workspace, 'viewer', 'viewer@example.org');
  const { session } = viewer;
  const { console } = store;
  t.equal(await constraint(console.surveySettings(session, survey)), 'members_min_role');
  t.equal(await constraint(console.updateSurvey(session, survey, { title: 'No' })), 'members_min_role');
  t.equal(await constraint(console.createSurvey(session, workspace, 'x', 'No', [])), 'members_min_role');
  t.equal(await constraint(console.duplicateSurvey(session, survey, 'x', 'No')), 'members_min_role');
  t.equal(await constraint(console.deleteSurvey(editor.session, survey)), 'members_min_role');
  t.equal(await constraint(console.updateWorkspace(editor.session, workspace, 'No')), 'members_min_role');
  t.equal(await constraint(console.workspaceSettings(editor.session, workspace, 1)), 'members_min_role');
  t.equal((await visit(url, `/surveys/${survey}/delete`, owner)).status, 200);
});

t.test('editors set when a survey ends; the pages say it, and what may not be', async (t) => {
  const { survey } = await make([SCORE], 'active');
  const settings = `/surveys/${survey}/settings`;
  const textOf = async (path: string) =>
    (await (await visit(url, path, editor)).text()).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  const plain = (text: string) => text.replace(/<[^>]*>/g, '');
  const save = (fields: Record<string, string>) => visit(url, settings, editor, { action: 'ends', ...fields });
  t.notMatch(plain(await textOf(`/surveys/${survey}/invitations`)), /Closes|expire/, 'nothing is said if nothing is set');

  t.equal((await save({ closesAt: '2999-12-03T12:00', responseLimit: '500', linkDays: '30' })).status, 303);
  for (let n = 0; n < 3; n += 1) await store.submitResponse(survey, { score: 1 }, undefined);
  const said =
    'Closes on 3 Dec 2999, 12:00 UTC. Closes after 500 responses (3 so far). Links expire 30 days after the invitation.';
  for (const path of [settings, `/surveys/${survey}/invitations`]) t.match(plain(await textOf(path)), said, path);
  t.match(await textOf(settings), /type="datetime-local" value="2999-12-03T12:00"/);

  for (const [fields, sentence] of [
    [{ closesAt: '2020-01-01T12:00' }, 'This closing date is in the past.'],
    [{ closesAt: 'soon' }, 'Enter a date and a time.'],
    [{ closesAt: '2999-02-30T12:00' }, 'Enter a date and a time.'],
    [{ responseLimit: '0' }, 'A response limit is at least 1.'],
    [{ responseLimit: '1.5' }, 'Enter a whole number.'],
    [{ responseLimit: '9999999999' }, 'Enter a whole number.'],
    [{ linkDays: '3651' }, 'Links expire after 1 to 3,650 days.'],
  ] as [Record<string, string>, string][]) {
    const refused = await save({ ...fields, copyTitle: 'x' });
    t.equal(refused.status, 422, sentence);
    const text = await refused.text();
    t.match(text, sentence);
    t.match(text, `value="${Object.values(fields)[0]}"`, 'what was typed is kept');
  }

  // Seconds, and a date that is past by now, stay as they are while something else is changed.
  await admin`update invite.surveys set closes_at = '2020-02-02 10:20:30Z' where id = ${survey}`;
  t.equal((await save({ closesAt: '2020-02-02T10:20', responseLimit: '500', linkDays: '' })).status, 303);
  t.match((await sql`select * from invite.surveys where id = ${survey}`)[0], {
    closes_at: new Date('2020-02-02T10:20:30Z'),
    link_days: null,
    response_limit: 500,
  });

  await store.closeSurveys();
  const asked = plain(await textOf(`/surveys/${survey}/invitations?confirm=active`));
  t.match(asked, /“Edited” has ended\s+The closing date was 2 Feb 2020, 10:20 UTC\.[\s\S]*change when it ends first/);
  t.notMatch(asked, 'Activate survey and');
  const activated = await visit(url, `/surveys/${survey}/invitations`, editor, { state: 'active' });
  t.equal(activated.headers.get('location'), `/surveys/${survey}/invitations?confirm=active`, 'which says why');
  t.equal((await save({ closesAt: '' })).status, 303);
  t.match(plain(await textOf(`/surveys/${survey}/invitations?confirm=active`)), 'Activate “Edited”?');
  t.equal((await visit(url, `/surveys/${survey}/invitations`, editor, { state: 'active' })).status, 303);

  t.equal((await save({ responseLimit: '3' })).status, 303);
  t.equal((await store.findSurvey(survey))?.state, 'closed', 'a limit that is reached closes it');
  t.match(plain(await textOf(`/surveys/${survey}/invitations?confirm=active`)), '“Edited” has ended');
  t.match((await visit(url, `/surveys/${survey}/invitations`, editor, { state: 'active' })).headers.get('location'), 'confirm');
  const log = plain(await (await visit(url, `/workspaces/${workspace}/audit`, owner)).text());
  t.match(log, /to: closed · from: active · because: closing_date\s*Automatic/);
});
