// Brings a database to this version of the schema. Safe when many processes start at once.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import { OperatorError } from '../errors.ts';
import { type Cell, type CellSettings, cellError } from './cell.ts';
import { applyDefinitions, findChanged, GRANTS, inOrderOfUse, VIEW_COMMENTS } from './definitions.ts';
import { type DefinitionFile, dropGone, findGone, type Gone } from './drops.ts';
import { type PlannedStatement, planStatement, splitStatements } from './migration-plan.ts';
import { asOwner, LOCK_WAIT } from './owner.ts';
import { errorCode, requireSession, type Sql, type TransactionSql, workerDatabaseUrl } from './pool.ts';

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

const named = (root: URL, folder: string): DefinitionFile[] =>
  filesOf(root, folder).map((path) => ({ name: path.pathname.slice(root.pathname.length), path }));

const definitionsOf = (root: URL): DefinitionFile[] =>
  inOrderOfUse(['functions/', 'triggers/', 'views/'].flatMap((folder) => named(root, folder)));

/** A migration with this ending has one statement that can't or shouldn't share a transaction. If it was done before, it does nothing. */
const isSeparate = ({ name }: Pick<Migration, 'name'>): boolean => name.endsWith('.separate');
const SEPARATE_STATEMENTS = [
  /^create (?:unique )?index concurrently if not exists (?<index>\w+) on /,
  /^drop index concurrently if exists /,
  // Its transaction can't use the value.
  /^alter type [\w.]+ add value if not exists /,
  // It reads the whole table. What adds the constraint locks the table until its transaction ends.
  /^alter table [\w.]+ validate constraint \w+$/,
];

export const SCHEMA_VERSION = migrationsOf(SQL).at(-1)?.version ?? 0;

/** In milliseconds. */
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
  /** Which database it is. */
  readonly cell?: CellSettings | undefined;
}

/**
 * Applies the new migrations, the functions, triggers, views and grants that have changed, and the settings, all in one transaction: whatever
 * ends this process, the database is as it was, or as this version needs it. A separate migration ends that transaction, and the next one
 * begins after it. If somebody else holds a lock, it waits briefly, undoes all, and tries again later.
 * @param url The role must own the schemas invite and graphile_worker, be a member of their owner, or be allowed to create them.
 * @param root The folder of the SQL files.
 * @returns The names of the migrations that were applied.
 * @throws {OperatorError} The schema is newer than this code, PostgreSQL is older than 15, the encoding isn't UTF8, a lock is never free,
 * the address leads to a pooler or a router, the role may not do it, or the installation has another name.
 */
export async function migrate(url: string, installation: Installation = {}, root = SQL): Promise<string[]> {
  requireSession(url);
  return asOwner(url, async (sql, settings) => {
    // The lock belongs to the session, so it lasts across the transactions below. It is polled: the snapshot of a waiting statement would
    // delay a concurrent index build.
    while (!(await sql`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`)[0]?.locked) await delay(ADVISORY_PAUSE);
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
    await whenUnlocked(() =>
      runMigrations({
        connectionString: workerDatabaseUrl(url, 'invitation-trigger migrate', settings),
        logger: new Logger(() => () => {}),
      }),
    );
    const pending = migrations.filter(({ version }) => version > current);
    const steps = inSteps(pending);
    for (const step of steps) {
      for (const migration of step.filter(isSeparate)) await applySeparately(sql, migration);
      await whenUnlocked(() =>
        sql.begin(async (transaction) => {
          for (const migration of step) await apply(transaction, migration);
          if (step === steps.at(-1)) await define(transaction, root, installation);
        }),
      );
    }
    // By itself, because reading the names takes half a second. Until then those of before count.
    await whenUnlocked(() => sql`select invite.renew_time_zones()`);
    return pending.map(({ name }) => name);
  });
}

/** Each step is a transaction, and begins with the separate migrations that it follows. The last one has the definitions, too. */
function inSteps(migrations: readonly Migration[]): Migration[][] {
  let step: Migration[] = [];
  const steps = [step];
  for (const migration of migrations) {
    if (isSeparate(migration) && !step.every(isSeparate)) {
      step = [];
      steps.push(step);
    }
    step.push(migration);
  }
  return steps;
}

/** Applies what has changed of everything that isn't a migration. */
async function define(transaction: TransactionSql, root: URL, { recipientsPerHour, cell = {} }: Installation): Promise<void> {
  const definitions = definitionsOf(root);
  const last = [VIEW_COMMENTS, GRANTS].map((name) => ({ name, path: new URL(name, root) }));
  await dropGone(transaction, definitions);
  await applyDefinitions(transaction, [...definitions, ...last], named(root, 'console/'));
  if (recipientsPerHour !== undefined) {
    await transaction`
      update invite.settings set recipients_per_hour = ${recipientsPerHour} where recipients_per_hour is distinct from ${recipientsPerHour}`;
  }
  await transaction`select invite.renew_languages(${readFileSync(new URL('languages.json', root), 'utf8')}::text::jsonb)`;
  await transaction`select invite.renew_service_words(${readFileSync(new URL('words.json', root), 'utf8')}::text::jsonb)`;
  await transaction`select invite.renew_epoch()`;
  if (cell.home !== undefined) await transaction`select invite.set_home(${cell.home})`;
  if (cell.cellNumber !== undefined) await transaction`select invite.set_cell_number(${cell.cellNumber})`;
  const [found] = await transaction<Cell[]>`select invite.home(), invite.cell_number() as "cellNumber"`;
  const error = found && cellError(cell, found);
  if (error !== undefined) throw new OperatorError(error);
  await transaction`select invite.place_ids()`;
}

/** What migrate would do, without changing anything. */
export interface MigrationPlan {
  readonly current: number;
  readonly target: number;
  readonly migrations: readonly {
    readonly name: string;
    /** Whether it is outside the transactions. */
    readonly separate: boolean;
    readonly statements: readonly PlannedStatement[];
  }[];
  readonly transactions: number;
  /** The files of functions, triggers and views that would be applied. */
  readonly definitions: readonly { readonly name: string; readonly statements: readonly PlannedStatement[] }[];
  /** What would be dropped because no file has it any more. */
  readonly drops: readonly Gone[];
}

/** @throws {OperatorError} The schema is newer than this code, PostgreSQL is older than 15, or the role may not migrate. */
export const planMigration = (url: string, root = SQL): Promise<MigrationPlan> =>
  asOwner(url, async (sql) => {
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
      migrations: pending.map((migration) => ({ ...planned(migration), separate: isSeparate(migration) })),
      transactions: inSteps(pending).length,
      definitions: changed.map(planned),
      drops: tables?.found
        ? [...(await findGone(sql, definitions)), ...(await findGone(sql, named(root, 'console/'), 'console'))]
        : [],
    };
  });

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
async function whenUnlocked<T>(work: () => PromiseLike<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing =
        ['55P03', '40P01'].includes(errorCode(error) ?? '') || /^tuple concurrently /.test((error as Error).message);
      if (!isPassing) throw error;
      if (tries === TRIES) {
        throw new OperatorError(
          'Another transaction has locked what migrate changes (see pg_stat_activity): end it and run migrate again. Nothing is half done.',
          { kind: 'unavailable', cause: error },
        );
      }
      await delay(PAUSE);
    }
  }
}

async function checkServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string; encoding: string; isRouter: boolean }[]>`
    select
      to_regnamespace('invite_router') is not null as "isRouter",
      current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`;
  if (row === undefined) return;
  if (row.isRouter) throw new OperatorError('DATABASE_URL is a router: migrate each of its cells, and then run cell router.');
  if (row.number < 150_000) throw new OperatorError(`PostgreSQL ${row.version} is too old: the service needs 15 or newer.`);
  if (row.encoding !== 'UTF8') {
    throw new OperatorError(
      `The database's encoding is ${row.encoding}, and the service needs UTF8: create database … encoding 'UTF8' template template0.`,
    );
  }
}

/** A separate migration has been applied before. */
async function apply(transaction: TransactionSql, { version, name, path }: Migration): Promise<void> {
  // Insert first, so that a second migrator fails here before it has changed anything.
  await transaction`insert into invite.migrations (version, name) values (${version}, ${name})`;
  if (!isSeparate({ name })) await transaction.unsafe(readFileSync(path, 'utf8'));
}

/** It waits for transactions that are running now, but nothing waits for it. The next transaction records it, so it may run twice. */
async function applySeparately(sql: Sql, { name, path }: Migration): Promise<void> {
  const [statement = '', ...more] = splitStatements(readFileSync(path, 'utf8'));
  const match = SEPARATE_STATEMENTS.map((pattern) => pattern.exec(statement.replace(/\s+/g, ' '))).find(Boolean);
  if (match == null || more.length > 0) throw new Error(`${name} must have one statement of those in sql/README.md`);
  await sql.unsafe('set lock_timeout = 0');
  const { index } = match.groups ?? {};
  if (index !== undefined) {
    // An interrupted build leaves an invalid index.
    const [broken] = await sql`
      select from pg_index as i join pg_class as c on c.oid = i.indexrelid
      where c.relnamespace = 'invite'::regnamespace and c.relname = ${index} and not i.indisvalid`;
    if (broken !== undefined) await sql.unsafe(`drop index concurrently invite.${index}`);
  }
  await sql.unsafe(statement);
  await sql.unsafe(`set lock_timeout = ${LOCK_WAIT}`);
}
