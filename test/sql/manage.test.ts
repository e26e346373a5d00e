// The functions that manage workspaces, surveys, members and tokens.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { constraintMessage } from '../../src/constraint-messages.ts';
import { constraint, idsOf, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const find = (rows: Record<string, unknown>[], id: string) => rows.find((row) => row.id === id);

t.test('a workspace is created with a generated id and the plan pro, or with what the product names', async (t) => {
  const generated = await store.upsertWorkspace({ name: 'Acme' });
  t.match(generated, /^[0-9a-f-]{36}$/);
  t.match(find(await store.listWorkspaces(), generated), {
    name: 'Acme',
    plan_id: 'pro',
    api_trigger: true,
    suspended_at: null,
  });
  t.equal(await store.upsertWorkspace({ id: 'acme-1', name: 'Acme 1', plan: 'free' }), 'acme-1');
  t.match(find(await store.listWorkspaces(), 'acme-1'), { name: 'Acme 1', plan_id: 'free', api_trigger: false });
});

t.test('an update of a workspace keeps what it does not name', async (t) => {
  await store.upsertWorkspace({ id: 'acme-2', name: 'Before', plan: 'free' });
  await store.upsertWorkspace({ id: 'acme-2', name: 'After' });
  t.match(find(await store.listWorkspaces(), 'acme-2'), { name: 'After', plan_id: 'free' });
  await store.upsertWorkspace({ id: 'acme-2', plan: 'pro' });
  t.match(find(await store.listWorkspaces(), 'acme-2'), { name: 'After', plan_id: 'pro' });
});

t.test('a workspace without a name, of an unknown plan or with a wrong id is rejected', async (t) => {
  t.equal(await sqlstate(store.upsertWorkspace({ id: 'nameless' })), '23502');
  t.equal(await constraint(store.upsertWorkspace({ name: 'Acme', plan: 'gold' })), 'workspaces_plan_fkey');
  t.equal(await constraint(store.upsertWorkspace({ id: 'a b', name: 'Acme' })), 'workspaces_id_format');
  t.equal(await constraint(store.upsertWorkspace({ id: 'x'.repeat(64), name: 'Acme' })), 'none');
  t.equal(await constraint(store.upsertWorkspace({ id: 'x'.repeat(65), name: 'Acme' })), 'workspaces_id_format');
  t.equal(await constraint(store.upsertWorkspace({ name: 'x'.repeat(255) })), 'none');
  t.equal(await constraint(store.upsertWorkspace({ name: 'x'.repeat(256) })), 'workspaces_name_length');
});

t.test('suspending keeps the first time, and an unknown workspace is an error', async (t) => {
  const id = await store.upsertWorkspace({ name: 'Acme' });
  const since = async () => find(await store.listWorkspaces(), id)?.suspended_at;
  await store.setWorkspaceSuspended(id, true);
  const first = await since();
  t.type(first, Date);
  await store.setWorkspaceSuspended(id, true);
  t.strictSame(await since(), first);
  await store.setWorkspaceSuspended(id, false);
  t.equal(await since(), null);
  t.equal(await sqlstate(store.setWorkspaceSuspended('no-such-workspace', true)), 'P0002');
});

t.test('a survey is created as a draft with the default questions, and an update keeps what it does not name', async (t) => {
  const workspaceId = await store.upsertWorkspace({ name: 'Acme' });
  const id = await store.upsertSurvey({ workspaceId, title: 'Before' });
  t.match(find(await store.listSurveys(workspaceId), id), {
    title: 'Before',
    state: 'draft',
    public_url: null,
    responses: '0',
  });
  await store.upsertSurvey({ workspaceId, id, publicUrl: 'https://example.com/s', state: 'active' });
  await store.upsertSurvey({ workspaceId, id, title: 'After' });
  t.match(find(await store.listSurveys(workspaceId), id), {
    title: 'After',
    state: 'active',
    public_url: 'https://example.com/s',
  });
  t.match((await store.surveyPage(id, undefined))?.questions, [{ id: 'score' }, { id: 'comment' }]);
  await sql`select invite.upsert_survey(${workspaceId}, ${id}, questions => '[{"id": "one", "type": "text", "label": "Why?"}]')`;
  t.match((await store.surveyPage(id, undefined))?.questions, [{ id: 'one' }]);
});

t.test("a survey keeps the product's own id and belongs to one workspace", async (t) => {
  const { workspace } = await createSurvey(store);
  const other = await createSurvey(store);
  t.equal(await store.upsertSurvey({ workspaceId: workspace, id: 'survey:1', title: 'Mine' }), 'survey:1');
  t.equal(await sqlstate(store.upsertSurvey({ workspaceId: other.workspace, id: 'survey:1', title: 'Stolen' })), '23514');
  t.match(find(await store.listSurveys(undefined), 'survey:1'), { workspace_id: workspace, title: 'Mine' });
});

t.test('a survey of no workspace, without a title or with wrong values is rejected', async (t) => {
  const workspaceId = await store.upsertWorkspace({ name: 'Acme' });
  const upsert = (values: object) => store.upsertSurvey({ workspaceId, title: 'Survey', ...values });
  t.equal(await sqlstate(upsert({ workspaceId: 'no-such-workspace' })), 'P0002');
  t.equal(await sqlstate(store.upsertSurvey({ workspaceId })), '23502');
  t.equal(await constraint(upsert({ id: 'a/b' })), 'surveys_id_format');
  t.equal(await constraint(upsert({ title: 'x'.repeat(256) })), 'surveys_title_length');
  t.equal(await constraint(upsert({ publicUrl: 'javascript:alert(1)' })), 'surveys_public_url_http');
  t.equal(await constraint(upsert({ publicUrl: 'https://example.com/a b' })), 'surveys_public_url_http');
  t.equal(
    await constraint(sql`select invite.upsert_survey(${workspaceId}, title => 'Survey', questions => '{}')`),
    'surveys_questions_form',
  );
});

t.test('questions that the page could not show are rejected, with the invalid question', async (t) => {
  const workspaceId = await store.upsertWorkspace({ name: 'Acme' });
  const text = { id: 'a', type: 'text', label: 'Why?' };
  const score = { id: 's', type: 'score', label: 'How?' };
  const choice = { id: 'c', type: 'choice', label: 'Which?', choices: ['this', 'that'] };
  const refusal = (questions: unknown) =>
    store.upsertSurvey({ workspaceId, title: 'Survey', questions }).then(
      () => 'none',
      (error) => (error.constraint_name === 'surveys_questions_form' ? constraintMessage(error) : String(error)),
    );
  for (const good of [
    [],
    [text, score, choice],
    [{ ...score, min: -5, max: 5, min_label: 'Bad', max_label: 'Good', required: true }],
    [{ ...score, min: -100, max: -80 }],
    [{ ...choice, choices: Array.from({ length: 50 }, (_, index) => `No. ${index}`) }],
    [{ ...text, id: 'x'.repeat(64), label: 'x'.repeat(1000) }],
    Array.from({ length: 100 }, (_, index) => ({ ...text, id: `q${index}` })),
  ]) {
    t.equal(await refusal(good), 'none', JSON.stringify(good).slice(0, 80));
  }
  const ID = 'needs an id of 1 to 64 characters: letters, digits and . _ : -';
  for (const [bad, message] of [
    [{}, 'The questions must be a list.'],
    ['x', 'The questions must be a list.'],
    [Array.from({ length: 101 }, (_, index) => ({ ...text, id: `q${index}` })), /^The questions are too many/],
    [Array.from({ length: 70 }, (_, index) => ({ ...text, id: `q${index}`, label: 'x'.repeat(1000) })), /65,536 bytes/],
    [[text, 'b'], 'Question 2 must be an object.'],
    [[null], 'Question 1 must be an object.'],
    [[{ type: 'text', label: 'Why?' }], `Question 1 ${ID}.`],
    [[{ ...text, id: 7 }], `Question 1 (7) ${ID}.`],
    [[{ ...text, id: 'a b' }], `Question 1 (a b) ${ID}.`],
    [[{ ...text, id: 'x'.repeat(65) }], /^Question 1 \(x{64}\) needs an id/],
    [[text, score, text], 'Question 3 (a) has the id of an earlier question.'],
    [[{ id: 'a', label: 'Why?' }], 'Question 1 (a) must be of type score, choice or text.'],
    [[{ ...text, type: 'nps' }], 'Question 1 (a) must be of type score, choice or text.'],
    [[{ ...text, requird: true }], 'Question 1 (a) has an unknown field, "requird".'],
    [[{ ...text, choices: [] }], 'Question 1 (a) has an unknown field, "choices".'],
    [[{ id: 'a', type: 'text' }], 'Question 1 (a) needs a label: one line of 1 to 1,000 characters, without invisible marks.'],
    [[{ ...text, label: 'x'.repeat(1001) }], /^Question 1 \(a\) needs a label/],
    [[{ ...text, label: ' ' }], /^Question 1 \(a\) needs a label/],
    [[{ ...text, required: 'yes' }], 'Question 1 (a) has a "required" that is neither true nor false.'],
    [[{ ...score, max: '10' }], /^Question 1 \(s\) needs a min and a max that are whole/],
    [[{ ...score, max: 9.5 }], /^Question 1 \(s\) needs a min and a max that are whole/],
    [[{ ...score, min: 90, max: 101 }], /^Question 1 \(s\) needs a min and a max that are whole/],
    [[{ ...score, min: -101, max: -90 }], /^Question 1 \(s\) needs a min and a max that are whole/],
    [[{ ...score, min: 0, max: 21 }], 'Question 1 (s) needs a max that is 1 to 20 above its min.'],
    [[{ ...score, min: 10 }], 'Question 1 (s) needs a max that is 1 to 20 above its min.'],
    [[{ ...score, min_label: '' }], /^Question 1 \(s\) needs a min_label and a max_label/],
    [[{ ...score, max_label: 'x'.repeat(101) }], /^Question 1 \(s\) needs a min_label and a max_label/],
    [[{ ...choice, choices: undefined }], 'Question 1 (c) needs a list of 1 to 50 choices.'],
    [[{ ...choice, choices: 'this' }], 'Question 1 (c) needs a list of 1 to 50 choices.'],
    [[{ ...choice, choices: [] }], 'Question 1 (c) needs a list of 1 to 50 choices.'],
    [[{ ...choice, choices: ['this', ' that'] }], /^Question 1 \(c\) has a choice that is not one line/],
    [[{ ...choice, choices: ['this', 'th\nat'] }], /^Question 1 \(c\) has a choice that is not one line/],
    [[{ ...choice, choices: ['this', 1] }], /^Question 1 \(c\) has a choice that is not one line/],
    [[{ ...choice, choices: ['this', 'this'] }], 'Question 1 (c) has the same choice twice.'],
  ] as const) {
    t.match(await refusal(bad), message, JSON.stringify(bad).slice(0, 80));
  }
});

t.test('questions from before there was a rule hold up no other change of the survey', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  await sql`alter table invite.surveys disable trigger _400_questions`;
  await sql`update invite.surveys set questions = '[{"id": "a b"}]' where id = ${survey}`;
  await sql`alter table invite.surveys enable trigger _400_questions`;
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'New', state: 'closed' });
  t.match(find(await store.listSurveys(workspace), survey), { title: 'New', state: 'closed' });
  t.equal(await constraint(sql`update invite.surveys set questions = '[{}]' where id = ${survey}`), 'surveys_questions_form');
});

t.test('the state of a survey can be set, and an unknown survey is an error', async (t) => {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  const row = async () => find(await store.listSurveys(workspace), survey);
  t.match(await row(), { state: 'draft', hold_reason: 'survey_draft' });
  await store.setSurveyState(survey, 'active');
  t.match(await row(), { state: 'active', hold_reason: null });
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.match(await row(), { disabled_at: Date, hold_reason: 'survey_disabled' });
  await store.upsertWorkspace({ id: workspace, plan: 'free' });
  t.match(await row(), { hold_reason: 'plan_required' });
  await store.setWorkspaceSuspended(workspace, true);
  t.match(await row(), { hold_reason: 'workspace_suspended' });
  t.equal(await sqlstate(store.setSurveyState('no-such-survey', 'active')), 'P0002');
  t.equal(await sqlstate(sql`select invite.set_survey_disabled('no-such-survey', true)`), 'P0002');
  t.equal(await sqlstate(store.setSurveyState(survey, 'paused')), '22P02');
});

t.test('a member is one person however the address is written, and has one role', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.upsertMember(workspace, 'Ada@Example.com', 'viewer');
  await store.upsertMember(workspace, 'ada@example.com', 'admin');
  t.match(await store.listMembers(workspace), [{ email: 'ada@example.com', role: 'admin' }]);
  t.equal((await store.listMembers(workspace)).length, 1);
  await store.removeMember(workspace, 'ADA@example.com');
  t.equal((await store.listMembers(workspace)).length, 0);
  t.equal(await sqlstate(store.removeMember(workspace, 'ada@example.com')), 'P0002');
  t.equal(await sqlstate(store.upsertMember('no-such-workspace', 'ada@example.com', 'owner')), 'P0002');
  t.equal(await sqlstate(store.upsertMember(workspace, 'ada@example.com', 'emperor')), '22P02');
});

t.test('a token takes the defaults of its table, and an update keeps what it does not name', async (t) => {
  const { survey } = await createSurvey(store);
  const { token, secret } = await createToken(store, survey, { cooldownSeconds: undefined });
  const row = async () => find(await store.listTriggerTokens(survey), token);
  t.match(await row(), { name: 'Token', secret_hint: secret.slice(-4), cooldown_seconds: 60, default_reminders: [] });
  t.match(await row(), { default_subject: /\{\{survey_title\}\}/, default_message: /\{\{survey_link\}\}/ });
  await store.updateTriggerToken(token, { cooldownSeconds: 5, defaultReminders: [7] });
  await store.updateTriggerToken(token, { name: 'Renamed', defaultSubject: 'Hi', defaultMessage: 'Hello' });
  t.match(await row(), {
    name: 'Renamed',
    cooldown_seconds: 5,
    default_reminders: [7],
    default_subject: 'Hi',
    default_message: 'Hello',
  });
});

t.test('a token may have texts for the reminder; an update keeps them, and an empty text takes one away', async (t) => {
  const { survey } = await createSurvey(store);
  const { token } = await createToken(store, survey, {
    defaultReminderSubject: 'Again',
    defaultReminderMessage: 'Hello again',
  });
  const plain = await createToken(store, survey);
  const row = async (id: string) => find(await store.listTriggerTokens(survey), id);
  t.match(await row(plain.token), { default_reminder_subject: null, default_reminder_message: null });
  await store.updateTriggerToken(token, { name: 'Renamed' });
  t.match(await row(token), { default_reminder_subject: 'Again', default_reminder_message: 'Hello again' });
  await store.updateTriggerToken(token, { defaultReminderSubject: '' });
  t.match(await row(token), { default_reminder_subject: null, default_reminder_message: 'Hello again' });
});

t.test('values of a token that are out of range are rejected by the constraint that names the rule', async (t) => {
  const { survey } = await createSurvey(store);
  const { token } = await createToken(store, survey);
  const update = (settings: Parameters<typeof store.updateTriggerToken>[1]) =>
    constraint(store.updateTriggerToken(token, settings));
  t.equal(await update({ cooldownSeconds: -1 }), 'trigger_tokens_cooldown_range');
  t.equal(await update({ cooldownSeconds: 0 }), 'none');
  t.equal(await update({ cooldownSeconds: 86_400 }), 'none');
  t.equal(await update({ cooldownSeconds: 86_401 }), 'trigger_tokens_cooldown_range');
  for (const days of [[], [1], [365], [1, 2, 3, 4, 365]]) t.equal(await update({ defaultReminders: days }), 'none', `${days}`);
  for (const days of [
    [-1],
    [0],
    [366],
    [0, 3],
    [3, 3],
    [7, 3],
    [1, 3, 2],
    [1, 2, 3, 5, 4],
    [1, 2, 3, 4, 5, 6],
    [null],
    [1, null, 3],
    [[1, 2]],
  ]) {
    t.equal(await update({ defaultReminders: days as number[] }), 'trigger_tokens_reminders_ascending', JSON.stringify(days));
  }
  t.equal(await update({ defaultSubject: 'x'.repeat(255) }), 'none');
  t.equal(await update({ defaultSubject: 'x'.repeat(256) }), 'trigger_tokens_subject_length');
  t.equal(await update({ defaultSubject: 'one\r\nBcc: two' }), 'trigger_tokens_subject_length');
  t.equal(await update({ defaultSubject: '' }), 'trigger_tokens_subject_length');
  t.equal(await update({ defaultMessage: 'x'.repeat(65_536) }), 'none');
  t.equal(await update({ defaultMessage: 'x'.repeat(65_537) }), 'trigger_tokens_message_length');
  t.equal(await update({ defaultReminderSubject: 'x'.repeat(255) }), 'none');
  t.equal(await update({ defaultReminderSubject: 'x'.repeat(256) }), 'trigger_tokens_reminder_subject_length');
  t.equal(await update({ defaultReminderSubject: 'one\r\nBcc: two' }), 'trigger_tokens_reminder_subject_length');
  t.equal(await update({ defaultReminderMessage: 'x'.repeat(65_536) }), 'none');
  t.equal(await update({ defaultReminderMessage: 'x'.repeat(65_537) }), 'trigger_tokens_reminder_message_length');
  t.equal(await update({ name: '' }), 'trigger_tokens_name_length');
  t.equal(await constraint(createToken(store, survey, { cooldownSeconds: 86_401 })), 'trigger_tokens_cooldown_range');
  t.equal((await store.listTriggerTokens(survey)).length, 1, 'the rejected one was not half created');
});

t.test('a token needs a survey, a name and the hash of its secret', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const create = (values: object) =>
    store.createTriggerToken({
      surveyId: survey,
      name: 'Token',
      secretHash: Buffer.alloc(40, 1),
      secretHint: 'abcd',
      ...values,
    });
  t.equal(await sqlstate(create({ surveyId: 'no-such-survey' })), 'P0002');
  t.equal(await sqlstate(create({ name: undefined })), '23502');
  t.equal(await constraint(create({ secretHash: Buffer.alloc(32) })), 'trigger_tokens_secret_hash_length');
  t.equal(await constraint(create({ secretHint: 'nine-long' })), 'trigger_tokens_secret_hint_length');
  t.equal(await constraint(create({ secretHash: hash })), 'trigger_tokens_secret_hash_key');
});

t.test('a setting that no token has, or that is fixed, is rejected and changes nothing', async (t) => {
  const { survey } = await createSurvey(store);
  const { token } = await createToken(store, survey);
  for (const settings of [{ cooldown: 5 }, { survey_id: 'other' }, { secret_hint: 'x' }, { deleted_at: '2030-01-01' }]) {
    const update = sql`select invite.update_trigger_token(${token}, ${sql.json({ name: 'Changed', ...settings })})`;
    t.equal(await constraint(update), 'trigger_tokens_unknown_setting', JSON.stringify(settings));
  }
  t.equal((await store.listTriggerTokens(survey))[0]?.name, 'Token');
});

t.test('a deleted token is not listed, cannot be changed, and is not deleted twice', async (t) => {
  const { survey } = await createSurvey(store);
  const { token } = await createToken(store, survey);
  await store.deleteTriggerToken(token);
  t.equal((await store.listTriggerTokens(survey)).length, 0);
  t.equal(await sqlstate(store.updateTriggerToken(token, { name: 'Again' })), 'P0002');
  t.equal(await sqlstate(store.deleteTriggerToken(token)), 'P0002');
  t.equal(await sqlstate(store.deleteTriggerToken(randomUUID())), 'P0002');
});

t.test('what a token has queued is still sent after it is deleted', async (t) => {
  const { survey, token } = await createBatch(store);
  await store.deleteTriggerToken(token);
  t.equal((await store.claimInvitations(await idsOf(sql, survey), await createWorker(store))).length, 1);
});
