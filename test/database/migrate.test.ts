// The migrator: a new database, many processes at once, a schema that is newer than the program, and an owner that isn't a superuser.
import { randomBytes } from 'node:crypto';
import { cpSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { signaturesOf } from '../../src/database/drops.ts';
import { migrate, SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { OperatorError } from '../../src/errors.ts';
import { clusterUrl, databaseUrl } from '../fixtures/cluster.ts';
import { sqlstate } from '../fixtures/inspect.ts';
import { createBatch } from '../fixtures/setup.ts';

const cluster = await clusterUrl();
const SQL = new URL('../../sql/', import.meta.url);
const MIGRATIONS = readdirSync(new URL('migrations/', SQL)).sort();

/** Creates an empty database. Returns its address and a connection to it. */
async function createEmpty(t: Test) {
  const name = `invite_migrate_${randomBytes(6).toString('hex')}`;
  const admin = openDatabase(cluster, { applicationName: 'tests', transactions: true });
  await admin.unsafe(`create database ${name}`);
  const url = databaseUrl(cluster, name);
  const sql = openDatabase(url, { applicationName: 'tests', transactions: true });
  t.teardown(async () => {
    await sql.end();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { name, url, sql };
}

/** Returns everything in the schema that a migrate could change, as text. */
async function snapshot(sql: Awaited<ReturnType<typeof createEmpty>>['sql']): Promise<string[]> {
  const rows = await sql`
    select pg_get_functiondef(oid) || coalesce(proacl::text, '') as line from pg_proc where pronamespace = 'invite'::regnamespace
    union all
    select pg_get_viewdef(oid) from pg_class where relnamespace = 'invite'::regnamespace and relkind = 'v'
    union all
    select concat_ws(' ', relname, relkind, relacl::text, relowner) from pg_class where relnamespace = 'invite'::regnamespace
    union all
    select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull) from pg_attribute
    where attrelid in (select oid from pg_class where relnamespace = 'invite'::regnamespace) and attnum > 0
    union all
    select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'invite'::regnamespace
    union all
    select pg_get_triggerdef(oid) from pg_trigger where tgrelid in (select oid from pg_class where relnamespace = 'invite'::regnamespace)
    union all
    select to_jsonb(m)::text from invite.migrations as m
    union all
    select to_jsonb(m)::text from graphile_worker.migrations as m
    order by line`;
  return rows.map((row) => row.line as string);
}

t.test('a fresh database gets all migrations, in order, and then works', async (t) => {
  const { url, sql } = await createEmpty(t);
  const names = await migrate(url);
  t.strictSame(
    names.map((name) => `${name}.sql`),
    MIGRATIONS,
  );
  t.equal(Number(names.at(-1)?.slice(0, 4)), SCHEMA_VERSION);
  const store = createStore(sql);
  t.equal(await store.schemaVersion(), SCHEMA_VERSION);
  await createBatch(store);
});

t.test('a second migrate changes nothing and keeps the data', async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url);
  const { batch } = await createBatch(createStore(sql));
  const before = await snapshot(sql);
  t.strictSame(await migrate(url), []);
  t.strictSame(await snapshot(sql), before);
  t.ok(before.length > 200);
  t.ok(await createStore(sql).findBatch(batch));
});

t.test('a migrate puts back behavior that was changed by hand', async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url);
  const before = await snapshot(sql);
  await sql`create or replace function invite.schema_version() returns integer language sql stable as 'select 0'`;
  await sql`grant execute on function invite.schema_version() to public`;
  t.notSame(await snapshot(sql), before);
  await migrate(url);
  t.strictSame(await snapshot(sql), before);
});

t.test('of 20 processes that migrate one fresh database at once, all succeed and one does it', async (t) => {
  const { url, sql } = await createEmpty(t);
  const applied = await Promise.all(Array.from({ length: 20 }, () => migrate(url)));
  t.strictSame(
    applied.map((names) => names.length).sort((a, b) => b - a),
    [MIGRATIONS.length, ...Array<number>(19).fill(0)],
  );
  t.equal(await createStore(sql).schemaVersion(), SCHEMA_VERSION);
});

t.test('a schema that is newer than the code is refused, and nothing is changed', async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url);
  await sql`insert into invite.migrations (version, name) values (${SCHEMA_VERSION + 1}, 'from_the_future')`;
  await sql`create or replace function invite.is_sendable(survey_id text) returns boolean language sql stable as 'select null::boolean'`;
  const before = await snapshot(sql);
  await t.rejects(
    migrate(url),
    new OperatorError(
      `The database has schema version ${SCHEMA_VERSION + 1}, newer than this code's ${SCHEMA_VERSION}: run the newer version of the service.`,
    ),
  );
  t.strictSame(await snapshot(sql), before);
});

t.test('a migrate that fails leaves the lock, so that the next one is not kept waiting', async (t) => {
  const { url, sql } = await createEmpty(t);
  await sql`create schema invite`;
  await sql`create table invite.plans ()`;
  await t.rejects(migrate(url), { code: '42P07' });
  t.equal((await sql`select from invite.migrations`).length, 0, 'the failed migration is not recorded');
  await sql`drop table invite.plans`;
  t.equal((await migrate(url)).length, MIGRATIONS.length);
});

t.test('a database of version 0.1.0 is left as it is, and what to do is said', async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url);
  await sql`drop table invite.messages cascade`;
  await t.rejects(migrate(url), { name: 'OperatorError', message: /is of version 0\.1\.0, .*create another one/ });
});

t.test('an installation keeps the name that its first migrate has given it', async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url, { cell: { home: 'ab12' } });
  const home = async () => (await sql`select invite.home() as home`)[0]?.home;
  t.equal(await home(), 'ab12');
  await migrate(url);
  t.equal(await home(), 'ab12');
  await sql`insert into invite.workspaces (name) values ('Acme')`;
  await t.rejects(migrate(url, { cell: { home: 'cd34' } }), {
    name: 'OperatorError',
    message: /HOME_ID is cd34, but .* installation ab12/,
  });
  t.equal(await home(), 'ab12');
  t.equal((await sql`update invite.settings set home = 'test' returning home`.catch(({ code }) => [code]))[0], '23514');
});

t.test("an installation's databases have ranges of ids of their own, of every table, and all are exact in JSON", async (t) => {
  const SIZE = 2 ** 44;
  const sequences = (sql: Awaited<ReturnType<typeof createEmpty>>['sql']) =>
    sql<{ name: string; first: string; last: string; next: string }[]>`
      select s.sequencename as name, s.min_value::text as first, s.max_value::text as last, coalesce(s.last_value + 1, s.start_value)::text as next
      from pg_sequences as s where s.schemaname = 'invite' and s.sequencename <> 'publisher_awake'`;
  for (const cellNumber of [undefined, 0, 1, 255]) {
    const { url, sql } = await createEmpty(t);
    await migrate(url, { cell: { cellNumber } });
    const number = cellNumber ?? 0;
    const found = await sequences(sql);
    t.ok(found.length > 8);
    t.ok(found.some(({ name }) => name === 'invitations_id_seq'));
    for (const { name, ...range } of found) {
      const base = name === 'test_invitation_ids' ? 2 ** 52 : 0;
      const first = Math.max(1, base + number * SIZE);
      t.same(range, { first: String(first), last: String(base + (number + 1) * SIZE - 1), next: String(first) }, name);
      t.ok(Number.isSafeInteger(Number(range.last)));
    }
    // A table that a later migration adds.
    await sql`create table invite.later (id bigint generated always as identity)`;
    await sql`insert into invite.workspaces (id, name) values ('acme', 'Acme')`;
    const next = async () =>
      (await sql`insert into invite.audit_log (actor, action) values ('cli', 'token_created') returning id::text`)[0]?.id;
    const before = BigInt(await next());
    await migrate(url);
    t.equal(BigInt(await next()), before + 1n, 'what is placed stays');
    const [later] = await sql`insert into invite.later default values returning id::text`;
    t.equal(later?.id, String(Math.max(1, number * SIZE)));
    await migrate(url, { cell: { cellNumber: number } });
    await t.rejects(migrate(url, { cell: { cellNumber: number === 7 ? 8 : 7 } }), {
      name: 'OperatorError',
      message: `CELL_NUMBER is 7, but the database has the number ${number}: correct DATABASE_URL, or unset CELL_NUMBER`,
    });
    t.equal((await sql`select invite.cell_number() as number`)[0]?.number, number);
  }
});

t.test('an owner who is not a superuser can migrate, and later needs no right to create schemas', async (t) => {
  const { name, sql } = await createEmpty(t);
  await sql.unsafe(readFileSync(new URL('../../sql/roles.sql', import.meta.url), 'utf8'));
  const url = databaseUrl(cluster, name, 'invite_owner');
  t.equal((await migrate(url)).length, MIGRATIONS.length);
  const [row] = await sql`
    select count(*)::integer as others from pg_class
    where relnamespace in ('invite'::regnamespace, 'graphile_worker'::regnamespace) and relowner <> 'invite_owner'::regrole`;
  t.equal(row?.others, 0, 'all of it belongs to invite_owner');
  await sql.unsafe(`revoke create on database ${name} from invite_owner`);
  t.strictSame(await migrate(url), []);
});

t.test("what another role has migrated is handed over, and the product's own tables stay with it", async (t) => {
  const { name, url, sql } = await createEmpty(t);
  await migrate(url);
  await sql`create table public.orders (id bigint generated always as identity)`;
  await sql.unsafe(readFileSync(new URL('../../sql/roles.sql', import.meta.url), 'utf8'));
  await sql.unsafe(readFileSync(new URL('../../sql/hand_over.sql', import.meta.url), 'utf8'));
  const left = await sql`
    select o.name from (
      select nspname as name, nspowner as owner, oid as schema from pg_namespace
      union all select relname, relowner, relnamespace from pg_class
      union all select proname, proowner, pronamespace from pg_proc
      union all select typname, typowner, typnamespace from pg_type
    ) as o
    where o.schema::regnamespace::text in ('invite', 'console', 'graphile_worker') and o.owner <> 'invite_owner'::regrole`;
  t.strictSame([...left], []);
  const [orders] = await sql`select relowner = current_user::regrole as kept from pg_class where relname = 'orders'`;
  t.equal(orders?.kept, true);
  const owner = databaseUrl(cluster, name, 'invite_owner');
  t.strictSame(await migrate(owner), []);
  const asOwner = openDatabase(owner, { applicationName: 'tests' });
  await createBatch(createStore(asOwner));
  await asOwner.end();
});

t.test("functions of others that fit the service's calls better than PostgreSQL's own are never run", async (t) => {
  const { url, sql } = await createEmpty(t);
  await sql.unsafe(`
    create table public.caught (what text);
    create function public.starts_with(name, text) returns boolean language plpgsql volatile as $$
      begin insert into public.caught values (current_query()); return pg_catalog.starts_with($1::text, $2); end $$;
    create function public.format(text, name, regclass) returns text language plpgsql volatile as $$
      begin insert into public.caught values (current_query()); return ''; end $$`);
  await migrate(url);
  // Now it looks for what no file defines any more.
  await migrate(url);
  await createBatch(createStore(sql));
  t.strictSame([...(await sql`select * from public.caught`)], []);
});

t.test('roles.sql can be run again, and takes temporary tables away from everybody', async (t) => {
  const { name, sql } = await createEmpty(t);
  const roles = readFileSync(new URL('../../sql/roles.sql', import.meta.url), 'utf8');
  await sql.unsafe(roles);
  await sql.unsafe(roles);
  const http = openDatabase(databaseUrl(cluster, name, 'invite_web'), { applicationName: 'tests' });
  t.equal(await sqlstate(http`create temporary table mine ()`), '42501');
  t.equal(await sqlstate(http`select pg_advisory_xact_lock(1)`), '42501');
  await http.end();
});

t.test('roles.sql leaves advisory locks to a product that has tables in this database', async (t) => {
  const { name, sql } = await createEmpty(t);
  await sql`create table public.orders ()`;
  await sql.unsafe(readFileSync(new URL('../../sql/roles.sql', import.meta.url), 'utf8'));
  const http = openDatabase(databaseUrl(cluster, name, 'invite_web'), { applicationName: 'tests' });
  t.equal(await sqlstate(http`select pg_advisory_xact_lock(1)`), 'none');
  await http.end();
});

t.test('the schema console is replaced when a definition has changed, and otherwise left alone', async (t) => {
  const { name, url, sql } = await createEmpty(t);
  await migrate(url);
  const idOf = async () => (await sql`select 'console.authenticate'::regproc::oid as id`)[0]?.id;
  const before = await idOf();
  await migrate(url);
  t.equal(await idOf(), before, 'running sessions keep their plans');

  await sql`comment on schema console is 'Definitions: of an earlier version'`;
  await sql`create type console.gone as (id integer)`;
  await sql`create function console.gone_too(given console.gone) returns integer language sql as 'select 1'`;
  await sql.unsafe(`revoke create on database ${name} from public`);
  await migrate(url);
  t.not(await idOf(), before);
  t.equal((await sql`select to_regtype('console.gone') as type`)[0]?.type, null, 'and what no longer exists is gone');
});

t.test("what isn't in the files any more is dropped, with what depends on it, and the rest is left alone", async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url);
  const before = await snapshot(sql);
  const own = async () => {
    const rows = await sql`
      select p.oid::regprocedure::text as name from pg_proc as p where p.proname in ('mine', 'gone', 'tg_surveys__gone', 'home') order by 1`;
    return rows.map(({ name }) => name);
  };
  // An earlier version's: a function and a view without a file, one with other parameters and a view of it, and a trigger.
  await sql`insert into invite.definitions values ('functions/links/gone.sql', ''), ('views/gone_too.sql', '')`;
  await sql`create function invite.gone(a integer default 1, variadic b text[] default '{}') returns integer language sql return a`;
  await sql`create function invite.home(a integer) returns integer language sql return a`;
  await sql`create view invite.gone_too as select invite.gone() as a, invite.home(1) as b`;
  await sql`create function invite.tg_surveys__gone() returns trigger language plpgsql as 'begin return null; end'`;
  await sql`create trigger _500_gone after insert on invite.surveys for each row execute function invite.tg_surveys__gone()`;
  // Somebody's own.
  await sql`create function invite.mine() returns integer language sql as 'select 1'`;
  await migrate(url);
  t.strictSame(await own(), ['invite.home()', 'invite.mine()']);
  await sql`drop function invite.mine()`;
  t.strictSame(await snapshot(sql), before);
});

t.test('a function or view that PostgreSQL can not replace is dropped first, with the views that depend on it', async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url);
  const before = await snapshot(sql);
  await sql`drop schema console cascade`;
  await sql`create schema console`;
  // As an earlier version had them.
  await sql`alter view invite.workspace_overview rename column name to title`;
  await sql`drop function invite.session_ends_at cascade`;
  await sql`create function invite.session_ends_at(was text) returns integer language sql return 1`;
  await sql`alter view invite.unsent_causes rename column relay_code to code`;
  await migrate(url);
  t.strictSame(await snapshot(sql), before);

  await sql`create view public.mine as select name from invite.workspace_overview`;
  await sql`alter view invite.workspace_overview rename column name to title`;
  await t.rejects(migrate(url), {
    name: 'OperatorError',
    message:
      /^PostgreSQL refuses: cannot drop .*\(view public\.mine depends on view invite.workspace_overview\)\. Drop what isn't the service's/,
  });
  await sql`drop view public.mine`;
  await migrate(url);
  t.strictSame(await snapshot(sql), before);
});

t.test("a role's own limits are not the migrator's", async (t) => {
  const { name, url, sql } = await createEmpty(t);
  const [{ newer } = {}] = await sql`select current_setting('server_version_num')::integer >= 170000 as newer`;
  const limits = ['statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout'];
  for (const limit of newer ? [...limits, 'transaction_timeout'] : limits) {
    await sql.unsafe(`alter database ${name} set ${limit} = '1s'`);
  }
  await sql.unsafe(`alter database ${name} set lock_timeout = '1h'`);
  const folder = join(t.testdir({}), 'sql/');
  cpSync(SQL, folder, { recursive: true });
  const next = `${String(SCHEMA_VERSION + 1).padStart(4, '0')}_long`;
  writeFileSync(
    join(folder, `migrations/${next}.sql`),
    `select pg_sleep(1.5); do $$ begin assert current_setting('lock_timeout') = '500ms'; end $$`,
  );
  t.equal((await migrate(url, {}, pathToFileURL(folder))).at(-1), next);
});

t.test('the parameters of each function are read from its file as PostgreSQL reads them', async (t) => {
  const { url, sql } = await createEmpty(t);
  await migrate(url);
  const read = globSync('{functions,triggers,console}/**/*.sql', { cwd: SQL })
    .flatMap((path) => signaturesOf(readFileSync(new URL(path, SQL), 'utf8')))
    .map(({ name, types }) => `${name}(${types.join(',')})`);
  const rows = await sql`
    select count(*)::integer as found, count(distinct to_regprocedure(f.name))::integer as distinct from unnest(${read}::text[]) as f (name)
    where to_regprocedure(f.name) is not null`;
  t.ok(read.length > 300);
  t.strictSame({ ...rows[0] }, { found: read.length, distinct: read.length });
});
