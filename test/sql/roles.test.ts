// Permissions: each separate role can do its part and nothing else. The catalogs, the files and the comments agree.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { createSecret } from '../../src/secret.ts';
import type { ROLES } from '../fixtures/cluster.ts';
import { invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const SQL = new URL('../../sql/', import.meta.url);
/** Returns the names of the SQL files in a folder and its subfolders. */
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, SQL), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => basename(file, '.sql'));

/** Opens a pool as one of the separate roles. */
function poolAs(role: (typeof ROLES)[number]) {
  const pool = openDatabase(database.urlAs(role), { applicationName: 'tests' });
  t.teardown(() => pool.end());
  return pool;
}
const [http, console, readonly] = [poolAs('invite_web'), poolAs('invite_admin'), poolAs('invite_readonly')];

/** Returns a list of names in grants.sql. */
function listed(name: string): string[] {
  const list = new RegExp(`${name} constant text\\[\\] := array\\[([^\\]]*)\\]`).exec(
    readFileSync(new URL('grants.sql', SQL), 'utf8'),
  )?.[1];
  return [...(list ?? '').matchAll(/'(\w+)'/g)].map((match) => match[1] ?? '');
}

interface InviteFunction {
  readonly schema: string;
  readonly definer: boolean;
  readonly name: string;
  readonly signature: string;
  readonly call: string;
  readonly trigger: boolean;
}

const inviteFunctions = await sql<InviteFunction[]>`
  select
    p.pronamespace::regnamespace::text as schema, p.proname as name, p.oid::regprocedure::text as signature,
    p.prosecdef as definer, p.prorettype = 'trigger'::regtype as trigger,
    format('select %s.%I(%s)', p.pronamespace::regnamespace, p.proname, (
      select string_agg(
        case when p.provariadic <> 0 and a.place = p.pronargs then 'variadic ' else '' end || 'null::' || format_type(a.type, null), ', ' order by a.place)
      from unnest(p.proargtypes) with ordinality as a (type, place))) as call
  from pg_proc as p
  where p.pronamespace in ('invite'::regnamespace, 'console'::regnamespace)
  order by p.pronamespace, p.proname`;
const relations = await sql<{ name: string; view: boolean }[]>`
  select c.relname as name, c.relkind = 'v' as view from pg_class as c
  where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'v', 'm', 'p') order by c.relname`;

/** Returns the functions of schema invite in a list of grants.sql. */
const allowed = (list: string): InviteFunction[] =>
  inviteFunctions.filter(({ schema, name }) => schema === 'invite' && listed(list).includes(name));
/** The functions of schema console that run with the owner's rights and check the session themselves. */
const guarded = inviteFunctions.filter(({ schema, definer }) => schema === 'console' && definer);
/** These functions read nothing, at least when called with nulls, so they need no permission. */
const pure = inviteFunctions.filter(
  ({ schema, name }) =>
    schema === 'console' &&
    [
      'result_condition',
      'period_bins',
      'rated_until',
      'may_release_guard',
      'dimension_value',
      'part_columns',
      'filters_answers',
      'score_of',
    ].includes(name),
);
/** What the roles of DBAs can read. */
const readables = [
  ...listed('v_tables'),
  ...relations.filter((relation) => relation.view).map((relation) => relation.name),
].sort();

/** Returns the other functions that a role can execute. The calls pass only nulls, so that a function that wrongly runs does nothing. */
/** What the conditions of triggers ask: anybody may, because they read nothing. */
const OF_TRIGGERS = ['hold_of_plan', 'hold_of_settings', 'hold_of_survey', 'hold_of_workspace'];

async function notRefused(pool: typeof sql, allowed: readonly InviteFunction[]): Promise<string[]> {
  const names: string[] = [];
  for (const fn of inviteFunctions) {
    if (allowed.includes(fn) || fn.trigger || OF_TRIGGERS.includes(fn.name)) continue;
    if ((await sqlstate(pool.unsafe(fn.call))) !== '42501') names.push(fn.signature);
  }
  return names;
}

/** Returns the relations that a role can read. */
async function readable(pool: typeof sql): Promise<string[]> {
  const names: string[] = [];
  for (const { name } of relations) {
    const columns = name === 'workspaces' ? pool`id, home, name, sender` : pool`*`;
    if ((await sqlstate(pool`select ${columns} from ${pool(`invite.${name}`)} limit 0`)) === 'none') names.push(name);
  }
  return names;
}

t.test('invite_web can do all that the endpoint and the pages do', async (t) => {
  const { survey, hash } = await createBatch(store);
  const calls = createStore(http);
  t.equal((await acceptTrigger(calls, hash, { recipients: [{ email: 'bob@example.com' }] }, 10_000)).outcome, 'accepted');
  const [invitation] = await invitationsOf(sql, survey);
  const link = invitation?.link_token ?? '';
  const unsubscribing = unsubscribeToken(link);
  t.match(await calls.surveyPage(survey, link), { link: 'open' });
  t.equal((await calls.submitResponse(survey, { score: 9 }, link)).outcome, 'recorded');
  t.match(await calls.unsubscribePage(unsubscribing), { unsubscribed: false });
  t.match(await calls.choose(unsubscribing, 'once_a_month'), { choices: ['once_a_month'] });
  t.match(await calls.takeBack(unsubscribing, 'once_a_month'), { choices: [] });
  t.match(await calls.unsubscribe(unsubscribing), { unsubscribed: true });
  const event = { event_id: 'event', type: 'complaint', occurred_at: '2030-01-31T09:00:00Z' } as const;
  t.equal(await calls.recordRelayEvents('resend', [event]), 1);
  t.ok((await calls.queueMetrics()).due > 0);
  t.type(await calls.schemaVersion(), 'number');
});

t.test('invite_web can do nothing else: no other function, no table, no view, no job', async (t) => {
  t.strictSame(await notRefused(http, [...allowed('v_web'), ...guarded, ...pure]), []);
  t.equal(await sqlstate(http`select console.period_bins('survey', 'UTC', null, null, null, null)`), '42501');
  t.strictSame(await readable(http), []);
  t.equal(await sqlstate(http`select graphile_worker.add_job('send_invitations')`), '42501');
  t.equal(await sqlstate(http`select * from graphile_worker.jobs`), '42501');
});

t.test('invite_web passes no limit, and no session, with a time or a quota of its own', async (t) => {
  const { workspace } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'viewer', 'late@example.com');
  await sql`update invite.sessions set seen_at = now() - interval '3 days' where secret_hash = ${session}`;
  const email = async (pool: typeof sql) => {
    const [row] = await pool`select email from console.authenticate(${session}, at => now() - interval '2 days')`;
    return row?.email;
  };
  t.equal(await email(http), null);
  t.equal(await email(sql), 'late@example.com', 'the owner may');

  const { hash } = await createBatch(store);
  await sql`update invite.settings set recipients_per_hour = 2`;
  t.teardown(() => sql`update invite.settings set recipients_per_hour = null`);
  const accept = (pool: typeof sql) =>
    acceptTrigger(createStore(pool), hash, { recipients: [{ email: 'bob@example.com' }, { email: 'eve@example.com' }] }, 10_000);
  t.match(await accept(http), { outcome: 'flood_protection' });
  t.match(await accept(sql), { outcome: 'accepted' });
});

t.test('what a separate role executes takes a time only from the owner', async (t) => {
  const rows = await sql`
    select p.oid::regprocedure::text as name
    from pg_proc as p
    where p.pronamespace in ('invite'::regnamespace, 'console'::regnamespace) and p.prosecdef and 'at' = any (p.proargnames)
      and has_function_privilege('invite_web', p.oid, 'execute')
      and regexp_replace(p.prosrc, 'invite\\.owner_time\\(\\w+\\.at\\)', '', 'g') ~ (p.proname || '\\.at\\M')`;
  t.strictSame([...rows], []);
});

t.test('nobody but the owner takes advisory locks', async (t) => {
  const locks = await sql<{ call: string; owner: boolean }[]>`
    select p.proname || case p.pronargs when 1 then '(1)' else '(1, 2)' end as call,
      has_function_privilege('invite_owner', p.oid, 'execute') as owner
    from pg_proc as p where p.proname ~ 'advisory.*lock' and p.proname !~ 'unlock'`;
  t.equal(locks.length, 16);
  for (const { call, owner } of locks) {
    for (const role of [http, console]) t.equal(await sqlstate(role.unsafe(`select ${call}`)), '42501', call);
    t.ok(owner, call);
  }
});

t.test('invite_web fills no disk, and its statements and connections are bounded', async (t) => {
  for (const call of ['lo_creat(-1)', "lo_from_bytea(0, 'x')", "pg_logical_emit_message(true, 'x', 'y')"])
    t.equal(await sqlstate(http.unsafe(`select ${call}`)), '42501', call);
  const [role] = await sql`select rolconnlimit as connections, rolconfig as settings from pg_roles where rolname = 'invite_web'`;
  t.match(role, {
    connections: 100,
    settings: ['statement_timeout=15s', 'lock_timeout=500ms', 'idle_in_transaction_session_timeout=30s', 'temp_file_limit=1GB'],
  });
});

t.test('invite_admin can manage, read the views, and record responses', async (t) => {
  const calls = createStore(console);
  const workspaceId = await calls.upsertWorkspace({ name: 'Acme' });
  await calls.setWorkspaceSuspended(workspaceId, true);
  await calls.setWorkspaceSuspended(workspaceId, false);
  await calls.upsertMember(workspaceId, 'ada@example.com', 'admin');
  const survey = await calls.upsertSurvey({ workspaceId, title: 'Survey' });
  await calls.setSurveyState(survey, 'active');
  await console`select invite.set_survey_disabled(${survey}, false)`;
  const { hash, hint } = createSecret('home0001');
  const token = await calls.createTriggerToken({ surveyId: survey, name: 'Token', secretHash: hash, secretHint: hint });
  await calls.updateTriggerToken(token, { cooldownSeconds: 5 });
  t.match(await calls.listTriggerTokens(survey), [{ id: token, cooldown_seconds: 5 }]);
  await calls.deleteTriggerToken(token);
  await console`select invite.record_response(${survey}, '{"score": 9}')`;
  t.equal((await calls.listResults(survey, 10)).length, 1);
  t.match(await calls.listMembers(workspaceId), [{ role: 'admin' }]);
  await calls.removeMember(workspaceId, 'ada@example.com');
  t.equal((await calls.listSurveys(workspaceId)).length, 1);
  t.strictSame(await calls.listBatches(survey, 10), await store.listBatches(survey, 10));
  t.strictSame(await readable(console), readables);
});

t.test('invite_admin can execute no other function', async (t) => {
  t.strictSame(await notRefused(console, [...allowed('v_admin'), ...allowed('v_of_views')]), []);
  t.equal(await sqlstate(console`select graphile_worker.add_job('send_invitations')`), '42501');
});

t.test('invite_readonly reads the views and the tables without secrets, and executes only what views call', async (t) => {
  t.strictSame(await readable(readonly), readables);
  t.strictSame(await notRefused(readonly, allowed('v_of_views')), []);
  t.equal(await sqlstate(readonly`select secret from invite.invitations`), '42501');
  t.equal(await sqlstate(readonly`select secret_hash from invite.trigger_tokens`), '42501');
  t.equal(await sqlstate(readonly`select link_key from invite.workspaces`), '42501');
  await createBatch(store);
  t.ok((await readonly`select from invite.invitation_overview`).length > 0);
});

t.test('no separate role can write a table', async (t) => {
  const [row] = await sql`
    select array_agg(r.rolname || ' ' || c.relname) as writable
    from pg_class as c
    cross join pg_roles as r
    where c.relnamespace = 'invite'::regnamespace
      and c.relkind in ('r', 'v')
      and r.rolname in ('invite_web', 'invite_admin', 'invite_readonly')
      and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate, references, trigger')`;
  t.equal(row?.writable, null);
});

t.test('invite_web has no right on any table, view or sequence: it calls functions alone', async (t) => {
  const relations = (role: string) => sql<{ name: string }[]>`
    select c.oid::regclass::text as name
    from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'test') and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and case
        when c.relkind = 'S' then has_sequence_privilege(${role}, c.oid, 'usage, select, update')
        else has_table_privilege(${role}, c.oid, 'select, insert, update, delete, truncate, references, trigger')
          or has_any_column_privilege(${role}, c.oid, 'select, insert, update, references')
      end`;
  t.strictSame([...(await relations('invite_web'))], []);
  t.ok((await relations('invite_owner')).length > 60, 'this test sees them');
  t.ok(
    (await relations('invite_readonly')).some(({ name }) => name === 'invite.workspaces'),
    'rights on columns, too',
  );
});

t.test('no separate role can make an object in our schemas', async (t) => {
  for (const pool of [http, console, readonly]) {
    t.equal(await sqlstate(pool`create table invite.mine ()`), '42501');
    t.equal(await sqlstate(pool`create table console.mine ()`), '42501');
    t.equal(await sqlstate(pool`create table graphile_worker.mine ()`), '42501');
  }
});

t.test('everybody else may do nothing in the schemas but ask what the conditions of triggers ask', async (t) => {
  const [row] = await sql`
    select
      (select array_agg(p.proname order by p.proname) from pg_proc as p
       where p.pronamespace in ('invite'::regnamespace, 'console'::regnamespace)
         and has_function_privilege('public', p.oid, 'execute')) as functions,
      (select array_agg(c.relname) from pg_class as c
       where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'v')
         and has_table_privilege('public', c.oid, 'select, insert, update, delete')) as relations,
      has_schema_privilege('public', 'invite', 'usage, create') or has_schema_privilege('public', 'console', 'usage, create') as schema`;
  t.strictSame({ ...row }, { functions: [...OF_TRIGGERS], relations: null, schema: false });
});

t.test('a function that the owner adds by hand is not executable by everybody either', async (t) => {
  await sql`create function invite.added_by_hand() returns integer language sql as 'select 1'`;
  const [row] = await sql`select has_function_privilege('public', 'invite.added_by_hand()', 'execute') as open`;
  await sql`drop function invite.added_by_hand()`;
  t.equal(row?.open, false);
});

t.test('the lists in grants.sql name only what exists', async (t) => {
  const names = inviteFunctions.filter((fn) => fn.schema === 'invite').map((fn) => fn.name);
  const tables = relations.filter((relation) => !relation.view).map((relation) => relation.name);
  for (const [list, known] of [
    ['v_web', names],
    ['v_admin', names],
    ['v_tables', tables],
  ] as const) {
    t.ok(listed(list).length > 0, `${list} is read`);
    t.strictSame(
      listed(list).filter((name) => !known.includes(name)),
      [],
      list,
    );
  }
});

t.test('what a separate role executes runs as its owner, with a pinned search path', async (t) => {
  const rows = await sql`
    select proname as name, prosecdef as definer, proconfig::text[] as settings from pg_proc
    where pronamespace in ('invite'::regnamespace, 'console'::regnamespace) order by proname`;
  t.strictSame(
    [...allowed('v_web'), ...allowed('v_admin')].filter((fn) => !fn.definer).map((fn) => fn.name),
    [],
    'each is security definer',
  );
  t.strictSame(
    rows.filter((row) => row.definer && !row.settings?.includes('search_path=pg_catalog, pg_temp')).map((row) => row.name),
    [],
    'each security definer function pins search_path',
  );
});

t.test(
  'a function that pins its plan, or unnests twice, is never compiled: its plans look expensive, and a call would take ten times as long',
  async (t) => {
    const rows = await sql`
    select proname as name, proconfig::text[] as settings from pg_proc
    where pronamespace in ('invite'::regnamespace, 'console'::regnamespace)
      and (proconfig::text ~ 'enable_|plan_cache_mode' or proname ~ '_translation_error$')`;
    t.ok(rows.some(({ name }) => name === 'accept_triggers'));
    t.strictSame(
      rows.filter(({ settings }) => !settings?.includes('jit=off')).map(({ name }) => name),
      [],
    );
  },
);

t.test('a temporary table of the caller is not mistaken for ours', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const session = database.connect();
  await session`create temporary table trigger_tokens (id uuid)`;
  await session`create temporary table surveys (id text)`;
  const [row] = await session`select outcome from test.accept_trigger(${hash}, '[{"email": "ada@example.com"}]')`;
  t.equal(row?.outcome, 'accepted');
});

t.test('every table, view, index, function, type and trigger has a comment', async (t) => {
  const rows = await sql`
    select c.oid::regclass::text as name from pg_class as c
    where c.relnamespace = 'invite'::regnamespace and obj_description(c.oid, 'pg_class') is null
      and (c.relkind in ('r', 'v')
        or c.relkind = 'i' and not exists (select from pg_constraint as o where o.conindid = c.oid))
    union all
    select p.oid::regprocedure::text from pg_proc as p
    where p.pronamespace in ('invite'::regnamespace, 'console'::regnamespace) and obj_description(p.oid, 'pg_proc') is null
    union all
    select y.oid::regtype::text from pg_type as y
    left join pg_class as c on c.oid = y.typrelid
    where y.typnamespace in ('invite'::regnamespace, 'console'::regnamespace) and (y.typtype in ('e', 'd') or c.relkind = 'c')
      and obj_description(y.oid, 'pg_type') is null
    union all
    select g.tgname || ' on ' || g.tgrelid::regclass from pg_trigger as g
    join pg_class as c on c.oid = g.tgrelid
    where c.relnamespace = 'invite'::regnamespace and not g.tgisinternal and obj_description(g.oid, 'pg_trigger') is null`;
  t.strictSame(
    rows.map((row) => row.name),
    [],
  );
});

t.test('every column of a table has a comment', async (t) => {
  const rows = await sql`
    select c.relname || '.' || a.attname as name
    from pg_attribute as a
    join pg_class as c on c.oid = a.attrelid
    where c.relnamespace = 'invite'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and col_description(c.oid, a.attnum) is null`;
  t.strictSame(
    rows.map((row) => row.name),
    [],
  );
});

t.test('no view shows a secret', async (t) => {
  const rows = await sql`
    select c.relname || '.' || a.attname as name
    from pg_attribute as a
    join pg_class as c on c.oid = a.attrelid
    where c.relnamespace = 'invite'::regnamespace and c.relkind = 'v' and a.attname ~ 'link_token|^secret$|secret_hash|payload_hash'`;
  t.strictSame(
    rows.map((row) => row.name),
    [],
  );
});

t.test('every function has a file of its name, and every file a function', async (t) => {
  const migration = readFileSync(new URL('migrations/0001_schema.sql', SQL), 'utf8');
  const indexed = [...migration.matchAll(/create function invite\.(\w+)/g)].map(([, name]) => name);
  const namesIn = (schema: string) => inviteFunctions.filter((fn) => fn.schema === schema && !fn.trigger).map((fn) => fn.name);
  t.strictSame([...filesIn('functions/'), ...indexed].sort(), namesIn('invite').sort(), 'indexes need those in the migration');
  t.strictSame(filesIn('console/').sort(), namesIn('console').sort());
});

t.test('no function is overloaded', async (t) => {
  t.equal(new Set(inviteFunctions.map((fn) => `${fn.schema}.${fn.name}`)).size, inviteFunctions.length);
});

t.test('every trigger has a file named for its table, and every file a trigger', async (t) => {
  const rows = await sql`
    select c.relname as table, g.tgname as trigger, p.proname as function
    from pg_trigger as g
    join pg_class as c on c.oid = g.tgrelid
    join pg_proc as p on p.oid = g.tgfoid
    where c.relnamespace = 'invite'::regnamespace and not g.tgisinternal`;
  t.strictSame(filesIn('triggers/').sort(), [...new Set(rows.map((row) => row.table as string))].sort());
  for (const row of rows) {
    t.match(row.function, new RegExp(`^tg_${row.table}__`));
    t.ok(readFileSync(new URL(`triggers/${row.table}.sql`, SQL), 'utf8').includes(`function invite.${row.function}()`));
  }
  t.strictSame(
    inviteFunctions
      .filter((fn) => fn.trigger)
      .map((fn) => fn.name)
      .sort(),
    [...new Set(rows.map((row) => row.function as string))].sort(),
    'no trigger function without a trigger',
  );
});

t.test('every view has a file of its name, and every file a view', async (t) => {
  const views = await sql`select viewname from pg_views where schemaname = 'invite'`;
  t.strictSame(filesIn('views/').sort(), views.map((row) => row.viewname as string).sort());
});
