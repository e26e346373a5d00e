// Moves a workspace to another cell, in steps that each leave it whole in one of the two. docs/scaling.md says what a customer sees. Whatever ends the
// command, the next call looks where the workspace is, and goes on from there or back.
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, type Sql } from '../database/pool.ts';
import { OperatorError } from '../errors.ts';
import type { OpenCell } from './addresses.ts';
import { ChangedMeanwhileError, copyBeforehand, copyWorkspace } from './copy.ts';
import { movedTables } from './tables.ts';

/**
 * prepared: most of it is copied, and it works as before. refused: the router answers its calls with 503. paused: the old cell changes nothing of it. settled: nothing is on its way. copied: all was compared, and
 * isn't committed. arrived: it is in the new cell. routed: the router sends its calls there. ended: the old copy is to be erased.
 */
export const STEPS = ['prepared', 'refused', 'paused', 'settled', 'copied', 'arrived', 'routed', 'ended'] as const;
export type Step = (typeof STEPS)[number];

export interface MoveOptions {
  /** For how long the old copy stays, and one that was made for a move that didn't happen. */
  readonly keepHours?: number;
  /** How long to wait for what is on its way. */
  readonly waitSeconds?: number;
  readonly onStep?: (step: Step) => void | Promise<void>;
}

export interface Moved {
  readonly outcome: 'moved' | 'taken_back' | 'there_already';
  readonly from: string;
  readonly to: string;
  /** For how long its calls were refused. Null: an earlier call began it. */
  readonly pausedSeconds: number | null;
  /** By table. Empty: an earlier call has copied it. */
  readonly rows: Readonly<Record<string, number>>;
}

/** In milliseconds. */
const LOOK_EVERY = 50;
/** In milliseconds: for webhooks and jobs, which may also be done twice. */
const RUNNING_WAIT = 5_000;
const COPIES = 3;

interface Move {
  readonly router: Sql;
  readonly workspace: string;
  readonly from: OpenCell;
  readonly to: OpenCell;
  readonly options: MoveOptions;
}

/**
 * @param router Of a superuser. It may have one connection, which holds the lock of the move.
 * @param to The home of the cell that it moves to.
 * @throws {OperatorError} It stays where it is.
 */
export async function moveWorkspace(
  router: Sql,
  cells: ReadonlyMap<string, OpenCell>,
  workspace: string,
  to: string,
  options: MoveOptions = {},
): Promise<Moved> {
  const lock = `invite_router.move/${workspace}`;
  const [taken] = await router`select pg_try_advisory_lock(hashtextextended(${lock}, 0)) as lock`;
  if (!taken?.lock) throw new OperatorError(`Another command is moving workspace ${workspace}.`);
  try {
    return await goOn(router, cells, workspace, to, options);
  } finally {
    await router`select pg_advisory_unlock(hashtextextended(${lock}, 0))`;
  }
}

async function goOn(
  router: Sql,
  cells: ReadonlyMap<string, OpenCell>,
  workspace: string,
  to: string,
  options: MoveOptions,
): Promise<Moved> {
  const target = cells.get(to);
  if (target === undefined) throw new OperatorError(`CELL_URLS has no address of a cell ${to}.`);
  const [known] = await router`select from invite_router.cells where home = ${to}`;
  if (known === undefined) throw new OperatorError(`The router has no cell ${to}: add it with cell add.`);
  const { here, leaving } = await find(cells, workspace);
  const left = leaving && cells.get(leaving.to);
  if (leaving !== undefined && left === undefined)
    throw new OperatorError(`CELL_URLS has no address of cell ${leaving.to}, to which it moves.`);

  if (here !== undefined && leaving !== undefined && left !== undefined) {
    // It has arrived: the move ends first, wherever it is to go now.
    await end({ router, workspace, from: leaving.cell, to: here, options });
    if (here.home === to) return { outcome: 'moved', from: leaving.cell.home, to, pausedSeconds: null, rows: {} };
    return move({ router, workspace, from: here, to: target, options });
  }
  if (here !== undefined) {
    if (here.home !== to) return move({ router, workspace, from: here, to: target, options });
    await route({ router, workspace, from: here, to: here, options });
    return { outcome: 'there_already', from: to, to, pausedSeconds: null, rows: {} };
  }
  if (leaving === undefined || left === undefined)
    throw new OperatorError(`No cell of CELL_URLS has a workspace ${workspace}.`, { kind: 'not_found' });
  if (leaving.cell.home === to) {
    await takeBack({ router, workspace, from: leaving.cell, to: left, options });
    return { outcome: 'taken_back', from: left.home, to, pausedSeconds: null, rows: {} };
  }
  if (left.home !== to)
    throw new OperatorError(`Workspace ${workspace} is moving from ${leaving.cell.home} to ${left.home}: name one of these.`);
  return move({ router, workspace, from: leaving.cell, to: target, options }, true);
}

/** here: where it is. leaving: where its move has begun, and isn't ended. */
async function find(cells: ReadonlyMap<string, OpenCell>, workspace: string) {
  let here: OpenCell | undefined;
  let leaving: { cell: OpenCell; to: string } | undefined;
  for (const cell of cells.values()) {
    const [row] = await cell.sql`
      select w.moved_to, w.test_of, exists (select from invite.moved_workspaces as m where m.workspace_id = w.id) as is_copy
      from invite.workspaces as w where w.id = ${workspace}`;
    if (row?.test_of)
      throw new OperatorError(`${workspace} is a test workspace: it moves with ${row.test_of}.`, { kind: 'usage' });
    if (row?.moved_to === null) {
      if (here !== undefined) throw new OperatorError(`Cells ${here.home} and ${cell.home} both have a workspace ${workspace}.`);
      here = cell;
    } else if (row !== undefined && !row.is_copy) leaving = { cell, to: row.moved_to };
  }
  return { here, leaving };
}

/** @param isPaused An earlier call has paused it. */
async function move(move: Move, isPaused = false): Promise<Moved> {
  const { workspace, from, to, options } = move;
  await requireAlike(move);
  await eraseCopy(to, workspace);
  const done = async (step: Step) => options.onStep?.(step);
  if (!isPaused) await copyBeforehand(from.sql, to.sql, workspace, from.home, keepHours(move)).catch(refuseSameId(move));
  await done('prepared');
  const began = performance.now();
  try {
    await refuse(move);
    await done('refused');
    await pause(move);
    await done('paused');
    await settle(move);
    await done('settled');
    const { rows } = await copy(move, () => done('copied') ?? Promise.resolve());
    await done('arrived');
    await route(move);
    const pausedSeconds = (performance.now() - began) / 1000;
    await done('routed');
    await end(move);
    await done('ended');
    return { outcome: 'moved', from: from.home, to: to.home, pausedSeconds, rows };
  } catch (error) {
    const [arrived] = await to.sql`select from invite.workspaces where id = ${workspace} and moved_to is null`;
    if (arrived === undefined) await takeBack(move);
    throw error;
  }
}

/** @throws {OperatorError} The cells can't have the same rows. */
async function requireAlike({ workspace, from, to }: Move): Promise<void> {
  if (from.number === to.number) {
    throw new OperatorError(
      `Cells ${from.home} and ${to.home} both have CELL_NUMBER ${from.number}, so their ids may meet: nothing can move between them.`,
    );
  }
  const described = await Promise.all(
    [from, to].map(async ({ sql }) =>
      JSON.stringify([
        await movedTables(sql),
        await sql`select enumtypid::regtype::text as type, enumlabel from pg_enum order by 1, enumsortorder`,
      ]),
    ),
  );
  if (described[0] !== described[1])
    throw new OperatorError(`Cells ${from.home} and ${to.home} have other schemas: run migrate in both.`);
  const plans = await from.sql`
    select distinct p.id, p.api_trigger from invite.workspaces_with(${workspace}) as w join invite.plans as p on p.id = w.plan_id`;
  for (const plan of plans) {
    const [there] = await to.sql`select api_trigger from invite.plans where id = ${plan.id}`;
    if (there?.api_trigger !== plan.api_trigger)
      throw new OperatorError(`Cell ${to.home} has no plan ${plan.id}, or it allows something else there: make them the same.`);
  }
}

/** What an earlier move has left in the cell to which the workspace comes back. */
async function eraseCopy({ sql }: OpenCell, workspace: string): Promise<void> {
  for (let more = true; more; ) {
    const [step] = await sql`select (invite.erase_old_copy(${workspace})).more`;
    more = step?.more;
  }
}

async function homes({ sql }: OpenCell, workspace: string): Promise<string[]> {
  return (await sql`select w.home from invite.workspaces_with(${workspace}) as w`).map(({ home }) => home);
}

async function setRoute({ router, workspace }: Move, where: OpenCell, cell: string, isMoving: boolean): Promise<void> {
  await router`
    insert into invite_router.moved (home, cell, is_moving)
    select h, ${cell}, ${isMoving} from unnest(${await homes(where, workspace)}::text[]) as h
    on conflict (home) do update set cell = excluded.cell, is_moving = excluded.is_moving
    where (moved.cell, moved.is_moving) is distinct from (excluded.cell, excluded.is_moving)`;
}

const keepHours = ({ options }: Move): number => options.keepHours ?? 24;
const refuse = (move: Move) => setRoute(move, move.from, move.from.home, true);
const route = (move: Move) => setRoute(move, move.to, move.to.home, false);

async function end(move: Move): Promise<void> {
  await route(move);
  await move.to.sql`select invite.index_workspace(${move.workspace})`;
  await move.from.sql`select invite.end_move(${move.workspace}, ${keepHours(move)})`;
}

async function takeBack(move: Move): Promise<void> {
  await move.from.sql`select invite.cancel_move(${move.workspace})`;
  await setRoute(move, move.from, move.from.home, false);
}

/** Looks until nothing is left to wait for. @param what Says what is still there, or undefined. */
async function waitFor(seconds: number, workspace: string, what: () => Promise<string | undefined>): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const left = await what();
    if (left === undefined) return;
    if (performance.now() > deadline)
      throw new OperatorError(`Workspace ${workspace} stays where it is: ${left}. Try again later.`);
    await delay(LOOK_EVERY);
  }
}

/** Until everybody who may not know of the move has ended. */
async function pause(move: Move): Promise<void> {
  const { from, to, workspace, options } = move;
  const begin = async () => from.sql`select invite.begin_move(${workspace}, ${to.home})`;
  await begin().catch((error) => {
    if (errorCode(error) === '55P03')
      throw new OperatorError(`Workspace ${workspace} stays where it is: somebody has locked its row.`);
    throw error;
  });
  const users = await from.sql`select * from invite.users_of_workspaces()`;
  await waitFor(options.waitSeconds ?? 60, workspace, async () => {
    const open = await from.sql`select * from invite.users_of_workspaces()`;
    const old = open.find(({ id }) => users.some((one) => one.id === id));
    return (
      old &&
      `a transaction that began before is open in cell ${from.home} (process ${old.pid ?? 'of a prepared one'}, ${old.application ?? 'unknown'})`
    );
  });
  // Test workspaces that were being made.
  await begin();
  await refuse(move);
}

/** Until emails are settled and events published. */
async function settle({ from: { sql, home }, workspace, options }: Move): Promise<void> {
  const runningUntil = performance.now() + RUNNING_WAIT;
  let matched = false;
  await waitFor(options.waitSeconds ?? 60, workspace, async () => {
    const [left] = await sql`select * from invite.move_waits_for(${workspace})`;
    const [sending, unpublished, running] = [left?.sending, left?.unpublished, left?.running].map(Number);
    if (sending) return `a worker of cell ${home} is sending ${sending} of its emails`;
    if (!matched) await sql`select invite.match_relay_events()`;
    matched = true;
    if (unpublished) {
      await sql`select invite.publish_events()`;
      return `${unpublished} of its events aren't published`;
    }
    return running && performance.now() < runningUntil ? 'its jobs are running' : undefined;
  });
  await sql`select invite.publish_events()`;
}

const refuseSameId = (move: Move) => (error: unknown) => {
  if (errorCode(error) !== '23505') throw error;
  const { detail, message } = error as Error & { detail?: string };
  throw new OperatorError(`Cell ${move.to.home} has something of the same id: ${detail ?? message}`);
};

async function copy(move: Move, beforeCommit: () => Promise<void>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await copyWorkspace(move.from.sql, move.to.sql, move.workspace, move.from.home, beforeCommit).catch(
        refuseSameId(move),
      );
    } catch (error) {
      if (!(error instanceof ChangedMeanwhileError)) throw error;
      if (tries === COPIES)
        throw new OperatorError(`Workspace ${move.workspace} stays where it is: ${error.message} while it was copied.`);
    }
  }
}
