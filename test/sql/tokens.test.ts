// The functions that the pages of the API trigger call: tokens on behalf of an editor, with an audit log, and the counts of rejected
// requests.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { REJECTED_AS } from '../../src/console/api-trigger/tokens-view.ts';
import { createSecret } from '../../src/secret.ts';
import { constraint, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const { workspace, survey } = await createSurvey(store);
const editor = await createMember(store, workspace, 'editor');
const viewer = await createMember(store, workspace, 'viewer');
const owner = await createMember(store, workspace, 'owner');
const other = await createSurvey(store);
const stranger = await createMember(store, other.workspace, 'owner', 'other@example.com');

const newToken = (overrides: { id?: string; name?: string; cooldownSeconds?: number } = {}) => {
  const { hash, hint } = createSecret('home0001');
  return { id: randomUUID() as string, name: 'Shop', cooldownSeconds: 5, secretHash: hash, secretHint: hint, ...overrides };
};
const fields = {
  name: 'Shop',
  cooldownSeconds: 5,
  defaultSubject: 'Hello',
  defaultMessage: 'Please answer',
  defaultReminders: [],
  defaultReminderSubject: '',
  defaultReminderMessage: '',
};
const audit = async (action: string) =>
  (await store.console.listAuditEntries(owner.session, workspace, undefined, 50)).filter((entry) => entry.action === action);

t.test('an editor creates a token; its creator is named, and the audit log has it', async (t) => {
  const token = newToken();
  await store.console.createTriggerToken(editor.session, survey, token);
  t.match(await store.console.findTriggerToken(editor.session, survey, token.id), {
    id: token.id,
    name: 'Shop',
    cooldownSeconds: 5,
    createdBy: 'editor@example.com',
    secretHint: token.secretHint,
    lastAcceptedAt: null,
    rejected: 0,
  });
  t.match(await audit('token_created'), [{ actor: 'editor@example.com', subject: 'Shop', detail: { hint: token.secretHint } }]);
});

t.test('a form that is sent twice creates one token', async (t) => {
  const token = newToken();
  await store.console.createTriggerToken(editor.session, survey, token);
  t.equal(
    await constraint(store.console.createTriggerToken(editor.session, survey, newToken({ id: token.id }))),
    'trigger_tokens_pkey',
  );
});

t.test('the tables keep their rules: name, cooldown, texts, reminder days', async (t) => {
  const add = (overrides: object) => constraint(store.console.createTriggerToken(editor.session, survey, newToken(overrides)));
  t.equal(await add({ name: '' }), 'trigger_tokens_name_length');
  t.equal(await add({ cooldownSeconds: 86_401 }), 'trigger_tokens_cooldown_range');
  const { token } = await createToken(store, survey);
  const change = (overrides: object) =>
    constraint(store.console.updateTriggerToken(editor.session, survey, token, { ...fields, ...overrides }));
  t.equal(await change({ defaultSubject: '' }), 'trigger_tokens_subject_length');
  t.equal(await change({ defaultMessage: '' }), 'trigger_tokens_message_length');
  t.equal(await change({ defaultReminders: [366] }), 'trigger_tokens_reminders_ascending');
  t.equal(await change({ defaultReminderSubject: 'x'.repeat(256) }), 'trigger_tokens_reminder_subject_length');
  t.equal(await change({}), 'none');
});

t.test('the audit log names what a change changed; the same values again are no change', async (t) => {
  const { token } = await createToken(store, survey, { name: 'Change' });
  const changes = async () => (await audit('token_changed')).filter(({ subject }) => subject === 'Change');
  const settings = { ...fields, name: 'Change', cooldownSeconds: 0 };
  await store.console.updateTriggerToken(editor.session, survey, token, { ...settings, defaultReminderSubject: 'Still open' });
  await store.console.updateTriggerToken(editor.session, survey, token, { ...settings, defaultReminderSubject: 'Still open' });
  t.strictSame(
    (await changes()).map(({ actor, detail }) => [actor, detail.changed]),
    [['editor@example.com', ['default_message', 'default_reminder_subject', 'default_subject']]],
  );
  await store.console.updateTriggerToken(editor.session, survey, token, settings);
  t.match(await store.console.findTriggerToken(editor.session, survey, token), {
    defaultReminderSubject: null,
    defaultMessage: 'Please answer',
  });
  t.equal((await changes()).length, 2);
});

t.test('a deleted token is gone from the page, and the audit log says who has deleted it', async (t) => {
  const { token } = await createToken(store, survey, { name: 'Gone' });
  await store.console.deleteTriggerToken(editor.session, survey, token);
  t.equal(await store.console.findTriggerToken(editor.session, survey, token), undefined);
  t.equal(await sqlstate(store.console.deleteTriggerToken(editor.session, survey, token)), 'P0002');
  t.equal(await sqlstate(store.console.updateTriggerToken(editor.session, survey, token, fields)), 'P0002');
  t.match(await audit('token_deleted'), [{ actor: 'editor@example.com', subject: 'Gone' }]);
});

t.test(
  'a viewer may do none of it, a member of another workspace finds none, nor is a token of another survey found',
  async (t) => {
    const { token } = await createToken(store, survey);
    const calls = (session: Buffer, ofSurvey = survey) => [
      store.console.listTriggerTokens(session, ofSurvey, undefined, 10),
      store.console.createTriggerToken(session, ofSurvey, newToken()),
      store.console.listRejections(session, ofSurvey),
      store.console.updateTriggerToken(session, ofSurvey, token, fields),
      store.console.deleteTriggerToken(session, ofSurvey, token),
    ];
    const states = (...of: Parameters<typeof calls>) => Promise.all(calls(...of).map(sqlstate));
    t.strictSame(await states(viewer.session), Array(5).fill('IT403'));
    t.strictSame(await states(stranger.session), Array(5).fill('P0002'));
    const others = await Promise.all(calls(stranger.session, other.survey).slice(3).map(sqlstate));
    t.strictSame(others, ['P0002', 'P0002']);
    t.equal(await store.console.findTriggerToken(stranger.session, other.survey, token), undefined);
  },
);

t.test('tokens come in pages, in the order in which they were created', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'editor');
  for (const name of ['a', 'b', 'c']) await createToken(store, survey, { name });
  const first = await store.console.listTriggerTokens(session, survey, undefined, 2);
  t.same(
    first.map(({ name }) => name),
    ['a', 'b'],
  );
  const rest = await store.console.listTriggerTokens(session, survey, first[1]?.id, 2);
  t.same(
    rest.map(({ name }) => name),
    ['c'],
  );
});

t.test('the endpoint rejects requests to a held survey with the code that its page names', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'editor');
  const { hash } = await createToken(store, survey, { cooldownSeconds: 0 });
  const held = async () => {
    const { holdReason } = await store.console.surveyFrame(session, survey, 'editor');
    const { outcome } = await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 10_000);
    t.equal(outcome, (holdReason && REJECTED_AS[holdReason]) ?? 'accepted', holdReason ?? 'not held');
    return holdReason;
  };
  t.equal(await held(), null);
  await store.setSurveyState(survey, 'draft');
  t.equal(await held(), 'survey_draft');
  await store.setSurveyState(survey, 'closed');
  t.equal(await held(), 'survey_closed');
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.equal(await held(), 'survey_disabled');
  await store.upsertWorkspace({ id: workspace, plan: 'free' });
  t.equal(await held(), 'plan_required');
  await store.setWorkspaceSuspended(workspace, true);
  t.equal(await held(), 'workspace_suspended');
});

t.test('rejections add up by token, code and hour; the last detail stays; after a week they are deleted', async (t) => {
  const { token, hash } = await createToken(store, survey, { name: 'Refused' });
  const record = (at: string, refused: number, detail: string | null, age = 0) =>
    sql`
      select invite.record_rejections(${sql.json([
        { secret_hash: `\\x${hash.toString('hex')}`, code: 'invalid_field', rejected: refused, age_seconds: age, detail },
        { secret_hash: `\\x${'00'.repeat(32)}`, code: 'invalid_field', rejected: refused, age_seconds: age },
      ])}, ${at})`;
  await record('2030-01-08 10:30Z', 2, 'name is long');
  await record('2030-01-08 10:31Z', 3, 'older', 120);
  await record('2030-01-08 11:10Z', 1, null);
  await record('2030-01-08 11:20Z', 1, 'late', 1800);
  t.strictSame(
    (await sql`select hour, rejected, last_detail from invite.rejections where trigger_token_id = ${token} order by hour`).map(
      (row) => [row.hour.toISOString().slice(11, 16), row.rejected, row.last_detail],
    ),
    [
      ['10:00', 6, 'late'],
      ['11:00', 1, null],
    ],
  );
  const cards = async (at: string) => [
    ...(await sql`select * from console.rejections(${editor.session}, ${survey}, ${token}, at => ${at})`),
  ];
  t.match(await cards('2030-01-09 10:30Z'), [
    { code: 'invalid_field', rejected_day: 1, rejected_week: 7, last_detail: null, deleted: false },
  ]);
  await store.deleteTriggerToken(token);
  t.match(await cards('2030-01-08 12:00Z'), [{ rejected_day: 7, token_name: 'Refused', deleted: true }]);
  const hoursLeft = async (at: string) => {
    await sql`select test.prune_expired(at => ${at})`;
    return (await sql`select from invite.rejections where trigger_token_id = ${token}`).length;
  };
  t.equal(await hoursLeft('2030-01-15 09:59:59Z'), 2);
  t.equal(await hoursLeft('2030-01-15 10:00Z'), 1);
  t.equal(await hoursLeft('2030-01-15 11:00Z'), 0);
});
