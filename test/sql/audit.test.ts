// The audit log of changes by the command line and by a product's SQL. An entry has the actor, the PostgreSQL role and the change, but no
// recipient's address.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore, type Store } from '../../src/database/store.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql } = database;
const adminSql = openDatabase(database.urlAs('invite_admin'), { applicationName: 'billing' });
const webSql = openDatabase(database.urlAs('invite_web'), { applicationName: 'server' });
t.teardown(async () => {
  await adminSql.end();
  await webSql.end();
});
const admin = createStore(adminSql);
type Fixture = Awaited<ReturnType<typeof createBatch>>;

const logOf = async (workspace: string, after: string) => [
  ...(await sql`
    select action, actor, database_user, application, subject, detail from invite.audit_log
    where (workspace_id = ${workspace} or workspace_id is null) and id > ${after} order by id`),
];
const lastId = async (): Promise<string> => (await sql`select coalesce(max(id), 0) as id from invite.audit_log`)[0]?.id;

const CHANGES: readonly [action: string, change: (store: Store, fixture: Fixture) => PromiseLike<unknown>, detail: object][] = [
  ['survey_state_changed', (store, { survey }) => store.setSurveyState(survey, 'closed'), { from: 'active', to: 'closed' }],
  [
    'survey_state_changed',
    (store, { survey, workspace }) => store.upsertSurvey({ workspaceId: workspace, id: survey, state: 'active' }),
    {},
  ],
  ['survey_disabled', (_, { survey }) => adminSql`select invite.set_survey_disabled(${survey}, true)`, {}],
  ['survey_enabled', (_, { survey }) => adminSql`select invite.set_survey_disabled(${survey}, false)`, {}],
  [
    'rules_changed',
    (store, { workspace }) => store.setWorkspaceRules(workspace, { restDays: 30 }),
    { changed: ['rest_days'], rest_days: 30 },
  ],
  [
    'rules_changed',
    (store, { survey }) => store.setSurveyRules(survey, { timeZone: 'Asia/Tokyo' }),
    { changed: ['time_zone'], time_zone: 'Asia/Tokyo' },
  ],
  ['workspace_suspended', (store, { workspace }) => store.setWorkspaceSuspended(workspace, true), {}],
  ['workspace_resumed', (store, { workspace }) => store.setWorkspaceSuspended(workspace, false), {}],
  ['plan_changed', (store, { workspace }) => store.upsertWorkspace({ id: workspace, plan: 'free' }), { from: 'pro', to: 'free' }],
  ['plan_changed', (store, { workspace }) => store.upsertWorkspace({ id: workspace, plan: 'pro' }), {}],
  ['sending_paused', (store, { survey }) => store.setSurveyPaused(survey, true), { scope: 'survey' }],
  ['sending_resumed', (store, { survey }) => store.setSurveyPaused(survey, false), { scope: 'survey' }],
  ['sending_paused', (store, { workspace }) => store.setWorkspacePaused(workspace, true), { scope: 'workspace' }],
  ['sending_resumed', (store, { workspace }) => store.setWorkspacePaused(workspace, false), { scope: 'workspace' }],
  ['events_enabled', (store, { workspace }) => store.setWorkspaceEvents(workspace, true), {}],
  ['events_disabled', (store, { workspace }) => store.setWorkspaceEvents(workspace, false), {}],
  ['sending_paused', (store) => store.setSendingPaused(true), { scope: 'all' }],
  ['sending_resumed', (store) => store.setSendingPaused(false), { scope: 'all' }],
  ['batch_rescheduled', (store, { batch }) => store.rescheduleBatch(batch, '2040-01-01T00:00:00Z'), { messages: 3 }],
  ['invitation_cancelled', async (store, fixture) => store.cancelInvitation(await idOf(fixture)), { messages: 1 }],
  ['address_cancelled', (store, { workspace }) => store.cancelEmail(workspace, 'bob@example.com'), { messages: 1 }],
  ['batch_cancelled', (store, { batch }) => store.cancelBatch(batch), { messages: 1 }],
  [
    'invitation_retried',
    async (store, fixture) => fail(fixture).then(async () => store.retryInvitation(await idOf(fixture))),
    { messages: 1 },
  ],
  ['batch_retried', async (store, fixture) => fail(fixture).then(() => store.retryBatch(fixture.batch)), { messages: 3 }],
  ['survey_retried', async (store, fixture) => fail(fixture).then(() => store.retrySurvey(fixture.survey, '0')), { messages: 3 }],
  [
    'reminded_now',
    async (store, fixture) => send(fixture).then(async () => store.remindInvitation(await idOf(fixture))),
    { messages: 1 },
  ],
  ['reminded_now', (store, { batch }) => store.remindBatch(batch), { messages: 2 }],
  ['reminded_now', async (store, fixture) => send(fixture).then(() => store.remindSurvey(fixture.survey)), { messages: 3 }],
  ['survey_cancelled', (store, { survey }) => store.cancelSurvey(survey), { messages: 3 }],
  [
    'address_erased',
    (store, { workspace }) => store.eraseEmail(workspace, 'ada@example.com', true),
    { erased: 1, suppressed: true },
  ],
  ['address_blocked', (store, { workspace }) => store.suppressEmail(workspace, 'Ada2@example.com'), {}],
  ['address_unblocked', (store, { workspace }) => store.liftSuppression(workspace, 'ada2@example.com'), {}],
];

const idOf = async ({ batch }: Fixture) =>
  String((await sql`select min(id) as id from invite.invitations where batch_id = ${batch}`)[0]?.id);
const send = ({ batch }: Fixture) => sql`
  update invite.messages
  set status = 'sent', sent_at = now() - interval '2 days', failed_at = null, not_before = null, sweep_at = null, cancelled_at = null
  where invitation_id in (select id from invite.invitations where batch_id = ${batch})`;
const fail = ({ batch }: Fixture) => sql`
  update invite.messages set status = 'failed', failed_at = now(), not_before = null, sweep_at = null, cancelled_at = null
  where invitation_id in (select id from invite.invitations where batch_id = ${batch})`;

const fixture = await createBatch(createStore(sql), {
  recipients: ['ada', 'bob', 'eve'].map((name) => ({ email: `${name}@example.com` })),
});

for (const [action, change, detail] of CHANGES) {
  t.test(`${action}: ${JSON.stringify(detail)}`, async (t) => {
    const before = await lastId();
    await change(admin, fixture);
    const log = await logOf(fixture.workspace, before);
    t.match(log, [{ action, actor: 'cli', database_user: 'invite_admin_test', application: 'billing', detail }]);
    t.equal(log.length, 1);
    t.notMatch(JSON.stringify(log), '@example.com');
  });
}

t.test('what changes nothing is not recorded; an erasure is, for proof', async (t) => {
  const before = await lastId();
  await admin.setSurveyState(fixture.survey, 'active');
  await admin.setWorkspaceSuspended(fixture.workspace, false);
  await admin.setSendingPaused(false);
  await admin.cancelBatch(fixture.batch);
  await admin.cancelEmail(fixture.workspace, 'nobody@example.com');
  t.same(await logOf(fixture.workspace, before), []);
  await admin.eraseEmail(fixture.workspace, 'nobody@example.com', false);
  t.match(await logOf(fixture.workspace, before), [{ action: 'address_erased', detail: { erased: 0 } }]);
});

t.test("a plain update is recorded, and a member's change is the member's", async (t) => {
  const before = await lastId();
  await sql`update invite.surveys set state = 'draft' where id = ${fixture.survey}`;
  const { session } = await createMember(createStore(sql), fixture.workspace, 'admin', 'admin@example.com');
  const pages = createStore(webSql);
  await pages.console.setSurveyState(session, fixture.survey, 'active');
  await webSql`select console.set_survey_paused(${session}, ${fixture.survey}, true)`;
  await webSql`select console.set_workspace_paused(${session}, ${fixture.workspace}, true)`;
  await sql`select invite.set_workspace_paused(${fixture.workspace}, false)`;
  const log = (await logOf(fixture.workspace, before)).filter(({ action }) => /survey_state|sending/.test(action));
  t.match(log, [
    { action: 'survey_state_changed', actor: 'cli', database_user: 'invite_owner_test' },
    { action: 'survey_state_changed', actor: 'admin@example.com', database_user: 'invite_web_test', application: 'server' },
    { action: 'sending_paused', actor: 'admin@example.com' },
    { action: 'sending_paused', actor: 'admin@example.com' },
    { action: 'sending_resumed', actor: 'cli' },
  ]);
});

t.test('what a plan allows is recorded for all who are on it', async (t) => {
  const before = await lastId();
  await sql`insert into invite.plans (id, api_trigger) values ('trial', true)`;
  await sql`update invite.plans set api_trigger = true where id = 'trial'`;
  await sql`update invite.plans set api_trigger = false where id = 'trial'`;
  const log = await logOf(fixture.workspace, before);
  t.match(log, [{ action: 'plan_changed', actor: 'cli', subject: 'trial', detail: { api_trigger: false } }]);
  t.equal(log.length, 1, 'what changes nothing is not');
});

t.test('a sign-in link that an operator makes is recorded', async (t) => {
  const before = await lastId();
  await admin.createSignInLink('admin@example.com', Buffer.alloc(40, 1));
  t.match(await logOf(fixture.workspace, before), [
    { action: 'sign_in_link_created', subject: 'admin@example.com', actor: 'cli' },
  ]);
});
