// Makes a router: a database whose functions have the names and parameters of a cell's, and pass each call on by PL/Proxy. It is made and renewed
// by a superuser, because only a superuser may define functions in this language.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openDatabase, type Sql, type TransactionSql, workerDatabaseUrl } from '../database/pool.ts';
import { asDirect } from '../database/routed.ts';
import { OperatorError } from '../errors.ts';
import { readCatalog } from './catalog.ts';
import { routerSql } from './router-sql.ts';

const APPLICATION = 'invitation-trigger cell';
/** What a cell's connections are called in its pg_stat_activity. */
const ROUTER = 'invitation-trigger router';

/** In milliseconds, less than that of a server's connection to the router: a cell that doesn't end a statement itself by then hangs. */
const CELL_TIMEOUT = 4_500;
const CELL_LOCK_WAIT = 500;
/** In milliseconds: after this, a peer that acknowledges nothing counts as down. */
const SILENT = 5_000;

/** Runs `work` with one connection of a router that is made. */
export const withRouter = <T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> =>
  connected(url, async (sql) => {
    await requireMade(sql);
    return work(sql);
  });

/** Runs `work` with a connection that may begin transactions. */
async function connected<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, { applicationName: APPLICATION, transactions: true });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Makes or renews a router's functions from a cell's. Its cells and moves stay.
 * @param routerUrl Of a superuser.
 * @param cellUrl Of a role that may read the schema: the owner's, or one of the web server's.
 * @returns Whether anything has changed.
 */
export async function renewRouter(routerUrl: string, cellUrl: string): Promise<boolean> {
  const catalog = await connected(cellUrl, readCatalog);
  const text = routerSql(catalog);
  const digest = createHash('sha256').update(text).digest('hex');
  return connected(routerUrl, async (sql) => {
    await requireRouter(sql);
    return (await sql.begin(async (router) => {
      await router`select pg_advisory_xact_lock(hashtext('invite_router'))`;
      await router.unsafe('create extension if not exists plproxy');
      for (const role of ['invite_router', 'invite_web']) {
        const [known] = await router`select from pg_roles where rolname = ${role}`;
        if (known === undefined) await router.unsafe(`create role ${role} nologin`);
      }
      await router.unsafe(readFileSync(new URL('router.sql', import.meta.url), 'utf8'));
      const [before] = await router`select value from invite_router.facts where name = 'digest'`;
      const changed = before?.value !== digest;
      if (changed) {
        await router.unsafe(
          `
          drop schema if exists invite, console cascade;
          drop function if exists ${await helpers(router)};`.replace(/drop function if exists ;/, ''),
        );
        await router.unsafe(text);
      }
      const { schemaVersion, timeZones } = catalog.facts;
      for (const [name, value] of Object.entries({ schema_version: schemaVersion, time_zones: timeZones, digest })) {
        await router`
          insert into invite_router.facts (name, value) values (${name}, ${router.json(value)})
          on conflict (name) do update set value = excluded.value`;
      }
      await router.unsafe(OWNERSHIP);
      return changed;
    })) as boolean;
  });
}

/** The functions of schema invite_router that the last renewal has written. */
async function helpers(router: TransactionSql): Promise<string> {
  const rows = await router`
    select p.oid::regprocedure::text as name
    from pg_proc as p join pg_language as l on l.oid = p.prolang
    where p.pronamespace = 'invite_router'::regnamespace and l.lanname = 'plproxy'`;
  return rows.map(({ name }) => name).join(', ');
}

const OWNERSHIP = `
do $$
declare
  v_object text;
begin
  for v_object in
    select format('schema %I', n.nspname) from pg_namespace as n where n.nspname in ('invite_router', 'invite', 'console')
    union all
    select format('%s %s', case c.relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass)
    from pg_class as c where c.relnamespace = 'invite_router'::regnamespace and c.relkind in ('r', 'S')
    union all
    select format('function %s', p.oid::regprocedure)
    from pg_proc as p where p.pronamespace::regnamespace::text in ('invite_router', 'invite', 'console')
    union all
    select format('type %s', t.oid::regtype)
    from pg_type as t left join pg_class as c on c.oid = t.typrelid
    where t.typnamespace::regnamespace::text in ('invite', 'console') and t.typtype in ('c', 'e', 'd') and coalesce(c.relkind, 'c') = 'c'
  loop
    execute format('alter %s owner to invite_router', v_object);
  end loop;
  revoke all on schema invite_router, invite, console from public;
  revoke execute on all functions in schema invite_router, invite, console from public;
  grant usage on schema invite_router, invite, console to invite_web;
  grant execute on all functions in schema invite, console to invite_web;
  grant execute on function invite_router.routes to invite_web;
end
$$`;

/** @throws {OperatorError} The database can't be a router. */
async function requireRouter(sql: Sql): Promise<void> {
  const [found] = await sql`
    select
      to_regclass('invite.workspaces') is not null as is_cell,
      (select r.rolsuper from pg_roles as r where r.rolname = current_user) as is_super,
      exists (select from pg_available_extensions where name = 'plproxy') as has_plproxy`;
  if (found?.is_cell && (await isTable(sql)))
    throw new OperatorError('DATABASE_URL is a cell: a router needs a database of its own.');
  if (!found?.has_plproxy)
    throw new OperatorError("The router's PostgreSQL lacks PL/Proxy: install postgresql-15-plproxy, or that of its version.");
  if (!found?.is_super)
    throw new OperatorError('DATABASE_URL must be of a superuser: only a superuser may define functions in PL/Proxy.');
}

const isTable = async (sql: Sql): Promise<boolean> =>
  (await sql`select from pg_class where oid = to_regclass('invite.workspaces') and relkind = 'r'`).length > 0;

export interface CellLine {
  readonly home: string;
  readonly draining: boolean;
  readonly up: boolean;
  /** Why it is down. */
  readonly reason: string | null;
  readonly version: number | null;
  /** Those that moves have not ended for, too. */
  readonly workspaces: number | null;
  /** How many of these are being moved away. */
  readonly moving: number | null;
  /** What is left of workspaces that have moved, until it is erased. */
  readonly oldCopies: number | null;
  /** About how many. */
  readonly invitations: number | null;
  readonly due: number | null;
  readonly waiting: number | null;
  /** Within the last hour. */
  readonly sent: number | null;
  readonly workers: number | null;
}

/** What each cell holds and does now. A cell that doesn't respond has a line, too. */
export async function listCells(routerUrl: string): Promise<CellLine[]> {
  const cells = await connected(routerUrl, async (sql) => {
    await requireMade(sql);
    return sql<{ home: string; draining: boolean }[]>`select c.home, c.draining from invite_router.cells as c order by c.home`;
  });
  return Promise.all(cells.map(async ({ home, draining }) => ({ home, draining, ...(await stateOf(routerUrl, home)) })));
}

/** Each cell has a connection of its own, which is broken if the cell hangs. */
async function stateOf(routerUrl: string, home: string): Promise<Omit<CellLine, 'home' | 'draining'>> {
  const sql = openDatabase(routerUrl, { applicationName: APPLICATION, statementTimeout: SILENT });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it does not respond')), SILENT);
  try {
    const asking = sql`select * from invite_router.cell_state(${home})`;
    const [row = {}] = await Promise.race([asking, late.promise]);
    const number = (value: unknown) => Number(value);
    return {
      ...{
        up: true,
        reason: null,
        version: row.version,
        workspaces: number(row.workspaces),
        moving: number(row.moving),
        oldCopies: number(row.old_copies),
        invitations: number(row.invitations),
      },
      ...{ due: number(row.due), waiting: number(row.waiting), sent: number(row.sent), workers: number(row.workers) },
    };
  } catch (error) {
    const { message } = asDirect(error) as Error;
    const unknown = { version: null, workspaces: null, moving: null, oldCopies: null, invitations: null };
    return { up: false, reason: message, ...unknown, due: null, waiting: null, sent: null, workers: null };
  } finally {
    clearTimeout(timer);
    await sql.end({ timeout: 0 });
  }
}

/** @throws {OperatorError} It isn't a router yet. */
async function requireMade(sql: Sql | TransactionSql): Promise<number> {
  const [made] = await sql`select to_regclass('invite_router.facts') is not null as made`;
  const [fact] = made?.made ? await sql`select value from invite_router.facts where name = 'schema_version'` : [];
  if (fact === undefined) throw new OperatorError('The database in DATABASE_URL is no router: run cell router first.');
  return fact.value;
}

/**
 * Adds a cell, or changes how it is reached.
 * @param cellUrl With the login of the web server's role, as the router's connections use it.
 * @returns Its home.
 */
export async function addCell(routerUrl: string, cellUrl: string): Promise<string> {
  const cell = await connected(cellUrl, async (sql) => {
    const [row] = await sql`select invite.home(), invite.schema_version() as version, invite.arrived_homes() as arrived`;
    return row as { home: string; version: number; arrived: string[] };
  });
  const { user, password, connection } = connectionOf(cellUrl);
  await connected(routerUrl, (sql) =>
    sql.begin(async (router) => {
      const version = await requireMade(router);
      if (cell.version < version)
        throw new OperatorError(
          `The cell's schema has version ${cell.version}, the router's ${version}: run migrate in the cell.`,
        );
      await router`insert into invite_router.cells (home) values (${cell.home}) on conflict do nothing`;
      // A router that is made again learns from this what has moved. What it knows already may be newer.
      await router`
        insert into invite_router.moved (home, cell) select h, ${cell.home} from unnest(${cell.arrived}::text[]) as h on conflict do nothing`;
      const server = `invite_cell_${cell.home}`;
      const [known] = await router`select from pg_foreign_server where srvname = ${server}`;
      const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
      if (known !== undefined) await router.unsafe(`drop server ${server} cascade`);
      await router.unsafe(`
        create server ${server} foreign data wrapper plproxy options (p0 ${literal(connection)});
        grant usage on foreign server ${server} to invite_router;
        create user mapping for invite_router server ${server} options (user ${literal(user)}, password ${literal(password)});`);
    }),
  );
  return cell.home;
}

/** A cell's address as libpq reads it. The settings of a session are in it, because a cell's own defaults may be others. */
export function connectionOf(cellUrl: string): { user: string; password: string; connection: string } {
  const given = new URL(cellUrl);
  const url = new URL(workerDatabaseUrl(cellUrl, ROUTER, { statement_timeout: CELL_TIMEOUT, lock_timeout: CELL_LOCK_WAIT }));
  const keywords: Record<string, string> = {
    host: given.hostname.replace(/^\[|\]$/g, ''),
    port: given.port || '5432',
    dbname: decodeURIComponent(given.pathname.slice(1)),
    connect_timeout: '5',
    tcp_user_timeout: String(SILENT),
    keepalives_idle: '5',
    keepalives_interval: '2',
    keepalives_count: '3',
    ...Object.fromEntries(url.searchParams),
  };
  return {
    user: decodeURIComponent(given.username),
    password: decodeURIComponent(given.password),
    connection: Object.entries(keywords)
      .map(([name, value]) => `${name}='${value.replaceAll(/['\\]/g, '\\$&')}'`)
      .join(' '),
  };
}
