// The cells that a command moves workspaces between, as their owners: CELL_URLS.
import { openDatabase, type Sql } from '../database/pool.ts';
import { OperatorError } from '../errors.ts';

export interface OpenCell {
  /** As in `cell list`. */
  readonly home: string;
  readonly number: number;
  readonly sql: Sql;
}

/** Runs `work` with connections to all cells, by their homes. */
export async function withCells<T>(
  urls: readonly string[],
  work: (cells: ReadonlyMap<string, OpenCell>) => Promise<T>,
): Promise<T> {
  const opened = urls.map((url) => openDatabase(url, { applicationName: 'invitation-trigger cell', transactions: true, max: 3 }));
  try {
    const cells = await Promise.all(
      opened.map(async (sql, index): Promise<[string, OpenCell]> => {
        const [row] = await sql`select invite.home() as home, invite.cell_number() as number`.catch((error) => {
          throw new OperatorError(`Address ${index + 1} of CELL_URLS is no cell that responds: ${(error as Error).message}`);
        });
        if (row?.home === null || row === undefined)
          throw new OperatorError(`Address ${index + 1} of CELL_URLS is a router: it must be of a cell.`);
        return [row.home, { home: row.home, number: row.number, sql }];
      }),
    );
    return await work(new Map(cells));
  } finally {
    await Promise.all(opened.map((sql) => sql.end({ timeout: 5 })));
  }
}
