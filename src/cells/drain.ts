// Empties a cell: all its workspaces move to others, one after another. If it is stopped, the next call goes on.
import type { Sql } from '../database/pool.ts';
import { OperatorError } from '../errors.ts';
import type { OpenCell } from './addresses.ts';
import { type Moved, type MoveOptions, moveWorkspace } from './move.ts';

export interface Drained {
  readonly moved: readonly (Moved & { readonly workspace: string })[];
  /** Those that couldn't be moved now. */
  readonly left: readonly { readonly workspace: string; readonly reason: string }[];
}

/**
 * @param router Of a superuser, with one connection.
 * @param to Homes of the cells that they move to. Empty: all others that aren't drained.
 * @param onMoved Called for each workspace, with how many are left to do.
 * @throws {OperatorError} There is nowhere to move them.
 */
export async function drainCell(
  router: Sql,
  cells: ReadonlyMap<string, OpenCell>,
  from: string,
  to: readonly string[],
  onMoved: (workspace: string, moved: Moved, left: number) => void,
  options: MoveOptions = {},
): Promise<Drained> {
  const source = cells.get(from);
  if (source === undefined) throw new OperatorError(`CELL_URLS has no address of a cell ${from}.`);
  const others = await router<
    { home: string }[]
  >`select home from invite_router.cells where not draining and home <> ${from} order by home`;
  const targets = (to.length > 0 ? to : others.map(({ home }) => home)).map((home) => {
    const cell = cells.get(home);
    if (cell === undefined || home === from) throw new OperatorError(`CELL_URLS has no address of another cell ${home}.`);
    return cell;
  });
  if (targets.length === 0) throw new OperatorError('There is no other cell to which the workspaces could move.');
  await setDraining(router, from, true);

  const moved: (Moved & { workspace: string })[] = [];
  const left: { workspace: string; reason: string }[] = [];
  const waiting = await workspacesOf(source);
  for (const [index, { id, moving }] of waiting.entries()) {
    const target = moving ?? (await emptiest(targets)).home;
    try {
      const done = await moveWorkspace(router, cells, id, target, options);
      moved.push({ ...done, workspace: id });
      onMoved(id, done, waiting.length - index - 1);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      left.push({ workspace: id, reason: error.message });
    }
  }
  return { moved, left };
}

/** @throws {OperatorError} There is no such cell. */
export async function setDraining(router: Sql, home: string, draining: boolean): Promise<void> {
  const [known] = await router`update invite_router.cells set draining = ${draining} where home = ${home} returning home`;
  if (known === undefined) throw new OperatorError(`The router has no cell ${home}.`, { kind: 'not_found' });
}

/** With those whose move has begun, and where they move. */
const workspacesOf = ({ sql }: OpenCell) => sql<{ id: string; moving: string | null }[]>`
  select w.id, w.moved_to as moving from invite.workspaces as w
  where w.test_of is null and not exists (select from invite.moved_workspaces as m where m.workspace_id = w.id)
  order by w.moved_to, w.id`;

/** By workspaces: how large one is, is known only by reading it. */
async function emptiest(targets: readonly OpenCell[]): Promise<OpenCell> {
  const counted = await Promise.all(
    targets.map(async (cell) => {
      const [row] =
        await cell.sql`select count(*)::integer as workspaces from invite.workspaces where test_of is null and moved_to is null`;
      return { cell, workspaces: row?.workspaces as number };
    }),
  );
  return counted.reduce((least, one) => (one.workspaces < least.workspaces ? one : least)).cell;
}
