// Moves workspaces between cells. DATABASE_URL is the router's, CELL_URLS are the cells'.
import type { Command } from 'commander';
import { type OpenCell, withCells } from '../cells/addresses.ts';
import { drainCell, setDraining } from '../cells/drain.ts';
import { type Moved, moveWorkspace } from '../cells/move.ts';
import { withRouter } from '../cells/router.ts';
import type { Sql } from '../database/pool.ts';
import { OperatorError } from '../errors.ts';
import { plural } from '../text.ts';
import { type Context, wholeNumber } from './command.ts';

const KEEP_HOURS = 24;

export function addMoveCommands(cell: Command, router: () => string, { print, note, config }: Context): void {
  /** Runs `work` with the router and the cells. */
  async function connected<T>(work: (router: Sql, cells: ReadonlyMap<string, OpenCell>) => Promise<T>): Promise<T> {
    const urls = config().CELL_URLS;
    if (urls === undefined)
      throw new OperatorError("CELL_URLS must have the cells' addresses as their owners, separated by spaces.");
    return withRouter(router(), (sql) => withCells(urls, (cells) => work(sql, cells)));
  }
  const keep = (command: Command) =>
    command.option(
      '--keep-hours <N>',
      'when the old copy is erased; read_events can read there until then',
      wholeNumber,
      KEEP_HOURS,
    );

  keep(
    cell
      .command('move <WORKSPACE> <TO>')
      .description('move a workspace to another cell, or go on with a move that was interrupted; TO is its name in cell list'),
  ).action(async (workspace: string, to: string, { keepHours }: { keepHours: number }) => {
    const moved = await connected((sql, cells) => moveWorkspace(sql, cells, workspace, to, { keepHours }));
    print({ workspace, ...moved }, inWords(workspace, moved, keepHours));
  });
  keep(
    cell
      .command('drain <CELL>')
      .description('move all workspaces of a cell to others')
      .option('--to <CELLS>', 'which others, separated by commas; without it, all that are not drained')
      .option('--cancel', 'let the cell be used again; what has moved stays where it is'),
  ).action(async (from: string, { to = '', cancel, keepHours }: { to?: string; cancel?: boolean; keepHours: number }) => {
    if (cancel) {
      await withRouter(router(), (sql) => setDraining(sql, from, false));
      return print({ cell: from, draining: false }, `Cell ${from} is used again.`);
    }
    const targets = to.split(',').filter((home) => home !== '');
    const { moved, left } = await connected((sql, cells) =>
      drainCell(
        sql,
        cells,
        from,
        targets,
        (workspace, one, more) => note(`${inWords(workspace, one, keepHours)} ${more} more.`),
        { keepHours },
      ),
    );
    const failed = left.map(({ reason }) => `\n${reason}`).join('');
    print(
      { cell: from, moved, left },
      left.length === 0
        ? `Cell ${from} is empty: ${plural(moved.length, 'workspace has', 'workspaces have')} moved. Its workers must run until the old copies are erased.`
        : `${plural(moved.length, 'workspace has', 'workspaces have')} moved, ${left.length} ${left.length === 1 ? 'is' : 'are'} still in cell ${from}:${failed}`,
    );
    if (left.length > 0) throw new OperatorError('Run cell drain again for those that are left.');
  });
}

function inWords(workspace: string, { outcome, from, to, pausedSeconds, rows }: Moved, keepHours: number): string {
  if (outcome === 'there_already') return `Workspace ${workspace} is in cell ${to}.`;
  if (outcome === 'taken_back') return `Workspace ${workspace} stays in cell ${to}: its move to ${from} was taken back.`;
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  const paused = pausedSeconds === null ? '' : ` ${count} rows; its calls got 503 for ${pausedSeconds.toFixed(1)} s.`;
  return `Workspace ${workspace} is in cell ${to} now.${paused} The old copy in ${from} is erased in ${keepHours} hours.`;
}
