// Every table says whether its rows move with a workspace: a table added later fails here until it does. See src/cells/tables.ts.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import { movedTables, STAYS } from '../../src/cells/tables.ts';
import { fillWorkspace, rowsOfWorkspace } from '../fixtures/full-workspace.ts';
import { createTestDatabase } from '../fixtures/setup.ts';
import { filesOf, read } from '../runner/graph.ts';

const database = await createTestDatabase(t);
const { sql } = database;

t.test('each table has a column that names what it belongs to, or a reason to stay', async (t) => {
  const tables = await movedTables(sql);
  t.ok(tables.length > 20);
  const [row] = await sql`
    select array_agg(relname::text) as names from pg_class
    where relnamespace = 'invite'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  t.same(
    Object.keys(STAYS).filter((name) => !row?.names.includes(name)),
    [],
    'STAYS names nothing that is gone',
  );
});

t.test('a table that names nothing fails, and says what to do', async (t) => {
  const admin = database.connectAsAdmin();
  await admin`create table invite.brand_new (id bigint primary key, note text)`;
  await t.rejects(movedTables(sql), {
    message: /^invite\.brand_new: which of its rows move with a workspace\? Give it one of the columns .* or list it in STAYS/,
  });
  await admin`alter table invite.brand_new add column survey_id text`;
  t.match(
    (await movedTables(sql)).find(({ name }) => name === 'brand_new'),
    { key: 'survey_id', columns: ['id', 'note', 'survey_id'] },
  );
  await admin`drop table invite.brand_new`;
});

t.test('the fixture of the moves has a row of each table', async (t) => {
  const full = await fillWorkspace(database);
  for (const [table, rows] of Object.entries(await rowsOfWorkspace(sql, full.workspace)))
    t.ok(
      rows > 0,
      `write a row of invite.${table} in fillWorkspace (test/fixtures/full-workspace.ts), so that its move is tested`,
    );
});

t.test('rows are found by an index, if a table has one by which they can be', async (t) => {
  const keys = Object.fromEntries((await movedTables(sql)).map(({ name, key }) => [name, key]));
  t.match(keys, {
    workspaces: 'id',
    members: 'workspace_id',
    batches: 'survey_id',
    invitations: 'batch_id',
    messages: 'invitation_id',
    relay_events: 'invitation_id',
    webhook_deliveries: 'endpoint_id',
    upload_lines: 'foreign',
    idempotency_keys: 'trigger_token_id',
  });
});

/** What a job's payload names, by task: jobs_of finds it by that. Null: it names nothing of one workspace. */
const JOBS: Readonly<Record<string, string | null>> = {
  accept_uploads: null,
  advance_test_clock: 'workspace_id',
  check_guard: 'workspace_id',
  close_surveys: 'survey_id',
  confirm_invitations: null,
  delete_survey: 'survey_id',
  earn_caps: null,
  // Of the cell in which the copy is.
  erase_old_copy: null,
  erase_expired: null,
  fold_result_counts: null,
  heal_invitations: null,
  index_recipients: null,
  match_relay_events: null,
  prune_expired: null,
  publish_events: null,
  replay_webhooks: 'endpoint_id',
  requeue_waiting: 'survey_id',
  requeue_workspace: 'workspace_id',
  // arrive() makes them again.
  send_guard_notice: 'workspace_id',
  send_invitations: null,
  send_member_invitation: 'workspace_id',
  // Runs every minute in each cell.
  send_notifications: null,
  send_sign_in_link: null,
  send_test_invitation: 'test_id',
  send_webhook_warning: 'endpoint_id',
  send_webhooks: null,
  sweep_invitations: null,
};

t.test('each task says by what its jobs are found', async (t) => {
  const tasks = globSync('tasks/*.ts').map((file) => basename(file, '.ts'));
  t.same(tasks.sort(), Object.keys(JOBS).sort(), 'name a new task in JOBS, and what its payload names in jobs_of');
  const jobsOf = read('sql/functions/cells/jobs_of.sql');
  const calls = [...filesOf('sql/functions'), ...globSync('sql/{functions,console,triggers}/**/*.sql')]
    .map((file) => read(file))
    .join('\n');
  for (const [task, key] of Object.entries(JOBS)) {
    if (key === null) continue;
    t.match(jobsOf, `payload ->> '${key}'`, task);
    t.match(calls, new RegExp(`'${task}',\\s*json_build_object\\('${key}'`), `${task} is queued with ${key}`);
  }
});
