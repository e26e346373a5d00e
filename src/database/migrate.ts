// Brings a database to this version of the schema. Safe when many processes start at once.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Logger, runMigrations } from 'graphile-worker';
import { OperatorError } from '../errors.ts';
import { openDatabase, type Sql, type TransactionSql, workerDatabaseUrl } from './pool.ts';

const SQL = new URL('../../sql/', import.meta.url);
/** Any number of our own: the lock that lets one migrator in at a time. */
const MIGRATION_LOCK = 7_468_732_201;

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly path: URL;
}

const files = (folder: string): URL[] =>
  readdirSync(new URL(folder, SQL), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => new URL(`${folder}${name}`, SQL));

const MIGRATIONS: readonly Migration[] = files('migrations/').map((path) => {
  const name =
    path.pathname
      .split('/')
      .at(-1)
      ?.replace(/\.sql$/, '') ?? '';
  return { version: Number(name.slice(0, 4)), name, path };
});

export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

/**
 * Applies new migrations in one transaction each, then functions, triggers, views and grants in one.
 * @param url With the role that owns, or may create, the schemas invite and graphile_worker.
 * @param recipientsPerHour The most that the separate roles may apply; undefined: unchanged.
 * @returns The names of the migrations applied.
 * @throws {OperatorError} The schema is newer than this code, PostgreSQL older than 15, or the encoding not UTF8.
 */
export async function migrate(url: string, recipientsPerHour?: number): Promise<string[]> {
  const sql = openDatabase(url, { applicationName: 'invitation-trigger migrate', transactions: true });
  try {
    // The session's, so that it spans the transactions below.
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await checkServer(sql);
    // Not `if not exists`, which needs the right to create schemas even if they exist.
    for (const name of ['invite', 'console']) {
      const [schema] = await sql`select to_regnamespace(${name}) is not null as found`;
      if (!schema?.found) await sql`create schema ${sql(name)}`;
    }
    await sql.unsafe(`
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
      comment on column invite.migrations.applied_at is 'When it was applied here.';`);
    const [row] = await sql<{ version: number | null }[]>`select max(version) as version from invite.migrations`;
    const current = row?.version ?? 0;
    if (current > SCHEMA_VERSION) {
      throw new OperatorError(
        `The database has schema version ${current}, newer than this code's ${SCHEMA_VERSION}: run the newer version of the service.`,
      );
    }
    await runMigrations({
      connectionString: workerDatabaseUrl(url, 'invitation-trigger migrate'),
      logger: new Logger(() => () => {}),
    });
    const pending = MIGRATIONS.filter((migration) => migration.version > current);
    for (const migration of pending) await apply(sql, migration);
    await sql.begin(async (transaction) => {
      for (const file of [...files('functions/'), ...files('triggers/'), ...files('views/')]) {
        await transaction.unsafe(readFileSync(file, 'utf8'));
      }
      await transaction.unsafe(readFileSync(new URL('view_comments.sql', SQL), 'utf8'));
      await replaceConsole(transaction);
      await transaction.unsafe(readFileSync(new URL('grants.sql', SQL), 'utf8'));
    });
    if (recipientsPerHour !== undefined) {
      await sql`
        update invite.settings set recipients_per_hour = ${recipientsPerHour}
        where recipients_per_hour is distinct from ${recipientsPerHour}`;
    }
    return pending.map((migration) => migration.name);
  } finally {
    await sql.end();
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

/** Only if a definition has changed (the schema's comment has their digest), so that running sessions keep their plans. */
async function replaceConsole(transaction: TransactionSql): Promise<void> {
  const definitions = files('console/').map((file) => readFileSync(file, 'utf8'));
  const comment = `The functions of the pages that members see. Definitions: ${createHash('sha256').update(definitions.join()).digest('hex')}`;
  const [row] = await transaction`select obj_description('console'::regnamespace, 'pg_namespace') as comment`;
  if (row?.comment === comment) return;
  // Not the schema itself: the owner may no longer have the right to create one.
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
    // First: a second migrator would fail here before it has done anything.
    await transaction`insert into invite.migrations (version, name) values (${version}, ${name})`;
    await transaction.unsafe(readFileSync(path, 'utf8'));
  });
}
