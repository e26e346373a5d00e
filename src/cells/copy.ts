// Copies a workspace from one cell to another, in one transaction there, and compares what has arrived with what was sent, by counts and digests.
import { once } from 'node:events';
import type { Sql, TransactionSql } from '../database/pool.ts';
import { OperatorError } from '../errors.ts';
import { columnList, countRows, digestRows, type MovedTable, movedTables, type Scope, scopeOf, selectRows } from './tables.ts';

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

/** Only lookups: else a large cell would be read whole for a small workspace. */
const LOOKUPS = `
  set local statement_timeout = 0; set local lock_timeout = '10s'; set local idle_in_transaction_session_timeout = 0;
  set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local jit = off;`;

/**
 * @param source Where the workspace is, paused.
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
  return source.begin('isolation level repeatable read read only', async (from) => {
    await from.unsafe(LOOKUPS);
    const tables = await movedTables(from);
    const scope = await scopeOf(from, workspace);
    await prepareEvents(from, target, scope);
    return target.begin(async (to) => {
      await to.unsafe(LOOKUPS);
      // Triggers and foreign keys: the rows are what they have made of them already.
      await to.unsafe('set local session_replication_role = replica').catch((error) => {
        throw new OperatorError(
          `The other cell's address in CELL_URLS must be of a superuser, or of a role that may set session_replication_role: ${error.message}`,
        );
      });
      const rows: Record<string, number> = {};
      for (const table of tables) await copyTable(from, to, table, scope);
      // When all is there: what belongs to another row is found by it.
      for (const table of tables) rows[table.name] = await compareTable(from, to, table, scope);
      await to.unsafe('set local session_replication_role = origin');
      const [jobs] = await from`
        select coalesce(jsonb_agg(j), '[]') as jobs from invite.jobs_of(${scope.workspaces as string[]}) as j where j.attempts < j.max_attempts`;
      await to`select invite.arrive(${workspace}, ${to.json(jobs?.jobs)}, ${cell})`;
      await lookAgain(source, tables, scope, rows);
      await beforeCommit();
      return { rows };
    });
  }) as Promise<Copied>;
}

/** What would keep publishing waiting in the large transaction is done before. */
async function prepareEvents(from: TransactionSql, target: Sql, { workspaces }: Scope): Promise<void> {
  const [last] = await from`
    select coalesce(max(e.position), 0)::text as position, array_agg(distinct date_trunc('week', e.published_at, 'UTC')::text) as weeks
    from invite.events as e where e.workspace_id = any (${workspaces as string[]})`;
  await target`select invite.reach_position(${last?.position})`;
  for (const week of last?.weeks ?? []) await target`select invite.prepare_event_partition(${week})`;
}

async function copyTable(from: TransactionSql, to: TransactionSql, table: MovedTable, scope: Scope): Promise<void> {
  // Not into the table itself: the driver loses an error at the end of COPY, and waits forever.
  await to.unsafe(
    `create temporary table copied on commit drop as select ${columnList(table)} from invite.${table.name} limit 0`,
  );
  const sent = await from.unsafe(`copy (${selectRows(table, scope)}) to stdout`).readable();
  const received = await to.unsafe('copy pg_temp.copied from stdin').writable();
  const broken = once(received, 'error').then(([error]) => Promise.reject(error));
  broken.catch(() => {});
  for await (const rows of sent) {
    if (!received.write(rows)) await Promise.race([once(received, 'drain'), broken]);
  }
  received.end();
  if (table.name === 'relay_events') {
    // All cells got a report that names none, and this one found no invitation then.
    await to.unsafe(`
      delete from invite.relay_events as e using pg_temp.copied as c where e.relay = c.relay and e.event_id = c.event_id and e.invitation_id is null`);
  }
  await to.unsafe(`
    insert into invite.${table.name} (${columnList(table)}) overriding system value select ${columnList(table)} from pg_temp.copied`);
  await to.unsafe('drop table pg_temp.copied');
}

/** @returns How many rows it has. */
async function compareTable(from: TransactionSql, to: TransactionSql, table: MovedTable, scope: Scope): Promise<number> {
  const [there] = await from.unsafe(digestRows(table, scope, true));
  const [here] = await to.unsafe(digestRows(table, scope, false));
  if (there?.rows !== here?.rows || there?.digest !== here?.digest) {
    throw new OperatorError(
      `The copy differs from the workspace in invite.${table.name}: ${here?.rows} rows of ${there?.rows}, or other values. The workspace stays where it is.`,
    );
  }
  return Number(here?.rows);
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
