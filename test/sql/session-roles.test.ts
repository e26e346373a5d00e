// The roles in SQL alone. Each function that takes a session is called as the role of the HTTP process, for each kind of person. It is also
// called with ids of another workspace beside the person's own survey. A function that isn't in the list fails here.
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { checkLogo } from '../../src/uploads/logo.ts';
import { invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { png } from '../fixtures/pictures.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';
import { createUpload, line } from '../fixtures/uploads.ts';
import { createWebhook, SEALED } from '../fixtures/webhooks.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const http = openDatabase(urlAs('invite_web'), { applicationName: 'tests', transactions: true });
t.teardown(() => http.end());

/** Creates a workspace with an editor, a batch and its invitation. */
async function setup(email: string) {
  const fixture = await createBatch(store, { recipients: [{ email }] });
  const editor = await createMember(store, fixture.workspace, 'editor', `editor-${fixture.survey}@example.com`);
  const [row] = await invitationsOf(sql, fixture.survey);
  const open = await store.upsertSurvey({ workspaceId: fixture.workspace, state: 'active', title: 'Open', openResponses: true });
  const webhook = (await createWebhook(store, fixture.workspace, 'https://x.example/')).id;
  const { responseId } = await store.submitResponse(open, {}, undefined);
  return {
    ...fixture,
    home: await store.homeOf(fixture.workspace),
    editor,
    invitation: row?.id ?? '',
    webhook,
    response: responseId ?? '',
  };
}
const own = await setup('m@example.com');
const foreign = await setup('n@example.com');

const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
const sessions = Object.fromEntries(
  await Promise.all(
    roles.map(async (role) => [role, (await createMember(store, own.workspace, role, `${role}@example.com`)).session] as const),
  ),
);
const logo = checkLogo(png(16, 16));
/** Its members are those of the real one. */
const test = await store.createTestWorkspace(own.workspace, undefined);
const checked = await createUpload(store, own.survey, [line(1, 'listed@example.com')]);
const unchecked = await store.createUpload(own.survey, 'list.csv');
const outsiders = { 'an editor of another workspace': foreign.editor.session, nobody: randomBytes(32) };

/** For each function: the minimum role, and the arguments after the session. Arguments with a default may be left out. */
const CALLS: Record<string, [min: (typeof roles)[number], args: string]> = {
  survey_frame: ['viewer', `'${own.survey}', 'viewer'`],
  surveys: ['viewer', `'${own.workspace}'`],
  survey_titles: ['viewer', `'${own.workspace}'`],
  members: ['admin', `'${own.workspace}'`],
  add_member: ['admin', `'${own.workspace}', 'new@example.com', 'viewer'`],
  set_member_role: ['admin', `'${own.workspace}', 'viewer@example.com', 'editor'`],
  remove_member: ['admin', `'${own.workspace}', 'viewer@example.com'`],
  audit_log: ['admin', `'${own.workspace}'`],
  record_audit_export: ['admin', `'${own.workspace}'`],
  record_answers_export: ['viewer', `'${own.survey}', false`],
  record_refusal: ['viewer', `'${own.workspace}', '/'`],
  trigger_tokens: ['editor', `'${own.survey}'`],
  create_trigger_token: ['editor', `'${own.survey}', gen_random_uuid(), 'Token', 'home0001' || sha256('x'), 'x', '{}'`],
  survey_ends: ['editor', `'${own.survey}'`],
  set_survey_button: ['editor', `'${own.survey}', 'Review us', 'https://example.com'`],
  set_survey_ends: ['editor', `'${own.survey}', '{"link_days": 30}'`],
  set_survey_language: ['editor', `'${own.survey}', 'de'`],
  set_survey_translation: ['editor', `'${own.survey}', 'de', '{"title": "Titel"}'`],
  set_token_translation: ['editor', `'${own.survey}', '${own.token}', 'de', '{"subject": "Betreff"}'`],
  workspace_sender: ['admin', `'${own.workspace}'`],
  set_workspace_sender: ['admin', `'${own.workspace}', '{"name": "Acme"}'`],
  workspace_rules: ['admin', `'${own.workspace}'`],
  set_workspace_rules: ['admin', `'${own.workspace}', '{"rest_days": 30}'`],
  wording_languages: ['admin', `'${own.workspace}'`],
  wording: ['admin', `'${own.workspace}', 'de'`],
  wording_errors: ['admin', `'${own.workspace}', '{"submit": "Go"}'`],
  set_wording: ['admin', `'${own.workspace}', 'de', '{"submit": "Los"}', true`],
  survey_rules: ['editor', `'${own.survey}'`],
  set_survey_rules: ['editor', `'${own.survey}', '{"time_zone": "Asia/Tokyo"}'`],
  estimate_rules: ['admin', `'${own.workspace}', '{"rest_days": 30}'`],
  update_trigger_token: ['editor', `'${own.survey}', '${own.token}', '{"name": "Other"}'`],
  replace_trigger_secret: [
    'editor',
    `'${own.survey}', '${own.token}', '${own.home}' || sha256(uuid_send(gen_random_uuid())), 'y', 60, null`,
  ],
  end_previous_secret: ['editor', `'${own.survey}', '${own.token}'`],
  delete_trigger_token: ['editor', `'${own.survey}', '${own.token}'`],
  rejections: ['editor', `'${own.survey}'`],
  results: ['viewer', `'${own.survey}'`],
  workspace_responses: ['viewer', `'${own.workspace}'`],
  response: ['viewer', `'${own.survey}', invitation_id => ${own.invitation}`],
  result_keys: ['viewer', `'${own.survey}'`],
  response_rate: ['viewer', `'${own.survey}'`],
  result_summary: ['viewer', `'${own.survey}'`],
  result_offers: ['viewer', `'${own.survey}'`],
  invitation_counts: ['editor', `'${own.survey}'`],
  survey_forecast: ['editor', `'${own.survey}'`],
  forecast_messages: ['editor', `'${own.survey}', now(), 'hour', 'UTC'`],
  invitations: ['editor', `'${own.survey}'`],
  invitation: ['editor', `'${own.survey}', ${own.invitation}`],
  invitation_events: ['editor', `'${own.survey}', ${own.invitation}`],
  batches: ['editor', `'${own.survey}'`],
  set_survey_state: ['editor', `'${own.survey}', 'closed'`],
  set_survey_paused: ['admin', `'${own.survey}', true`],
  set_workspace_paused: ['admin', `'${own.workspace}', true`],
  cancel_batch: ['editor', `'${own.survey}', '${own.batch}'`],
  cancel_invitation: ['editor', `'${own.survey}', ${own.invitation}`],
  retry_batch: ['editor', `'${own.survey}', '${own.batch}'`],
  retry_invitation: ['editor', `'${own.survey}', ${own.invitation}`],
  send_invitation_anyway: ['editor', `'${own.survey}', ${own.invitation}`],
  recipient_choices: ['editor', `'${own.workspace}', ${own.invitation}`],
  remind_batch_now: ['editor', `'${own.survey}', '${own.batch}'`],
  remind_now: ['editor', `'${own.survey}', ${own.invitation}`],
  remind_survey_now: ['editor', `'${own.survey}', 0`],
  remindable: ['editor', `'${own.survey}'`],
  sending: ['admin', `'${own.workspace}'`],
  sending_status: ['admin', `'${own.workspace}'`],
  attention: ['viewer', `'${own.workspace}'`],
  notifications: ['viewer', `'${own.workspace}'`],
  set_weekly_report: ['viewer', `'${own.workspace}', true, 'UTC'`],
  score_alert: ['viewer', `'${own.survey}'`],
  search: ['viewer', `'${own.workspace}', 'ada'`],
  set_score_alert: ['viewer', `'${own.survey}', 'score', 7, 'UTC'`],
  result_breakdown: ['viewer', `'${own.survey}', 'month'`],
  create_upload: ['editor', `'${own.survey}', 'list.csv'`],
  put_upload_lines: ['editor', `'${own.survey}', '${unchecked}', '[]'`],
  check_upload: ['editor', `'${own.survey}', '${checked}'`],
  send_upload: ['editor', `'${own.survey}', '${checked}'`],
  cancel_upload: ['editor', `'${own.survey}', '${checked}'`],
  uploads: ['editor', `'${own.survey}'`],
  upload_lines: ['editor', `'${own.survey}', '${checked}'`],
  upload_forecast: ['editor', `'${own.survey}', '${checked}'`],
  caps: ['admin', `'${own.workspace}'`],
  set_cap: ['admin', `'${own.workspace}', 'workspace', '', 100, null`],
  guard: ['admin', `'${own.workspace}'`],
  release_guard: ['admin', `'${own.workspace}', 'Cleaned'`],
  recipients: ['editor', `'${own.workspace}'`],
  recipient: ['editor', `'${own.workspace}', ${own.invitation}`],
  recipient_events: ['editor', `'${own.workspace}', ${own.invitation}`],
  export_recipient: ['admin', `'${own.workspace}', ${own.invitation}`],
  erase_recipient: ['admin', `'${own.workspace}', ${own.invitation}, false, false`],
  suppressions: ['editor', `'${own.workspace}'`],
  add_logo: ['editor', `'${own.workspace}', '${logo.name}', '\\x${logo.picture.toString('hex')}'`],
  add_suppression: ['editor', `'${own.workspace}', 'new@example.com'`],
  remove_suppression: ['editor', `'${own.workspace}', 'new@example.com'`],
  test_invitations: ['editor', `'${own.survey}'`],
  test_templates: ['editor', `'${own.survey}'`],
  create_survey: ['editor', `'${own.workspace}', 'made', 'Made', '[]'`],
  duplicate_survey: ['editor', `'${own.survey}', 'copied', 'Copied'`],
  survey_settings: ['editor', `'${own.survey}'`],
  asked_questions: ['viewer', `'${own.survey}'`],
  check_questions: ['editor', `'${own.survey}', '[]'`],
  question_drafts: ['editor', `'${own.survey}'`],
  save_question_draft: ['editor', `'${own.survey}', '[]', 1, null, gen_random_uuid()`],
  discard_question_draft: ['editor', `'${own.survey}', null`],
  publish_questions: ['editor', `'${own.survey}', '[]', 1, null`],
  survey_preview: ['editor', `'${own.survey}'`],
  update_survey: ['editor', `'${own.survey}', 'Other'`],
  delete_survey: ['admin', `'${own.survey}'`],
  workspace_settings: ['admin', `'${own.workspace}', 100`],
  create_test_workspace: ['admin', `'${own.workspace}'`],
  test_workspaces: ['admin', `'${own.workspace}'`],
  test_clock: ['editor', `'${test}'`],
  advance_test_clock: ['editor', `'${test}', now()`],
  test_emails: ['editor', `'${test}'`],
  update_workspace: ['admin', `'${own.workspace}', 'Other'`],
  webhooks: ['admin', `'${own.workspace}'`],
  webhook_log: ['admin', `'${own.workspace}', '${own.webhook}', null, null, 50`],
  create_webhook: ['admin', `'${own.workspace}', gen_random_uuid(), 'https://x.example/', null, '${SEALED}'`],
  change_webhook: ['admin', `'${own.workspace}', '${own.webhook}', 'pause'`],
  request_test_invitation: ['editor', `'${own.survey}', '${own.token}', 'invitation', 'de'`],
};
/** These functions are about the session itself, so every role may call them. */
const OPEN = ['authenticate', 'sign_out', 'sessions', 'sign_out_everywhere', 'end_session', 'end_other_sessions'];
/** These functions are called before there is a session. */
const SIGN_IN = ['request_sign_in_link', 'find_sign_in_link', 'sign_in'];

/** Calls a function as the HTTP process does, and rolls it back. */
async function call(name: string, session: Buffer, args: string): Promise<string> {
  await http`begin`;
  const state = await sqlstate(http.unsafe(`select * from console.${name}('\\x${session.toString('hex')}', ${args})`));
  await http`rollback`;
  return state;
}

t.test("each function of the pages that has the owner's rights is in the list, and takes a session first", async (t) => {
  const rows = await sql`
    select p.proname as name, p.proargnames[1] = 'session_hash' as session
    from pg_proc as p where p.pronamespace = 'console'::regnamespace and p.prosecdef`;
  const namesOf = (session: boolean) => rows.filter((row) => row.session === session).map(({ name }) => name);
  t.strictSame(namesOf(true).sort(), [...Object.keys(CALLS), ...OPEN].sort());
  t.strictSame(namesOf(false).sort(), [...SIGN_IN].sort());
});

for (const [name, [min, args]] of Object.entries(CALLS)) {
  t.test(`${name} is for ${min}s and up, and says nothing to others`, async (t) => {
    for (const [place, role] of roles.entries()) {
      const expected = place <= roles.indexOf(min) ? 'none' : 'IT403';
      t.equal(await call(name, sessions[role] as Buffer, args), expected, role);
    }
    for (const [who, session] of Object.entries(outsiders)) t.equal(await call(name, session, args), 'P0002', who);
  });
}

t.test("another workspace's rows cannot be changed or named beside a survey of one's own", async (t) => {
  const survey = `'${own.survey}'`;
  for (const [name, args] of [
    ['cancel_batch', `${survey}, '${foreign.batch}'`],
    ['cancel_invitation', `${survey}, ${foreign.invitation}`],
    ['retry_batch', `${survey}, '${foreign.batch}'`],
    ['retry_invitation', `${survey}, ${foreign.invitation}`],
    ['send_invitation_anyway', `${survey}, ${foreign.invitation}`],
    ['remind_batch_now', `${survey}, '${foreign.batch}'`],
    ['remind_now', `${survey}, ${foreign.invitation}`],
    ['batches', `${survey}, '${foreign.batch}'`],
    ['invitation', `${survey}, ${foreign.invitation}`],
    ['set_token_translation', `${survey}, '${foreign.token}', 'de', '{"subject": "Betreff"}'`],
    ['update_trigger_token', `${survey}, '${foreign.token}', '{"name": "Other"}'`],
    ['delete_trigger_token', `${survey}, '${foreign.token}'`],
    ['replace_trigger_secret', `${survey}, '${foreign.token}', 'home0001' || sha256('z'), 'z', 60, null`],
    ['end_previous_secret', `${survey}, '${foreign.token}'`],
    ['request_test_invitation', `${survey}, '${foreign.token}', 'invitation'`],
    ['response', `${survey}, ${foreign.response}`],
    ['recipient', `'${own.workspace}', ${foreign.invitation}`],
    ['recipient_events', `'${own.workspace}', ${foreign.invitation}`],
  ] as const)
    t.equal(await call(name, own.editor.session, args), 'P0002', `${name}(${args})`);
});

t.test('a real workspace has no test clock and no outbox, and a test workspace no tests', async (t) => {
  const owner = sessions.owner as Buffer;
  for (const [name, args] of [
    ['test_clock', ''],
    ['advance_test_clock', ', now()'],
    ['test_emails', ''],
  ] as const)
    t.equal(await call(name, owner, `'${own.workspace}'${args}`), 'P0002', name);
  t.equal(await call('create_test_workspace', owner, `'${test}'`), '54000');
});

t.test("another workspace's rows cannot be read beside a survey of one's own", async (t) => {
  const { session } = own.editor;
  const rows = async (query: string) =>
    (await http.unsafe(query.replace('$1', `'\\x${session.toString('hex')}', '${own.survey}'`))).length;
  t.equal(await rows(`select * from console.invitations($1, batch_id => '${foreign.batch}')`), 0);
  t.equal(await rows(`select * from console.invitation_events($1, ${foreign.invitation})`), 0);
  t.equal(await rows(`select * from console.trigger_tokens($1, token_id => '${foreign.token}')`), 0);
  t.equal(await rows(`select * from console.rejections($1, token_id => '${foreign.token}')`), 0);
});

t.test("where a page begins tells nothing of another workspace's rows", async (t) => {
  const { session } = own.editor;
  const found = async (before: string) =>
    (await store.console.listInvitations(session, own.survey, { search: 'm', before }, 50)).length;
  // m@ sorts before n@. A page that began after the foreign address would therefore find nothing.
  t.equal(await found(foreign.invitation), 1);
  t.equal(await found(own.invitation), 0);
  const batches = await store.console.listBatches(session, own.survey, foreign.batch, 20);
  t.equal(batches.length, 1);
  const older = await store.console.listBatches(foreign.editor.session, foreign.survey, own.batch, 20);
  t.equal(older.length, 1, 'not cut off before a batch of others');
});
