// Connections to PostgreSQL, and which database errors mean "not ready".
import { Pool } from 'pg';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { NotReadyError, OperatorError } from '../errors.ts';

export type { Sql, TransactionSql };

const camelCased = new Map<string, string>();
/** Names are cached, because this runs for every column of every row. */
export function camelCase(name: string): string {
  const known = camelCased.get(name);
  if (known !== undefined) return known;
  const converted = postgres.toCamel(name);
  camelCased.set(name, converted);
  return converted;
}

export const snakeCase = postgres.fromCamel;

/**
 * In milliseconds. LOCK_WAIT is less than deadlock_timeout (1 s). When the service waits for a transaction of the product, it gives up
 * before PostgreSQL could end the product's transaction as a deadlock. It then tries again.
 */
const STATEMENT_TIMEOUT = 15_000;
const LOCK_WAIT = 500;
/** graphile-worker's connections wait only for its own locks. */
const JOBS_LOCK_WAIT = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT = 30_000;

/**
 * The service reads and writes times, intervals and bytes in one format, and sees what others have committed. It finds functions and operators
 * of PostgreSQL alone: whoever may create a function in the schema public could otherwise run it with our rights, by giving it parameters that
 * fit a call better than PostgreSQL's own. These settings override the defaults of the database and the role.
 */
const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  search_path: 'pg_catalog, pg_temp',
};

const { TimeZone: _, search_path: __, ...styles } = SESSION_SETTINGS;
/**
 * A pooler accepts no settings at startup, so behind it each setting must already start with this value. Time zones aren't included,
 * because the web server's statements name theirs, and neither is the search path, because where nobody else creates functions any will do.
 */
const REQUIRED_SETTINGS = { ...styles, DateStyle: 'ISO' };

/** An SQL expression for the names of the session's settings that the service can't work with. */
export const wrongSettings = (sql: Sql) => sql`
  array(
    select t.name
    from unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) as t (name)
    where current_setting(t.name) = '0'
    union all
    select s.key from jsonb_each_text(${sql.json(REQUIRED_SETTINGS)}) as s where not starts_with(current_setting(s.key), s.value)
    order by 1
  )`;

export type SessionSettings = Readonly<Record<string, string | number>>;

export interface DatabaseOptions {
  readonly max?: number;
  /** The name that pg_stat_activity shows. */
  readonly applicationName: string;
  /** In milliseconds. Less than STATEMENT_TIMEOUT for statements that people wait for. */
  readonly statementTimeout?: number;
  /** A connection that can begin transactions. */
  readonly transactions?: boolean;
  /** Whether its statements and locks have the limits above. By default those of transactions have none, as the migrator needs. */
  readonly limited?: boolean;
  /** More settings of its sessions. */
  readonly settings?: SessionSettings;
}

/** Whether the address leads to a pooler in transaction mode. postgres.js reads the same parameter. */
export const isPooled = (url: string): boolean => /[?&]prepare=false(&|$)/.test(url);

/** @throws {OperatorError} The address leads to a pooler. A pooler keeps no session, so LISTEN and session locks don't work. */
export function requireSession(url: string): void {
  if (isPooled(url))
    throw new OperatorError('Only serve can run behind a pooler: connect to PostgreSQL itself, without prepare=false.');
}

/**
 * Connects at first use, and again after a failure. A pooler rejects settings at startup, so behind a pooler the role has to have them.
 * @param url A postgres:// address.
 */
export function openDatabase(
  url: string,
  {
    max = 1,
    applicationName,
    statementTimeout = STATEMENT_TIMEOUT,
    transactions = false,
    limited = !transactions,
    settings = {},
  }: DatabaseOptions,
): Sql {
  // Sends one query at a time on a connection. A pipelined query would wait behind another query's row lock. max_pipeline counts the
  // queries behind the running one. With 0, postgres.js can't begin a transaction.
  const onePerConnection = { max_pipeline: 0 };
  return postgres(url, {
    ...(!transactions && onePerConnection),
    max,
    idle_timeout: 0,
    connect_timeout: 5,
    // The web server must notice soon when the database is available again.
    backoff: () => 0.25,
    connection: {
      application_name: applicationName,
      ...(!isPooled(url) && SESSION_SETTINGS),
      ...(limited &&
        !isPooled(url) && {
          statement_timeout: statementTimeout,
          lock_timeout: LOCK_WAIT,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
        }),
      ...settings,
    },
    transform: { undefined: null },
    onnotice: () => {},
  });
}

/** The same settings as part of an address, for node-postgres. @param more Settings that override these. */
export function workerDatabaseUrl(url: string, applicationName: string, more: SessionSettings = {}): string {
  const address = new URL(url);
  address.searchParams.set('application_name', applicationName);
  const settings: SessionSettings = {
    ...SESSION_SETTINGS,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: JOBS_LOCK_WAIT,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    ...more,
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${String(value).replaceAll(/[\s\\]/g, '\\$&')}`);
  address.searchParams.set('options', options.join(' '));
  return address.href;
}

/** A node-postgres pool whose connections can be broken. */
export interface JobsPool {
  readonly pool: Pool;
  /** Closes the pool after the running queries have finished. */
  end(): Promise<void>;
  /** Breaks its connections: all callers that wait for a result get an error. */
  destroy(): void;
}

export function openJobsPool(url: string, { max = 1, applicationName }: DatabaseOptions): JobsPool {
  const connectionString = workerDatabaseUrl(url, applicationName);
  const pool = new Pool({ connectionString, max, connectionTimeoutMillis: STATEMENT_TIMEOUT });
  const clients = new Set<{ connection?: { stream: { destroy(): void } } }>();
  // Ignored: the broken connection's query fails anyway, and the pool drops the connection.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    clients.add(client as object);
    client.on('error', () => {});
  });
  pool.on('remove', (client) => clients.delete(client as object));
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= pool.end();
    return ending;
  };
  return {
    pool,
    end,
    destroy() {
      void end();
      for (const { connection } of clients) connection?.stream.destroy();
    },
  };
}

/**
 * SQLSTATEs and driver codes that mean "not now" rather than "never". Sources: PostgreSQL documentation, appendix A; postgres.js README,
 * Errors; Node.js system errors.
 */
const NOT_READY = [
  /^08/, // connection exception
  /^28/, // invalid authorization
  /^3D000$/, // the database does not exist
  /^3F000$/, // no schema: not migrated
  /^42(P01|883|704|501)$/, // missing table, function, type or privilege: not migrated, or by an older version
  /^(40001|40P01|55P03)$/, // serialization failure, deadlock, lock timeout
  /^53/, // insufficient resources, too many connections
  /^57/, // cancelled, statement timeout, shutting down
  /^25006$/, // read-only: a standby
  /^IT503$/, // a router: the workspace is being moved, or a cell that may know doesn't respond
  /^(CONNECTION_|CONNECT_TIMEOUT)/,
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|ENOENT)$/,
];

/** A statement stopped waiting for a lock. */
export const LOCK_TIMEOUT = '55P03';

/** A statement took longer than allowed, or somebody cancelled it. */
export const STATEMENT_CANCELLED = '57014';

/** Codes that our own SQL raises. sql/README.md lists them. */
export const NOT_FOUND = 'P0002';
export const FORBIDDEN = 'IT403';

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Errors after a migrate has replaced an object that a connection's prepared statement uses. The next try, which may use another
 * connection, plans the statement again. The driver's own retry fails, because it serializes parameters twice (postgres 3.4.9).
 */
const OUTDATED = /^cached plan must not change result type|^cache lookup failed|^could not open relation with OID/;

export const isOutdated = (error: unknown): boolean => OUTDATED.test(String((error as { message?: unknown } | null)?.message));

export function isNotReady(error: unknown): boolean {
  // With severity FATAL, the server has refused or ended the connection, for any reason.
  if (error instanceof NotReadyError || (error as { severity?: unknown } | null)?.severity === 'FATAL') return true;
  if (isOutdated(error)) return true;
  const code = errorCode(error);
  return code !== undefined && NOT_READY.some((pattern) => pattern.test(code));
}
