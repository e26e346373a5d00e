// What a process checks before it starts: the server, the database, and the rights of its role.
import { OperatorError } from '../errors.ts';
import { errorCode, openDatabase, type Sql, wrongSettings } from './pool.ts';

export interface DatabaseFacts {
  readonly version: string;
  readonly isSupported: boolean;
  readonly database: string;
  readonly encoding: string;
  readonly role: string;
  readonly isStandby: boolean;
  /** Why a write failed. Null: it didn't. Undefined: none was tried, because the database isn't migrated or the role may not. */
  readonly notWritable?: NotWritable | null | undefined;
  /** Settings of the session that have wrong values. Behind a pooler, the role has to have the right ones. */
  readonly wrongSettings: readonly string[];
  /** Schemas besides PostgreSQL's in which the session looks up functions. Behind a pooler, the role decides. */
  readonly searched: readonly string[];
  /** Null: the database isn't migrated, or the role may not see it. */
  readonly schemaVersion: number | null;
  /** What the role may do. Null: the database isn't migrated. */
  readonly mayServe: boolean | null;
  readonly mayWork: boolean | null;
  /** Whether the role owns the schemas, or may create them. */
  readonly mayMigrate: boolean;
  /** Whom the schema invite belongs to. Null: the database isn't migrated. */
  readonly owner: string | null;
  /** What is in our schemas and belongs to another role. Migrate would fail at it. At most ten names. */
  readonly strays: readonly string[];
  /** Settings of the server, as `show` says them. */
  readonly server: {
    readonly autovacuum: string;
    readonly jit: string;
    readonly wal_compression: string;
    /** In MB. */
    readonly max_wal_size: number;
    /** Connections that the service's role may open, and how many there are. */
    readonly max_connections: number;
    readonly connections: number;
  };
}

/** Rejects with the driver's error if it can't connect. */
export async function inspectDatabase(url: string): Promise<DatabaseFacts> {
  const sql = openDatabase(url, { applicationName: 'invitation-trigger check' });
  try {
    // Read only what every role may read.
    const [facts] = await sql<DatabaseFacts[]>`
      select current_setting('server_version') as version,
        current_setting('server_version_num')::integer >= 150000 as "isSupported",
        current_database() as database, current_setting('server_encoding') as encoding, current_user::text as role,
        pg_is_in_recovery() as "isStandby", ${wrongSettings(sql)} as "wrongSettings", null as "schemaVersion",
        array(select s.name::text from unnest(current_schemas(false)) as s (name) where not starts_with(s.name::text, 'pg_')) as searched,
        (select has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')
          from pg_namespace as n join pg_proc as p on p.pronamespace = n.oid
          where n.nspname = 'invite' and p.proname = 'accept_triggers') as "mayServe",
        (select has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')
          from pg_namespace as n join pg_proc as p on p.pronamespace = n.oid
          where n.nspname = 'invite' and p.proname = 'claim_invitations') as "mayWork",
        coalesce(
          (select pg_has_role(n.nspowner, 'usage') from pg_namespace as n where n.nspname = 'invite'),
          has_database_privilege(current_database(), 'create')) as "mayMigrate",
        (select pg_get_userbyid(n.nspowner)::text from pg_namespace as n where n.nspname = 'invite') as owner,
        array(
          select o.name
          from pg_namespace as i
          cross join lateral (
            select n.nspname as schema, n.nspname::text as name, n.nspowner as owner from pg_namespace as n
            union all
            select c.relnamespace::regnamespace::name, c.relname, c.relowner from pg_class as c where c.relkind in ('r', 'p', 'v', 'S')
            union all
            select p.pronamespace::regnamespace::name, p.proname || '()', p.proowner from pg_proc as p
            union all
            select t.typnamespace::regnamespace::name, t.typname, t.typowner from pg_type as t where t.typtype in ('e', 'd')
          ) as o
          where i.nspname = 'invite' and o.schema in ('invite', 'console', 'graphile_worker') and o.owner <> i.nspowner
          order by o.name
          limit 10
        ) as strays,
        json_build_object(
          'autovacuum', case when current_setting('track_counts') = 'on' then current_setting('autovacuum') else 'off' end,
          'jit', current_setting('jit'), 'wal_compression', current_setting('wal_compression'),
          'max_wal_size', (select s.setting::integer from pg_settings as s where s.name = 'max_wal_size'),
          'max_connections', current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
          'connections', (select sum(d.numbackends) from pg_stat_database as d)
        ) as server`;
    if (facts === undefined) throw new Error('no answer');
    if (facts.mayServe !== true && facts.mayWork !== true) return facts;
    const [row] = await sql<{ version: number }[]>`select invite.schema_version() as version`;
    return { ...facts, schemaVersion: row?.version ?? null, notWritable: await tryWrite(sql) };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export interface NotWritable {
  readonly code: string;
  readonly reason: string;
}

/** Null: the write succeeded. Undefined: this schema or role has none to try. Other errors than of writing are thrown. */
export async function tryWrite(sql: Sql): Promise<NotWritable | null | undefined> {
  try {
    await sql`select invite.try_write()`;
    return null;
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (/^(42501|42883)$/.test(code)) return undefined;
    if (!/^(53100|25006)$/.test(code)) throw error;
    return { code, reason: (error as Error).message };
  }
}

export interface RulesInUse {
  /** Time zones of workspaces and surveys that the server no longer knows. */
  readonly unknownTimeZones: readonly string[];
  /** In days. Null: no workspace has a rest. */
  readonly longestRest: number | null;
}

/** How many stored secrets each key has encrypted. Rejects with the driver's error if it can't connect. */
export async function inspectSecrets(url: string): Promise<{ keyId: string; secrets: number }[]> {
  const sql = openDatabase(url, { applicationName: 'invitation-trigger check' });
  try {
    return [
      ...(await sql<{ keyId: string; secrets: number }[]>`select key_id as "keyId", secrets from invite.count_sealed_secrets()`),
    ];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Rejects with the driver's error if it can't connect. */
export async function inspectRules(url: string): Promise<RulesInUse> {
  const sql = openDatabase(url, { applicationName: 'invitation-trigger check' });
  try {
    const [rules] = await sql<RulesInUse[]>`
      select unknown_time_zones as "unknownTimeZones", longest_rest as "longestRest" from invite.rules_in_use()`;
    if (rules === undefined) throw new Error('no answer');
    return rules;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Says in a sentence what is wrong with a database if waiting can't help. Undefined: nothing is wrong, or the problem may end by itself.
 */
function lastingFault(facts: DatabaseFacts, duty: 'serve' | 'work'): string | undefined {
  const { version, isSupported, database, encoding, role, mayServe, mayWork } = facts;
  if (!isSupported) return `PostgreSQL ${version} is too old: the service needs 15 or newer.`;
  if (encoding !== 'UTF8') return `The database ${database} has the encoding ${encoding}: create it with encoding 'UTF8'.`;
  if (duty === 'serve' && mayServe === false) {
    return `The database role ${role} may not serve: use one that was granted invite_web, or the owner of the schema invite.`;
  }
  if (duty === 'work' && mayWork === false) {
    return `The database role ${role} may not run a worker: use one that was granted invite_owner, or the owner of the schema invite.`;
  }
  return undefined;
}

/** Says the same about an error while connecting. */
export function lastingConnectFault(error: unknown): string | undefined {
  const { message } = error as Error;
  switch (errorCode(error)) {
    case '28P01':
    case '28000':
      return `The database refuses the user or password in DATABASE_URL: ${message}.`;
    case '3D000':
      return `The database in DATABASE_URL doesn't exist: ${message}. Create it, then run \`invitation-trigger migrate\`.`;
    default:
      return undefined;
  }
}

/**
 * Checks the database when a process starts.
 * @returns The error, if it can't connect yet.
 * @throws {OperatorError} Something is wrong, and waiting can't help.
 */
export async function requireUsableDatabase(url: string, duty: 'serve' | 'work'): Promise<unknown> {
  let fault: string | undefined;
  let reason: unknown;
  try {
    fault = lastingFault(await inspectDatabase(url), duty);
  } catch (error) {
    fault = lastingConnectFault(error);
    reason = error;
  }
  if (fault !== undefined) throw new OperatorError(fault);
  return reason;
}
