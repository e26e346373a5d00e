// Brings a database to this version of the schema. Safe when many processes start at once.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import { OperatorError } from '../errors.ts';
import { applyDefinitions, type DefinitionFile, findChanged, GRANTS, inOrderOfUse, VIEW_COMMENTS } from './definitions.ts';
import { type PlannedStatement, planStatement, splitStatements } from './migration-plan.ts';
import { errorCode, openDatabase, requireSession, type Sql, type TransactionSql, workerDatabaseUrl } from './pool.ts';

const SQL = new URL('../../sql/', import.meta.url);
/** The key of the advisory lock that lets only one migrator run at a time. Any number works. */
const MIGRATION_LOCK = 7_468_732_201;

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly path: URL;
}

const filesOf = (root: URL, folder: string): URL[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => new URL(`${folder}${name}`, root));

const migrationsOf = (root: URL): Migration[] =>
  filesOf(root, 'migrations/').map((path) => {
    const name = basename(path.pathname, '.sql');
    return { version: Number(name.slice(0, 4)), name, path };
  });

const definitionsOf = (root: URL): DefinitionFile[] =>
  inOrderOfUse(
    ['functions/', 'triggers/', 'views/'].flatMap((folder) =>
      filesOf(root, folder).map((path) => ({ name: path.pathname.slice(root.pathname.length), path })),
    ),
  );

/** A migration with this ending builds one index. It runs outside a transaction, so the table can be written meanwhile. */
const CONCURRENTLY = /\.concurrently$/;

export const SCHEMA_VERSION = migrationsOf(SQL).at(-1)?.version ?? 0;

/**
 * In milliseconds. While a statement waits for a lock, others wait behind it, so it waits only briefly. Less than deadlock_timeout (1 s).
 */
const LOCK_WAIT = 500;
const PAUSE = 1_000;
const TRIES = 120;
const ADVISORY_PAUSE = 100;

const TABLES = `
  create table if not exists invite.migrations (
    version integer not null,
    name text not null,
    applied_at timestamptz not null default clock_timestamp(),
    constraint migrations_pkey primary key (version)
  );
  comment on schema invite is 'The Invitation Trigger Service.';
  comment on table invite.migrations is 'The migrations that have been applied.';
  comment on column invite.migrations.version is 'The number of its file.';
  comment on column invite.migrations.name is 'The name of its file.';
  comment on column invite.migrations.applied_at is 'When it was applied here.';
  create table if not exists invite.definitions (
    file text not null,
    digest text not null,
    constraint definitions_pkey primary key (file)
  );
  comment on table invite.definitions is 'What migrate last applied of functions, triggers, views and grants.';
  comment on column invite.definitions.file is 'The file.';
  comment on column invite.definitions.digest is 'Of the file and what it made: a difference is applied again.';`;

/** What migrate stores of the settings. */
export interface Installation {
  /** The highest quota that the separate roles may apply. Undefined: unchanged. */
  readonly recipientsPerHour?: number;
  /** The name of the installation in its secrets, links and cursors. Undefined: that which it has. */
  readonly home?: string | undefined;
}

/** Why this is another installation's database than the setting HOME_ID says. Undefined: it isn't. */
export const homeError = (setting: string | undefined, home: string | undefined): string | undefined =>
  setting === undefined || setting === home
    ? undefined
    : `HOME_ID is ${setting}, but the database belongs to the installation ${home}: correct DATABASE_URL, or unset HOME_ID`;

/**
 * Applies each new migration in its own transaction. Then it applies the functions, triggers, views and grants that have changed, all in
 * one transaction. If somebody else holds a lock, it waits briefly, gives up, and tries again later.
 * @param url The role must own the schemas invite and graphile_worker, or be allowed to create them.
 * @param root The folder of the SQL files.
 * @returns The names of the migrations that were applied.
 * @throws {OperatorError} The schema is newer than this code, PostgreSQL is older than 15, the encoding isn't UTF8, a lock is never free,
 * the address leads to a pooler, or the installation has another name.
 */
export async function migrate(url: string, { recipientsPerHour, home }: Installation = {}, root = SQL): Promise<string[]> {
  requireSession(url);
  const sql = openDatabase(url, { applicationName: 'invitation-trigger migrate', transactions: true });
  try {
    // The lock belongs to the session, so it lasts across the transactions below. It is polled: the snapshot of a waiting statement would
    // delay a concurrent index build.
    while (!(await sql`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`)[0]?.locked) await delay(ADVISORY_PAUSE);
    await sql.unsafe(`set lock_timeout = ${LOCK_WAIT}`);
    await checkServer(sql);
    // Check first: `if not exists` needs the right to create schemas even if they exist.
    for (const name of ['invite', 'console']) {
      const [schema] = await sql`select to_regnamespace(${name}) is not null as found`;
      if (!schema?.found) await sql`create schema ${sql(name)}`;
    }
    const [tables] =
      await sql`select to_regclass('invite.migrations') is not null and to_regclass('invite.definitions') is not null as found`;
    if (!tables?.found) await sql.unsafe(TABLES);
    const migrations = migrationsOf(root);
    const current = await currentVersion(sql, migrations);
    await whenUnlocked('graphile_worker', () =>
      runMigrations({
        connectionString: workerDatabaseUrl(url, 'invitation-trigger migrate'),
        logger: new Logger(() => () => {}),
      }),
    );
    const pending = migrations.filter(({ version }) => version > current);
    for (const migration of pending) {
      if (CONCURRENTLY.test(migration.name)) await applyConcurrently(sql, migration);
      else await whenUnlocked(migration.name, () => apply(sql, migration));
    }
    await whenUnlocked('functions, triggers, views and grants', () =>
      sql.begin(async (transaction) => {
        const about = (name: string) => applyDefinitions(transaction, [{ name, path: new URL(name, root) }]);
        await applyDefinitions(transaction, definitionsOf(root));
        await about(VIEW_COMMENTS);
        await replaceConsole(transaction, root);
        await about(GRANTS);
      }),
    );
    if (recipientsPerHour !== undefined) {
      await whenUnlocked(
        'invite.settings',
        () => sql`
          update invite.settings set recipients_per_hour = ${recipientsPerHour}
          where recipients_per_hour is distinct from ${recipientsPerHour}`,
      );
    }
    await whenUnlocked('invite.settings', () => sql`select invite.renew_epoch()`);
    await whenUnlocked('invite.time_zones', () => sql`select invite.renew_time_zones()`);
    if (home !== undefined) {
      const [row] = await sql<{ home: string }[]>`select invite.set_home(${home}) as home`;
      const error = homeError(home, row?.home);
      if (error !== undefined) throw new OperatorError(error);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await sql.end();
  }
}

/** What migrate would do, without changing anything. */
export interface MigrationPlan {
  readonly current: number;
  readonly target: number;
  readonly migrations: readonly { readonly name: string; readonly statements: readonly PlannedStatement[] }[];
  /** The files of functions, triggers and views that would be applied. */
  readonly definitions: readonly { readonly name: string; readonly statements: readonly PlannedStatement[] }[];
}

/** @throws {OperatorError} The schema is newer than this code, or PostgreSQL is older than 15. */
export async function planMigration(url: string, root = SQL): Promise<MigrationPlan> {
  const sql = openDatabase(url, { applicationName: 'invitation-trigger migrate', transactions: true });
  try {
    await checkServer(sql);
    const [tables] =
      await sql`select count(*) = 2 as found from pg_class where relnamespace = to_regnamespace('invite') and relname in ('migrations', 'definitions')`;
    const migrations = migrationsOf(root);
    const definitions = definitionsOf(root);
    const current = tables?.found ? await currentVersion(sql, migrations) : 0;
    const changed = tables?.found ? await findChanged(sql, definitions) : definitions;
    const planned = ({ name, path }: { name: string; path: URL }) => ({
      name,
      statements: splitStatements(readFileSync(path, 'utf8')).map(planStatement),
    });
    const pending = migrations.filter(({ version }) => version > current);
    return {
      current,
      target: migrations.at(-1)?.version ?? 0,
      migrations: pending.map(planned),
      definitions: changed.map(planned),
    };
  } finally {
    await sql.end();
  }
}

async function currentVersion(sql: Sql, migrations: readonly Migration[]): Promise<number> {
  const [row] = await sql<{ version: number | null; first: boolean }[]>`
    select max(version) as version, max(version) >= 1 and to_regclass('invite.messages') is null as first from invite.migrations`;
  const current = row?.version ?? 0;
  if (row?.first) {
    throw new OperatorError(
      'The database is of version 0.1.0, which is not migrated: create another one, and set DATABASE_URL to it.',
    );
  }
  const target = migrations.at(-1)?.version ?? 0;
  if (current > target) {
    throw new OperatorError(
      `The database has schema version ${current}, newer than this code's ${target}: run the newer version of the service.`,
    );
  }
  return current;
}

/** Tries until the lock is free. Between two tries it waits for no lock, so no other statement waits behind it. */
async function whenUnlocked<T>(what: string, work: () => PromiseLike<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!['55P03', '40P01'].includes(errorCode(error) ?? '')) throw error;
      if (tries === TRIES) {
        throw new OperatorError(
          `Another transaction has locked what ${what} changes (see pg_stat_activity): end it and run migrate again. What is done stays done.`,
        );
      }
      await delay(PAUSE);
    }
  }
}

async function checkServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string; encoding: string }[]>`
    select
      current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`;
  if (row === undefined) return;
  if (row.number < 150_000) throw new OperatorError(`PostgreSQL ${row.version} is too old: the service needs 15 or newer.`);
  if (row.encoding !== 'UTF8') {
    throw new OperatorError(
      `The database's encoding is ${row.encoding}, and the service needs UTF8: create database … encoding 'UTF8' template template0.`,
    );
  }
}

/** Runs only if a definition has changed (the schema's comment has their digest), so that running sessions can keep their plans. */
async function replaceConsole(transaction: TransactionSql, root: URL): Promise<void> {
  const definitions = filesOf(root, 'console/').map((file) => readFileSync(file, 'utf8'));
  const comment = `The functions of the pages that members see. Definitions: ${createHash('sha256').update(definitions.join()).digest('hex')}`;
  const [row] = await transaction`select obj_description('console'::regnamespace, 'pg_namespace') as comment`;
  if (row?.comment === comment) return;
  // Keep the schema itself, because the owner may no longer have the right to create one.
  await transaction.unsafe(`
    do $$
    declare
      v_drop text;
    begin
      for v_drop in
        select 'drop function ' || string_agg(p.oid::regprocedure::text, ', ')
        from pg_proc as p where p.pronamespace = 'console'::regnamespace having count(*) > 0
      loop
        execute v_drop;
      end loop;
      for v_drop in
        select 'drop type ' || string_agg(c.reltype::regtype::text, ', ')
        from pg_class as c where c.relnamespace = 'console'::regnamespace and c.relkind = 'c' having count(*) > 0
      loop
        execute v_drop;
      end loop;
    end
    $$`);
  for (const definition of definitions) await transaction.unsafe(definition);
  await transaction.unsafe(`comment on schema console is '${comment}'`);
}

async function apply(sql: Sql, { version, name, path }: Migration): Promise<void> {
  await sql.begin(async (transaction) => {
    // Insert first, so that a second migrator fails here before it has changed anything.
    await transaction`insert into invite.migrations (version, name) values (${version}, ${name})`;
    await transaction.unsafe(readFileSync(path, 'utf8'));
  });
}

/**
 * The migration's only statement is `create index concurrently if not exists NAME …`. It waits for transactions that are running now, but
 * nothing waits for it.
 */
async function applyConcurrently(sql: Sql, { version, name, path }: Migration): Promise<void> {
  const text = readFileSync(path, 'utf8');
  const [, index] = /create (?:unique )?index concurrently if not exists (\w+)/.exec(text) ?? [];
  if (index === undefined || splitStatements(text).length !== 1) {
    throw new Error(`${name} must have one statement: create index concurrently if not exists`);
  }
  await sql.unsafe('set lock_timeout = 0');
  // An interrupted build leaves an invalid index.
  const [broken] = await sql`
    select from pg_index as i join pg_class as c on c.oid = i.indexrelid
    where c.relnamespace = 'invite'::regnamespace and c.relname = ${index} and not i.indisvalid`;
  if (broken !== undefined) await sql.unsafe(`drop index concurrently invite.${index}`);
  await sql.unsafe(text);
  await sql`insert into invite.migrations (version, name) values (${version}, ${name})`;
  await sql.unsafe(`set lock_timeout = ${LOCK_WAIT}`);
}
