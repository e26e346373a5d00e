// Brings a workspace from one cell to another, in one transaction there: only the rows that differ are copied, and each is compared by its digest. Called
// before the workspace is paused and again while it is, so that the pause lasts as long as comparing takes.
import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from '../database/pool.ts';
import { OperatorError } from '../errors.ts';
import {
  columnList,
  countDiffering,
  countRows,
  deleteDiffering,
  digestRows,
  findDiffering,
  type MovedTable,
  movedTables,
  type Scope,
  scopeOf,
  selectDigests,
  selectRows,
} from './tables.ts';

export interface Copied {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The workspace was changed while it was copied, by something that doesn't know of moves: copy again. */
export class ChangedMeanwhileError extends Error {}

/** A relay's report without a home goes to all cells, which record it: the workspace's old one, and the new one when the invitation is there. */
const WRITTEN_BY_RELAYS: readonly string[] = ['relay_events', 'invitation_outcomes', 'suppressions'];
/** Added up at any time. */
const COUNTS: readonly string[] = ['result_counts', 'result_changes'];
/** Not before the pause: members could sign in to the copy, and what has no identity (changes of counts) would be there twice, or be added up there too. */
const isLast = ({ name, identity }: MovedTable): boolean => name === 'members' || identity.length === 0;

/** Only lookups: else a large cell would be read whole for a small workspace. */
const LOOKUPS = `
  set local statement_timeout = 0; set local lock_timeout = '10s'; set local idle_in_transaction_session_timeout = 0;
  set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local jit = off;`;

/**
 * Makes a copy that nobody uses yet. It is erased after some hours, unless the workspace arrives.
 *
 * @param source Where the workspace works meanwhile.
 * @param cell The home of source.
 * @throws {OperatorError} Nothing was copied.
 */
export async function copyBeforehand(
  source: Sql,
  target: Sql,
  workspace: string,
  cell: string,
  keepHours: number,
): Promise<void> {
  await bring(source, target, workspace, cell, async (to, { tables, copy }) => {
    for (const table of tables) if (!isLast(table)) await copy(table);
    await to`select invite.note_copy(${workspace}, ${keepHours}), invite.index_workspace(${workspace})`;
  });
}

/**
 * @param source Where the workspace is, paused.
 * @param cell The home of source.
 * @param beforeCommit Called when all has arrived and was compared.
 * @throws {ChangedMeanwhileError} Nothing was copied.
 * @throws {OperatorError} Nothing was copied.
 */
export async function copyWorkspace(
  source: Sql,
  target: Sql,
  workspace: string,
  cell: string,
  beforeCommit: () => Promise<void>,
): Promise<Copied> {
  return bring(source, target, workspace, null, async (to, { from, tables, scope, copy }) => {
    const rows: Record<string, number> = {};
    for (const table of tables) rows[table.name] = await copy(table);
    await to.unsafe('set local session_replication_role = origin');
    const [jobs] = await from`
      select coalesce(jsonb_agg(j), '[]') as jobs from invite.jobs_of(${scope.workspaces as string[]}) as j where j.attempts < j.max_attempts`;
    await to`select invite.arrive(${workspace}, ${to.json(jobs?.jobs)}, ${cell})`;
    await lookAgain(source, tables, scope, rows);
    await beforeCommit();
    return { rows };
  });
}

interface Passage {
  readonly from: TransactionSql;
  readonly tables: readonly MovedTable[];
  readonly scope: Scope;
  /** Returns how many rows the table has. */
  copy(table: MovedTable): Promise<number>;
}

/** @param movedTo What the copy says of where the workspace is. */
async function bring<T>(
  source: Sql,
  target: Sql,
  workspace: string,
  movedTo: string | null,
  work: (to: TransactionSql, passage: Passage) => Promise<T>,
): Promise<T> {
  return source.begin('isolation level repeatable read', async (from) => {
    await from.unsafe(LOOKUPS);
    const tables = await movedTables(from);
    const scope = await scopeOf(from, workspace, movedTo);
    await prepareEvents(from, target, scope);
    return target.begin(async (to) => {
      await to.unsafe(LOOKUPS);
      // Triggers and foreign keys: the rows are what they have made of them already.
      await to.unsafe('set local session_replication_role = replica').catch((error) => {
        throw new OperatorError(
          `The other cell's address in CELL_URLS must be of a superuser, or of a role that may set session_replication_role: ${error.message}`,
        );
      });
      return work(to, { from, tables, scope, copy: (table) => copyTable(from, to, table, scope) });
    });
  }) as Promise<T>;
}

/** What would keep publishing waiting in the large transaction is done before. */
async function prepareEvents(from: TransactionSql, target: Sql, { workspaces }: Scope): Promise<void> {
  const [last] = await from`
    select coalesce(max(e.position), 0)::text as position, array_agg(distinct date_trunc('week', e.published_at, 'UTC')::text) as weeks
    from invite.events as e where e.workspace_id = any (${workspaces as string[]})`;
  await target`select invite.reach_position(${last?.position})`;
  for (const week of last?.weeks ?? []) await target`select invite.prepare_event_partition(${week})`;
}

/** Returns how many rows it has. */
async function copyTable(from: TransactionSql, to: TransactionSql, table: MovedTable, scope: Scope): Promise<number> {
  if (table.identity.length === 0) return copyWhole(from, to, table, scope);
  await receiveNew(from, selectDigests(table, scope, true), to, 'there', `${selectDigests(table, scope, true)} limit 0`);
  // These two are compared whole.
  const results = await to.unsafe(`
    create temporary table here on commit drop as ${selectDigests(table, scope, false)};
    set local enable_hashjoin = on;
    ${findDiffering(table, 'pg_temp.there', 'pg_temp.here')};
    set local enable_hashjoin = off;
    select (select count(*)::integer from pg_temp.there) as rows, (select count(*)::integer from pg_temp.differing) as differing`);
  const [found] = results.at(-1) as { rows: number; differing: number }[];
  if (found !== undefined && found.differing > 0) await copyDiffering(from, to, table, scope);
  await to.unsafe('drop table pg_temp.there, pg_temp.here, pg_temp.differing');
  return found?.rows ?? 0;
}

async function copyDiffering(from: TransactionSql, to: TransactionSql, table: MovedTable, scope: Scope): Promise<void> {
  const keys = table.identity.map((column) => `"${column}"`).join(', ');
  const wanted = `select ${keys} from pg_temp.differing where digest is not null`;
  await to.unsafe(deleteDiffering(table));
  await receiveNew(to, wanted, from, 'wanted', `select ${keys} from invite.${table.name} limit 0`);
  await from.unsafe('analyze pg_temp.wanted');
  await copyRows(from, to, table, selectRows(table, scope, 'pg_temp.wanted'));
  await from.unsafe('drop table pg_temp.wanted');
  const [left] = await to.unsafe(countDiffering(table));
  if (left?.rows > 0) throw differs(table, left?.rows);
}

/** Rows that have no identity. None is in the other database. */
async function copyWhole(from: TransactionSql, to: TransactionSql, table: MovedTable, scope: Scope): Promise<number> {
  await copyRows(from, to, table, selectRows(table, scope));
  const [there] = await from.unsafe(digestRows(table, scope, true));
  const [here] = await to.unsafe(digestRows(table, scope, false));
  if (there?.rows !== here?.rows || there?.digest !== here?.digest) throw differs(table, here?.rows);
  return Number(here?.rows);
}

const differs = (table: MovedTable, rows: number): OperatorError =>
  new OperatorError(
    `The copy differs from the workspace in invite.${table.name}, in some of ${rows} rows. The workspace stays where it is.`,
  );

async function copyRows(from: TransactionSql, to: TransactionSql, table: MovedTable, rows: string): Promise<void> {
  await receive(from, rows, to, `invite.${table.name} (${columnList(table)})`);
}

/** Fills a new temporary table with what a statement finds in the other database. @param as A statement of no rows, with its columns. */
async function receiveNew(from: TransactionSql, rows: string, to: TransactionSql, name: string, as: string): Promise<void> {
  await to.unsafe(`create temporary table ${name} on commit drop as ${as}`);
  await receive(from, rows, to, `pg_temp.${name}`);
}

async function receive(from: TransactionSql, rows: string, to: TransactionSql, table: string): Promise<void> {
  const sent = await from.unsafe(`copy (${rows}) to stdout`).readable();
  await pipeline(sent, await to.unsafe(`copy ${table} from stdin`).writable());
}

/** @throws {ChangedMeanwhileError} There are rows that weren't copied. */
async function lookAgain(source: Sql, tables: readonly MovedTable[], scope: Scope, copied: Readonly<Record<string, number>>) {
  await source.begin(async (now) => {
    await now.unsafe(LOOKUPS);
    for (const table of tables) {
      if (WRITTEN_BY_RELAYS.includes(table.name) || COUNTS.includes(table.name)) continue;
      const [row] = await now.unsafe(countRows(table, scope));
      if (Number(row?.rows) > (copied[table.name] ?? 0))
        throw new ChangedMeanwhileError(`rows were added to invite.${table.name}`);
    }
  });
}
